//! How the settings of all rooms are declared.

/// Declares a struct of settings by a table: of each field what it says, its name, the name of the method that changes it, its
/// type and its default. The struct is `#[non_exhaustive]`, so that another setting breaks no program.
macro_rules! settings_table {
    (
        $(#[$of_struct:meta])*
        pub struct $name:ident {
            $($(#[$of_field:meta])* $field:ident / $with:ident: $type:ty = $default:expr,)*
        }
    ) => {
        $(#[$of_struct])*
        #[non_exhaustive]
        pub struct $name {
            $($(#[$of_field])* pub $field: $type,)*
        }

        impl Default for $name {
            fn default() -> Self {
                $name { $($field: $default,)* }
            }
        }

        impl $name {
            $(
                #[doc = concat!("The same with another [`", stringify!($field), "`](", stringify!($name), "::", stringify!($field), ").")]
                #[must_use]
                pub fn $with(self, $field: $type) -> Self {
                    $name { $field, ..self }
                }
            )*
        }
    };
}
pub(crate) use settings_table;
