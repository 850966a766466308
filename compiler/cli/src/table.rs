//! Text in aligned columns.

/// A table for people: a heading, then rows of as many cells.
pub struct Table {
    columns: Vec<Column>,
    rows: Vec<Vec<String>>,
}

struct Column {
    title: String,
    numeric: bool,
}

impl Table {
    /// Columns by title. A title that begins with `>` stands over numbers: such a column is aligned at its right.
    pub fn new(titles: &[&str]) -> Self {
        let columns = titles
            .iter()
            .map(|title| Column { title: title.trim_start_matches('>').to_owned(), numeric: title.starts_with('>') })
            .collect();
        Self { columns, rows: Vec::new() }
    }

    pub fn row(&mut self, cells: Vec<String>) {
        debug_assert_eq!(cells.len(), self.columns.len());
        self.rows.push(cells);
    }

    /// The table's text, two spaces between columns, `indent` before each line, without trailing blanks.
    pub fn render(&self, indent: &str) -> String {
        let widths: Vec<usize> = (0..self.columns.len())
            .map(|i| {
                let cells = self.rows.iter().map(|row| row[i].chars().count());
                cells.chain([self.columns[i].title.chars().count()]).max().unwrap_or(0)
            })
            .collect();
        let heading: Vec<String> = self.columns.iter().map(|column| column.title.clone()).collect();
        let mut text = String::new();
        for row in std::iter::once(&heading).chain(&self.rows) {
            let mut line = String::from(indent);
            for ((cell, column), width) in row.iter().zip(&self.columns).zip(&widths) {
                let fill = " ".repeat(width - cell.chars().count());
                let (left, right) = if column.numeric { (fill.as_str(), "") } else { ("", fill.as_str()) };
                line.extend([left, cell, right, "  "]);
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::Table;

    #[test]
    fn numbers_end_and_words_begin_together() {
        let mut table = Table::new(&["name", ">bytes"]);
        table.row(vec!["größe".into(), "7".into()]);
        table.row(vec!["x".into(), "1024".into()]);
        assert_eq!(table.render(" "), " name   bytes\n größe      7\n x       1024\n");
    }
}
