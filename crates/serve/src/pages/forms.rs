//! Pieces of forms, and tables.

use super::words::Words;
use crate::paper::head;
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

/// A labelled choice in which nothing is chosen at first.
pub fn pick<'a>(label: &str, name: &str, values: impl IntoIterator<Item = (String, &'a str)>) -> Markup {
    html! {
        label { span { (label) } select name=(name) required { option value="" {} @for (value, shown) in values { option value=(value) { (shown) } } } }
    }
}

/// A box that must be ticked before something is done that cannot be undone.
pub fn sure(words: &Words) -> Markup {
    html! { label.line { input type="checkbox" name="sure" value="true" required; span { (words.sure) } } }
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
        thead { tr { @for title in titles.iter().filter(|title| !title.is_empty()) { th.n[numbers.contains(title)] scope="col" { (head(title)) } } } }
        tbody { (rows) }
    } } }
}

/// The head of a column that a table can be sorted by.
pub struct Head<'a> {
    title: &'a str,
    is_number: bool,
    is_wide: bool,
    is_sorted: bool,
    is_there: bool,
}

impl<'a> Head<'a> {
    /// Of a column of texts.
    pub fn text(title: &'a str) -> Self {
        Head { title, is_number: false, is_wide: false, is_sorted: false, is_there: true }
    }

    /// Of a column of numbers.
    pub fn number(title: &'a str) -> Self {
        Head { is_number: true, ..Head::text(title) }
    }

    /// The same of a column that narrow windows do without, if it is there.
    pub fn wide(self, is_there: bool) -> Self {
        Head { is_wide: true, is_there, ..self }
    }

    /// The same, if it is there.
    pub fn only(self, is_there: bool) -> Self {
        Head { is_there, ..self }
    }

    /// The same of the column by which rows stand at first, the highest first.
    pub fn sorted(self) -> Self {
        Head { is_sorted: true, ..self }
    }
}

/// A table that a script sorts by the `data-key` of cells.
pub fn sortable(id: &str, heads: &[Head<'_>], rows: &Markup) -> Markup {
    html! { div.scroll.tall tabindex="0" { table id=(id) {
        thead { tr { @for head in heads.iter().filter(|head| head.is_there) {
            th.n[head.is_number].wide[head.is_wide] scope="col" aria-sort=[head.is_sorted.then_some("descending")] { button type="button" { (crate::paper::head(head.title)) } }
        } } }
        tbody { (rows) }
    } } }
}

/// Forms that fold away.
pub fn folded(id: &str, title: &str, is_open: bool, body: &Markup) -> Markup {
    html! { details.fold open[is_open] { summary { h2 id=(id) { (title) } } (body) } }
}

/// A labelled field for a file.
pub fn file(label: &str, accept: &str, several: bool) -> Markup {
    html! { label { span { (label) } input type="file" name="file" accept=(accept) multiple[several] required; } }
}
