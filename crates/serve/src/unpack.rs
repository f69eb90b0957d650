//! Unpacking zip archives that somebody uploaded: names that lead nowhere else, and bounds on what they come to.

use crate::app::Limits;
use crate::fault::{BAD_ARCHIVE, Fault, NO_SPACE, refused};
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

/// The name of a file without folders, and without what no name should have; its last 200 characters.
pub fn last_part(name: &str) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let kept: Vec<char> = last.chars().filter(|c| !c.is_control()).collect();
    kept[kept.len().saturating_sub(200)..].iter().collect()
}

/// A name under which a file may stand in a folder: one part, not hidden, nothing a system takes for something else.
///
/// # Errors
/// When nothing is left of it.
pub fn safe_name(name: &str) -> Result<String, Fault> {
    let name = last_part(name);
    let name = name.trim_start_matches('.').trim();
    if name.is_empty() { refused(&BAD_ARCHIVE, "a file without a name") } else { Ok(name.to_owned()) }
}

/// The name of a member as it is kept, of its last part; none for folders and what systems add.
fn member_name(name: &str) -> Option<String> {
    if name.ends_with('/') || name.starts_with("__MACOSX") {
        return None;
    }
    let name = last_part(name);
    (!name.starts_with('.') && !name.is_empty()).then_some(name)
}

/// Unpacks an archive into a folder, without its own folders, and gives the names. Of two of one name the second gets a number.
///
/// # Errors
/// When it is damaged, holds a name that leads out of it, or comes to more than the limits say.
pub fn unpack(archive: &Path, folder: &Path, limits: &Limits) -> Result<Vec<String>, Fault> {
    let bad = |about: &str| Fault::Refused(&BAD_ARCHIVE, about.to_owned());
    let mut archive = zip::ZipArchive::new(File::open(archive)?).map_err(|error| bad(&error.to_string()))?;
    if archive.len() > limits.members {
        return Err(bad("too many files"));
    }
    let (mut names, mut room) = (Vec::new(), limits.archive);
    for at in 0..archive.len() {
        let mut member = archive.by_index(at).map_err(|error| bad(&error.to_string()))?;
        let inside = member.name().map_err(|error| bad(&error.to_string()))?.into_owned();
        // Archives of honest programs have no such names, so what else they hold is not to be trusted either.
        if member.enclosed_name().is_none() || inside.starts_with(['/', '\\']) || member.is_symlink() {
            return Err(bad(&inside));
        }
        let Some(mut name) = member_name(&inside) else { continue };
        if names.contains(&name) {
            name = format!("{}-{name}", at + 1);
        }
        let mut target = File::create_new(folder.join(&name))?;
        let most = limits.file.min(room);
        // What an archive says of sizes is not believed.
        let written =
            io::copy(&mut member.by_ref().take(most + 1), &mut target).map_err(|error| match error.kind() {
                io::ErrorKind::StorageFull => Fault::from(&NO_SPACE),
                _ => bad(&inside),
            })?;
        if written > most {
            return Err(bad("it comes to too much"));
        }
        target.flush()?;
        target.sync_all()?;
        room -= written;
        names.push(name);
    }
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;
    use zip::write::SimpleFileOptions;

    fn archive(folder: &Path, members: &[(&str, &[u8])]) -> std::path::PathBuf {
        let path = folder.join("archive.zip");
        let mut writer = zip::ZipWriter::new(File::create(&path).unwrap());
        for (name, content) in members {
            writer.start_file(*name, SimpleFileOptions::default()).unwrap();
            writer.write_all(content).unwrap();
        }
        writer.finish().unwrap();
        path
    }

    fn unpacked(members: &[(&str, &[u8])]) -> Result<Vec<String>, Fault> {
        let bench = tempfile::tempdir().unwrap();
        let target = bench.path().join("target");
        std::fs::create_dir(&target).unwrap();
        let limits = Limits { file: 1000, archive: 1500, members: 5, ..Limits::default() };
        let names = unpack(&archive(bench.path(), members), &target, &limits);
        assert_eq!(std::fs::read_dir(bench.path()).unwrap().count(), 2, "nothing is written outside");
        names
    }

    #[test]
    fn a_file_name_leads_nowhere() {
        let cases = [
            ("thesis.docx", "thesis.docx"),
            ("../../etc/passwd", "passwd"),
            ("C:\\theses\\张三.doc", "张三.doc"),
            ("a\u{0}b.txt", "ab.txt"),
            ("/", ""),
        ];
        for (name, expected) in cases {
            assert_eq!(last_part(name), expected);
        }
    }

    #[test]
    fn members_keep_their_names_without_folders() {
        let members: [(&str, &[u8]); 4] =
            [("a/1_甲_题.txt", b"x"), ("b/1_甲_题.txt", b"y"), ("a/.DS_Store", b"z"), ("__MACOSX/c", b"")];
        assert_eq!(unpacked(&members).unwrap(), ["1_甲_题.txt", "2-1_甲_题.txt"]);
    }

    #[test]
    fn archives_that_lead_out_or_come_to_too_much_are_refused() {
        let large = vec![b'a'; 1001];
        let half = vec![b'a'; 800];
        let six: Vec<(String, &[u8])> = (0..6).map(|n| (format!("{n}.txt"), &b"x"[..])).collect();
        let six: Vec<(&str, &[u8])> = six.iter().map(|(name, content)| (name.as_str(), *content)).collect();
        let cases: [&[(&str, &[u8])]; 5] = [
            &[("../evil.txt", b"x")],
            &[("/etc/evil.txt", b"x")],
            &[("large.txt", &large)],
            &[("1.txt", &half), ("2.txt", &half)],
            &six,
        ];
        for members in cases {
            let refused = unpacked(members);
            assert!(matches!(refused, Err(Fault::Refused(refusal, _)) if *refusal == BAD_ARCHIVE), "{refused:?}");
        }
    }
}
