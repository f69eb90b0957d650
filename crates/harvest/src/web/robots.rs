//! robots.txt (RFC 9309): what a host lets programs fetch.

use std::time::Duration;

/// The name by which a host may mean us.
pub(crate) const AGENT: &str = "copytrace";

/// A longer delay than this is for crawlers that come every day.
const LONGEST_DELAY: Duration = Duration::from_secs(60);

/// The rules of a host for us.
#[derive(Debug, Default, Clone)]
pub(crate) struct Rules {
    /// Patterns of paths, and whether they are allowed.
    rules: Vec<(String, bool)>,
    /// The time between two requests that the host asks for.
    pub(crate) delay: Duration,
}

impl Rules {
    /// Nothing is allowed.
    pub(crate) fn nothing() -> Rules {
        Rules { rules: vec![("/".to_owned(), false)], delay: Duration::ZERO }
    }

    /// The group that names us, else the one for everyone.
    pub(crate) fn read(text: &str) -> Rules {
        let (mut ours, mut everyones) = (None, None);
        // Lines that name agents stand together above the rules for them.
        let (mut of_us, mut of_all, mut naming) = (false, false, false);
        for line in text.lines() {
            let line = line.split('#').next().unwrap_or_default();
            let Some((key, value)) = line.split_once(':') else { continue };
            let (key, value) = (key.trim().to_ascii_lowercase(), value.trim());
            if key == "user-agent" {
                if !naming {
                    (of_us, of_all) = (false, false);
                }
                naming = true;
                of_us |= value.to_ascii_lowercase().starts_with(AGENT);
                of_all |= value == "*";
                if of_us {
                    ours.get_or_insert_with(Rules::default);
                }
                continue;
            }
            naming = false;
            for rules in [of_us.then_some(&mut ours), of_all.then_some(&mut everyones)].into_iter().flatten() {
                let rules = rules.get_or_insert_with(Rules::default);
                match key.as_str() {
                    "disallow" | "allow" if !value.is_empty() => rules.rules.push((value.to_owned(), key == "allow")),
                    "crawl-delay" => {
                        let seconds = value.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
                        rules.delay = seconds.unwrap_or_default().min(LONGEST_DELAY);
                    }
                    _ => {}
                }
            }
        }
        ours.or(everyones).unwrap_or_default()
    }

    /// Whether a path with its query may be fetched: the longest pattern counts, and of two equally long ones the one that allows.
    pub(crate) fn allow(&self, path: &str) -> bool {
        let fitting = self.rules.iter().filter(|(pattern, _)| fits(pattern, path));
        fitting.max_by_key(|(pattern, allowed)| (pattern.len(), *allowed)).is_none_or(|(_, allowed)| *allowed)
    }
}

/// Whether a path begins with a pattern, in which `*` stands for anything and `$` for the end.
fn fits(pattern: &str, path: &str) -> bool {
    let (pattern, to_the_end) = pattern.strip_suffix('$').map_or((pattern, false), |pattern| (pattern, true));
    let mut pieces = pattern.split('*');
    let Some(mut rest) = path.strip_prefix(pieces.next().unwrap_or_default()) else { return false };
    let pieces: Vec<&str> = pieces.collect();
    let Some((last, between)) = pieces.split_last() else { return !to_the_end || rest.is_empty() };
    for piece in between {
        let Some((_, after)) = rest.split_once(piece) else { return false };
        rest = after;
    }
    if to_the_end { rest.ends_with(last) } else { rest.contains(last) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_rule_of_our_group_counts() {
        let rules = Rules::read(
            "User-agent: other\nDisallow: /\n\nuser-agent: *\nuser-agent: x\nDisallow: /private # secret\nAllow: /private/open\n\
             Disallow: /*.cgi$\nDisallow:\nCrawl-delay: 2\n",
        );
        for (path, allowed) in [
            ("/a.pdf", true),
            ("/private/a.pdf", false),
            ("/private/open/a.pdf", true),
            ("/x/a.cgi", false),
            ("/x/a.cgi?b", true),
        ] {
            assert_eq!(rules.allow(path), allowed, "{path}");
        }
        assert_eq!(rules.delay, Duration::from_secs(2));
        let named = Rules::read("User-agent: *\nDisallow: /\nUser-agent: Copytrace/1\nDisallow: /no\n");
        assert!(named.allow("/yes") && !named.allow("/no"));
        assert!(Rules::read("").allow("/") && !Rules::nothing().allow("/x"));
    }
}
