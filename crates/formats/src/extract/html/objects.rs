//! Elements that have no text between their tags, and what attributes say.

use super::lexer::Attributes;
use super::{MOST_OF_LABEL, Page, scripts};
use crate::extract::described::LEAST_SIDE;
use crate::extract::references::inside;
use copytrace_text::layout::{LeftOut, MarkKind};

impl Page<'_> {
    pub(super) fn void(&mut self, name: &str, attributes: &Attributes) {
        match name {
            "meta" => {
                self.shown_of_meta(attributes);
                self.meta(attributes);
            }
            "br" if self.is_read() => self.text.line_break(),
            "hr" if self.is_read() => self.text.block(1),
            "img" | "embed" if self.is_read() => self.picture(attributes),
            "input" if self.is_read() => self.field(attributes),
            _ => {}
        }
    }

    /// What stands in attributes may be shown in place of a picture, by a style sheet or by a script. The description of a picture is shown
    /// where that is missing, however short it is, and to nobody where it is not (`is_described`).
    pub(super) fn beside(&mut self, name: &str, attributes: &Attributes, is_described: bool) {
        if matches!(name, "meta" | "input") {
            return;
        }
        for (attribute, value) in attributes.iter() {
            match attribute {
                "srcdoc" | "style" | "class" => {}
                "alt" | "title" if is_described => {}
                "label" => self.text.unplaced(value),
                _ if attribute.starts_with("on") => self.script(value),
                "alt" if name == "img" && value.chars().nth(1).is_some() => self.text.unplaced(value),
                _ => match scripts::text_in(value) {
                    Some(text) => self.text.unplaced(&text),
                    None if value.len() >= MOST_OF_LABEL => self.text.unplaced(value),
                    None => {}
                },
            }
        }
    }

    /// What a script may write.
    pub(super) fn script(&mut self, script: &str) {
        scripts::texts(script).iter().for_each(|text| self.text.unplaced(text));
        let numbers = scripts::signs_for_letters(script);
        self.text.left_out(LeftOut::Unread, &"x".repeat(numbers));
    }

    /// A picture. One that stands for a letter may show any.
    pub(super) fn picture(&mut self, attributes: &Attributes) {
        self.text.point(MarkKind::Picture);
        let mut letters = attributes.get("alt").unwrap_or_default().trim().chars();
        if let (Some(letter), None) = (letters.next(), letters.next())
            && letter.is_alphabetic()
        {
            let start = self.text.characters();
            self.text.push_collapsed(letter.encode_utf8(&mut [0; 4]));
            self.text.mark_unjudged(start);
        }
    }

    /// The letters of a picture that stands in its address itself, or beside the page in a book. Whether it shows something and what is said
    /// of it describes it.
    pub(super) fn lettering(&mut self, attributes: &Attributes) -> bool {
        let address = ["src", "href", "xlink:href", "data"].into_iter().find_map(|name| attributes.get(name));
        let Some(address) = address else { return false };
        let letters = match (scripts::file_in(address), self.book) {
            (Some(file), _) => self.pictures.shown(&file),
            (None, Some(book)) => inside(book.page, address).and_then(|name| book.pictures.get(&name).copied()),
            (None, None) => None,
        };
        let in_picture = letters.filter(|letters| *letters > 0);
        in_picture.into_iter().for_each(|letters| self.text.point(MarkKind::PictureText(letters)));
        let side = |name| attributes.get(name).and_then(|side| side.trim().trim_end_matches("px").parse::<f64>().ok());
        let is_small = ["width", "height"].into_iter().filter_map(side).any(|side| side < LEAST_SIDE);
        let texts = ["alt", "title"].into_iter().filter_map(|name| attributes.get(name));
        letters.is_some() && !is_small && self.described.is_of(address, texts)
    }

    /// A string of a style sheet, which may be shown: a picture that stands in its address, or a text.
    pub(super) fn string_of_sheet(&mut self, string: &str) {
        match scripts::file_in(string).and_then(|file| self.pictures.shown(&file)) {
            Some(letters) if letters > 0 => self.text.point(MarkKind::PictureText(letters)),
            _ => self.text.unplaced(&scripts::page_in(string).unwrap_or_else(|| string.to_owned())),
        }
    }

    /// What a field of a form shows is not read.
    pub(super) fn field(&mut self, attributes: &Attributes) {
        let kind = attributes.get("type").unwrap_or_default().to_ascii_lowercase();
        if kind == "image" {
            self.picture(attributes);
        }
        if !matches!(kind.as_str(), "hidden" | "checkbox" | "radio" | "password" | "file" | "image" | "range" | "color")
        {
            let value = attributes.get("value").or_else(|| attributes.get("placeholder"));
            self.text.left_out(LeftOut::Unread, value.unwrap_or_default());
        }
    }

    /// What a style sheet may show of a `meta` element, which no page shows otherwise.
    fn shown_of_meta(&mut self, attributes: &Attributes) {
        if self.sheet.shows_attributes {
            attributes.iter().filter(|(name, _)| *name != "name").for_each(|(_, value)| self.text.unplaced(value));
        }
    }

    pub(super) fn meta(&mut self, attributes: &Attributes) {
        let Some(name) = attributes.get("name").or_else(|| attributes.get("property")) else {
            return;
        };
        let field = match name.to_ascii_lowercase().as_str() {
            "author" | "dc.creator" | "dcterms.creator" | "citation_author" => &mut self.metadata.author,
            "date"
            | "dc.date"
            | "dcterms.date"
            | "citation_date"
            | "citation_publication_date"
            | "article:published_time" => &mut self.metadata.date,
            _ => return,
        };
        if field.is_none() {
            *field = attributes.get("content").and_then(one_line);
        }
    }
}

/// A text of metadata: white space collapsed, `None` if nothing is left.
pub(super) fn one_line(text: &str) -> Option<String> {
    let line = text.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
    (!line.is_empty()).then_some(line)
}
