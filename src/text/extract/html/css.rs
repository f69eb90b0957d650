//! What style sheets say of whether text is seen (CSS 2.2, Selectors 3): the rules of `style` elements and attributes.
//!
//! Selectors are of element names, classes and ids, alone or inside others. Rules for states such as `:hover`, for
//! attributes, for paper or for windows of some width are passed over. Sheets in other files are not read.

use ahash::AHashMap;

use super::lexer::Attributes;
use crate::text::extract::colour::Colour;
use crate::text::extract::style::{Ground, Ink, LetterFormat, USUAL_POINTS, points};

/// Rules kept for one name; pages have a few, hostile ones any number.
const RULES_OF_ONE_NAME: usize = 64;

/// How many open elements may be looked at, over a whole page, to see what an element is inside of.
const ANCESTOR_STEPS: usize = 20_000_000;

/// A window of so many pixels is wide enough for `min-width`.
const WINDOW: f64 = 1000.0;

/// Places so many points beside the page are out of it.
const OFF_PAGE: f64 = 300.0;

/// How text looks at a place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Look {
    pub(super) format: LetterFormat,
    pub(super) ground: Ground,
    /// Inside of an element that is not shown, whatever those in it say.
    pub(super) gone: bool,
}

impl Default for Look {
    fn default() -> Self {
        Look { format: LetterFormat::default(), ground: crate::text::extract::style::PAPER, gone: false }
    }
}

/// An element as selectors see it: its name, id and classes, each with its sign.
pub(super) type Keys = Vec<String>;

/// The keys of an element.
pub(super) fn keys(name: &str, attributes: &Attributes<'_>) -> Keys {
    let mut keys = vec![name.to_owned()];
    for (attribute, value) in attributes.clone() {
        if attribute.eq_ignore_ascii_case("id") {
            keys.push(format!("#{value}"));
        } else if attribute.eq_ignore_ascii_case("class") {
            keys.extend(value.split_ascii_whitespace().map(|class| format!(".{class}")));
        }
    }
    keys
}

/// A property and its value, in lower case.
type Declaration = (String, String);

/// Selectors of one rule, the innermost last, and what it declares.
struct Rule {
    /// Each is the keys that one element must have.
    selector: Vec<Keys>,
    specificity: (usize, usize, usize),
    declarations: std::rc::Rc<Vec<Declaration>>,
    important: std::rc::Rc<Vec<Declaration>>,
}

/// The rules of a page that bear on whether text is seen.
#[derive(Default)]
pub(super) struct Sheet {
    /// By one of the keys that the element must have; `*` for any element.
    rules: AHashMap<String, Vec<Rule>>,
    steps: usize,
}

impl Sheet {
    /// Takes in the content of a `style` element.
    pub(super) fn read(&mut self, text: &str) {
        let text = without_comments(text);
        self.rules_of(&text);
    }

    fn rules_of(&mut self, mut rest: &str) {
        while let Some((selectors, after)) = rest.split_once('{') {
            let selectors = selectors.rsplit([';', '}']).next().unwrap_or_default().trim();
            if let Some(condition) = selectors.strip_prefix('@') {
                let end = end_of_block(after);
                if holds(condition) {
                    // The rules in it, up to its end; nesting deeper is not known to style sheets.
                    let inside = &after[..end];
                    if !inside.contains("@media") {
                        self.rules_of(inside);
                    }
                }
                rest = after.get(end + 1..).unwrap_or_default();
                continue;
            }
            let (block, after) = after.split_once('}').unwrap_or((after, ""));
            self.rule(selectors, block);
            rest = after;
        }
    }

    fn rule(&mut self, selectors: &str, block: &str) {
        let (normal, important) = declarations(block);
        if normal.is_empty() && important.is_empty() {
            return;
        }
        let (normal, important) = (std::rc::Rc::new(normal), std::rc::Rc::new(important));
        for selector in selectors.split(',') {
            let Some(selector) = selector_of(selector) else { continue };
            let keys = || selector.iter().flatten();
            let count = |sign: char| keys().filter(|key| key.starts_with(sign)).count();
            let specificity = (count('#'), count('.'), keys().filter(|key| !key.starts_with(['#', '.', '*'])).count());
            let Some(key) = selector.last().and_then(|keys| keys.last()).cloned() else { continue };
            let rules = self.rules.entry(key).or_default();
            if rules.len() < RULES_OF_ONE_NAME {
                rules.push(Rule { selector, specificity, declarations: normal.clone(), important: important.clone() });
            }
        }
    }

