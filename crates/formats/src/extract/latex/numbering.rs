//! What TeX numbers (headings, figures, tables, formulas, theorems), and what refers to it by a label.

use std::collections::BTreeMap;

/// The counters of headings by their level.
const HEADINGS: [&str; 5] = ["part", "chapter", "section", "subsection", "subsubsection"];
const CHAPTER: usize = 1;
const SECTION: usize = 2;

/// How many levels of headings have numbers, from the topmost on.
const NUMBERED_LEVELS: usize = 3;

/// Counters inside each other, and environments that count: each step looks at all of them.
const MOST_WITHIN: usize = 8;
const MOST_THEOREMS: usize = 100;

/// What a label stands at: the kind of thing that has the number, and the number.
#[derive(Clone, Default)]
pub(super) struct Place {
    pub(super) kind: String,
    pub(super) number: String,
}

/// An environment whose paragraphs begin with a name and a number.
#[derive(Clone)]
struct Theorem {
    name: String,
    /// `None` if it has no number.
    counter: Option<String>,
}

/// The counters of a document, and its labels.
#[derive(Default)]
pub(super) struct Numbering {
    counters: BTreeMap<String, u32>,
    /// The counters that begin anew with another one, whose number they take along.
    within: BTreeMap<String, String>,
    theorems: BTreeMap<String, Theorem>,
    /// Whether chapters, or sections where there are none, have letters.
    lettered: bool,
    /// Whether chapters have numbers here: those before the main part have none.
    numbered: bool,
    /// The figure or table that is open.
    pub(super) float: Option<&'static str>,
    last: Place,
    labels: BTreeMap<String, Place>,
    /// The labels of an earlier reading of the same document, for references to what comes later.
    known: BTreeMap<String, Place>,
    in_vain: bool,
}

impl Numbering {
    pub(super) fn new(known: BTreeMap<String, Place>) -> Self {
        let within = [
            ("section", "chapter"),
            ("subsection", "section"),
            ("subsubsection", "subsection"),
            ("figure", "chapter"),
            ("table", "chapter"),
            ("equation", "chapter"),
        ];
        let within = within.into_iter().map(|(inner, outer)| (inner.to_owned(), outer.to_owned())).collect();
        Numbering { within, numbered: true, known, ..Numbering::default() }
    }

    /// The labels, if another reading would find what this one looked for in vain.
    pub(super) fn for_another_reading(self) -> Option<BTreeMap<String, Place>> {
        (self.in_vain && self.known.is_empty() && !self.labels.is_empty()).then_some(self.labels)
    }

    fn value(&self, counter: &str) -> u32 {
        self.counters.get(counter).copied().unwrap_or(0)
    }

    fn step(&mut self, counter: &str, kind: &str) {
        let value = self.value(counter).saturating_add(1);
        self.counters.insert(counter.to_owned(), value);
        self.restart_inside(counter, 0);
        self.last = Place { kind: kind.to_owned(), number: self.number(counter, 0) };
    }

    fn restart_inside(&mut self, counter: &str, depth: usize) {
        let inside: Vec<String> =
            self.within.iter().filter(|(_, outer)| *outer == counter).map(|(inner, _)| inner.clone()).collect();
        for inner in inside.into_iter().filter(|_| depth < MOST_WITHIN) {
            if self.counters.remove(&inner).is_some() {
                self.restart_inside(&inner, depth + 1);
            }
        }
    }

    fn number(&self, counter: &str, depth: usize) -> String {
        let value = self.value(counter);
        let topmost = HEADINGS[self.topmost()];
        let own = match char::from_u32('@' as u32 + value) {
            Some(letter) if self.lettered && counter == topmost && letter.is_ascii_uppercase() => letter.to_string(),
            _ => value.to_string(),
        };
        match self.within.get(counter).filter(|outer| self.value(outer) > 0 && depth < MOST_WITHIN) {
            Some(outer) => format!("{}.{own}", self.number(outer, depth + 1)),
            None => own,
        }
    }

    /// The level of chapters, or of sections where there are none.
    fn topmost(&self) -> usize {
        if self.value(HEADINGS[CHAPTER]) > 0 { CHAPTER } else { SECTION }
    }

    /// A heading of a level from 0 (a part) on.
    pub(super) fn heading(&mut self, level: u8) {
        let level = usize::from(level);
        let is_deep = level >= self.topmost() + NUMBERED_LEVELS;
        if let Some(counter) = HEADINGS.get(level).filter(|_| self.numbered && !is_deep) {
            self.step(counter, counter);
        }
    }

    /// What follows are appendices.
    pub(super) fn appendix(&mut self) {
        self.lettered = true;
        let topmost = HEADINGS[self.topmost()];
        self.counters.remove(topmost);
        self.restart_inside(topmost, 0);
    }

    /// The main part begins or ends.
    pub(super) fn matter(&mut self, is_main: bool) {
        self.numbered = is_main;
    }

    /// What is written below the figure or table that is open.
    pub(super) fn caption(&mut self) {
        self.float.into_iter().for_each(|float| self.captioned(float));
    }

    /// A figure or table that is none by its environment.
    pub(super) fn captioned(&mut self, float: &str) {
        self.step(float, float);
    }

