//! Pieces of forms.

use maud::{Markup, html};

/// A labelled field for a line of text.
pub fn line(label: &str, name: &str, kind: &str, value: &str) -> Markup {
    html! { label { span { (label) } input type=(kind) name=(name) value=(value) step=[(kind == "number").then_some("any")] required; } }
}

/// A labelled field that may stay empty.
pub fn optional_value(label: &str, name: &str, kind: &str, value: &str) -> Markup {
    html! { label { span { (label) } input type=(kind) name=(name) value=(value); } }
}

/// A labelled choice of one of several values; the first at first.
pub fn choice<'a>(label: &str, name: &str, values: impl IntoIterator<Item = (String, &'a str)>) -> Markup {
    chosen(label, name, values, "")
}

/// A labelled choice of one of several values; this one at first.
pub fn chosen<'a>(label: &str, name: &str, values: impl IntoIterator<Item = (String, &'a str)>, first: &str) -> Markup {
    html! {
        label { span { (label) } select name=(name) { @for (value, shown) in values { option value=(value) selected[value == first] { (shown) } } } }
    }
}

/// A labelled box to be ticked.
pub fn tick(label: &str, name: &str) -> Markup {
    tick_of(label, name, "1", false)
}

/// A labelled box with a value of its own, ticked or not.
pub fn tick_of(label: &str, name: &str, value: &str, ticked: bool) -> Markup {
    html! { label.line { input type="checkbox" name=(name) value=(value) checked[ticked]; span { bdi { (label) } } } }
}

/// A labelled field for a file.
pub fn file(label: &str, accept: &str, several: bool) -> Markup {
    html! { label { span { (label) } input type="file" name="file" accept=(accept) multiple[several] required; } }
}
