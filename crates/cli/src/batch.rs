//! The submissions of one check, compared with each other.

use super::console::Console;
use copytrace::index::IndexWriter;
use copytrace::report::rows::SubmissionReport;
use copytrace::report::shared::{Member, SharedRow, shared_rows};
use copytrace::search::among;
use copytrace::settings::Settings;
use copytrace::sketch::analysis::Analysis;
use copytrace::text::Document;

/// An index in memory of the submissions, without their wordings.
pub struct Batch {
    writer: IndexWriter,
    members: Vec<Member>,
}

impl Batch {
    pub fn new(settings: &Settings) -> anyhow::Result<Self> {
        Ok(Batch { writer: IndexWriter::in_memory(&settings.sketch)?, members: Vec::new() })
    }

    /// Takes a submission in. Its id may be anything, so the index knows it by its number. It is not asked for fingerprints,
    /// so none is made.
    pub fn add(&mut self, member: Member, analysis: Analysis) -> anyhow::Result<()> {
        // What they share is found in the order of these ids. A submission's own id may be one that no index takes.
        let id = format!("{}\0{:09}", member.id, self.members.len());
        let document = Document { id, ..Document::default() };
        self.writer.add_claimed(&document, Vec::new(), 0, &analysis.with_fingerprint(0))?;
        self.members.push(member);
        Ok(())
    }

    /// What they share; none when there are no two. `reports` tell their sources.
    pub fn compare(
        self,
        settings: &Settings,
        reports: &[SubmissionReport],
        console: &Console,
    ) -> anyhow::Result<Option<Vec<SharedRow>>> {
        if self.members.len() < 2 {
            return Ok(None);
        }
        let index = self.writer.into_index()?;
        let found = among::find(&index, settings)?;
        if found.left_out > 0 {
            console.notice(&format!(
                "{} pairs of submissions were not compared: each is aligned with {} others at most",
                found.left_out,
                among::MOST_CANDIDATES
            ));
        }
        // The index numbers documents in the order in which they were added.
        let member = |document: u32| &self.members[document as usize];
        Ok(Some(shared_rows(&found.pairs, &index, member, reports)?))
    }
}
