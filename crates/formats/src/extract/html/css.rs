//! What style sheets say of whether text is seen (CSS 2.2, Selectors 3): the rules of `style` elements and attributes.
//!
//! Selectors are of element names, classes, ids and attributes, alone or inside others. Of what else a selector says it is
//! only known that it may hold, and so it is for the states of a page such as `:hover`: what such rules would hide or show is
//! text of which nobody knows whether it is seen. Rules for paper or for windows of some width are passed over. Sheets in
//! other files are not read.

use ahash::AHashMap;

use super::lexer::Attributes;
use crate::extract::colour::Colour;
use crate::extract::style::{Ground, Ink, LetterFormat, PAPER, USUAL_POINTS, points};
use copytrace_text::layout::MarkKind;

/// Rules kept for one name; pages have a few, hostile ones any number.
const RULES_OF_ONE_NAME: usize = 64;

/// Rules stand no deeper inside of others.
const DEEPEST: usize = 8;

/// Values of variables are shorter than this.
const LONGEST_VALUE: usize = 200;

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
    /// A property is set whose effect is not computed.
    pub(super) doubtful: bool,
    /// Text runs from right to left.
    pub(super) right_to_left: bool,
    /// Of this element alone: it stands in a line, whatever it is, and its letters are shown in that direction, whatever they are.
    pub(super) inline: bool,
    pub(super) overrides: bool,
}

impl Look {
    pub(super) fn is_hidden(&self) -> bool {
        self.gone || self.format.hidden == Some(true)
    }

    /// The mark of text that looks so, if nobody sees it or may not.
    pub(super) fn unseen(&self) -> Option<MarkKind> {
        self.format.unseen(self.ground).or(self.doubtful.then_some(MarkKind::Unjudged))
    }
}

/// How text looks at a place, as far as a rule holds for certain, and as it may.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Looks {
    pub(super) certain: Look,
    /// With the rules that may hold.
    pub(super) maybe: Look,
    /// With those too that hold in some state of the page.
    pub(super) in_some_state: Look,
}

impl Looks {
    /// Changes all of them alike.
    pub(super) fn all(&mut self, change: impl Fn(&mut Look)) {
        [&mut self.certain, &mut self.maybe, &mut self.in_some_state].into_iter().for_each(change);
    }

    /// Whether the page never shows the text.
    pub(super) fn is_hidden(&self) -> bool {
        self.certain.is_hidden() && self.in_some_state.is_hidden()
    }

    /// The mark of text that nobody sees, or of which it is not known.
    pub(super) fn unseen(&self) -> Option<MarkKind> {
        if self.certain.is_hidden() {
            return Some(MarkKind::Unjudged);
        }
        let may_be_unseen = || self.maybe.is_hidden() || self.maybe.unseen().is_some();
        self.certain.unseen().or_else(|| may_be_unseen().then_some(MarkKind::Unjudged))
    }
}

impl Default for Look {
    fn default() -> Self {
        Look {
            format: LetterFormat::default(),
            ground: PAPER,
            gone: false,
            doubtful: false,
            right_to_left: false,
            inline: false,
            overrides: false,
        }
    }
}

/// An element as selectors see it: its name, id, classes and attributes, each with its sign.
pub(super) type Keys = Vec<String>;

/// The keys of an element.
pub(super) fn keys(name: &str, attributes: &Attributes) -> Keys {
    let mut keys = vec![name.to_owned()];
    for (attribute, value) in attributes.iter() {
        if attribute == "id" {
            keys.push(format!("#{value}"));
        } else if attribute == "class" {
            keys.extend(value.split_ascii_whitespace().map(|class| format!(".{class}")));
        }
        keys.push(format!("[{attribute}={value}]"));
        keys.push(format!("[{attribute}]"));
    }
    keys
}

/// A property and its value, in lower case.
type Declaration = (String, String);

/// When a rule holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Holds {
    Always,
    /// For some of the elements that its keys fit.
    Maybe,
    /// In a state of the page, such as under the pointer.
    InSomeState,
}

/// Selectors of one rule, the innermost last, and what it declares.
struct Rule {
    holds: Holds,
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
    /// Values that style sheets give names (`--name`).
    variables: AHashMap<String, String>,
    /// Attributes whose values are shown (`content: attr(name)`).
    pub(super) shown_attributes: Vec<String>,
    /// Texts that the style sheets themselves put into the page.
    pub(super) generated: Vec<String>,
    /// There are rules that are not read: in the address of a sheet, or too deep inside of others.
    pub(super) has_unread: bool,
    steps: usize,
}

