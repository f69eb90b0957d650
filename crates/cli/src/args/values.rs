//! Values as they are typed: sizes, shares, dates and ages. Each parser gives the value, or what it expected instead.

use copytrace::search::filter::Filter;

/// Bytes, from a number and kB, MB, GB or TB.
pub fn size(text: &str) -> Result<u64, String> {
    let unit = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(unit);
    let factor = match unit.to_ascii_uppercase().as_str() {
        "" | "B" => 1.0,
        "K" | "KB" => 1e3,
        "M" | "MB" => 1e6,
        "G" | "GB" => 1e9,
        "T" | "TB" => 1e12,
        _ => return Err("expected a number and kB, MB, GB or TB, as in 500MB".to_owned()),
    };
    match number.trim().parse::<f64>() {
        Ok(number) if number > 0.0 && number.is_finite() => Ok((number * factor) as u64),
        _ => Err("expected a number and kB, MB, GB or TB, as in 500MB".to_owned()),
    }
}

/// A share, from 0 to 1, or in per cent with their sign.
pub fn share(text: &str) -> Result<f64, String> {
    let (number, of) = match text.trim().strip_suffix(['%', '％']) {
        Some(number) => (number.trim_end(), 100.0),
        None => (text, 1.0),
    };
    match number.parse::<f64>().map(|number| number / of) {
        Ok(value) if (0.0..=1.0).contains(&value) => Ok(value),
        _ => Err("expected a number from 0 to 1, or per cent as in 30%".to_owned()),
    }
}

/// A share above 0, at most 1.
pub fn positive_share(text: &str) -> Result<f64, String> {
    match share(text) {
        Ok(value) if value > 0.0 => Ok(value),
        _ => Err("expected a number above 0, at most 1".to_owned()),
    }
}

/// Seconds since 1970 (UTC), from a date (ISO 8601).
pub fn date(text: &str) -> Result<i64, String> {
    Filter::seconds_of(text).ok_or_else(|| "expected a date as 2026-03-31".to_owned())
}

/// A day (ISO 8601), as it is printed.
pub fn day(text: &str) -> Result<String, String> {
    let day: Result<jiff::civil::Date, _> = text.parse();
    day.map(|day| day.to_string()).map_err(|_| "expected a date as 2026-03-31".to_owned())
}

/// Seconds, from a number and m, h, d or w.
pub fn age(text: &str) -> Result<i64, String> {
    Filter::seconds_of_age(text).ok_or_else(|| "expected a number and m, h, d or w, as in 7d".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_numbers_or_per_cent() {
        for (text, value) in [("0.3", 0.3), ("30%", 0.3), ("30 %", 0.3), ("100％", 1.0)] {
            assert_eq!(share(text), Ok(value), "{text}");
        }
        for wrong in ["30", "-1%", "101%", "%", "NaN"] {
            assert!(share(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn sizes_are_a_number_and_a_unit() {
        for (text, bytes) in [("500MB", 500_000_000), ("1.5 GB", 1_500_000_000), ("7", 7), ("2tb", 2_000_000_000_000)] {
            assert_eq!(size(text), Ok(bytes), "{text}");
        }
        for wrong in ["", "MB", "-1GB", "0", "5 apples", "1e400"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }
}
