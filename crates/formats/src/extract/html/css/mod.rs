//! What style sheets say of whether text is seen: the rules of `style` elements and attributes.
//!
//! The [`reader`] takes rules apart by the grammar of CSS (the `cssparser` crate), [`selectors`] say for which elements they are,
//! [`conditions`] when they hold, and [`properties`] how text looks by them. Names, classes, ids and attributes
//! in selectors are understood. Other parts of a selector, and states such as `:hover`, may or may not hold. Text that such a rule
//! hides or shows is unjudged; so is text under a property that [`properties`] do not know. Rules for paper or for windows of some
//! width are passed over. Sheets in other files are not read.

mod conditions;
mod properties;
mod reader;
mod selectors;
mod values;

use std::rc::Rc;

use ahash::AHashMap;

use self::properties::{Declarations, Page, applied};
use self::selectors::{ANY, Holds, Selector};
use super::look::{Look, Looks};
use crate::extract::style::USUAL_POINTS;

pub(super) use self::selectors::{Keys, keys};

/// Rules kept for one name; pages have a few, hostile ones any number.
const RULES_OF_ONE_NAME: usize = 256;

/// Variables that the open elements may have together; pages have some hundreds, hostile ones any number. Of a page with more nothing
/// is judged.
const MOST_OPEN_VARIABLES: usize = 2048;

/// What stands for the value of a variable that is not known.
const UNKNOWN: &str = "?()";

/// Values of variables are shorter than this, in bytes.
const LONGEST_VALUE: usize = 200;

/// The most variables that are replaced in a value, those that variables stand for included; hostile ones name each other.
const MOST_VARIABLES: usize = 4;

/// What a rule declares for the elements of one selector.
struct Rule {
    selector: Selector,
    /// How many rules came before, and whether it is in no layer: those in layers give way to it.
    order: (bool, usize),
    declarations: Rc<Declarations>,
}

/// A variable that an element has: how many elements it stands in, when it has it, the name, and the value.
type Variable = (usize, Holds, String, String);

/// The rules of a page that bear on whether text is seen.
#[derive(Default)]
pub(super) struct Sheet {
    /// By one of the keys that the element must have.
    rules: AHashMap<String, Vec<Rule>>,
    /// Values that style sheets give names (`--name`) for all elements, and those of the elements that are open, innermost last.
    variables: AHashMap<String, String>,
    scopes: Vec<Variable>,
    /// Points of the page's letters, if it says them.
    rem: Option<f64>,
    /// The page belongs to a book.
    pub(super) has_pictures: bool,
    /// How many rules were read.
    read: usize,
    /// Attributes whose values are shown (`content: attr(name)`).
    pub(super) shown_attributes: Vec<String>,
    /// Whether the value of any attribute may be shown.
    pub(super) shows_attributes: bool,
    /// Texts that the style sheets themselves put into the page.
    pub(super) generated: Vec<String>,
    /// Other strings, which may be shown as well: signs of lists, quotation marks, values of variables.
    pub(super) strings: Vec<String>,
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
    fn add(&mut self, selectors: &[Selector], declarations: Declarations, holds: Holds, layered: bool) {
        if declarations.is_empty() {
            return;
        }
        self.read += 1;
        let declarations = Rc::new(declarations);
        for selector in selectors {
            let Some(key) = selector.key() else { continue };
            if selector.is_of_page() && holds == Holds::Always {
                for (name, value) in declarations.normal.iter().filter(|(name, _)| name.starts_with("--")) {
                    self.variables.entry(name.clone()).or_insert_with(|| value.clone());
                }
            }
            let rules = self.rules.entry(key.clone()).or_default();
            let mut selector = selector.clone();
            selector.holds = selector.holds.max(holds);
            let mut declarations = declarations.clone();
            if rules.len() == RULES_OF_ONE_NAME {
                // One rule stands for all that are not kept: nobody knows what they say.
                selector = Selector::of_key(key.clone());
                declarations =
                    Rc::new(Declarations { normal: vec![("?".to_owned(), UNKNOWN.to_owned())], important: Vec::new() });
            }
            if rules.len() <= RULES_OF_ONE_NAME {
                rules.push(Rule { selector, order: (!layered, self.read), declarations });
            }
        }
    }

