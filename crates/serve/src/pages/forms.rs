//! Pieces of forms.

use maud::{Markup, html};

/// A labelled field for a line of text.
pub fn line(label: &str, name: &str, kind: &str, value: &str) -> Markup {
    html! { label { span { (label) } input type=(kind) name=(name) value=(value) required; } }
}

/// A labelled field that may stay empty.
pub fn optional(label: &str, name: &str, kind: &str) -> Markup {
    html! { label { span { (label) } input type=(kind) name=(name); } }
}

/// A labelled choice of one of several values.
pub fn choice<'a>(label: &str, name: &str, values: impl IntoIterator<Item = (String, &'a str)>) -> Markup {
    html! {
        label { span { (label) } select name=(name) { @for (value, shown) in values { option value=(value) { (shown) } } } }
    }
}

/// A labelled box to be ticked.
pub fn tick(label: &str, name: &str) -> Markup {
    html! { label.line { input type="checkbox" name=(name) value="1"; span { (label) } } }
}

/// A labelled field for a file.
pub fn file(label: &str, accept: &str, several: bool) -> Markup {
    html! { label { span { (label) } input type="file" name="file" accept=(accept) multiple[several] required; } }
}
