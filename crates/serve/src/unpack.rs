//! Unpacking zip archives that somebody uploaded: names that lead nowhere else, and bounds on what they come to.

use crate::app::Limits;
use crate::fault::{BAD_ARCHIVE, Fault, NO_SPACE, refused};
use crate::folder;
use copytrace::check::Reason;
use copytrace::formats::input::ReadReason;
use copytrace_messages::message;
use encoding_rs::GB18030;
use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use zip::result::ZipError;

/// The name of a file without folders, and without what no name should have; its last 200 characters.
pub fn last_part(name: &str) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let kept: Vec<char> = last.chars().filter(|c| !c.is_control()).collect();
    kept[kept.len().saturating_sub(200)..].iter().collect()
}

/// Bytes of a name on the disk: file systems take 255, of which a number before it needs some.
const LONGEST_NAME: usize = 200;

/// A name under which a file may stand in a folder: one part, not hidden, nothing a system takes for something else. What is too
/// long loses the end of its stem.
///
/// # Errors
/// When nothing is left of it.
pub fn safe_name(name: &str) -> Result<String, Fault> {
    let name = last_part(name);
    let name = name.trim_start_matches('.').trim();
    let ending = name.rfind('.').map_or("", |at| &name[at..]);
    let ending = if ending.len() < LONGEST_NAME { ending } else { "" };
    let stem = &name[..name.len() - ending.len()];
    let stem = &stem[..stem.floor_char_boundary(LONGEST_NAME - ending.len())];
    if name.is_empty() { refused(&BAD_ARCHIVE, "a file without a name") } else { Ok(format!("{stem}{ending}")) }
}

/// A file of an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// What it is called, without folders.
    pub name: String,
    /// What it is called in the folder; or why it could not be unpacked.
    pub file: Result<String, Reason>,
}

/// Files that systems add to folders and nobody hands in.
const OF_SYSTEMS: [&str; 2] = ["thumbs.db", "desktop.ini"];

/// The name of a member as it is kept, of its last part; none for folders and what systems and programs add: hidden files, and
/// those of what is open (`~$`).
pub fn member_name(name: &str) -> Option<String> {
    if name.ends_with(['/', '\\']) || name.starts_with("__MACOSX") {
        return None;
    }
    let name = last_part(name);
    let added = name.starts_with('.') || name.starts_with("~$") || OF_SYSTEMS.contains(&name.to_lowercase().as_str());
    (!added && !name.is_empty()).then_some(name)
}

/// Names are UTF-8 or of the code page of whoever packed them, which the program reads so too; flags that say which are often wrong.
fn decoded(raw: &[u8]) -> String {
    match std::str::from_utf8(raw) {
        Ok(name) => name.to_owned(),
        Err(_) => GB18030.decode_without_bom_handling(raw).0.into_owned(),
    }
}

/// Unpacks an archive into a folder, without its own folders, and gives its files. Of two of one name the second gets a number. A
/// file that is damaged, or too large by itself, is told with its reason.
///
/// # Errors
/// When the archive is damaged, holds a name that leads out of it, or comes to more than the limits say.
pub fn unpack(archive: &Path, folder: &Path, limits: &Limits) -> Result<Vec<Member>, Fault> {
    let bad = |about: &str| Fault::Refused(&BAD_ARCHIVE, about.to_owned());
    let mut archive = zip::ZipArchive::new(File::open(archive)?).map_err(|error| bad(&error.to_string()))?;
    if archive.len() > limits.members {
        return Err(Fault::Told(&BAD_ARCHIVE, vec![message!("archive-many", most = limits.members)]));
    }
    let (mut members, mut taken, mut room) = (Vec::new(), HashSet::new(), limits.archive);
    for at in 0..archive.len() {
        let head = archive.by_index_raw(at).map_err(|error| bad(&error.to_string()))?;
        let inside = decoded(head.name_raw());
        let leads_out = inside.starts_with(['/', '\\']) || inside.split(['/', '\\']).any(|part| part == "..");
        // Archives of honest programs have no such names, so what else they hold is not to be trusted either.
        if head.enclosed_name().is_none() || leads_out || head.is_symlink() {
            return Err(bad(&inside));
        }
        drop(head);
        let Some(name) = member_name(&inside) else { continue };
        let mut file = safe_name(&name)?;
        if !taken.insert(file.clone()) {
            file = format!("{}-{file}", at + 1);
            taken.insert(file.clone());
        }
        let place = folder.join(&file);
        let unpacked = archive.by_index(at).map_err(|error| unopened(&error)).and_then(|mut member| {
            let mut target = File::create_new(&place).map_err(Fault::from)?;
            // What an archive says of sizes is not believed.
            let most = limits.file.min(room);
            let written = match io::copy(&mut member.by_ref().take(most + 1), &mut target) {
                Err(error) if error.kind() == io::ErrorKind::StorageFull => return Err(Fault::from(&NO_SPACE).into()),
                Err(error) => return Err(ReadReason::EntryDamaged { said: error.to_string() }.into()),
                Ok(written) => written,
            };
            match written > most {
                true if most == limits.file => return Err(ReadReason::EntryExpands { limit: most }.into()),
                true => {
                    return Err(Fault::Told(
                        &BAD_ARCHIVE,
                        vec![message!("archive-large", most = limits.archive >> 20)],
                    )
                    .into());
                }
                false => room -= written,
            }
            target.sync_all().map_err(Fault::from)?;
            Ok(())
        });
        let file = match unpacked {
            Ok(()) => Ok(file),
            Err(Bad::Archive(fault)) => return Err(fault),
            Err(Bad::Member(reason)) => {
                folder::remove(&place)?;
                Err(reason)
            }
        };
        members.push(Member { name, file });
    }
    Ok(members)
}

