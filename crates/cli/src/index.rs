//! `copytrace index`: the reference index on disk.

use super::Outcome;
use super::args::{Condition, IndexCommand};
use super::console::{Console, shown};
use super::loading::{counter_of, for_each_batch, tell_unknown};
use super::manifest::Manifest;
use super::prune::Held;
use super::semantic::keep_meanings;
use anyhow::{Context, ensure};
use copytrace::align::AlignSettings;
use copytrace::check::Addition;
use copytrace::formats::input::ReadLimits;
use copytrace::index::{Index, IndexWriter, MergePolicy, Record};
use copytrace::job::Stage;
use copytrace::report::tables::Table;
use copytrace::semantic::Model;
use copytrace::settings::RetrievalSettings;
use copytrace::sketch::analysers::Analysers;
use copytrace::text::Metadata;
use copytrace_messages::message;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

pub fn run(command: &IndexCommand, console: &Console) -> anyhow::Result<Outcome> {
    match command {
        IndexCommand::Create { dir, no_text, sketch } => {
            let settings = sketch.settings(AlignSettings::default())?;
            IndexWriter::create(dir, &settings.sketch, !no_text)?;
            console.done(&message!("index-created", dir = shown(dir)));
            Ok(Outcome::Done)
        }
        IndexCommand::Add { dir, paths, prune, semantic, metadata, reading } => {
            let manifest = Manifest::read(metadata.manifest.as_deref())?;
            // Before anything is added: a folder that is no model is refused at once.
            let model = semantic.as_deref().map(Model::open).transpose()?;
            let mut writer = open(dir, console)?;
            let held = prune.then(|| Held::of(dir)).transpose()?;
            let added = add(&mut writer, dir, paths, &reading.limits(), manifest, held, console)?;
            if let Some(model) = model {
                keep_meanings(&writer, dir, &model, console)?;
            }
            Ok(added)
        }
        IndexCommand::Remove { dir, ids, matching } => remove(dir, ids, matching.as_ref(), console),
        IndexCommand::List { dir } => list(dir),
        IndexCommand::Stats { dir } => stats(dir),
        IndexCommand::Verify { dir } => verify(dir, console),
        IndexCommand::Compact { dir } => {
            let mut writer = open(dir, console)?;
            writer.compact(&MergePolicy::default())?;
            console.done(&message!("index-compacted", dir = shown(dir)));
            Ok(Outcome::Done)
        }
        IndexCommand::Merge { dir, from } => merge(dir, from, console),
        IndexCommand::Expire { dir, older_than } => {
            let limit = now() - older_than;
            remove_matching(dir, |record| record.time().is_some_and(|time| time < limit), console)
        }
    }
}

/// The time in seconds since 1970 (UTC).
pub fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs() as i64)
}

/// Opens an index for changing, and names what was found in its folder that does not belong to it.
pub fn open(dir: &Path, console: &Console) -> anyhow::Result<IndexWriter> {
    let writer = IndexWriter::open(dir)?;
    for path in writer.set_aside() {
        console.notice(&message!("set-aside", path = shown(path)));
    }
    Ok(writer)
}

fn add(
    writer: &mut IndexWriter,
    dir: &Path,
    paths: &[PathBuf],
    limits: &ReadLimits,
    mut manifest: Manifest,
    mut held: Option<Held>,
    console: &Console,
) -> anyhow::Result<Outcome> {
    let analysers = Analysers::new(writer.settings());
    let now = now();
    let (mut new, mut replaced, mut unchanged, mut failed) = (0, 0, 0, 0);
    let counter = counter_of(console.words.adding, paths, limits, console);
    let job = console.job(Stage::Reading, &counter);
    let unknown = for_each_batch(paths, limits, console, &job, |batch| {
        counter.inc(batch.len() as u64);
        held.iter_mut().for_each(|held| held.note(&batch));
        for addition in writer.add_all(&analysers, manifest.complete_all(batch), now, &job)? {
            match addition {
                Addition::New(_) => new += 1,
                Addition::Replaced(_) => replaced += 1,
                Addition::Unchanged(_) => unchanged += 1,
                Addition::Unread(unread) => {
                    failed += 1;
                    console.error(&unread);
                }
            }
        }
        Ok(())
    })?;
    tell_unknown(&unknown, console);
    writer.commit()?;
    let pruned = held.map(|held| held.prune(writer, console)).transpose()?;
    writer.merge_segments(&MergePolicy::default())?;
    counter.finish_and_clear();
    for path in manifest.unused() {
        failed += 1;
        console.error(&message!("manifest-row-unused", path = path));
    }
    let holds = writer.documents()?;
    console.done(
        &message!("index-added", dir = shown(dir), new = new, replaced = replaced, unchanged = unchanged)
            .with("holds", holds),
    );
    match pruned {
        Some(Some(removed)) => console.done(&message!("index-pruned", dir = shown(dir), removed = removed)),
        Some(None) => failed += 1,
        None => {}
    }
    Ok(Outcome::of(failed > 0))
}

fn remove(dir: &Path, ids: &[String], matching: Option<&Condition>, console: &Console) -> anyhow::Result<Outcome> {
    match matching {
        Some(condition) => remove_matching(dir, |record| holds(condition, &record.metadata), console),
        None => remove_ids(open(dir, console)?, dir, ids, console),
    }
}

fn remove_matching(dir: &Path, wanted: impl Fn(&Record) -> bool, console: &Console) -> anyhow::Result<Outcome> {
    let writer = open(dir, console)?;
    let ids = writer.select(wanted)?;
    remove_ids(writer, dir, &ids, console)
}