    /// How the text of an element looks that stands in others (the innermost last), inside of a text of a given look.
    pub(super) fn look(&mut self, element: &Keys, style: &str, outside: Look, ancestors: &[Keys]) -> Look {
        let mut look = outside;
        if self.rules.is_empty() && style.is_empty() {
            return look;
        }
        let mut matched: Vec<&Rule> = Vec::new();
        let mut steps = self.steps;
        for key in element.iter().map(String::as_str).chain(["*"]) {
            for rule in self.rules.get(key).into_iter().flatten() {
                if matches(&rule.selector, element, ancestors, &mut steps) {
                    matched.push(rule);
                }
            }
        }
        matched.sort_by_key(|rule| rule.specificity);
        let (own, own_important) = declarations(style);
        let all = matched.iter().map(|rule| &*rule.declarations).chain([&own]);
        let important = matched.iter().map(|rule| &*rule.important).chain([&own_important]);
        let mut place = Placement::default();
        let mut shown = true;
        for (property, value) in all.chain(important).flatten() {
            if property == "display" {
                shown = value != "none";
            } else {
                apply(property, value, outside.format.points, &mut look, &mut place);
            }
        }
        look.gone |= !shown;
        if place.is_away() {
            look.format.away = Some(true);
        }
        if let Some(opacity) = place.opacity {
            look.format.opacity = Some(opacity * outside.format.opacity.unwrap_or(1.0));
        }
        self.steps = steps;
        look
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }
}

fn without_comments(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("/*") {
        kept.push_str(before);
        rest = after.split_once("*/").map_or("", |(_, after)| after);
    }
    kept.push_str(rest);
    kept
}

/// Where the bracket stands that closes a block.
fn end_of_block(text: &str) -> usize {
    let mut depth = 1;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at;
        }
    }
    text.len()
}

/// Whether the rules in a block `@…` hold on a screen of usual width.
fn holds(condition: &str) -> bool {
    let Some(media) = condition.strip_prefix("media").map(str::to_ascii_lowercase) else {
        return condition.starts_with("layer") || condition.starts_with("supports");
    };
    media.split(',').any(|query| {
        let width = query.split_once("min-width").and_then(|(_, value)| {
            let value: String = value.chars().filter(|c| c.is_ascii_digit() || *c == '.').collect();
            value.parse::<f64>().ok()
        });
        let query = query.trim();
        match width {
            Some(width) => width <= WINDOW && !query.contains("max-") && !query.contains("print"),
            None => matches!(query, "all" | "screen" | "only screen" | "screen and (color)"),
        }
    })
}

/// The keys of each element that a selector names; `None` for selectors of other kinds.
fn selector_of(text: &str) -> Option<Vec<Keys>> {
    if text.contains([':', '[', '+', '~', '@', '\\', '&']) {
        return None;
    }
    let text = text.replace('>', " ");
    let compound = |word: &str| -> Keys {
        let mut keys = Vec::new();
        let mut start = 0;
        for (at, _) in word.char_indices().skip(1).filter(|(_, c)| matches!(c, '.' | '#')).chain([(word.len(), ' ')]) {
            let key = &word[start..at];
            keys.push(if key.starts_with(['.', '#']) { key.to_owned() } else { key.to_ascii_lowercase() });
            start = at;
        }
        keys
    };
    let selector: Vec<Keys> = text.split_ascii_whitespace().map(compound).collect();
    (!selector.is_empty()).then_some(selector)
}

/// Whether an element, with those that it stands in, is what a selector names.
fn matches(selector: &[Keys], element: &Keys, ancestors: &[Keys], steps: &mut usize) -> bool {
    let fits = |wanted: &Keys, keys: &Keys| wanted.iter().all(|key| key == "*" || keys.contains(key));
    let Some((last, outer)) = selector.split_last() else { return false };
    if !fits(last, element) {
        return false;
    }
    let mut above = ancestors.iter().rev();
    for wanted in outer.iter().rev() {
        loop {
            *steps += 1;
            if *steps > ANCESTOR_STEPS {
                return false;
            }
            let Some(keys) = above.next() else { return false };
            if fits(wanted, keys) {
                break;
            }
        }
    }
    true
}

/// Properties that bear on whether text is seen.
const PROPERTIES: [&str; 24] = [
    "display",
    "visibility",
    "content-visibility",
    "color",
    "-webkit-text-fill-color",
    "background",
    "background-color",
    "background-image",
    "opacity",
    "font-size",
    "font",
    "letter-spacing",
    "position",
    "left",
    "right",
    "top",
    "bottom",
    "margin-left",
    "margin-top",
    "text-indent",
    "transform",
    "clip",
    "clip-path",
    "overflow",
];
const SIZES: [&str; 4] = ["width", "height", "max-width", "max-height"];

/// The declarations of a block that matter, and those of them that are `!important`.
fn declarations(block: &str) -> (Vec<Declaration>, Vec<Declaration>) {
    let (mut normal, mut important) = (Vec::new(), Vec::new());
    for declaration in block.split(';') {
        let Some((property, value)) = declaration.split_once(':') else { continue };
        let property = property.trim().to_ascii_lowercase();
        if !PROPERTIES.contains(&property.as_str()) && !SIZES.contains(&property.as_str()) {
            continue;
        }
        let value = value.trim().to_ascii_lowercase();
        match value.strip_suffix("!important") {
            Some(value) => important.push((property, value.trim().to_owned())),
            None => normal.push((property, value)),
        }
    }
    (normal, important)
}

