//! The plots of the page, as SVG in two widths. Colours are names that the page's style gives to light and dark.

use super::report::{Line, Report};
use crate::rates::scaled;
use plotters::prelude::*;
use std::error::Error;

/// Stand-ins for the colours of the page's style.
const INK: RGBColor = RGBColor(1, 1, 1);
const GRID: RGBColor = RGBColor(2, 2, 2);
const MARK: RGBColor = RGBColor(3, 3, 3);

/// The sizes of a plot: for wide pages and for phones.
const SIZES: [(&str, u32, u32); 2] = [("wide", 960, 260), ("narrow", 360, 240)];

/// A plot.
#[derive(serde::Serialize)]
pub struct Plot {
    pub title: String,
    /// The class of the page's style that shows it, and the SVG.
    pub drawings: Vec<(&'static str, String)>,
}

/// The plots of a report: messages along its line, and bytes too where that is time.
pub fn plots(report: &Report) -> Result<Vec<Plot>, Box<dyn Error>> {
    let line = &report.timeline;
    if line.messages.len() < 2 {
        return Ok(Vec::new());
    }
    let per = |what: &str, counts: &[u64], each: f64| {
        (what.to_owned(), counts.iter().map(|count| *count as f64 / each).collect::<Vec<f64>>())
    };
    let wanted = match line.along {
        "nanoseconds" => vec![
            per("Messages per second", &line.messages, line.step as f64 / 1e9),
            per("Bytes per second", &line.bytes, line.step as f64 / 1e9),
        ],
        _ => vec![per("Messages per MB of the file", &line.messages, line.step as f64 / 1e6)],
    };
    let drawn = |(title, values): (String, Vec<f64>)| {
        let drawings = SIZES.iter().map(|(class, width, height)| {
            let mut svg = String::new();
            let root = SVGBackend::with_string(&mut svg, (*width, *height)).into_drawing_area();
            draw(&root, line, &values)?;
            drop(root);
            Ok((*class, svg))
        });
        Ok(Plot { title, drawings: drawings.collect::<Result<_, Box<dyn Error>>>()? })
    };
    wanted.into_iter().map(drawn).collect()
}

type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;

fn draw(root: &Area<'_>, line: &Line, values: &[f64]) -> Result<(), Box<dyn Error>> {
    let (width, _) = root.dim_in_pixel();
    let unit = if line.along == "nanoseconds" { 1e9 } else { 1e6 };
    let end = values.len() as f64 * line.step as f64 / unit;
    let most = values.iter().copied().fold(0.0, f64::max).max(1.0);
    let mut chart = ChartBuilder::on(root)
        .margin(8)
        .margin_right(24)
        .x_label_area_size(36)
        .y_label_area_size(56)
        .build_cartesian_2d::<std::ops::Range<f64>, std::ops::Range<f64>>(0.0..end, 0.0..1.05 * most)?;
    let text = ("sans-serif", 13).into_font().color(&INK);
    let x_title = if unit == 1e9 { "seconds from the first packet" } else { "MB from the file's begin" };
    chart
        .configure_mesh()
        .disable_x_mesh()
        .x_labels(if width > 600 { 10 } else { 4 })
        .y_labels(5)
        .light_line_style(TRANSPARENT)
        .bold_line_style(GRID)
        .axis_style(INK)
        .label_style(text.clone())
        .axis_desc_style(text)
        .x_desc(x_title)
        .x_label_formatter(&|value| format!("{}", (value * 1e3).round() / 1e3))
        .y_label_formatter(&|value| scaled(*value).trim_end().to_owned())
        .draw()?;
    let points = steps(line, values, unit);
    chart.draw_series(AreaSeries::new(points, 0.0, MARK.mix(0.25)).border_style(MARK.stroke_width(1)))?;
    root.present()?;
    Ok(())
}

/// The corners of the line, which is level along each step.
fn steps(line: &Line, values: &[f64], unit: f64) -> Vec<(f64, f64)> {
    let at = |index: usize| index as f64 * line.step as f64 / unit;
    values.iter().enumerate().flat_map(|(index, value)| [(at(index), *value), (at(index + 1), *value)]).collect()
}
