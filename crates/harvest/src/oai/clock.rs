//! What a repository says of time. Its clock may go wrong, and what it says may be no time at all.

use jiff::Timestamp;
use jiff::civil::Date;

/// How a repository names a granularity of days, and one of seconds.
pub(super) const DAYS: &str = "YYYY-MM-DD";
const SECONDS: &str = "YYYY-MM-DDThh:mm:ssZ";

/// A time as the protocol writes it.
const WRITTEN: &str = "%Y-%m-%dT%H:%M:%SZ";

/// From when on a later run asks for changes: the time that the repository told, or ours where it tells none. Of one that is ahead of
/// us ours counts too: were it put right later, changes until the time that it told now would never be asked for. What is asked for
/// twice was not changed, and costs a look.
pub(super) fn earlier(said: Option<&str>, ours: Timestamp) -> String {
    let told = said.and_then(|said| {
        let midnight = || said.parse::<Date>().ok()?.at(0, 0, 0, 0).in_tz("UTC").ok().map(|time| time.timestamp());
        said.parse::<Timestamp>().ok().or_else(midnight)
    });
    told.map_or(ours, |told| told.min(ours)).strftime(WRITTEN).to_string()
}

/// A time in a granularity that the repository understands. One that changed its granularity, or names none that there is, is asked by days.
pub(super) fn in_granularity(time: &str, granularity: &str) -> String {
    let length = if granularity == SECONDS { SECONDS.len() } else { DAYS.len() };
    time.chars().take(length).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_asked_for_since_the_earlier_of_two_clocks_whatever_the_repository_says() {
        let ours: Timestamp = "2026-06-01T12:00:00Z".parse().unwrap();
        for (said, since) in [
            (Some("2026-06-01T11:59:58Z"), "2026-06-01T11:59:58Z"),
            (Some("2026-06-01T13:59:58+02:00"), "2026-06-01T11:59:58Z"),
            (Some("2026-05-31"), "2026-05-31T00:00:00Z"),
            (Some("2099-01-01T00:00:00Z"), "2026-06-01T12:00:00Z"),
            (Some("99999-01-01"), "2026-06-01T12:00:00Z"),
            (Some("yesterday"), "2026-06-01T12:00:00Z"),
            (Some(""), "2026-06-01T12:00:00Z"),
            (None, "2026-06-01T12:00:00Z"),
        ] {
            assert_eq!(earlier(said, ours), since, "{said:?}");
        }
    }

    #[test]
    fn a_granularity_that_there_is_not_is_one_of_days() {
        let time = "2026-06-01T12:00:00Z";
        assert_eq!(in_granularity(time, SECONDS), time);
        for granularity in [DAYS, "", "Y", "YYYY-MM-DDThh:mm:ss.sssZ"] {
            assert_eq!(in_granularity(time, granularity), "2026-06-01", "{granularity}");
        }
    }
}
