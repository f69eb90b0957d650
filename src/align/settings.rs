//! The settings of the aligner.
//!
//! Lengths inside a text are given in **words**: a word of any alphabetic script counts one, a Han character one
//! half, so that one set of values serves both (a Chinese word has about two characters, and every character takes
//! part in two of the features that are compared). Evidence is given in **nats**: natural logarithms of a
//! likelihood ratio, so 34 nats say that copying explains the observed agreement e³⁴ times better than chance.

/// Everything that changes what the aligner reports.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct AlignSettings {
    /// Shortest passage reported, on the submission's side. Characters of the original text; 20 by default.
    pub min_match: u32,
    /// Shortest passage reported, on the source's side. Characters of the original text; 20 by default.
    pub min_match_source: u32,
    /// Report verbatim runs of at least this many countable characters and nothing else; `None` (the default)
    /// reports every kind. See [`AlignSettings::strict`].
    pub verbatim_only: Option<u32>,
    /// Evidence a passage needs to be reported. Nats; 34 by default.
    pub acceptance: f64,
    /// The same of a passage shorter than [`AlignSettings::short`] on either side: there are more places where a few words may
    /// agree by chance. Nats; 42 by default.
    pub acceptance_short: f64,
    /// See [`AlignSettings::acceptance_short`]. Words; 18 by default.
    pub short: u32,
    /// How much more of it, and of what makes a summary, a passage of Han characters needs: their pairs overlap and come
    /// in set phrases (titles, offices, dates), so that they agree less independently than words do. A share; 0.85 by
    /// default.
    pub han_dependence: f64,
    /// What is taken from a passage's evidence before it is weighed for acceptance, times the square of the natural
    /// logarithm of its two lengths' ratio: copies are hardly ever twice as long as what they copy. Nats; 10 by
    /// default.
    pub length_penalty: f64,
    /// Shortest run of equal features that is reported even when it lacks the evidence of a longer passage. Words; 12
    /// by default.
    pub quotation: u32,
    /// The same of Han characters. Characters; 20 by default.
    pub quotation_characters: u32,
    /// Evidence such a run needs to count, on one side. Nats; 15 by default.
    pub quotation_evidence: f64,
    /// Shortest run of equal features that is joined to a passage on its diagonal. Half words; 12 by default.
    pub joined_run: u32,
    /// Evidence that what stands before or after a passage's quotations needs to be part of it, on both sides together.
    /// Nats; 8 by default.
    pub beside_quotation: f64,
    /// ... if they make up this share of it. 0–1; 0.5 by default.
    pub quotation_share: f64,
    /// Evidence from which a passage counts that holds no quotation; what has less is weak. Nats; 50 by default.
    pub counted_evidence: f64,
    /// The same for a passage of Han characters. Nats; 125 by default.
    pub counted_evidence_han: f64,
    /// Similarity such a passage has at least. 0–1; 0.5 by default.
    pub counted_similarity: f64,
    /// Length that such a passage has at least on either side. Words; 25 by default.
    pub counted_length: u32,
    /// Evidence that such a passage has for each word of both sides. Nats; 0.25 by default.
    pub counted_density: f64,
    /// A run of equal features that makes up this share of the shorter text is reported however short it is and however
    /// often it stands in the other: a sentence is looked up like this. 0–1; 0.8 by default.
    pub whole_share: f64,
    /// ... if it is at least this long. Words; 8 by default.
    pub whole_run: u32,
    /// Evidence a grown candidate needs to take part in merging and in the summary step. Nats; 8 by default.
    pub candidate_evidence: f64,
    /// Evidence of the features shared by two neighbouring blocks of both texts from which growing starts. Nats;
    /// 5.5 by default.
    pub seed_evidence: f64,
    /// Seeds tried at most, best first, besides one for every [`AlignSettings::words_per_seed`] words of the
    /// shorter text. A number; 60 by default.
    pub max_seeds: u32,
    /// See [`AlignSettings::max_seeds`]. Words; 50 by default.
    pub words_per_seed: u32,
    /// Length of the blocks in which seeds are looked for. Words; 12 by default.
    pub block: u32,
    /// Features that occur more often than this in the source (or four times as often in the submission) start no
    /// seed. A number; 12 by default.
    pub max_occurrences: u32,
    /// Least probability with which a feature is taken to agree by chance. 0–1; 0.025 by default.
    pub chance_floor: f64,
    /// Words added to a text's length when the rate of a feature in it is estimated. Words; 75 by default.
    pub rate_smoothing: f64,
    /// Least share of copied units that an estimate may give. 0–1; 0.05 by default.
    pub copied_share_min: f64,
    /// Greatest share of copied units that an estimate may give while growing, and the first estimate. 0–1; 0.4 by
    /// default.
    pub copied_share_max: f64,
    /// The same while merged candidates are drawn anew. 0–1; 0.3 by default.
    pub drawn_share_max: f64,
    /// What the estimated share is multiplied by before the borders are drawn in. 0–1; 0.45 by default.
    pub tightening: f64,
    /// How far growing may look beyond a border in one round, besides half of the passage's length. Words; 30 by
    /// default.
    pub reach: u32,
    /// Evidence that a border at the end of a sentence, or of the text, is worth. Nats; 2.5 by default.
    pub sentence_bonus: f64,
    /// Evidence that a border at the end of a line is worth. Nats; 1 by default.
    pub line_bonus: f64,
    /// Candidates nearer to each other than this on both sides become one. Words; 60 by default.
    pub merge_gap: u32,
    /// Shortest run of equal features that is reported with its exact borders. Words; 43 by default.
    pub run: u32,
    /// Unequal units that a run may step over on either side. Units; 3 by default.
    pub run_gap: u32,
    /// Passages nearer than this to a run become one with it. Words; 25 by default.
    pub run_merge_gap: u32,
    /// ... if they have this much evidence. Nats; 30 by default.
    pub run_merge_evidence: f64,
    /// Evidence a passage needs beside a run in the same pair. Nats; 100 by default.
    pub acceptance_beside_run: f64,
    /// Whether summaries (a short passage that follows a long one) are looked for. Yes by default.
    pub summaries: bool,
    /// Evidence a candidate needs to be part of a summary. Nats; 12 by default.
    pub summary_part: f64,
    /// Evidence of all parts that makes a summary. Nats; 125 by default.
    pub summary_evidence: f64,
    /// Gap between the parts of a summary in the submission. Words; 20 by default.
    pub summary_gap: u32,
    /// The parts' evidence is at least this many times that of the best stretch of the source which is this many
    /// times as long as the summary. A factor; 1.25 by default.
    pub summary_gain: f64,
    /// ... and this many times what that stretch is worth as a passage of its own. A factor; 1.8 by default.
    pub summary_regrow: f64,
    /// A summary whose parts spread over this share of the source is one of the whole source. 0–1; 0.4 by default.
    pub summary_whole: f64,
    /// How many times as long as a summary what it condenses is at most: the abstracts of two long texts have something of
    /// each other everywhere. 30 by default.
    pub summary_most: f64,
}

