//! What fingerprints are made of, as their files tell it.

use std::fmt;
use std::str::FromStr;

/// The features of a text. Fingerprints can only be compared when they were made of the same ones.
///
/// Written `terms`, `chars:4`, `words`, `keywords:50`, the last two with ` levels` or ` equal` behind them where the
/// weights are not real.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Features {
    /// The index's own choice: jieba's keywords and the words of other scripts, weighted.
    #[default]
    Terms,
    /// Every different run of this many characters of the normalised text (1 to 64), white space as one blank among them,
    /// each weighing 1. A text shorter than that is one run.
    Chars(u8),
    /// Every different word, Chinese ones as jieba cuts them, weighing how often it stands there.
    Words(Weights),
    /// The heaviest words by jieba's TF-IDF, at most this many (1 to 1000). Words of other scripts than Han are taken to be
    /// of middling rarity.
    Keywords(u16, Weights),
}

/// How the weights of words enter a fingerprint.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Weights {
    /// All alike.
    Equal,
    /// Five levels, 1 to 5: fifths of the heaviest word's weight, rounded up.
    Levels,
    /// As they are: 65,536ths of the heaviest word's weight, at least one.
    #[default]
    Real,
}

impl Weights {
    /// The name, as in `--weights`.
    pub fn name(self) -> &'static str {
        match self {
            Weights::Equal => "equal",
            Weights::Levels => "levels",
            Weights::Real => "real",
        }
    }
}

impl FromStr for Weights {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let known = [Weights::Equal, Weights::Levels, Weights::Real].into_iter().find(|weights| weights.name() == text);
        known.ok_or_else(|| format!("`{text}` are no weights; write equal, levels or real"))
    }
}

impl Features {
    /// The same features with other weights.
    ///
    /// # Errors
    /// When their weights cannot be chosen.
    pub fn with_weights(self, weights: Weights) -> Result<Self, String> {
        match self {
            Features::Words(_) => Ok(Features::Words(weights)),
            Features::Keywords(most, _) => Ok(Features::Keywords(most, weights)),
            Features::Chars(_) => Err(format!("{self} always weigh the same; weights are for words and keywords:K")),
            Features::Terms => Err(format!("{self} have weights of their own; others are for words and keywords:K")),
        }
    }
}

impl fmt::Display for Features {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let weights = match self {
            Features::Terms => return f.write_str("terms"),
            Features::Chars(k) => return write!(f, "chars:{k}"),
            Features::Words(weights) => {
                f.write_str("words")?;
                weights
            }
            Features::Keywords(most, weights) => {
                write!(f, "keywords:{most}")?;
                weights
            }
        };
        if *weights == Weights::Real { Ok(()) } else { write!(f, " {}", weights.name()) }
    }
}

impl FromStr for Features {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some((features, weights)) = text.split_once(' ') {
            return features.parse::<Features>()?.with_weights(weights.parse()?);
        }
        let number = |prefix: &str, most: u16| -> Option<u16> {
            text.strip_prefix(prefix)?.parse().ok().filter(|number| (1..=most).contains(number))
        };
        match text {
            "terms" => return Ok(Features::Terms),
            "words" => return Ok(Features::Words(Weights::Real)),
            _ => {}
        }
        if let Some(k) = number("chars:", 64) {
            return Ok(Features::Chars(k as u8));
        }
        if let Some(most) = number("keywords:", 1000) {
            return Ok(Features::Keywords(most, Weights::Real));
        }
        Err(format!("`{text}` are no features; write terms, chars:K (1 to 64), words or keywords:K (1 to 1000)"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_are_read_as_they_are_written() {
        for text in ["terms", "chars:4", "words", "words levels", "keywords:50", "keywords:1000 equal"] {
            assert_eq!(text.parse::<Features>().unwrap().to_string(), text);
        }
        for wrong in ["", "chars", "chars:0", "chars:65", "keywords:", "keywords:1001", "words:3", "tf-idf"] {
            assert!(wrong.parse::<Features>().unwrap_err().contains("are no features"), "{wrong}");
        }
        for wrong in ["chars:4 levels", "terms equal"] {
            assert!(wrong.parse::<Features>().unwrap_err().contains("for words and keywords:K"), "{wrong}");
        }
        assert!("words heavy".parse::<Features>().unwrap_err().contains("equal, levels or real"));
    }
}
