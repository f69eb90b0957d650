//! Tables in files beside the code: rows of a value and the names that stand for it, parted by blanks.

use ahash::AHashMap;
use serde::de::DeserializeOwned;

/// The values of a table by their names.
///
/// # Panics
/// If the table, which is part of the program, is broken; its test reads it.
pub(super) fn by_name<V: DeserializeOwned + Clone>(table: &str) -> AHashMap<String, V> {
    let rows: Vec<(V, String)> = serde_json::from_str(table).expect("a table of the program is whole");
    let named =
        rows.iter().flat_map(|(value, names)| names.split(' ').map(move |name| (name.to_owned(), value.clone())));
    named.collect()
}

/// Whether a row of names, parted by white space, has this one.
pub(super) fn has_name(names: &str, wanted: &str) -> bool {
    names.split_ascii_whitespace().any(|name| name == wanted)
}
