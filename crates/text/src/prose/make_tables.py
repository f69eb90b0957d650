#!/usr/bin/env python3
"""Writes the tables by which prose is told: make_tables.py LINGUA SCOWL JIEBA PINYIN OUT

LINGUA holds a folder `lingua-LANGUAGE-language-model-VERSION` for each language, as the crates are unpacked (Peter M. Stahl, Apache-2.0),
each with its `ngrams.fst` also as text beside it (`ngrams.tsv`: n-gram, tab, natural logarithm of its probability behind its first letters).
SCOWL is the folder of word lists (Kevin Atkinson and others; free for any use with its notice). JIEBA is `dict.txt` (Sun Junyi, MIT).
PINYIN is `pinyin_dict.json` of pypinyin (Mozillazg, MIT). Needed are snowballstemmer and the program zstd. Six files are written, each packed
by `zstd -19`:

`languages.txt`: for each language a line `=CODE BITS FUNCTION`, and one of its most frequent words. BITS is what a trigram of its honest
prose takes on average (in hundredths), FUNCTION the share of its words that those frequent words are (in hundredths).
`trigrams.txt`: for each language, in the same order, and for each number of bits from 0 to 11 a line of the trigrams whose last letter takes
so many bits behind the first two, without blanks between them.
`english.txt`: the stems of English words, in order.
`han.txt`: a line for each Han character that words of two or more characters hold: it, and those that stand behind it in such words
more often than by chance.
`words.txt`: English words, in order, each tier behind a line `=` and the number of SCOWL's list that first has them.
`sounds.txt`: for each syllable of Mandarin a line of the characters of jieba's words that are read so, whatever the tone.
"""

import collections
import glob
import json
import math
import re
import subprocess
import sys
import unicodedata
from pathlib import Path

import snowballstemmer

# How many words of a language are taken for its function words.
FREQUENT = 30
# How much of a language's prose the trigrams that are kept make up.
KEPT = 0.97
# What a trigram that is not kept takes, in bits.
UNKNOWN = 12
# The least frequency of Chinese neighbours in the words of jieba's dictionary.
LEAST_FREQUENT = 10
# The largest list of SCOWL (of 95), and that for words of up to three letters, which pieces of words are by chance.
LARGEST, LARGEST_SHORT = 60, 35
# The largest list of which words are spoilt words restored: of rarer ones, more are near to any spoilt word.
LARGEST_RESTORED = 50
# The least frequency of a character in jieba's words, and the readings of one, for it to be in `sounds.txt`.
LEAST_HEARD, READINGS = 20, 2

CODES = """af afrikaans sq albanian ar arabic hy armenian az azerbaijani eu basque be belarusian nb bokmal bs bosnian bg bulgarian
ca catalan hr croatian cs czech da danish nl dutch en english eo esperanto et estonian fi finnish fr french lg ganda ka georgian de german
el greek he hebrew hu hungarian is icelandic id indonesian ga irish it italian kk kazakh la latin lv latvian
lt lithuanian mk macedonian ms malay mi maori mn mongolian nn nynorsk fa persian pl polish pt portuguese ro romanian ru russian
sr serbian sn shona sk slovak sl slovene so somali st sotho es spanish sw swahili sv swedish tl tagalog ts tsonga tn tswana
tr turkish uk ukrainian ur urdu vi vietnamese cy welsh xh xhosa yo yoruba zu zulu""".split()

WORD = re.compile(r"[^\W\d_]+")


def is_han(c):
    return "\u4e00" <= c <= "\u9fff"


def words_of(text):
    return WORD.findall(text.casefold())


def language(code, folder):
    ln = {}
    for line in (folder / "models" / "ngrams.tsv").read_text(encoding="utf-8").splitlines():
        ngram, value = line.split("\t")
        ln[ngram] = float(value)
    likely = [(math.exp(ln[t[0]] + ln[t[:2]] + v), t, v) for t, v in ln.items() if len(t) == 3 and t[:2] in ln]
    likely.sort(reverse=True)
    most = KEPT * sum(p for p, _, _ in likely)
    bits, mass = {}, 0.0
    for probability, trigram, value in likely:
        folded = trigram.casefold()
        if len(folded) == 3:
            bits.setdefault(folded, min(UNKNOWN - 1, round(-value / math.log(2))))
        mass += probability
        if mass > most:
            break
    words = words_of((folder / "testdata" / "sentences.txt").read_text(encoding="utf-8"))
    frequent = [word for word, _ in collections.Counter(words).most_common(FREQUENT)]
    trigrams = [word[at : at + 3] for word in words for at in range(len(word) - 2)]
    mean = sum(bits.get(trigram, UNKNOWN) for trigram in trigrams) / len(trigrams)
    share = sum(word in set(frequent) for word in words) / len(words)
    head = [f"={code} {round(mean * 100)} {round(share * 100)}", " ".join(frequent)]
    return head, ["".join(sorted(t for t, b in bits.items() if b == cost)) for cost in range(UNKNOWN)]


