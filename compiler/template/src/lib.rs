//! Templates of code in the syntax of C, read when the compiler is built.
//!
//! `code!("{at} = {read}(in, {at});")` is a tree of code with holes, as `format!` has them: what they hold are trees, too. A template's
//! names, brackets and places for line ends are known from what the author wrote, so that nobody reads printed code. The crate that
//! uses it has a module `code` with the types `Code`, `Stmt` and `Template` and the trait `ToCode`.

mod lexer;
mod literal;

use literal::{split, Part};
use proc_macro::{Delimiter, Group, Ident, TokenStream, TokenTree};

/// A tree of code.
#[proc_macro]
pub fn code(input: TokenStream) -> TokenStream {
    expand(input).unwrap_or_else(|fault| error(&fault))
}

/// A statement, or another line of code.
#[proc_macro]
pub fn stmt(input: TokenStream) -> TokenStream {
    let line = |tree| concat([stream("crate::code::Stmt::Line"), grouped(Delimiter::Parenthesis, tree)]);
    expand(input).map_or_else(|fault| error(&fault), line)
}

fn error(fault: &str) -> TokenStream {
    stream(&format!("compile_error!({fault:?})"))
}

fn stream(text: &str) -> TokenStream {
    text.parse().expect("these are tokens")
}

fn concat(parts: impl IntoIterator<Item = TokenStream>) -> TokenStream {
    parts.into_iter().collect()
}

fn grouped(delimiter: Delimiter, inner: TokenStream) -> TokenStream {
    TokenTree::Group(Group::new(delimiter, inner)).into()
}

/// A block with a static template, and the tree that has the arguments in its holes.
fn expand(input: TokenStream) -> Result<TokenStream, String> {
    let mut arguments = split_at_commas(input).into_iter();
    let first: Vec<TokenTree> = arguments.next().unwrap_or_default().into_iter().collect();
    let [first] = first.as_slice() else { return Err("a template is a literal".to_owned()) };
    let TokenTree::Literal(literal) = plain(first.clone()) else { return Err("a template is a literal".to_owned()) };
    let parts = split(&literal.to_string())?;
    let (mut holes, mut names) = (Vec::new(), Vec::new());
    let mut read = Vec::new();
    for part in parts {
        match part {
            Part::Char(c) => read.push(lexer::Unit::Char(c)),
            Part::Hole(name) if name.is_empty() => {
                holes.push(arguments.next().ok_or("there are more holes than arguments")?);
                read.push(lexer::Unit::Hole(holes.len() - 1));
            }
            Part::Hole(name) => {
                let known = names.iter().find(|(known, _)| *known == name).map(|(_, hole)| *hole);
                let hole = known.unwrap_or(holes.len());
                if hole == holes.len() {
                    holes.push(TokenTree::Ident(Ident::new(&name, literal.span())).into());
                    names.push((name, hole));
                }
                read.push(lexer::Unit::Hole(hole));
            }
        }
    }
    if arguments.next().is_some() {
        return Err("there are fewer holes than arguments".to_owned());
    }
    let template = lexer::read(&read)?;
    let holes = holes.into_iter().map(|hole| {
        concat([stream("&"), grouped(Delimiter::Parenthesis, hole), stream("as &dyn crate::code::ToCode,")])
    });
    let filled = concat([stream("&__ALDIS_TEMPLATE, &"), grouped(Delimiter::Bracket, concat(holes))]);
    let tree = concat([stream("crate::code::Code::tree"), grouped(Delimiter::Parenthesis, filled)]);
    let template = stream(&format!("static __ALDIS_TEMPLATE: crate::code::Template = {template};"));
    Ok(grouped(Delimiter::Brace, concat([template, tree])))
}

/// A literal that another macro handed on stands in a group without brackets.
fn plain(token: TokenTree) -> TokenTree {
    match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::None => {
            let inner = group.stream().into_iter().next();
            inner.map_or(TokenTree::Group(group), plain)
        }
        token => token,
    }
}

/// The arguments; one with a comma outside of all brackets, as in `max::<A, B>(a)`, needs brackets around it.
fn split_at_commas(input: TokenStream) -> Vec<TokenStream> {
    let mut all = Vec::new();
    let mut own = TokenStream::new();
    for token in input {
        match &token {
            TokenTree::Punct(punct) if punct.as_char() == ',' => all.push(std::mem::take(&mut own)),
            _ => own.extend([token]),
        }
    }
    if !own.is_empty() {
        all.push(own);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::lexer::{read, Unit};
    use super::literal::{split, Part};

    /// The template that a literal is, with all of its holes as the first one.
    fn template(text: &str) -> Result<String, String> {
        let unit = |part| match part {
            Part::Char(c) => Unit::Char(c),
            Part::Hole(_) => Unit::Hole(0),
        };
        let units: Vec<Unit> = split(&format!("{text:?}"))?.into_iter().map(unit).collect();
        read(&units).map(|template| template.to_string())
    }

    #[test]
    fn names_brackets_and_breaks_are_found() {
        let found = template("x = f<{}>(a.b, \"c, d\", std::move(e));").expect("it is right");
        assert!(found.contains(r#"names: "x f a e""#), "{found}");
        let marks = "x =\u{6}f\u{1}<\u{7} \u{2}>\u{1}(a.b,\u{5}\"c, d\",\u{5}std::move\u{1}(e\u{2})\u{2});";
        assert!(found.ends_with(&format!("marks: {marks:?} }}")), "{found}");
    }

    #[test]
    fn comments_are_text_and_bodies_are_told_from_other_braces() {
        let found = template("/// a, (b\nf([&](auto& c) {{ return {}; }}, {{}})").expect("it is right");
        let marks = concat!(
            "/// a, (b\nf\u{1}(\u{1}[&\u{2}]\u{1}(auto& c\u{2}) \u{3}return \u{7} ;\u{4},",
            "\u{5}\u{1}{\u{2}}\u{2})"
        );
        assert!(found.ends_with(&format!("marks: {marks:?} }}")), "{found}");
    }

    #[test]
    fn mistakes_are_told() {
        for (text, mistake) in [
            ("f(a", "a bracket is not closed"),
            ("f a)", "`)` closes nothing"),
            ("f(a]", "`]` closes nothing"),
            ("{a:x}", "`{a:x}` is no hole: it has a name or nothing"),
            ("x {a", "the hole `{a` is not closed"),
            ("x {0}", "`{0}` is no hole: it has a name or nothing"),
            ("a }", "a `}` alone; two of them are one"),
        ] {
            assert_eq!(template(text).err().as_deref(), Some(mistake), "{text}");
        }
    }
}