/// What is bad: the whole archive, or one file of it.
enum Bad {
    Archive(Fault),
    Member(Reason),
}

impl From<Fault> for Bad {
    fn from(fault: Fault) -> Self {
        Bad::Archive(fault)
    }
}

impl From<ReadReason> for Bad {
    fn from(reason: ReadReason) -> Self {
        Bad::Member(reason.into())
    }
}

/// A file that cannot be opened: it has a password, is packed in another way, or is damaged.
fn unopened(error: &ZipError) -> Bad {
    if matches!(error, ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED)) {
        return ReadReason::EncryptedEntry.into();
    }
    let unsupported = matches!(error, ZipError::UnsupportedArchive(_) | ZipError::CompressionMethodNotSupported(_));
    ReadReason::EntryUnreadable { said: error.to_string(), unsupported }.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use zip::write::SimpleFileOptions;

    #[test]
    fn a_file_that_needs_a_password_is_named_so() {
        let folder = tempfile::tempdir().unwrap();
        let path = archive(folder.path(), &[("thesis.txt", b"text")]);
        let mut bytes = std::fs::read(&path).unwrap();
        // The lowest bit of the flags says so: in the head of the file, and where all files are listed.
        let list = bytes.windows(4).position(|window| window == b"PK\x01\x02").unwrap();
        bytes[6] |= 1;
        bytes[list + 8] |= 1;
        std::fs::write(&path, bytes).unwrap();
        let members = unpack(&path, folder.path(), &Limits::default()).unwrap();
        let [Member { file: Err(reason), .. }] = members.as_slice() else { panic!("{}", members.len()) };
        assert!(matches!(reason, Reason::NotRead(ReadReason::EncryptedEntry)), "{reason}");
    }

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
        let members = unpack(&archive(bench.path(), members), &target, &limits);
        assert_eq!(std::fs::read_dir(bench.path()).unwrap().count(), 2, "nothing is written outside");
        let told = |member: Member| member.file.unwrap_or_else(|reason| format!("{}: {reason}", member.name));
        members.map(|members| members.into_iter().map(told).collect())
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
        let of_windows: [(&str, &[u8]); 5] = [
            ("a/._1_甲_题.txt", b"z"),
            ("a/Thumbs.db", b"z"),
            ("desktop.ini", b"z"),
            ("a/~$1_甲_题.docx", b"z"),
            ("1_甲_题.txt", b"x"),
        ];
        assert_eq!(unpacked(&of_windows).unwrap(), ["1_甲_题.txt"]);
    }

    #[test]
    fn a_file_that_is_too_large_is_told_and_a_long_name_is_cut_before_its_ending() {
        let large = vec![b'a'; 1001];
        let long = format!("1_{}.txt", "论".repeat(100));
        let members: [(&str, &[u8]); 2] = [("large.txt", &large), (&long, b"x")];
        let expected = format!("1_{}.txt", "论".repeat(64));
        let told = unpacked(&members).unwrap();
        assert!(told[0].starts_with("large.txt: expands to more than"), "{told:?}");
        assert_eq!(told[1], expected);
    }

    #[test]
    fn archives_that_lead_out_or_come_to_too_much_are_refused() {
        let half = vec![b'a'; 800];
        let six: Vec<(String, &[u8])> = (0..6).map(|n| (format!("{n}.txt"), &b"x"[..])).collect();
        let six: Vec<(&str, &[u8])> = six.iter().map(|(name, content)| (name.as_str(), *content)).collect();
        let cases: [&[(&str, &[u8])]; 4] =
            [&[("../evil.txt", b"x")], &[("/etc/evil.txt", b"x")], &[("1.txt", &half), ("2.txt", &half)], &six];
        for members in cases {
            let refused = unpacked(members);
            assert!(
                matches!(refused, Err(Fault::Refused(refusal, _) | Fault::Told(refusal, _)) if *refusal == BAD_ARCHIVE),
                "{refused:?}"
            );
        }
    }
}