def english(scowl):
    def words(largest):
        for kind in ["words", "upper", "contractions", "proper-names"]:
            for path in glob.glob(f"{scowl}/*-{kind}.*"):
                if int(path.rsplit(".", 1)[1]) <= largest:
                    for word in Path(path).read_text(encoding="latin-1").split():
                        yield word.casefold().removesuffix("'s").replace("'", "")

    short = set(words(LARGEST_SHORT))
    kept = {word for word in words(LARGEST) if word.isalpha() and (len(word) > 3 or word in short)}
    return sorted(set(snowballstemmer.stemmer("english").stemWords(sorted(kept))))


def tiers(scowl):
    lines, seen = [], set()
    paths = [path for kind in ["words", "upper"] for path in glob.glob(f"{scowl}/*-{kind}.*")]
    for size in sorted({int(path.rsplit(".", 1)[1]) for path in paths}):
        if size <= LARGEST_RESTORED:
            found = {word.casefold() for path in paths if path.endswith(f".{size}") for word in Path(path).read_text(encoding="latin-1").split()}
            found = {word for word in found if word.isascii() and word.isalpha()}
            found = {word for word in found if len(word) > 3 or (size <= LARGEST_SHORT and (len(word) > 1 or word in "ai"))}
            lines += [f"={size}", *sorted(found - seen)]
            seen |= found
    return lines


def sounds(jieba, pinyin):
    heard, alike = collections.Counter(), collections.defaultdict(set)
    for line in Path(jieba).read_text(encoding="utf-8").splitlines():
        word, count = line.split()[:2]
        heard.update({c: int(count) for c in word if is_han(c)})
    for code, readings in json.loads(Path(pinyin).read_text(encoding="utf-8")).items():
        if heard[chr(int(code))] >= LEAST_HEARD:
            for reading in readings.split(",")[:READINGS]:
                tones = {"\u0300", "\u0301", "\u0304", "\u030c"}
                plain = "".join(c for c in unicodedata.normalize("NFD", reading) if c not in tones)
                alike[plain].add(chr(int(code)))
    return ["".join(sorted(characters)) for _, characters in sorted(alike.items())]


def han(jieba):
    frequency = {}
    for line in Path(jieba).read_text(encoding="utf-8").splitlines():
        word, count = line.split()[:2]
        if all(map(is_han, word)):
            frequency[word] = int(count)
    alone, together = collections.Counter(), collections.Counter()
    for word, count in frequency.items():
        alone.update({c: word.count(c) * count for c in set(word)})
        together.update({pair: count for pair in map("".join, zip(word, word[1:]))})
    everything = sum(alone.values())
    behind = collections.defaultdict(set)
    for pair, count in together.items():
        # Frequent characters also meet by chance, and make words of a text whose characters were mixed.
        if count >= LEAST_FREQUENT and count * everything >= alone[pair[0]] * alone[pair[1]]:
            behind[pair[0]].add(pair[1])
    return [first + "".join(sorted(seconds)) for first, seconds in sorted(behind.items())]


def write(out, name, lines):
    text = "".join(line + "\n" for line in lines).encode()
    packed = subprocess.run(["zstd", "-19", "-q"], input=text, stdout=subprocess.PIPE, check=True).stdout
    (Path(out) / f"{name}.txt.zst").write_bytes(packed)
    print(name, len(lines), "lines", len(text), "bytes,", len(packed), "packed")


lingua, scowl, jieba, pinyin, out = sys.argv[1:]
folder = {name: Path(glob.glob(f"{lingua}/lingua-{name}-language-model-*")[0]) for name in CODES[1::2]}
heads, trigrams = zip(*(language(code, folder[name]) for code, name in zip(CODES[::2], CODES[1::2])))
write(out, "languages", [line for lines in heads for line in lines])
write(out, "trigrams", [line for lines in trigrams for line in lines])
write(out, "english", english(scowl))
write(out, "han", han(jieba))
write(out, "words", tiers(scowl))
write(out, "sounds", sounds(jieba, pinyin))
