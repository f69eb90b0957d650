//! Fingerprints as they are written: 16 hexadecimal digits.

/// A fingerprint as it is written.
pub(super) fn to_hexadecimal(fingerprint: u64) -> String {
    format!("{fingerprint:016x}")
}

/// Reads a fingerprint of exactly 16 digits.
pub(super) fn of_hexadecimal(text: &str) -> Option<u64> {
    let digits = text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    u64::from_str_radix(text, 16).ok().filter(|_| digits)
}
