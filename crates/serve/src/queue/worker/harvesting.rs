//! A worker harvests a source into a collection, for a while; the rest is another turn's.

use super::{Failure, unwritten};
use crate::harvests::sink::{IndexSink, state_folder};
use crate::queue::Harvested;
use crate::queue::protocol::Changed;
use crate::queue::why::Why;
use crate::reading::{self, ReadingError};
use copytrace::check::Reason as ReasonOfCheck;
use copytrace::index::{IndexError, IndexWriter};
use copytrace::job::Job;
use copytrace::text::{Document, Metadata};
use copytrace_harvest::{HarvestError, Options, Reason, Seen, Source, Store, WebSettings, harvest};
use std::io::Write;
use std::path::Path;
use std::time::Duration;

/// How long one turn is: a worker that harvests checks nothing meanwhile.
const TURN: Duration = Duration::from_secs(60);

/// Where files that were fetched lie while another process reads them.
const SCRATCH: &str = "scratch";

/// Harvests a source into the index of a folder.
pub fn run(folder: &Path, of: Harvested, progress: &mut dyn FnMut(u8)) -> Result<Changed, Failure> {
    let failed = |said: String| Failure::Failed("unreadable", Why::failed(said));
    let source: Source = of.source.parse().map_err(failed)?;
    let told = |text: String| Some(text).filter(|text| !text.is_empty());
    let known = Metadata { collection: told(of.collection), licence: told(of.licence), ..Metadata::default() };
    let (contact, time, allow_inside) = (of.contact, Some(TURN), of.inside);
    // A server that wants to be left alone for longer is asked again by the next run.
    let web = WebSettings { contact, time, allow_inside, longest_wait: TURN, ..WebSettings::default() };
    let options = Options { known, web, reader: Some(read_apart), ..Options::default() };
    let mut store = Store::open(&state_folder(folder)).map_err(|error| unwritten(&error))?;
    let mut alive = || progress(0);
    let mut sink = IndexSink::new(IndexWriter::open(folder)?, &mut alive);
    let mut more = false;
    let harvested = harvest(&[source], &mut sink, &mut store, &options, &Job::default(), &mut |seen| {
        more |= matches!(seen, Seen::Stopped(_, failure) if failure.reason == Reason::TimeOver);
    });
    let states = harvested.map_err(|error| match error {
        HarvestError::Sink(error) => match error.downcast::<IndexError>() {
            Ok(error) => Failure::from(*error),
            Err(error) => unwritten(error.as_ref()),
        },
        error => unwritten(&error),
    })?;
    sink.finish()?;
    Ok(Changed { added: states.iter().map(|state| state.new as usize).sum(), missing: Vec::new(), more })
}

/// Has a file of which nobody knows what it does read by another process.
fn read_apart(name: &str, bytes: &[u8]) -> Result<Document, Reason> {
    let other = |said: &dyn ToString| Reason::NotKept { said: said.to_string() };
    let ending = name.rsplit('.').next().unwrap_or_default();
    let file = tempfile::Builder::new().prefix("fetched-").suffix(&format!(".{ending}")).tempfile_in(SCRATCH);
    let mut file = file.map_err(|error| other(&error))?;
    file.write_all(bytes).map_err(|error| other(&error))?;
    reading::read(file.path(), false, &mut || ()).map_err(|error| match error {
        ReadingError::Unread(unread) => match unread.reason {
            ReasonOfCheck::NotRead(reason) => Reason::Unread(reason),
            reason => other(&reason),
        },
        error => other(&error),
    })
}