/// Where and how large the box of an element is.
#[derive(Default)]
struct Placement {
    positioned: bool,
    /// Set off so far that nothing of it is in the window, if it is positioned, or anyway.
    off: bool,
    pushed: bool,
    /// Nothing of it is left.
    cut: bool,
    clips: bool,
    small: bool,
    opacity: Option<f64>,
}

impl Placement {
    fn is_away(&self) -> bool {
        (self.positioned && self.off) || self.pushed || self.cut || (self.clips && self.small)
    }
}

fn apply(property: &str, value: &str, outside: Option<f64>, look: &mut Look, place: &mut Placement) {
    let far = || length(value, outside).is_some_and(|points| points <= -OFF_PAGE);
    let far_either_way = || length(value, outside).is_some_and(|points| points.abs() >= 10.0 * OFF_PAGE);
    match property {
        "visibility" => look.format.hidden = Some(matches!(value, "hidden" | "collapse")),
        "content-visibility" => look.gone |= value == "hidden",
        "color" | "-webkit-text-fill-color" => match value {
            "inherit" | "initial" | "unset" | "currentcolor" => {}
            _ => look.format.ink = Some(ink(value)),
        },
        "background" | "background-color" | "background-image" => {
            if value.contains("url(") || value.contains("gradient(") {
                look.ground = Ground::Unknown;
            } else if let Some((colour, opacity)) = colour_in(value)
                && opacity > 0.5
            {
                look.ground = Ground::Colour(colour);
            }
        }
        "opacity" => {
            let opacity = match value.strip_suffix('%') {
                Some(percent) => percent.parse::<f64>().ok().map(|percent| percent / 100.0),
                None => value.parse().ok(),
            };
            place.opacity = opacity.or(place.opacity);
        }
        "font-size" => look.format.points = length(value, outside).or(look.format.points),
        "font" => {
            let size = value.split_ascii_whitespace().find_map(|word| {
                length(word.split('/').next().unwrap_or_default(), outside).filter(|_| word.contains(char::is_numeric))
            });
            look.format.points = size.or(look.format.points);
        }
        "letter-spacing" => look.format.spacing = length(value, outside),
        "position" => place.positioned = matches!(value, "absolute" | "fixed" | "relative"),
        "left" | "top" => place.off |= far() || far_either_way(),
        "right" | "bottom" => place.off |= far() || far_either_way(),
        "margin-left" | "margin-top" | "text-indent" => place.pushed |= far() || far_either_way(),
        "transform" => {
            let value = value.replace(' ', "");
            place.cut |= ["scale(0)", "scale(0,", "scalex(0)", "scaley(0)"].iter().any(|zero| value.contains(zero));
            place.pushed |= value.contains("translate") && value.contains("-9999");
        }
        "clip" => {
            let value = value.replace([' ', ','], "").replace("px", "");
            place.cut |= place.positioned && matches!(value.as_str(), "rect(0000)" | "rect(1111)" | "rect(0auto0)");
        }
        "clip-path" => place.cut |= matches!(value, "inset(100%)" | "inset(50%)" | "circle(0)" | "circle(0px)"),
        "overflow" => place.clips = matches!(value, "hidden" | "clip"),
        _ => place.small |= length(value, outside).is_some_and(|points| points <= 1.0),
    }
}

fn ink(value: &str) -> Ink {
    match Colour::of_css(&compact(value)) {
        Some((_, opacity)) if opacity < 0.1 => Ink::None,
        Some((colour, _)) => Ink::Colour(colour),
        None => Ink::Seen,
    }
}

/// A value without the blanks that may stand around its signs.
fn compact(value: &str) -> String {
    let words: Vec<&str> = value.split_ascii_whitespace().collect();
    words.join(" ").replace(", ", ",").replace(" ,", ",").replace("( ", "(").replace(" )", ")")
}

/// The first colour in a value such as `#fff no-repeat`.
fn colour_in(value: &str) -> Option<(Colour, f64)> {
    let value = compact(value);
    Colour::of_css(&value).or_else(|| value.split(' ').find_map(Colour::of_css))
}

/// A length in points; those without a fixed unit are of letters around.
fn length(value: &str, outside: Option<f64>) -> Option<f64> {
    let outside = outside.unwrap_or(USUAL_POINTS);
    let number = |unit: &str| value.strip_suffix(unit)?.parse::<f64>().ok();
    match value {
        "0" => return Some(0.0),
        "xx-small" => return Some(6.75),
        "x-small" => return Some(7.5),
        "small" => return Some(9.75),
        "medium" => return Some(USUAL_POINTS),
        "smaller" => return Some(outside / 1.2),
        "larger" => return Some(outside * 1.2),
        _ => {}
    }
    points(value)
        .or_else(|| number("rem").map(|rem| rem * USUAL_POINTS))
        .or_else(|| number("em").map(|em| em * outside))
        .or_else(|| number("ex").map(|ex| ex * outside / 2.0))
        .or_else(|| number("vw").or_else(|| number("vh")).map(|share| share * WINDOW * 0.0075))
        .or_else(|| number("%").map(|percent| percent / 100.0 * outside))
}
