//! Variable-length integers (LEB128): seven bits a byte, the lowest first, the top bit set on all bytes but the last.

/// Appends a number.
pub(super) fn put(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Takes a number off the front; `None` when the bytes end within it or it does not fit 64 bits.
pub(super) fn take(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0u64;
    for (i, &byte) in bytes.iter().enumerate().take(10) {
        if i == 9 && byte > 1 {
            return None;
        }
        value |= u64::from(byte & 0x7f) << (7 * i);
        if byte < 0x80 {
            *bytes = &bytes[i + 1..];
            return Some(value);
        }
    }
    None
}

/// Takes a number that must fit 32 bits off the front.
pub(super) fn take_u32(bytes: &mut &[u8]) -> Option<u32> {
    take(bytes)?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn numbers_come_back_as_they_went_in(values: Vec<u64>) {
            let mut bytes = Vec::new();
            values.iter().for_each(|&v| put(&mut bytes, v));
            let mut rest = bytes.as_slice();
            for &value in &values {
                assert_eq!(take(&mut rest), Some(value));
            }
            assert_eq!(take(&mut rest), None);
        }

        #[test]
        fn arbitrary_bytes_are_read_without_a_panic(bytes: Vec<u8>) {
            let mut rest = bytes.as_slice();
            while take(&mut rest).is_some() {}
        }
    }
}
