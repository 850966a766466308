//! HTML as a tree; text is escaped when it is printed, so none of it can be markup.

/// An element or a text.
#[derive(Clone, Debug)]
pub(crate) enum Html {
    Element {
        tag: &'static str,
        attributes: Vec<(&'static str, String)>,
        children: Vec<Html>,
    },
    Text(String),
    /// The page's own style or script.
    Own(&'static str),
}

/// An element without attributes.
pub(crate) fn element(tag: &'static str, children: impl IntoIterator<Item = Html>) -> Html {
    Html::Element { tag, attributes: Vec::new(), children: children.into_iter().collect() }
}

pub(crate) fn text(text: impl Into<String>) -> Html {
    Html::Text(text.into())
}

/// An element around a text.
pub(crate) fn with_text(tag: &'static str, words: impl Into<String>) -> Html {
    element(tag, [text(words)])
}

impl Html {
    pub(crate) fn with(mut self, attribute: &'static str, value: impl Into<String>) -> Self {
        if let Html::Element { attributes, .. } = &mut self {
            attributes.push((attribute, value.into()));
        }
        self
    }

    pub(crate) fn print(&self, into: &mut String) {
        match self {
            Html::Text(text) => escape(text, into),
            Html::Own(text) => into.push_str(text),
            Html::Element { tag, attributes, children } => {
                into.push('<');
                into.push_str(tag);
                for (name, value) in attributes {
                    into.extend([" ", name, "=\""]);
                    escape(value, into);
                    into.push('"');
                }
                into.push('>');
                if matches!(*tag, "meta" | "input" | "br") {
                    return;
                }
                children.iter().for_each(|child| child.print(into));
                into.extend(["</", tag, ">"]);
                if matches!(*tag, "section" | "tr" | "li" | "table" | "p" | "h2" | "h3" | "style" | "head") {
                    into.push('\n');
                }
            }
        }
    }
}

/// Characters that mean something to HTML by their names; controls, and what changes the direction of the text around
/// it, are shown as a replacement.
fn escape(text: &str, into: &mut String) {
    for c in text.chars() {
        match c {
            '&' => into.push_str("&amp;"),
            '<' => into.push_str("&lt;"),
            '>' => into.push_str("&gt;"),
            '"' => into.push_str("&quot;"),
            '\'' => into.push_str("&#39;"),
            '\n' | '\t' => into.push(c),
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => into.push(char::REPLACEMENT_CHARACTER),
            c if c.is_control() => into.push(char::REPLACEMENT_CHARACTER),
            c => into.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::with_text;

    #[test]
    fn nothing_in_a_text_is_markup() {
        let mut page = String::new();
        with_text("b", "<script>&'\"\u{0}\u{202e}").with("title", "\"><x").print(&mut page);
        assert_eq!(page, "<b title=\"&quot;&gt;&lt;x\">&lt;script&gt;&amp;&#39;&quot;\u{fffd}\u{fffd}</b>");
    }
}