impl Sheet {
    /// Takes in the content of a `style` element.
    pub(super) fn read(&mut self, text: &str) {
        let text = without_comments(text);
        self.has_unread |= text.contains("@import") && text.contains("data:");
        self.rules_of(&text, Holds::Always, 0);
    }

    /// Takes in rules that hold so at most, so deep inside of others.
    fn rules_of(&mut self, mut rest: &str, least: Holds, depth: usize) {
        if depth > DEEPEST {
            self.has_unread = true;
            return;
        }
        while let Some((selectors, after)) = rest.split_once('{') {
            let selectors = selectors.rsplit([';', '}']).next().unwrap_or_default().trim();
            let end = end_of_block(after);
            let inside = &after[..end];
            rest = after.get(end + 1..).unwrap_or_default();
            if let Some(condition) = selectors.strip_prefix('@') {
                if let Some(holds) = holds(condition) {
                    self.rules_of(inside, least.max(holds), depth + 1);
                }
                continue;
            }
            self.rule(selectors, inside, least);
            // Rules inside of rules hold for elements inside of elements.
            if inside.contains('{') && !inside.contains('@') {
                self.rules_of(inside, least, depth + 1);
            }
        }
    }

    fn rule(&mut self, selectors: &str, block: &str, least: Holds) {
        self.read_generated(selectors, block);
        let (normal, important) = self.declarations(block);
        if normal.is_empty() && important.is_empty() {
            return;
        }
        let (normal, important) = (std::rc::Rc::new(normal), std::rc::Rc::new(important));
        for selector in selectors.split(',') {
            let Some((selector, holds)) = selector_of(selector) else { continue };
            let keys = || selector.iter().flatten();
            let count = |signs: [char; 2]| keys().filter(|key| key.starts_with(signs)).count();
            let names = keys().filter(|key| !key.starts_with(['#', '.', '*', '['])).count();
            let specificity = (count(['#', '#']), count(['.', '[']), names);
            let Some(key) = selector.last().and_then(|keys| keys.last()).cloned() else { continue };
            let rules = self.rules.entry(key).or_default();
            if rules.len() < RULES_OF_ONE_NAME {
                let (declarations, important) = (normal.clone(), important.clone());
                let holds = holds.max(least);
                rules.push(Rule { holds, selector, specificity, declarations, important });
            }
        }
    }

    /// Text that a rule puts before or behind elements.
    fn read_generated(&mut self, selectors: &str, block: &str) {
        let content = block.split(';').filter_map(|declaration| declaration.split_once(':'));
        let content = content.filter(|(property, _)| property.trim().eq_ignore_ascii_case("content"));
        for (_, value) in content.filter(|_| selectors.contains(':')).take(RULES_OF_ONE_NAME) {
            let attributes = value.split("attr(").skip(1).filter_map(|rest| rest.split([')', ' ', ',']).next());
            self.shown_attributes.extend(attributes.map(str::to_ascii_lowercase));
            self.generated.extend(value.split(['"', '\'']).skip(1).step_by(2).map(str::to_owned));
        }
    }

    /// The declarations of a block that matter, and those of them that are `!important`.
    fn declarations(&mut self, block: &str) -> (Vec<Declaration>, Vec<Declaration>) {
        let (mut normal, mut important) = (Vec::new(), Vec::new());
        for declaration in block.split([';', '{', '}']) {
            let Some((property, value)) = declaration.split_once(':') else { continue };
            let property = property.trim().to_ascii_lowercase();
            let value = value.trim().to_ascii_lowercase();
            if property.starts_with("--") {
                // Of several values the one that was given first is the usual one; others are of other modes.
                self.variables.entry(property).or_insert(value);
                continue;
            }
            if !PROPERTIES.contains(&property.as_str()) && !SIZES.contains(&property.as_str()) {
                continue;
            }
            match value.strip_suffix("!important") {
                Some(value) => important.push((property, value.trim().to_owned())),
                None => normal.push((property, value)),
            }
        }
        (normal, important)
    }

