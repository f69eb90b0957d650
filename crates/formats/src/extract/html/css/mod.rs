//! What style sheets say of whether text is seen: the rules of `style` elements and attributes.
//!
//! The [`reader`] takes rules apart by the grammar of CSS (the `cssparser` crate), [`selectors`] say for which elements they are,
//! [`conditions`] when they hold, and [`properties`] how text looks by them. Of what a selector says besides names, classes, ids
//! and attributes it is only known that it may hold, and so it is for the states of a page such as `:hover`: what such rules would
//! hide or show is text of which nobody knows whether it is seen. Rules for paper or for windows of some width are passed over.
//! Sheets in other files are not read.

mod conditions;
mod properties;
mod reader;
mod selectors;

use std::rc::Rc;

use ahash::AHashMap;

use self::properties::{Declarations, applied};
use self::selectors::{ANY, Holds, Selector};
use super::look::{Look, Looks};

pub(super) use self::selectors::{Keys, keys};

/// Rules kept for one name; pages have a few, hostile ones any number.
const RULES_OF_ONE_NAME: usize = 64;

/// Values of variables are shorter than this, in bytes.
const LONGEST_VALUE: usize = 200;

/// Variables that stand for variables are followed so many times; hostile ones name each other.
const MOST_VARIABLES: usize = 4;

/// What a rule declares for the elements of one selector.
struct Rule {
    selector: Selector,
    declarations: Rc<Declarations>,
}

/// The rules of a page that bear on whether text is seen.
#[derive(Default)]
pub(super) struct Sheet {
    /// By one of the keys that the element must have.
    rules: AHashMap<String, Vec<Rule>>,
    /// Values that style sheets give names (`--name`).
    variables: AHashMap<String, String>,
    /// Attributes whose values are shown (`content: attr(name)`).
    pub(super) shown_attributes: Vec<String>,
    /// Texts that the style sheets themselves put into the page.
    pub(super) generated: Vec<String>,
    /// There are rules that are not read: in the address of a sheet, too deep inside of others, or too many there.
    pub(super) has_unread: bool,
    /// How many open elements were looked at so far.
    steps: usize,
    /// Bytes that the selectors of nested rules take so far.
    nested: usize,
}

impl Sheet {
    /// Takes in the content of a `style` element.
    pub(super) fn read(&mut self, text: &str) {
        reader::read_sheet(text, self);
    }

    /// Takes in a rule, inside of blocks that hold so.
    fn add(&mut self, selectors: &[Selector], declarations: Declarations, holds: Holds) {
        if declarations.is_empty() {
            return;
        }
        let declarations = Rc::new(declarations);
        for selector in selectors {
            let Some(key) = selector.key() else { continue };
            let rules = self.rules.entry(key.clone()).or_default();
            if rules.len() < RULES_OF_ONE_NAME {
                let mut selector = selector.clone();
                selector.holds = selector.holds.max(holds);
                rules.push(Rule { selector, declarations: declarations.clone() });
            }
        }
    }

    /// A value with the variables in it replaced.
    fn resolved(&self, value: &str) -> String {
        let mut value = value.to_owned();
        // Variables may name variables, hostile ones each other.
        for _ in 0..MOST_VARIABLES {
            let Some(start) = value.find("var(") else { break };
            let Some(length) = value[start..].find(')') else { break };
            let inside = &value[start + 4..start + length];
            let (name, otherwise) = inside.split_once(',').unwrap_or((inside, ""));
            let known = self.variables.get(name.trim()).map_or(otherwise.trim(), String::as_str);
            if known.len() > LONGEST_VALUE {
                break;
            }
            let known = known.to_owned();
            value.replace_range(start..=start + length, &known);
        }
        value
    }

    /// How the text of an element looks that stands in others (the innermost last), inside of a text of given looks.
    pub(super) fn looks(&mut self, element: &Keys, style: &str, outside: Looks, ancestors: &[Keys]) -> Looks {
        if self.rules.is_empty() && style.is_empty() {
            return outside;
        }
        let own = reader::read_attribute(style, self);
        let mut matched: Vec<&Rule> = Vec::new();
        let mut steps = self.steps;
        for key in element.iter().map(String::as_str).chain([ANY]) {
            for rule in self.rules.get(key).into_iter().flatten() {
                if rule.selector.matches(element, ancestors, &mut steps) {
                    matched.push(rule);
                }
            }
        }
        matched.sort_by_cached_key(|rule| rule.selector.specificity());
        let certain = self.look(&matched, Holds::Always, &own, outside.certain);
        let is_certain = matched.iter().all(|rule| rule.selector.holds == Holds::Always);
        let looks = if is_certain && outside.maybe == outside.certain && outside.in_some_state == outside.certain {
            Looks { certain, maybe: certain, in_some_state: certain }
        } else {
            let maybe = self.look(&matched, Holds::Maybe, &own, outside.maybe);
            let in_some_state = self.look(&matched, Holds::InSomeState, &own, outside.in_some_state);
            Looks { certain, maybe, in_some_state }
        };
        self.steps = steps;
        looks
    }

    /// How text looks by the rules that hold so, and by its own declarations.
    fn look(&self, matched: &[&Rule], holds: Holds, own: &Declarations, outside: Look) -> Look {
        let rules = || matched.iter().filter(|rule| rule.selector.holds <= holds).map(|rule| &*rule.declarations);
        let normal = rules().chain([own]).flat_map(|declarations| &declarations.normal);
        let important = rules().chain([own]).flat_map(|declarations| &declarations.important);
        applied(normal.chain(important), outside, |value| self.resolved(value))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }
}
