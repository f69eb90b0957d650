//! What is counted in a window of a text.

/// Declares [`Counts`]: its numbers stand in one place, so that none is forgotten where they are added up.
macro_rules! counts {
    ($($(#[$about:meta])* $name:ident,)*) => {
        /// What is counted in a window.
        #[derive(Debug, Clone, Default)]
        pub(super) struct Counts {
            $($(#[$about])* pub $name: u32,)*
            /// For each language, how many words are among its most frequent ones.
            pub frequent: Vec<u32>,
        }

        impl Counts {
            /// Adds what was counted elsewhere, several times.
            pub(super) fn add(&mut self, other: &Counts, times: u32) {
                $(self.$name += times * other.$name;)*
                self.frequent.resize(other.frequent.len().max(self.frequent.len()), 0);
                let frequent = self.frequent.iter_mut().zip(&other.frequent);
                frequent.for_each(|(sum, count)| *sum += times * count);
            }
        }
    };
}

counts! {
    /// Countable characters that are Han, and those of them that stand in words of two and more.
    han,
    in_words,
    /// Runs of Han characters with nothing between but white space and the punctuation of sentences.
    runs,
    /// Those that are grammar: of the language of today, and of the classical one.
    modern,
    classical,
    /// Clauses that end with a Han character, and those of them that cannot end with this one.
    clauses,
    cut_short,
    /// Kana, and how often the most frequent one of the window stands there.
    kana,
    same_kana,
    /// Letters of words in an alphabet whose languages have tables, and how many such words there are.
    letters,
    words,
    /// How many lines begin.
    lines,
    /// Letters of words that have one alone.
    singles,
    /// Letters and figures of words that have both.
    mixed,
    /// Letters of Latin words that are no English stop words, and of those among them that are English.
    content,
    english,
    /// Letters of such words that are not, and begin with a capital.
    names,
    /// How often two of the most frequent words of English, but for [tags](crate::spelling::strays::is_tag), stand side by side, and with one and two words between.
    beside,
    second,
    third,
    /// Letters of words in no usual spelling: phonetic signs, historic scripts, two alphabets in one word.
    odd,
    /// Countable characters of numbers, and how many numbers stand alone between two words of a line.
    digits,
    numbers,
    /// Words of more letters than one, "a" and "I", and those of them that one to [`MOST_STRAYS`](crate::spelling::strays::MOST_STRAYS) numbers and single letters part from the one before.
    wholes,
    parted,
    /// How often "the" stands there, and how often nothing follows that it could be of: a frequent word, or the end of a clause.
    articles,
    stranded,
    /// Countable characters of other scripts.
    other,
    /// Hangul syllables, and those of them that are the most frequent ones of Korean.
    hangul,
    korean,
    /// Pairs of signs of one script of syllables or words, and those of the same sign twice.
    pairs,
    same_pairs,
    /// Letters and marks of scripts whose vowels are marks, and the marks among them.
    marked,
    marks,
    /// Signs that formulas and that programs are full of.
    mathematical,
    programming,
}

impl Counts {
    /// All countable characters.
    pub(super) fn all(&self) -> u32 {
        self.han + self.kana + self.letters + self.odd + self.digits + self.other
    }
}
