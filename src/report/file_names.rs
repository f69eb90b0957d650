//! Names of report files, made from ids that may hold anything.

use sha2::{Digest, Sha256};
use std::collections::BTreeSet;

/// The longest name in bytes, without the ending.
const LONGEST: usize = 120;

/// Names that mean a device on Windows, whatever their ending.
const DEVICES: [&str; 4] = ["con", "prn", "aux", "nul"];

/// Gives each id a name of its own. The same ids in the same order get the same names.
#[derive(Debug)]
pub struct FileNames {
    /// Names given, in lower case, because some file systems do not tell cases apart.
    given: BTreeSet<String>,
}

impl Default for FileNames {
    fn default() -> Self {
        // The page of the whole batch and the workbook.
        FileNames { given: ["index", "report"].map(str::to_owned).into() }
    }
}

impl FileNames {
    /// The name for an id, without folder and ending: letters, digits, `.`, `-` and `_`. An id that had to be changed, or
    /// whose name is given already, gets eight digits of its SHA-256 at the end.
    pub fn name(&mut self, id: &str) -> String {
        let kept = |c: char| if c.is_alphanumeric() || matches!(c, '.' | '-' | '_') { c } else { '-' };
        let mut name: String = id.chars().map(kept).collect::<String>().trim_matches(['.', '-']).to_owned();
        while name.len() > LONGEST {
            name.pop();
        }
        let lower = name.to_lowercase();
        let stem = lower.split('.').next().unwrap_or_default();
        let device = DEVICES.contains(&stem) || stem.len() == 4 && (stem.starts_with("com") || stem.starts_with("lpt"));
        if name != id || device || name.is_empty() || self.given.contains(&lower) {
            let digest = Sha256::digest(id.as_bytes());
            name = format!("report-{name}-{:02x}{:02x}{:02x}{:02x}", digest[0], digest[1], digest[2], digest[3]);
        }
        self.given.insert(name.to_lowercase());
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn plain_ids_keep_their_names_and_others_are_changed_and_told_apart() {
        let mut names = FileNames::default();
        assert_eq!(names.name("thesis.txt"), "thesis.txt");
        assert_eq!(names.name("论文-01.md"), "论文-01.md");
        for id in ["../../x", "=cmd|' /C calc'!A0", "index", "Report", "THESIS.txt", "nul.txt", "a/b.txt", "🙂", ""] {
            let name = names.name(id);
            assert!(name.starts_with("report-") && !name.contains(['/', '\\', '|', '=']), "{id} {name}");
        }
        assert!(names.name(&"长".repeat(300)).len() < 160);
    }

    proptest! {
        #[test]
        fn names_are_all_different_and_never_leave_the_folder(ids in proptest::collection::btree_set("\\PC{0,8}|[./a]{0,4}", 0..12)) {
            let mut names = FileNames::default();
            let given: BTreeSet<String> = ids.iter().map(|id| names.name(id).to_lowercase()).collect();
            prop_assert_eq!(given.len(), ids.len());
            for name in given {
                prop_assert!(!name.starts_with('.') && !name.contains(['/', '\\', '\0', ':']));
            }
        }
    }
}
