//! A model: a folder of files that are named, with their checksums, in `model.toml`.

use crate::encoder::{Encoder, Tensors, WIDTH};
use crate::glosses::Dictionary;
use crate::matrix::Weights;
use safetensors::SafeTensors;
use serde::Deserialize;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The version of the folder that is read.
const FORMAT: u32 = 3;

/// What every folder holds, beside its list.
const FILES: [&str; 3] = ["pieces.tsv", "encoder.safetensors", "LICENCES"];

/// How the file of a dictionary is called behind the language of its words.
const DICTIONARY: &str = "-en.tsv";

/// The list of a folder.
const LIST: &str = "model.toml";

/// Bytes of one file of a model.
const MOST_BYTES: u64 = 1 << 30;

/// What a text's language is called that is none of those that are told apart.
pub(crate) const OTHER: &str = "und";

/// Bits of a code.
pub(crate) const CODE_BITS: usize = 128;

/// What makes vectors of sentences, and codes of vectors.
pub struct Model {
    pub(crate) encoder: Encoder,
    /// From a vector to as many numbers as a code has bits; of vectors of length 1, they are no longer together.
    pub(crate) codes: Weights,
    pub(crate) dictionaries: Vec<Dictionary>,
    name: String,
    languages: BTreeSet<String>,
    identity: [u8; 32],
}

/// Why a folder is no model.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// A file cannot be read or written.
    #[error("{path}: {error}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// A file is not what it should be.
    #[error("{path}: {reason}")]
    Broken {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    format: u32,
    name: String,
    #[serde(default)]
    languages: BTreeSet<String>,
    files: BTreeMap<String, String>,
}

impl Model {
    /// Opens a model and checks all its files.
    ///
    /// # Errors
    /// When a file is missing, is not the one that its list names, or has another form.
    pub fn open(folder: &Path) -> Result<Self, ModelError> {
        let (list, files) = read(folder)?;
        let broken = |file: &str, reason| ModelError::Broken { path: folder.join(file), reason };
        let [pieces, tensors, _] = FILES;
        let text = str::from_utf8(&files[pieces]).map_err(|error| broken(pieces, error.to_string()))?;
        let (encoder, codes) = network(text, &files[tensors]).map_err(|reason| broken(tensors, reason))?;
        let mut dictionaries = Vec::new();
        for (file, bytes) in &files {
            let Some(language) = file.strip_suffix(DICTIONARY) else { continue };
            let lines = str::from_utf8(bytes).map_err(|error| broken(file, error.to_string()))?;
            dictionaries.push(Dictionary::read(language, lines).map_err(|reason| broken(file, reason))?);
        }
        let mut identity = Sha256::new();
        for name in [pieces, tensors] {
            identity.update(name.as_bytes());
            identity.update(Sha256::digest(&files[name]));
        }
        let identity = identity.finalize().into();
        Ok(Model { encoder, codes, dictionaries, name: list.name, languages: list.languages, identity })
    }

    /// Copies a model into a folder that does not exist yet; the copy is checked before it has its name.
    ///
    /// # Errors
    /// As [`Model::open`], and when the folder exists or cannot be written.
    pub fn install(from: &Path, to: &Path) -> Result<Self, ModelError> {
        let io = |path: &Path| {
            let path = path.to_owned();
            move |error| ModelError::Io { path, error }
        };
        if to.exists() {
            return Err(io(to)(std::io::ErrorKind::AlreadyExists.into()));
        }
        let (list, _) = read(from)?;
        let parent = to.parent().filter(|parent| *parent != Path::new("")).unwrap_or(Path::new("."));
        fs::create_dir_all(parent).map_err(io(parent))?;
        let copy = tempfile::Builder::new().prefix(".model-").tempdir_in(parent).map_err(io(parent))?;
        for file in list.files.keys().map(|file| &**file).chain([LIST]) {
            let target = copy.path().join(file);
            fs::copy(from.join(file), &target).map_err(io(&target))?;
        }
        let model = Model::open(copy.path())?;
        fs::rename(copy.path(), to).map_err(io(to))?;
        Ok(model)
    }

    /// What its list calls it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether it knows a language (ISO 639-1). All are known to a model whose list names none, and a language that could not be told
    /// is taken to be known.
    pub fn knows(&self, language: &str) -> bool {
        self.languages.is_empty() || ["", OTHER].contains(&language) || self.languages.contains(language)
    }

    /// SHA-256 of what makes its codes: those of another model are none of this one.
    pub fn identity(&self) -> &[u8; 32] {
        &self.identity
    }
}

/// The list of a folder, and its files, whose checksums are right.
fn read(folder: &Path) -> Result<(List, BTreeMap<String, Vec<u8>>), ModelError> {
    let broken = |file: &str, reason: String| ModelError::Broken { path: folder.join(file), reason };
    let bytes_of = |file: &str| {
        let path = folder.join(file);
        let size = fs::metadata(&path).map(|known| known.len());
        let bytes = size.and_then(|size| match size > MOST_BYTES {
            true => Err(std::io::ErrorKind::FileTooLarge.into()),
            false => fs::read(&path),
        });
        bytes.map_err(|error| ModelError::Io { path, error })
    };
    let list = String::from_utf8(bytes_of(LIST)?).map_err(|error| broken(LIST, error.to_string()))?;
    let list: List = toml::from_str(&list).map_err(|error| broken(LIST, error.message().to_owned()))?;
    if list.format != FORMAT {
        return Err(broken(LIST, format!("format {}; this version reads {FORMAT}: make the folder anew", list.format)));
    }
    let mut files = BTreeMap::new();
    if let Some(file) = FILES.into_iter().find(|file| !list.files.contains_key(*file)) {
        return Err(broken(LIST, format!("names no {file}")));
    }
    for (file, wanted) in &list.files {
        let is_dictionary = file
            .strip_suffix(DICTIONARY)
            .is_some_and(|language| language.bytes().all(|byte| byte.is_ascii_lowercase()));
        if !FILES.contains(&&**file) && !is_dictionary {
            return Err(broken(LIST, format!("names a file that no model has: {file}")));
        }
        let bytes = bytes_of(file)?;
        let is: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        if is != *wanted {
            return Err(broken(file, "its checksum is not that of the list".to_owned()));
        }
        files.insert(file.clone(), bytes);
    }
    Ok((list, files))
}

/// What makes vectors of sentences, and codes of vectors.
fn network(pieces: &str, tensors: &[u8]) -> Result<(Encoder, Weights), String> {
    let tensors = Tensors::new(SafeTensors::deserialize(tensors).map_err(|error| error.to_string())?);
    Ok((Encoder::read(pieces, &tensors)?, tensors.weights("codes", WIDTH, CODE_BITS)?))
}
