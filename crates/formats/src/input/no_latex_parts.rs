//! Stands for LaTeX projects where the formats that need them are not built in: each file is for itself.

use std::path::Path;

use super::ReadLimits;

/// No project is known.
pub(super) struct LatexProjects;

impl LatexProjects {
    pub(super) fn in_folder(_: &Path, _: &ReadLimits) -> LatexProjects {
        LatexProjects
    }

    pub(super) fn have_part(&self, _: &Path) -> bool {
        false
    }

    pub(super) fn project_at(&self, _: &Path) -> Option<&Path> {
        None
    }
}