    /// A formula with a number, or some: one for each row unless the row says that it has none.
    pub(super) fn formula(&mut self, environment: &str, source: &str) {
        let has_rows = matches!(environment, "align" | "gather" | "eqnarray" | "flalign" | "alignat");
        let mut rows = vec![String::new()];
        let mut depth = 0_usize;
        for piece in source.split_inclusive("\\\\") {
            depth += piece.matches("\\begin").count();
            depth = depth.saturating_sub(piece.matches("\\end").count());
            rows.last_mut().into_iter().for_each(|row| row.push_str(piece));
            if has_rows && depth == 0 && piece.ends_with("\\\\") {
                rows.push(String::new());
            }
        }
        for row in rows {
            let tag = row.split_once("\\tag").and_then(|(_, tag)| tag.split_once('{')?.1.split_once('}'));
            if let Some((tag, _)) = tag {
                self.last = Place { kind: "equation".to_owned(), number: tag.trim_matches('$').to_owned() };
            } else if !row.trim().is_empty() && !row.contains("\\nonumber") && !row.contains("\\notag") {
                self.step("equation", "equation");
            }
            for (_, label) in row.match_indices("\\label{").map(|(at, label)| (at, &row[at + label.len()..])) {
                self.label(label.split('}').next().unwrap_or_default());
            }
        }
    }

    /// An environment of theorems is defined.
    pub(super) fn define(&mut self, environment: &str, name: &str, shared: Option<&str>, within: Option<&str>) {
        if self.theorems.len() >= MOST_THEOREMS {
            return;
        }
        let counter = shared.unwrap_or(environment).to_owned();
        if let Some(within) = within {
            self.within.insert(counter.clone(), within.to_owned());
        }
        self.theorems.insert(environment.to_owned(), Theorem { name: name.to_owned(), counter: Some(counter) });
    }

    /// One without numbers.
    pub(super) fn define_unnumbered(&mut self, environment: &str, name: &str) {
        if self.theorems.len() < MOST_THEOREMS {
            self.theorems.insert(environment.to_owned(), Theorem { name: name.to_owned(), counter: None });
        }
    }

    /// A counter begins anew with another.
    pub(super) fn inside(&mut self, counter: &str, outer: &str) {
        if self.within.len() < 2 * MOST_THEOREMS {
            self.within.insert(counter.to_owned(), outer.to_owned());
        }
    }

    /// What a theorem begins with, if the environment is one.
    pub(super) fn theorem(&mut self, environment: &str) -> Option<String> {
        let theorem = self.theorems.get(environment)?.clone();
        let Some(counter) = theorem.counter else { return Some(theorem.name) };
        self.step(&counter, &theorem.name);
        Some(format!("{} {}", theorem.name, self.last.number))
    }

    pub(super) fn label(&mut self, key: &str) {
        self.labels.insert(key.trim().to_owned(), self.last.clone());
    }

    /// An entry of the literature is shown as a label of its own where it is cited.
    pub(super) fn name(&mut self, key: &str, label: &str) {
        let place = Place { kind: String::new(), number: label.to_owned() };
        self.labels.insert(key.trim().to_owned(), place);
    }

    /// What a label stands at.
    pub(super) fn at(&mut self, key: &str) -> Option<Place> {
        let key = key.trim();
        let place = self.labels.get(key).or_else(|| self.known.get(key));
        self.in_vain |= place.is_none();
        place.cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_that_tex_prints() {
        let mut numbering = Numbering::new(BTreeMap::new());
        numbering.define("theorem", "Theorem", None, Some("section"));
        numbering.define("lemma", "Lemma", Some("theorem"), None);
        let mut numbers = Vec::new();
        let mut number = |numbering: &Numbering| numbers.push(numbering.last.number.clone());
        numbering.heading(1);
        numbering.heading(2);
        number(&numbering);
        numbering.float = Some("figure");
        numbering.caption();
        number(&numbering);
        assert_eq!(numbering.theorem("theorem").as_deref(), Some("Theorem 1.1.1"));
        assert_eq!(numbering.theorem("lemma").as_deref(), Some("Lemma 1.1.2"));
        numbering.formula("align", "a \\label{a} \\\\ b \\nonumber \\\\ \\begin{x} c \\\\ d \\end{x} \\label{c}");
        numbering.heading(1);
        numbering.heading(2);
        number(&numbering);
        numbering.heading(4);
        number(&numbering);
        numbering.appendix();
        numbering.heading(1);
        numbering.heading(2);
        number(&numbering);
        numbering.inside("x", "y");
        numbering.inside("y", "x");
        numbering.step("x", "x");
        numbering.step("y", "y");
        assert_eq!(numbers, ["1.1", "1.1", "2.1", "2.1", "A.1"]);
        let at = |numbering: &mut Numbering, key| numbering.at(key).map(|place| place.number);
        assert_eq!((at(&mut numbering, "a"), at(&mut numbering, "c")), (Some("1.1".into()), Some("1.2".into())));
        assert!(at(&mut numbering, "none").is_none() && numbering.for_another_reading().is_some());
    }
}
