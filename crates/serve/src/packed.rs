//! A collection in one file, `.copytrace`: the folder of its index as a zip archive, for a colleague. Whoever opens one believes
//! nothing of it: names, sizes, the catalogue's schema and every checksum are looked at before it takes its place.

use crate::app::App;
use crate::backup::copy_index;
use crate::collections::{self, Collection};
use crate::fault::{BAD_ARCHIVE, Fault, refused};
use crate::people::WHOLE;
use crate::people::session::Caller;
use crate::store::{rows, secret};
use crate::submissions::Uploaded;
use crate::{audit, folder};
use copytrace::index::Index;
use copytrace::settings::Settings;
use copytrace_messages::message;
use rusqlite::{Connection, OpenFlags};
use std::fs::{self, File};
use std::io::{self, Read, Seek};
use std::path::Path;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

/// The ending of such files.
pub const ENDING: &str = "copytrace";

const CATALOGUE: &str = "catalogue.sqlite";
const SEGMENTS: &str = "segments/";

/// Files of an archive: an index of millions of documents has some dozens.
const MOST_FILES: usize = 10_000;

/// The index of a collection as one file, which goes when it is closed.
///
/// # Errors
/// When the index is damaged, or the disk is full.
pub fn pack(app: &App, collection: &Collection) -> Result<File, Fault> {
    let copy = app.data.join(format!("scratch/{}", secret::new_id()));
    let packed = copy_index(&app.data.join(&collection.folder), &copy)
        .map_err(|error| Fault::Failed(error.to_string()))
        .and_then(|()| write(&copy));
    folder::remove(&copy)?;
    packed
}

fn write(index: &Path) -> Result<File, Fault> {
    let mut archive = ZipWriter::new(tempfile::tempfile()?);
    // Segments are coded as densely as they can be.
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored).large_file(true);
    let mut names = vec![CATALOGUE.to_owned()];
    for entry in fs::read_dir(index.join(SEGMENTS))? {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            names.push(format!("{SEGMENTS}{}", entry.file_name().to_string_lossy()));
        }
    }
    names[1..].sort();
    for name in names {
        archive.start_file(name.as_str(), options).map_err(io::Error::from)?;
        io::copy(&mut File::open(index.join(&name))?, &mut archive)?;
    }
    let mut file = archive.finish().map_err(io::Error::from)?;
    file.rewind()?;
    Ok(file)
}

/// Makes a collection of such a file, called as the file is.
///
/// # Errors
/// When it is none, damaged, larger than allowed, or of other settings than this service's indexes.
pub fn open(app: &App, caller: &Caller, file: &Uploaded) -> Result<Collection, Fault> {
    let by = caller.administrator()?;
    let target = app.data.join(format!("scratch/{}", secret::new_id()));
    let opened = read(&app.data.join(&file.file), &target, app.limits.archive).and_then(|()| {
        verify(&target)?;
        let stem = file.name.rsplit_once('.').map_or(file.name.as_str(), |(stem, _)| stem);
        let stem: String = stem.chars().take(30).collect();
        app.write(|t| {
            let mut name = stem.clone();
            for number in 2.. {
                if !rows::exists(t, "SELECT 1 FROM collection WHERE name = ?1", [&name])? {
                    break;
                }
                name = format!("{stem} ({number})");
            }
            let collection = collections::create(t, &app.data, &name, false, WHOLE)?;
            let place = app.data.join(&collection.folder);
            folder::remove(&place)?;
            fs::rename(&target, &place)?;
            audit::record(t, Some(by), audit::Action::CreateCollection, &collection.id.to_string(), "")?;
            Ok(collection)
        })
    });
    folder::remove(&target)?;
    opened
}

/// Whether an index has files of this name. No other name is written, so none leads elsewhere.
fn is_of_index(name: &str) -> bool {
    let is_plain =
        |name: &str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    let segment = name.strip_prefix(SEGMENTS).and_then(|name| name.split_once('.'));
    name == CATALOGUE || segment.is_some_and(|(stem, ending)| is_plain(stem) && matches!(ending, "segment" | "records"))
}

fn read(archive: &Path, target: &Path, most: u64) -> Result<(), Fault> {
    let bad = |about: String| Fault::Refused(&BAD_ARCHIVE, about);
    let mut archive = ZipArchive::new(File::open(archive)?).map_err(|error| bad(error.to_string()))?;
    if archive.len() > MOST_FILES {
        return Err(Fault::Told(&BAD_ARCHIVE, vec![message!("archive-many", most = MOST_FILES)]));
    }
    fs::create_dir_all(target.join(SEGMENTS))?;
    let mut room = most;
    for at in 0..archive.len() {
        let mut member = archive.by_index(at).map_err(|error| bad(error.to_string()))?;
        let name = member.name().map_err(|error| bad(error.to_string()))?.into_owned();
        if !is_of_index(&name) || member.is_symlink() {
            return Err(bad(name));
        }
        let mut file = File::create_new(target.join(&name)).map_err(|_| bad(name.clone()))?;
        // What an archive says of sizes is not believed.
        let written = io::copy(&mut member.by_ref().take(room + 1), &mut file).map_err(|error| match error.kind() {
            io::ErrorKind::StorageFull => Fault::from(error),
            _ => bad(format!("{name}: {error}")),
        })?;
        if written > room {
            return Err(Fault::Told(&BAD_ARCHIVE, vec![message!("archive-large", most = most >> 20)]));
        }
        room -= written;
        file.sync_all()?;
    }
    Ok(())
}

