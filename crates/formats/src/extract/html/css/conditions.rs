//! Under what conditions (`@media` and the like) rules hold.

use super::selectors::Holds;

/// The widths in pixels of the windows that a page is taken to be shown in: from that of a small laptop to that of a large screen, so
/// that rules for telephones are passed over, and those for some of these windows may hold. Chosen by hand.
const WINDOWS: [f64; 2] = [1000.0, 2600.0];

/// Pixels of an em or a rem in a condition, where it is that of the browser's usual letters.
const PIXELS_OF_EM: f64 = 16.0;

/// When the rules in a block `@name …` hold on a screen of usual width or on paper; `None` for never.
pub(super) fn holds(name: &str, condition: &str) -> Option<Holds> {
    match name {
        "media" => condition.split(',').filter_map(of_query).min(),
        "supports" if condition.contains("not") => Some(Holds::Maybe),
        "layer" | "supports" => Some(Holds::Always),
        "container" | "scope" => Some(Holds::Maybe),
        _ => None,
    }
}

/// The same of one query such as `screen and (min-width: 600px)`.
fn of_query(query: &str) -> Option<Holds> {
    let query = query.trim();
    let width = |feature: &str| {
        let value = query.split_once(feature)?.1.trim_start_matches([':', ' ']);
        let number: String = value.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
        let pixels = if value[number.len()..].starts_with(['e', 'r']) { PIXELS_OF_EM } else { 1.0 };
        Some(number.parse::<f64>().ok()? * pixels)
    };
    let (least, most) = (width("min-width"), width("max-width"));
    let is_known =
        query.chars().filter(|c| *c == '(').count() == usize::from(least.is_some()) + usize::from(most.is_some());
    let is_screen = !query.starts_with("not") && !query.contains("print");
    match query {
        "" | "all" | "screen" | "only screen" | "screen and (color)" => Some(Holds::Always),
        _ if is_screen
            && (least.is_some_and(|least| least > WINDOWS[1]) || most.is_some_and(|most| most < WINDOWS[0])) =>
        {
            None
        }
        _ if query.contains("prefers-color-scheme") || query == "speech" => None,
        _ if is_screen
            && is_known
            && least.is_none_or(|least| least <= WINDOWS[0])
            && most.is_none_or(|most| most >= WINDOWS[1]) =>
        {
            Some(Holds::Always)
        }
        _ => Some(Holds::Maybe),
    }
}
