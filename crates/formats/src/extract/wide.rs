//! Characters that stand next to each other without blanks.

pub(super) use copytrace_text::script::is_unspaced as is_wide;
