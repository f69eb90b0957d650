//! Ways to spoil a text, for tests and for calibrating: what is no language must be told without their being known.

use super::is_han;
use rand_xoshiro::Xoshiro256PlusPlus as Random;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// A trick's name, and what it makes of a text.
pub type Trick = (&'static str, fn(&str) -> String);

/// What no window shows: each line of the two columns reads as a piece of a sentence.
pub const MISSED: &str = "two columns of lines typed by rows";

/// Tricks with the words of alphabets.
pub const WITH_WORDS: [Trick; 18] = [
    ("honest", str::to_owned),
    ("another vowel in 60 % of the words of 5 letters and more", |text| words(text, 5, 60, vowel)),
    ("a letter wrong, doubled or missing in 60 % of the words of 4 letters and more", |text| {
        words(text, 4, 60, typing_error)
    }),
    ("neighbouring letters swapped in each word of 4 letters and more", |text| words(text, 4, 100, swap)),
    ("all letters swapped in pairs", |text| words(text, 2, 100, swap_all)),
    ("blanks in words of 5 letters and more", |text| words(text, 5, 100, |word, random| insert(word, random, ' '))),
    ("hyphens in words of 5 letters and more", |text| words(text, 5, 100, |word, random| insert(word, random, '-'))),
    ("a phonetic letter in words of 4 letters and more", |text| {
        words(text, 4, 100, |word, random| insert(word, random, '\u{a78f}'))
    }),
    ("letters one by one", |text| {
        words(text, 2, 100, |word, _| word.iter().flat_map(|letter| [*letter, ' ']).collect())
    }),
    ("a nonsense word behind each word", |text| words(text, 1, 100, nonsense)),
    ("a letter behind each word", |text| {
        words(text, 1, 100, |word, random| {
            format!("{} {}", String::from_iter(word), b"bcdfgx"[random.below(6)] as char)
        })
    }),
    ("a line and a number for each word", |text| {
        words(text, 1, 100, |word, random| format!("{} {}\n", String::from_iter(word), random.below(90)))
    }),
    (MISSED, rows),
    ("a font that draws e and o for each other", |text| {
        text.chars()
            .map(|c| match c {
                'e' => 'o',
                'o' => 'e',
                c => c,
            })
            .collect()
    }),
    ("figures for some letters", |text| {
        text.chars().map(|c| "aeiost".find(c).map_or(c, |at| "431057".as_bytes()[at] as char)).collect()
    }),
    ("no blanks", |text| text.chars().filter(|c| *c != ' ').collect()),
    ("a font that draws each vowel for another", |text| {
        text.chars()
            .map(|c| "aeioua".split_once(c).map_or(c, |(_, behind)| behind.chars().next().unwrap_or(c)))
            .collect()
    }),
    ("a font that draws other letters", |text| {
        text.chars().map(|c| permuted(c, 26, 11, 'a', 'z')).map(|c| permuted(c, 26, 11, 'A', 'Z')).collect()
    }),
];

/// Tricks with Han characters.
pub const WITH_HAN: [Trick; 13] = [
    ("honest", str::to_owned),
    ("every third character one that sounds alike", homophones),
    ("every third character another one", |text| {
        han(text, 3, |_, random| COMMON[random.below(COMMON.len())].to_string())
    }),
    ("every third character a frequent one", |text| han(text, 3, |_, random| COMMON[random.below(60)].to_string())),
    ("neighbours swapped every fourth character", |text| swap_han(text, 4)),
    ("a random character behind every second", |text| {
        han(text, 2, |c, random| format!("{c}{}", COMMON[random.below(COMMON.len())]))
    }),
    ("a figure behind every second character", |text| han(text, 2, |c, random| format!("{c}{}", random.below(9)))),
    ("a kana behind every second character", |text| {
        han(text, 2, |c, random| format!("{c}{}", ["の", "は", "が", "を", "に"][random.below(5)]))
    }),
    ("a sign behind every second character", |text| han(text, 2, |c, _| format!("{c}*"))),
    ("a note in brackets behind every third character", |text| {
        han(text, 3, |c, random| format!("{c}（图{}）", random.below(99)))
    }),
    (MISSED, rows),
    ("written from top to bottom, typed by rows", columns),
    ("a font that draws other characters", |text| {
        text.chars().map(|c| permuted(c, 20_902, 7_919, '\u{4e00}', '\u{9fa5}')).collect()
    }),
];

/// Frequent characters, the most frequent first.
static COMMON: std::sync::LazyLock<Vec<char>> = std::sync::LazyLock::new(|| {
    "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起\
     看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相\
     见被利什二等产或新己制身果加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活尔更别打女变四神总何\
     电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼书非则听白却界达光放强即像难且权思王象完设式色路记南\
     品住告类求据程北边死张该交规万取拉格望觉术领共确传师观清今切院让识候带导争运笔"
        .chars().filter(|c| !c.is_whitespace()).collect()
});

trait Below {
    fn below(&mut self, bound: usize) -> usize;
}

impl Below for Random {
    fn below(&mut self, bound: usize) -> usize {
        (self.next_u64() % bound as u64) as usize
    }
}

/// Changes about `of_hundred` in a hundred of the words of `shortest` letters and more, always the same ones.
fn words(text: &str, shortest: usize, of_hundred: usize, change: impl Fn(&[char], &mut Random) -> String) -> String {
    let mut random = Random::seed_from_u64(7);
    let (mut changed, mut word) = (String::new(), Vec::new());
    for c in text.chars().chain(['\n']) {
        if c.is_alphabetic() {
            word.push(c);
            continue;
        }
        if word.len() >= shortest && random.below(100) < of_hundred {
            changed += &change(&word, &mut random);
        } else {
            changed.extend(&word);
        }
        word.clear();
        changed.push(c);
    }
    changed
}

fn vowel(word: &[char], random: &mut Random) -> String {
    let vowels = ['a', 'e', 'i', 'o', 'u'];
    let places: Vec<usize> = (0..word.len()).filter(|at| vowels.contains(&word[*at])).collect();
    let mut word = word.to_vec();
    if !places.is_empty() {
        let at = places[random.below(places.len())];
        let others: Vec<char> = vowels.into_iter().filter(|vowel| *vowel != word[at]).collect();
        word[at] = others[random.below(4)];
    }
    word.into_iter().collect()
}

fn typing_error(word: &[char], random: &mut Random) -> String {
    let mut word = word.to_vec();
    let at = 1 + random.below(word.len() - 2);
    match random.below(3) {
        0 => word[at] = (b'a' + random.below(26) as u8) as char,
        1 => word.insert(at, word[at]),
        _ => drop(word.remove(at)),
    }
    word.into_iter().collect()
}

fn swap(word: &[char], random: &mut Random) -> String {
    let mut word = word.to_vec();
    let at = random.below(word.len() - 1);
    word.swap(at, at + 1);
    word.into_iter().collect()
}

fn swap_all(word: &[char], _: &mut Random) -> String {
    word.chunks(2).flat_map(|two| two.iter().rev()).collect()
}

fn insert(word: &[char], random: &mut Random, sign: char) -> String {
    let mut word = word.to_vec();
    word.insert(2 + random.below(word.len() - 3), sign);
    word.into_iter().collect()
}

fn nonsense(word: &[char], random: &mut Random) -> String {
    let mut text: String = word.iter().collect();
    text.push(' ');
    for _ in 0..2 + random.below(2) {
        text.push(['b', 'd', 'f', 'g', 'k', 'l', 'm', 'n', 'p', 'r', 's', 't', 'v', 'z'][random.below(14)]);
        text.push(['a', 'e', 'i', 'o', 'u'][random.below(5)]);
    }
    text
}

/// Another character of the same row.
fn permuted(c: char, all: u32, by: u32, first: char, last: char) -> char {
    if !(first..=last).contains(&c) {
        return c;
    }
    let place = (c as u32 - first as u32) * 5 + by;
    char::from_u32(first as u32 + place % all).unwrap_or(c)
}

/// Characters that sound alike, tones apart: a line for each sound.
const ALIKE: &str = "是时事十使市实师式世士示室失食石史视试始势适|一以意已义议易依医移艺遗疑异忆宜仪|有由又友右油游优邮幼|他她它塔踏|\
    的地得德|不部步布补捕簿|在再载栽|为位未味卫围微维委伟尾谓|中种重众终钟忠|国果过锅裹|人任认仁忍|大达答打搭|学雪血削|生声省胜升剩|\
    作做坐座左昨|会回汇惠灰挥|到道导倒岛刀|年念粘|下夏吓|上商伤尚|就九究久救旧酒|要药摇腰遥|之知只指直至志治质值支止制|出处初除楚础|\
    来赖|里理力利立例历离礼李丽|可科课克客刻渴|成城程称承诚乘|机记计济及级技期际集极几基际积急即既继|方放房防访仿|工公共功宫供|\
    家加价假架佳甲|经精京景境静敬竟|用永勇拥|开凯|发法罚乏|于与语雨育预玉鱼余遇域|进近金今尽禁仅紧|同通童统痛|水谁税睡|";

/// Every third character is one that sounds alike, or looks a little different where none is listed.
fn homophones(text: &str) -> String {
    han(text, 3, |c, random| {
        let alike: Vec<char> = ALIKE
            .split('|')
            .find(|line| line.contains(c))
            .map_or(Vec::new(), |line| line.chars().filter(|other| *other != c).collect());
        if alike.is_empty() {
            COMMON[random.below(COMMON.len())].to_string()
        } else {
            alike[random.below(alike.len())].to_string()
        }
    })
}

/// Two columns of short lines, of which each row is typed as one line.
fn rows(text: &str) -> String {
    let characters: Vec<char> = text.split_whitespace().collect::<Vec<_>>().join(" ").chars().collect();
    let width = if characters.iter().any(|c| is_han(*c)) { 6 } else { 36 };
    let (left, right) = characters.split_at(characters.len() / 2);
    let lines = left.chunks(width).zip(right.chunks(width));
    lines.map(|(left, right)| [left, right].concat().into_iter().chain(['\n']).collect::<String>()).collect()
}

/// Ten columns, each of which is read from top to bottom, typed by rows.
fn columns(text: &str) -> String {
    let characters: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
    let height = characters.len().div_ceil(10);
    let row = |row: usize| characters.iter().skip(row).step_by(height).copied().chain(['\n']);
    (0..height).flat_map(row).collect()
}

/// Changes every so-manieth Han character.
fn han(text: &str, every: usize, change: impl Fn(char, &mut Random) -> String) -> String {
    let (mut random, mut count) = (Random::seed_from_u64(7), 0);
    let mut changed = String::new();
    for c in text.chars() {
        let is_han = is_han(c);
        count += usize::from(is_han);
        if is_han && count % every == 0 {
            changed += &change(c, &mut random);
        } else {
            changed.push(c);
        }
    }
    changed
}

fn swap_han(text: &str, every: usize) -> String {
    let mut text: Vec<char> = text.chars().collect();
    let mut at = 1;
    while at < text.len() {
        if is_han(text[at - 1]) && is_han(text[at]) {
            text.swap(at - 1, at);
        }
        at += every;
    }
    text.into_iter().collect()
}
