//! Rows of the database as values. Columns are read by their names.

use rusqlite::types::FromSql;
use rusqlite::{Connection, Error, OptionalExtension, Params, Row};

/// A value that a row holds.
pub trait FromRow: Sized {
    /// Reads it.
    ///
    /// # Errors
    /// When a column is missing, or holds something else.
    fn from_row(row: &Row<'_>) -> Result<Self, Error>;
}

/// Lets rows be read as a type whose fields have the names of columns.
macro_rules! read_by_name {
    ($type:ident: $($field:ident)*) => {
        impl $crate::store::rows::FromRow for $type {
            fn from_row(row: &rusqlite::Row<'_>) -> Result<Self, rusqlite::Error> {
                Ok($type { $($field: row.get(stringify!($field))?),* })
            }
        }
    };
}
pub(crate) use read_by_name;

/// Lets rows of one column be read as these types.
macro_rules! read_alone {
    ($($type:ty),*) => { $(impl $crate::store::rows::FromRow for $type {
        fn from_row(row: &rusqlite::Row<'_>) -> Result<Self, rusqlite::Error> {
            row.get(0)
        }
    })* };
}
pub(crate) use read_alone;

read_alone!(i64, String, Option<i64>, Option<String>);

impl<A: FromSql, B: FromSql> FromRow for (A, B) {
    fn from_row(row: &Row<'_>) -> Result<Self, Error> {
        row.try_into()
    }
}

impl<A: FromSql, B: FromSql, C: FromSql> FromRow for (A, B, C) {
    fn from_row(row: &Row<'_>) -> Result<Self, Error> {
        row.try_into()
    }
}

/// All rows of a query.
///
/// # Errors
/// When the database cannot be read.
pub fn all<T: FromRow>(connection: &Connection, sql: &str, values: impl Params) -> Result<Vec<T>, Error> {
    connection.prepare_cached(sql)?.query_map(values, T::from_row)?.collect()
}

/// The first row of a query, if there is one.
///
/// # Errors
/// When the database cannot be read.
pub fn first<T: FromRow>(connection: &Connection, sql: &str, values: impl Params) -> Result<Option<T>, Error> {
    connection.prepare_cached(sql)?.query_row(values, T::from_row).optional()
}

/// The first row of a query that always has one.
///
/// # Errors
/// When the database cannot be read, or there is no row.
pub fn one<T: FromRow>(connection: &Connection, sql: &str, values: impl Params) -> Result<T, Error> {
    connection.prepare_cached(sql)?.query_row(values, T::from_row)
}

/// Whether a query has a row.
///
/// # Errors
/// When the database cannot be read.
pub fn exists(connection: &Connection, sql: &str, values: impl Params) -> Result<bool, Error> {
    connection.prepare_cached(sql)?.exists(values)
}
