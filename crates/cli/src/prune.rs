//! `copytrace index add --prune`: what the paths do not hold any more leaves the index.

use super::console::Console;
use copytrace::check::{Reason, Unread};
use copytrace::index::IndexWriter;
use copytrace::text::Document;
use copytrace_messages::message;
use std::collections::HashSet;
use std::path::Path;

/// What stays in an index: the documents of the paths, those of them that cannot be read now, and what was harvested.
pub struct Held {
    ids: HashSet<String>,
    /// Something was not seen whole, so that it does not follow that anything went.
    is_partial: bool,
}

impl Held {
    /// What stays in an index whatever is added.
    pub fn of(index: &Path) -> anyhow::Result<Self> {
        Ok(Held { ids: harvested::ids(index)?, is_partial: false })
    }

    /// Notes what the paths hold.
    pub fn note(&mut self, batch: &[Result<Document, Unread>]) {
        for read in batch {
            match read {
                Ok(document) => drop(self.ids.insert(document.id.clone())),
                Err(unread) => {
                    self.is_partial |=
                        matches!(&unread.reason, Reason::NotRead(reason) if harvested::may_hide_documents(reason));
                    self.ids.insert(unread.id.clone());
                }
            }
        }
    }

    /// Removes all else, and gives how many documents that were; nothing, with a word, if something was not seen whole.
    pub fn prune(self, writer: &mut IndexWriter, console: &Console) -> anyhow::Result<Option<usize>> {
        if self.is_partial {
            console.error(&message!("index-not-pruned"));
            return Ok(None);
        }
        let went = writer.select(|record| !self.ids.contains(&record.id))?;
        for id in &went {
            writer.remove(id)?;
        }
        writer.commit()?;
        Ok(Some(went.len()))
    }
}

/// What was harvested into an index.
#[cfg(feature = "service")]
mod harvested {
    use anyhow::Context;
    use copytrace_harvest::Store;
    pub use copytrace_harvest::may_hide_documents;
    use copytrace_serve::harvests::sink::state_folder;
    use std::collections::HashSet;
    use std::path::Path;

    /// The ids of its documents.
    pub fn ids(index: &Path) -> anyhow::Result<HashSet<String>> {
        let folder = state_folder(index);
        let named = || crate::console::shown(&folder);
        let mut ids = HashSet::new();
        let keep = |id: &str| {
            ids.insert(id.to_owned());
        };
        Store::open(&folder).with_context(named)?.each_id(keep).with_context(named)?;
        Ok(ids)
    }
}

/// Without it nothing is pruned: harvests of an index may not be taken for what went.
#[cfg(not(feature = "service"))]
mod harvested {
    pub fn may_hide_documents(_: &copytrace::formats::input::ReadReason) -> bool {
        true
    }

    pub fn ids(_: &std::path::Path) -> anyhow::Result<std::collections::HashSet<String>> {
        anyhow::bail!(copytrace_messages::message!("not-built-in", option = "--prune"))
    }
}
