//! Pieces of forms, and tables.

use super::words::Words;
use maud::{Markup, html};

/// A labelled field for a line of text.
pub fn line(label: &str, name: &str, kind: &str, value: &str) -> Markup {
    html! { label { span { (label) } input type=(kind) name=(name) value=(value) step=[(kind == "number").then_some("any")] required; } }
}

/// A labelled field that may stay empty.
pub fn optional_value(label: &str, name: &str, kind: &str, value: &str) -> Markup {
    html! { label { span { (label) } input type=(kind) name=(name) value=(value); } }
}

/// A labelled choice of one of several values; `first` is chosen at first, or else the first of them.
pub fn choice<'a>(label: &str, name: &str, values: impl IntoIterator<Item = (String, &'a str)>, first: &str) -> Markup {
    html! {
        label { span { (label) } select name=(name) { @for (value, shown) in values { option value=(value) selected[value == first] { (shown) } } } }
    }
}

/// A labelled box with a value of its own, ticked or not.
pub fn tick_of(label: &str, name: &str, value: &str, ticked: bool) -> Markup {
    html! { label.line { input type="checkbox" name=(name) value=(value) checked[ticked]; span { bdi { (label) } } } }
}

/// The values of a choice, with what people call them.
pub fn called<T: Copy + Into<&'static str>>(words: &Words, values: &[T]) -> Vec<(String, &'static str)> {
    values.iter().map(|value| ((*value).into().to_owned(), words.word((*value).into()))).collect()
}

/// A table that scrolls where the window is narrow: the titles of its columns, which of them have numbers, and its rows. Columns
/// without a title are left out.
pub fn table(titles: &[&str], numbers: &[&str], rows: &Markup) -> Markup {
    html! { div.scroll tabindex="0" { table {
        thead { tr { @for title in titles.iter().filter(|title| !title.is_empty()) { th.n[numbers.contains(title)] scope="col" { (title) } } } }
        tbody { (rows) }
    } } }
}

/// A labelled field for a file.
pub fn file(label: &str, accept: &str, several: bool) -> Markup {
    html! { label { span { (label) } input type="file" name="file" accept=(accept) multiple[several] required; } }
}