    /// A value with the variables in it replaced, that elements have when rules hold so.
    fn resolved(&self, value: &str, holds: Holds) -> String {
        let mut value = value.to_owned();
        // Variables may name variables, hostile ones each other.
        for _ in 0..MOST_VARIABLES {
            let Some(start) = value.find("var(") else { break };
            let mut depth = 0;
            let end = value[start..].find(|c| {
                depth += i32::from(c == '(') - i32::from(c == ')');
                c == ')' && depth == 0
            });
            let Some(length) = end else { break };
            let inside = &value[start + 4..start + length];
            let (name, otherwise) = inside.split_once(',').unwrap_or((inside, ""));
            let own = self.scopes.iter().rev().find(|(_, when, known, _)| *when <= holds && known == name.trim());
            let own = own.map(|(_, _, _, value)| value).or_else(|| self.variables.get(name.trim()));
            // Without a value the whole declaration is none.
            let Some(known) = own.map(String::as_str).or(inside.contains(',').then_some(otherwise.trim())) else {
                return String::new();
            };
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
        let mut matched: Vec<(&Selector, (bool, usize), Rc<Declarations>)> = Vec::new();
        let mut steps = self.steps;
        for key in element.iter().map(String::as_str).chain([ANY]) {
            for rule in self.rules.get(key).into_iter().flatten() {
                if rule.selector.matches(element, ancestors, &mut steps) {
                    matched.push((&rule.selector, rule.order, rule.declarations.clone()));
                }
            }
        }
        matched.sort_by_key(|(selector, (is_unlayered, order), _)| (*is_unlayered, selector.specificity(), *order));
        let matched: Vec<(Holds, Rc<Declarations>)> =
            matched.into_iter().map(|(selector, _, declarations)| (selector.holds, declarations)).collect();
        self.steps = steps;
        self.enter(&matched, &own, ancestors.len());
        let is_root = element.first().is_some_and(|name| name == "html" || name == "body");
        let page = Page { is_root, rem: self.rem.unwrap_or(USUAL_POINTS), has_pictures: self.has_pictures };
        let certain = self.look(&matched, Holds::Always, &own, outside.certain, page);
        let is_certain = matched.iter().all(|(holds, _)| *holds == Holds::Always)
            && self.scopes.iter().all(|(_, holds, ..)| *holds == Holds::Always);
        let mut looks = if is_certain && outside.maybe == outside.certain && outside.in_some_state == outside.certain {
            Looks { certain, maybe: certain, in_some_state: certain }
        } else {
            let maybe = self.look(&matched, Holds::Maybe, &own, outside.maybe, page);
            let in_some_state = self.look(&matched, Holds::InSomeState, &own, outside.in_some_state, page);
            Looks { certain, maybe, in_some_state }
        };
        if element.first().is_some_and(|name| name == "html") {
            self.rem = looks.certain.format.points;
        }
        if selectors::is_too_much(self.steps) {
            looks.all(Look::doubt);
        }
        looks
    }

    /// Takes the variables that an element has, which stands in `depth` others; those of elements that ended go.
    fn enter(&mut self, matched: &[(Holds, Rc<Declarations>)], own: &Declarations, depth: usize) {
        self.scopes.truncate(self.scopes.partition_point(|(at, ..)| *at < depth));
        let sheets = matched.iter().map(|(holds, rule)| (*holds, &**rule));
        for (holds, declarations) in sheets.chain([(Holds::Always, own)]) {
            for (name, value) in declarations.normal.iter().chain(&declarations.important) {
                if name.starts_with("--") {
                    self.scopes.push((depth, holds, name.clone(), value.clone()));
                }
            }
        }
        if self.scopes.len() > MOST_OPEN_VARIABLES {
            self.scopes.clear();
            self.steps = usize::MAX;
        }
    }

    /// How text looks by the rules that hold so, and by its own declarations.
    fn look(
        &self,
        matched: &[(Holds, Rc<Declarations>)],
        holds: Holds,
        own: &Declarations,
        outside: Look,
        page: Page,
    ) -> Look {
        let rules = || matched.iter().filter(|(when, _)| *when <= holds).map(|(_, declarations)| &**declarations);
        let normal = rules().chain([own]).flat_map(|declarations| &declarations.normal);
        let important = rules().chain([own]).flat_map(|declarations| &declarations.important);
        applied(normal.chain(important), outside, page, |value| self.resolved(value, holds))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }
}