    /// A value with the variables in it replaced.
    fn resolved(&self, value: &str) -> String {
        let mut value = value.to_owned();
        // Variables may name variables, hostile ones each other.
        for _ in 0..4 {
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
        let own = self.declarations(style);
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
        let certain = self.look(&matched, Holds::Always, &own, outside.certain);
        let is_certain = matched.iter().all(|rule| rule.holds == Holds::Always);
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
    fn look(&self, matched: &[&Rule], holds: Holds, own: &(Vec<Declaration>, Vec<Declaration>), outside: Look) -> Look {
        let mut look = outside;
        let rules = || matched.iter().filter(|rule| rule.holds <= holds);
        let all = rules().map(|rule| &*rule.declarations).chain([&own.0]);
        let important = rules().map(|rule| &*rule.important).chain([&own.1]);
        let mut place = Placement::default();
        let mut shown = true;
        for (property, value) in all.chain(important).flatten() {
            if property == "display" {
                shown = value != "none";
                look.inline = (value.starts_with("inline") && value != "inline-table") || value == "contents";
            } else {
                apply(property, &self.resolved(value), outside.format.points, &mut look, &mut place);
            }
        }
        look.gone |= !shown;
        if place.is_away() {
            look.format.away = Some(true);
        }
        if let Some(opacity) = place.opacity {
            look.format.opacity = Some(opacity * outside.format.opacity.unwrap_or(1.0));
        }
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

/// When the rules in a block `@…` hold on a screen of usual width or on paper; `None` for never.
fn holds(condition: &str) -> Option<Holds> {
    let Some(media) = condition.strip_prefix("media").map(str::to_ascii_lowercase) else {
        return match condition.split([' ', '(']).next() {
            Some("layer" | "supports") => Some(Holds::Always),
            Some("container" | "scope") => Some(Holds::Maybe),
            _ => None,
        };
    };
    media.split(',').filter_map(of_query).min()
}

/// The same of one query such as `screen and (min-width: 600px)`.
fn of_query(query: &str) -> Option<Holds> {
    let query = query.trim();
    let width = |feature: &str| {
        let value = query.split_once(feature)?.1.trim_start_matches([':', ' ']);
        let number: String = value.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
        let pixels = if value[number.len()..].starts_with(['e', 'r']) { 16.0 } else { 1.0 };
        Some(number.parse::<f64>().ok()? * pixels)
    };
    let (least, most) = (width("min-width"), width("max-width"));
    let is_known =
        query.chars().filter(|c| *c == '(').count() == usize::from(least.is_some()) + usize::from(most.is_some());
    let is_screen = !query.starts_with("not") && !query.contains("print");
    match query {
        "" | "all" | "screen" | "only screen" | "screen and (color)" => Some(Holds::Always),
        _ if is_screen && (least.is_some_and(|least| least > WINDOW) || most.is_some_and(|most| most < WINDOW)) => None,
        _ if query.contains("prefers-color-scheme") || query == "speech" => None,
        _ if is_screen && is_known => Some(Holds::Always),
        _ => Some(Holds::Maybe),
    }
}

/// The keys of each element that a selector names, and when it holds for them; `None` for what stands before or behind an
/// element or is a part of it.
fn selector_of(text: &str) -> Option<(Vec<Keys>, Holds)> {
    const PARTS: [&str; 6] = ["::", ":before", ":after", ":first-line", ":first-letter", ":placeholder"];
    const STATES: [&str; 8] = [":hover", ":focus", ":active", ":visited", ":link", ":target", ":checked", ":disabled"];
    if PARTS.iter().any(|part| text.contains(part)) || text.contains(['@', '\\']) {
        return None;
    }
    let text = text.trim();
    let mut holds = Holds::Always;
    if text.contains(['+', '~', '&']) {
        holds = Holds::Maybe;
    }
    let (mut plain, mut rest) = (String::new(), text);
    while let Some(at) = rest.find([':', '[']) {
        plain.push_str(&rest[..at]);
        let after = &rest[at..];
        if let Some(inside) = after.strip_prefix('[') {
            let (attribute, after) = inside.split_once(']')?;
            let attribute = attribute.replace(['"', '\'', ' '], "");
            match attribute.split_once(['~', '^', '$', '*', '|']) {
                Some((name, _)) => {
                    plain.push_str(&format!("[{name}]"));
                    holds = holds.max(Holds::Maybe);
                }
                None => plain.push_str(&format!("[{attribute}]")),
            }
            rest = after;
            continue;
        }
        let name = after[1..].find(|c: char| !c.is_alphanumeric() && c != '-').map_or(after.len(), |end| end + 1);
        let (state, after) = after.split_at(name);
        match state {
            ":root" => plain.push_str("html"),
            _ if STATES.iter().any(|known| state.starts_with(known)) => holds = Holds::InSomeState,
            _ => holds = holds.max(Holds::Maybe),
        }
        rest = if after.starts_with('(') { after.split_once(')')?.1 } else { after };
    }
    plain.push_str(rest);
    let plain = plain.replace(['>', '+', '~', '&'], " ");
    let compound = |word: &str| -> Keys {
        let mut keys = Vec::new();
        let mut start = 0;
        let starts = word.char_indices().skip(1).filter(|(_, c)| matches!(c, '.' | '#' | '['));
        for (at, _) in starts.chain([(word.len(), ' ')]) {
            let key = &word[start..at];
            keys.push(if key.starts_with(['.', '#', '[']) { key.to_owned() } else { key.to_ascii_lowercase() });
            start = at;
        }
        keys
    };
    let mut selector: Vec<Keys> = plain.split_ascii_whitespace().map(compound).collect();
    if selector.is_empty() || plain.ends_with(' ') {
        selector.push(vec!["*".to_owned()]);
    }
    Some((selector, holds))
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
const PROPERTIES: [&str; 34] = [
    "display",
    "direction",
    "unicode-bidi",
    "zoom",
    "scale",
    "rotate",
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
    "filter",
    "mask",
    "mask-image",
    "-webkit-mask-image",
    "mix-blend-mode",
];
const SIZES: [&str; 4] = ["width", "height", "max-width", "max-height"];

/// Whether what is turned so far about an axis in the page is seen from its edge.
fn is_on_edge(angle: &str) -> bool {
    let degrees = angle.trim().strip_suffix("deg").and_then(|degrees| degrees.parse::<f64>().ok());
    degrees.is_some_and(|degrees| (degrees.abs() % 180.0 - 90.0).abs() < 2.0)
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
            _ => {
                look.format.ink = Some(ink(value));
                look.doubtful |= value.contains('(') && Colour::of_css(&compact(value)).is_none();
            }
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
        "opacity" => place.opacity = share(value).or(place.opacity),
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
        "direction" => look.right_to_left = value == "rtl",
        "unicode-bidi" => look.overrides = value.contains("override"),
        "zoom" | "scale" => place.cut |= value.split_ascii_whitespace().any(|by| share(by).is_some_and(|by| by < 0.05)),
        "rotate" => place.cut |= value.starts_with(['x', 'y']) && is_on_edge(&value[1..]),
        "transform" => {
            for function in value.split(')') {
                let (name, arguments) = function.split_once('(').unwrap_or((function, ""));
                let arguments = || arguments.split(',').map(str::trim);
                if name.contains("scale") {
                    let small = |number: &str| number.parse::<f64>().is_ok_and(|number| number.abs() < 0.05);
                    place.cut |= arguments().any(small);
                } else if name.ends_with("rotatex") || name.ends_with("rotatey") {
                    place.cut |= arguments().any(is_on_edge);
                } else if name.contains("translate") {
                    let far = |by: &str| length(by, outside).is_some_and(|points| points.abs() >= 3.0 * OFF_PAGE);
                    place.pushed |= arguments().any(far);
                }
            }
        }
        "filter" => match value.split_once("opacity(") {
            Some((_, opacity)) => place.opacity = share(opacity.split(')').next().unwrap_or_default()),
            None => look.doubtful |= value.contains('(') && !value.starts_with("drop-shadow"),
        },
        "mask" | "mask-image" | "-webkit-mask-image" => look.doubtful |= value.contains('('),
        "mix-blend-mode" => look.doubtful |= value != "normal",
        "clip" => {
            let value = value.replace([' ', ','], "").replace("px", "");
            place.cut |= place.positioned && matches!(value.as_str(), "rect(0000)" | "rect(1111)" | "rect(0auto0)");
        }
        "clip-path" => place.cut |= matches!(value, "inset(100%)" | "inset(50%)" | "circle(0)" | "circle(0px)"),
        "overflow" => place.clips = matches!(value, "hidden" | "clip"),
        _ => place.small |= length(value, outside).is_some_and(|points| points <= 1.0),
    }
}

/// A share from 0 to 1, perhaps in percent.
fn share(value: &str) -> Option<f64> {
    match value.strip_suffix('%') {
        Some(percent) => percent.parse::<f64>().ok().map(|percent| percent / 100.0),
        None => value.parse().ok(),
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