fn remove_ids(mut writer: IndexWriter, dir: &Path, ids: &[String], console: &Console) -> anyhow::Result<Outcome> {
    let mut missing = 0;
    for id in ids {
        if !writer.remove(id)? {
            missing += 1;
            console.error(&message!("not-in-index", id = id.as_str()));
        }
    }
    // Segments that are mostly removed documents now are rewritten, or dropped whole.
    writer.merge_segments(&MergePolicy::default())?;
    let (removed, holds) = (ids.len() - missing, writer.documents()?);
    console.done(&message!("index-removed", dir = shown(dir), removed = removed, holds = holds));
    Ok(Outcome::of(missing > 0))
}

fn holds(condition: &Condition, metadata: &Metadata) -> bool {
    let field = match condition.field.as_str() {
        "title" => &metadata.title,
        "author" => &metadata.author,
        "date" => &metadata.date,
        "licence" => &metadata.licence,
        _ => &metadata.collection,
    };
    field.as_ref() == Some(&condition.value)
}

fn list(dir: &Path) -> anyhow::Result<Outcome> {
    // All of them first: of a damaged index nothing is listed.
    let mut records = Vec::new();
    Index::list(dir, |record| {
        records.push(record);
        Ok(())
    })?;
    let mut table = crate::output::table(None, "id,title,author,date,collection,added,addition,url,licence")?;
    for record in records {
        let Metadata { title, author, date, collection, url, licence } = record.metadata;
        let text = |value: Option<String>| Table::defused(&value.unwrap_or_default()).into_owned();
        let id = Table::defused(&record.id).into_owned();
        let (title, author, date, collection) = (text(title), text(author), text(date), text(collection));
        let (added, addition) = (record.added, record.generation);
        table.write(&(id, title, author, date, collection, added, addition, text(url), text(licence)))?;
    }
    table.finish()?;
    Ok(Outcome::Done)
}

fn stats(dir: &Path) -> anyhow::Result<Outcome> {
    let (settings, texts) = Index::settings_of(dir)?;
    let most = RetrievalSettings::default().max_documents_per_key;
    let statistics = Index::statistics(dir, most)?;
    let mut out = String::new();
    let mut line = |name: &str, value: String| out += &format!("{name:<32}{value}\n");
    line("documents", statistics.documents.to_string());
    line("removed, still in segments", statistics.deleted.to_string());
    line("segments", statistics.segments.to_string());
    line("additions", statistics.generation.to_string());
    line("texts", if texts { "kept".to_owned() } else { "not kept".to_owned() });
    line("shingles", settings.shingling.to_string());
    line("MinHash functions", settings.hashes.to_string());
    line("bands x rows", format!("{} x {}", settings.banding.bands, settings.banding.rows));
    for ((collection, licence), documents) in by_collection(dir)? {
        let licence = licence.map_or_else(String::new, |licence| format!(" ({licence})"));
        line("documents, of collection", format!("{documents} {}{licence}", collection.as_deref().unwrap_or("-")));
    }
    for (part, bytes) in &statistics.bytes {
        line(&format!("bytes, {part}"), bytes.to_string());
    }
    for (what, lists) in [("keys", &statistics.keys), ("buckets", &statistics.buckets)] {
        for (class, count) in lists.histogram.iter().enumerate() {
            line(&format!("{what} of {}+ documents", 1u64 << class), count.to_string());
        }
        let fullest: Vec<String> =
            lists.fullest.iter().map(|(documents, key)| format!("{key:010x}: {documents}")).collect();
        line(&format!("fullest {what}"), fullest.join(", "));
    }
    line(&format!("keys of over {most} documents"), statistics.frequent_keys.to_string());
    std::io::stdout().write_all(out.as_bytes()).context("standard output")?;
    Ok(Outcome::Done)
}

/// A collection and a licence.
type Kind = (Option<String>, Option<String>);

/// How many documents there are of each collection and licence; nothing where no document has either.
fn by_collection(dir: &Path) -> anyhow::Result<BTreeMap<Kind, u64>> {
    let mut counts = BTreeMap::new();
    Index::list(dir, |Record { metadata, .. }| {
        *counts.entry((metadata.collection, metadata.licence)).or_default() += 1;
        Ok(())
    })?;
    if counts.len() == 1 {
        counts.remove(&(None, None));
    }
    Ok(counts)
}

fn verify(dir: &Path, console: &Console) -> anyhow::Result<Outcome> {
    let wrong = Index::verify(dir)?;
    for error in &wrong {
        console.error(error);
    }
    ensure!(wrong.is_empty(), message!("index-damaged", dir = shown(dir), places = wrong.len()));
    console.done(&message!("index-sound", dir = shown(dir)));
    Ok(Outcome::Done)
}

fn merge(dir: &Path, from: &[PathBuf], console: &Console) -> anyhow::Result<Outcome> {
    let mut writer = open(dir, console)?;
    let (mut taken, mut failed) = (0, 0);
    for folder in from {
        let (documents, refused) = writer.merge_from(folder)?;
        taken += documents;
        failed += refused.len();
        for id in refused {
            console.error(&message!("in-both", id = id, dir = shown(dir)));
        }
    }
    writer.merge_segments(&MergePolicy::default())?;
    console.done(&message!("index-merged", dir = shown(dir), taken = taken, holds = writer.documents()?));
    Ok(Outcome::of(failed > 0))
}
