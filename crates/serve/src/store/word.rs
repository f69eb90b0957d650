//! Enums whose values are words: one and the same in the database, in forms, in JSON and in its description.

/// Makes such an enum: each value with its word. (A word is a `tt`: the description of the programming interface does not see a `literal`.)
macro_rules! worded {
    ($(#[$about:meta])* $name:ident: $($(#[$of:meta])* $value:ident $word:tt;)*) => {
        $(#[$about])*
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize, utoipa::ToSchema,
        )]
        pub enum $name {
            $($(#[$of])* #[serde(rename = $word)] $value,)*
        }

        impl $name {
            /// All values.
            pub const ALL: &[$name] = &[$($name::$value),*];

            /// Its word.
            pub fn as_str(self) -> &'static str {
                match self {
                    $($name::$value => $word,)*
                }
            }

            /// The value of a word.
            pub fn of(word: &str) -> Option<$name> {
                $name::ALL.iter().copied().find(|value| value.as_str() == word)
            }
        }

        impl From<$name> for &'static str {
            fn from(value: $name) -> Self {
                value.as_str()
            }
        }

        impl rusqlite::ToSql for $name {
            fn to_sql(&self) -> Result<rusqlite::types::ToSqlOutput<'_>, rusqlite::Error> {
                Ok(self.as_str().into())
            }
        }

        impl rusqlite::types::FromSql for $name {
            fn column_result(value: rusqlite::types::ValueRef<'_>) -> rusqlite::types::FromSqlResult<Self> {
                $name::of(value.as_str()?).ok_or(rusqlite::types::FromSqlError::InvalidType)
            }
        }

        $crate::store::rows::read_alone!($name);
    };
}
pub(crate) use worded;