impl Default for AlignSettings {
    fn default() -> Self {
        Self::balanced()
    }
}

impl AlignSettings {
    /// The default: every kind of passage, with hardly any false alarm.
    pub fn balanced() -> Self {
        Self {
            min_match: 20,
            min_match_source: 20,
            verbatim_only: None,
            acceptance: 34.0,
            acceptance_short: 42.0,
            short: 18,
            han_dependence: 0.85,
            quotation: 12,
            quotation_characters: 20,
            quotation_evidence: 15.0,
            joined_run: 12,
            beside_quotation: 8.0,
            quotation_share: 0.5,
            counted_evidence: 50.0,
            counted_evidence_han: 125.0,
            counted_similarity: 0.5,
            counted_length: 25,
            counted_density: 0.25,
            whole_share: 0.8,
            whole_run: 8,
            candidate_evidence: 8.0,
            seed_evidence: 5.5,
            max_seeds: 60,
            words_per_seed: 50,
            block: 12,
            max_occurrences: 12,
            chance_floor: 0.025,
            rate_smoothing: 75.0,
            copied_share_min: 0.05,
            copied_share_max: 0.4,
            drawn_share_max: 0.3,
            tightening: 0.45,
            reach: 30,
            sentence_bonus: 2.5,
            line_bonus: 1.0,
            length_penalty: 10.0,
            merge_gap: 60,
            run: 43,
            run_gap: 3,
            run_merge_gap: 25,
            run_merge_evidence: 30.0,
            acceptance_beside_run: 100.0,
            summaries: true,
            summary_part: 12.0,
            summary_evidence: 125.0,
            summary_gap: 20,
            summary_gain: 1.25,
            summary_regrow: 1.8,
            summary_whole: 0.4,
            summary_most: 30.0,
        }
    }

    /// Verbatim runs of at least 13 countable characters and nothing else: the rule that many Chinese universities
    /// speak of. Countable characters are those of the units (punctuation and space are none); an English word
    /// counts two, the number of Han characters that a word takes in translation, so the default asks for seven
    /// equal words in a row.
    pub fn strict() -> Self {
        Self { verbatim_only: Some(13), min_match: 1, min_match_source: 1, ..Self::balanced() }
    }

    /// Reports fainter agreement too, at the price of more false alarms.
    pub fn sensitive() -> Self {
        Self { acceptance: 24.0, acceptance_short: 24.0, min_match: 20, min_match_source: 20, ..Self::balanced() }
    }
}