/// Refuses an index that is damaged, does more than hold data, or cannot be searched together with others.
fn verify(index: &Path) -> Result<(), Fault> {
    let bad = |error: &dyn std::fmt::Display| refused::<()>(&BAD_ARCHIVE, error.to_string());
    // Views and triggers of a stranger's database would run when it is read.
    let alive = || {
        let catalogue = Connection::open_with_flags(index.join(CATALOGUE), OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        catalogue.pragma_update(None, "trusted_schema", false)?;
        rows::exists(
            &catalogue,
            "SELECT 1 FROM sqlite_schema WHERE type NOT IN ('table', 'index') OR sql LIKE '%VIRTUAL%'",
            [],
        )
    };
    match alive() {
        Err(error) => return bad(&error),
        Ok(true) => return bad(&CATALOGUE),
        Ok(false) => {}
    }
    match Index::verify(index) {
        Err(error) => bad(&error),
        Ok(wrong) => wrong.first().map_or(Ok(()), |error| bad(error)),
    }?;
    match Index::settings_of(index) {
        Err(error) => bad(&error),
        Ok(made) if made != (Settings::default().sketch, true) => {
            Err(Fault::Told(&BAD_ARCHIVE, vec![message!("packed-other-settings")]))
        }
        Ok(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use copytrace::index::IndexWriter;
    use std::io::Write;
    use std::path::PathBuf;

    /// An empty index, packed.
    fn packed(bench: &Path) -> Vec<u8> {
        let index = bench.join("index");
        IndexWriter::create(&index, &Settings::default().sketch, true).unwrap();
        let mut bytes = Vec::new();
        write(&index).unwrap().read_to_end(&mut bytes).unwrap();
        bytes
    }

    fn archive(bench: &Path, members: &[(&str, &[u8])]) -> PathBuf {
        let path = bench.join("a.copytrace");
        let mut writer = ZipWriter::new(File::create(&path).unwrap());
        for (name, content) in members {
            writer.start_file(*name, SimpleFileOptions::default()).unwrap();
            writer.write_all(content).unwrap();
        }
        writer.finish().unwrap();
        path
    }

    #[test]
    fn an_index_comes_out_of_its_file_as_it_went_in() {
        let bench = tempfile::tempdir().unwrap();
        let path = bench.path().join("a.copytrace");
        fs::write(&path, packed(bench.path())).unwrap();
        let target = bench.path().join("target");
        read(&path, &target, 1 << 20).unwrap();
        verify(&target).unwrap();
        let too_small = read(&path, &bench.path().join("small"), 100).unwrap_err();
        assert!(matches!(too_small, Fault::Told(refusal, _) if *refusal == BAD_ARCHIVE));
    }

    #[test]
    fn a_hostile_file_is_refused_and_nothing_is_written_elsewhere() {
        let names = [
            "../catalogue.sqlite",
            "/etc/x",
            "segments/../../x.segment",
            "segments/a.exe",
            "segments/.segment",
            "lock",
            "catalogue.sqlite-wal",
            "segments\\a.segment",
            "segments/unlisted/a.segment",
        ];
        for name in names {
            let bench = tempfile::tempdir().unwrap();
            let path = archive(bench.path(), &[(name, b"x")]);
            let said = read(&path, &bench.path().join("target"), 1000).unwrap_err();
            assert!(matches!(&said, Fault::Refused(refusal, _) if **refusal == BAD_ARCHIVE), "{name}: {said:?}");
            assert_eq!(fs::read_dir(bench.path()).unwrap().count(), 2, "{name}");
        }
        let bench = tempfile::tempdir().unwrap();
        let path = archive(bench.path(), &[(CATALOGUE, b"no database at all")]);
        read(&path, &bench.path().join("target"), 1000).unwrap();
        assert!(verify(&bench.path().join("target")).is_err());
        fs::write(&path, "no archive").unwrap();
        assert!(read(&path, &bench.path().join("other"), 1000).is_err());
    }

    #[test]
    fn a_catalogue_with_a_view_or_of_other_settings_is_refused() {
        let bench = tempfile::tempdir().unwrap();
        packed(bench.path());
        let index = bench.path().join("index");
        Connection::open(index.join(CATALOGUE)).unwrap().execute("CREATE VIEW v AS SELECT 1", []).unwrap();
        assert!(matches!(verify(&index), Err(Fault::Refused(_, about)) if about == CATALOGUE));
        let settings = Settings::default().sketch.with_seed(1);
        let other = bench.path().join("other");
        IndexWriter::create(&other, &settings, true).unwrap();
        assert!(matches!(verify(&other), Err(Fault::Told(..))));
    }
}
