//! The settings of the aligner.
//!
//! Lengths inside a text are given in **words**: a word of any alphabetic script counts one, a Han character one
//! half, so that one set of values serves both (a Chinese word has about two characters, and every character takes
//! part in two of the features that are compared). Evidence is given in **nats**: natural logarithms of a
//! likelihood ratio, so 34 nats say that copying explains the observed agreement e³⁴ times better than chance.

use crate::sketch::settings_table::settings_table;
use std::ops::Range;

settings_table! {
    /// What decides which passages the aligner reports. What else it goes by are constants of its rooms, each with its reason.
    #[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
    pub struct AlignSettings {
        /// Shortest passage reported, on the submission's side; half of it for a whole sentence of a source with several passages.
        /// Characters of the original text; 20 by default.
        min_match / with_min_match: u32 = 20,
        /// The same on the source's side. Characters of the original text; 20 by default.
        min_match_source / with_min_match_source: u32 = 20,
        /// Report verbatim runs of at least this many countable characters and nothing else; `None` (the default)
        /// reports every kind. See [`AlignSettings::strict`].
        verbatim_only / with_verbatim_only: Option<u32> = None,
        /// Evidence a passage needs to be reported. Nats; 34 by default.
        acceptance / with_acceptance: f64 = 34.0,
        /// The same of a passage shorter than [`AlignSettings::short`] on either side: there are more places where a few words may
        /// agree by chance. Nats; 42 by default.
        acceptance_short / with_acceptance_short: f64 = 42.0,
        /// See [`AlignSettings::acceptance_short`]. Words; 18 by default.
        short / with_short: u32 = 18,
        /// How much more of it, and of what makes a summary, a passage of Han characters needs: their pairs overlap and come
        /// in set phrases (titles, offices, dates), so that they agree less independently than words do. A share; 0.85 by
        /// default.
        han_dependence / with_han_dependence: f64 = 0.85,
        /// What is taken from a passage's evidence before it is weighed for acceptance, times the square of the natural
        /// logarithm of its two lengths' ratio: copies are hardly ever twice as long as what they copy. Nats; 10 by
        /// default.
        length_penalty / with_length_penalty: f64 = 10.0,
        /// Shortest run of equal features that is reported even when it lacks the evidence of a longer passage. Words; 12
        /// by default.
        quotation / with_quotation: u32 = 12,
        /// The same of Han characters. Characters; 20 by default.
        quotation_characters / with_quotation_characters: u32 = 20,
        /// Evidence such a run needs to count, on one side. Nats; 15 by default.
        quotation_evidence / with_quotation_evidence: f64 = 15.0,
        /// Shortest run of equal units that is joined to a passage on its diagonal. Half words, for Han characters, whose last
        /// feature holds one more; a run of words must be longer by a third. 12 by default: 13 characters, or 8 words.
        joined_run / with_joined_run: u32 = 12,
        /// Evidence that what stands before or after a passage's quotations needs to be part of it, on both sides together.
        /// Nats; 8 by default.
        beside_quotation / with_beside_quotation: f64 = 8.0,
        /// The share of a passage that its quotations must make up for [`AlignSettings::beside_quotation`] to be asked for. 0–1;
        /// 0.5 by default.
        quotation_share / with_quotation_share: f64 = 0.5,
        /// Evidence from which a passage counts that holds no quotation; what has less is weak. Nats; 50 by default.
        counted_evidence / with_counted_evidence: f64 = 50.0,
        /// The same for a passage of Han characters. Nats; 125 by default.
        counted_evidence_han / with_counted_evidence_han: f64 = 125.0,
        /// Similarity such a passage has at least. Where eight words stand in a row, or most of it is Han, four fifths of this
        /// value do. 0–1; 0.5 by default, and so 0.4 there.
        counted_similarity / with_counted_similarity: f64 = 0.5,
        /// Length that such a passage has at least on either side. Words; 25 by default.
        counted_length / with_counted_length: u32 = 25,
        /// Evidence that such a passage has for each word of both sides. Nats; 0.25 by default.
        counted_density / with_counted_density: f64 = 0.25,
        /// A run of equal features that makes up this share of the shorter text is reported however short it is and however
        /// often it stands in the other: a sentence is looked up like this. 0–1; 0.8 by default.
        whole_share / with_whole_share: f64 = 0.8,
        /// Shortest run that [`AlignSettings::whole_share`] is about. Words; 8 by default.
        whole_run / with_whole_run: u32 = 8,
        /// Evidence a grown candidate needs to take part in merging and in the summary step. Nats; 8 by default.
        candidate_evidence / with_candidate_evidence: f64 = 8.0,
        /// Evidence of the features shared by two neighbouring blocks of both texts from which growing starts. Nats;
        /// 5.5 by default.
        seed_evidence / with_seed_evidence: f64 = 5.5,
        /// Seeds tried at most, best first, besides one for every [`AlignSettings::words_per_seed`] words of the
        /// shorter text. A number; 60 by default.
        max_seeds / with_max_seeds: u32 = 60,
        /// See [`AlignSettings::max_seeds`]. Words; 50 by default.
        words_per_seed / with_words_per_seed: u32 = 50,
        /// Length of the blocks in which seeds are looked for. Words; 12 by default.
        block / with_block: u32 = 12,
        /// Features that occur more often than this in the source (or four times as often in the submission) start no
        /// seed. A number; 12 by default.
        max_occurrences / with_max_occurrences: u32 = 12,
        /// Least probability with which a feature is taken to agree by chance. 0–1; 0.025 by default.
        chance_floor / with_chance_floor: f64 = 0.025,
        /// Words added to a text's length when the rate of a feature in it is estimated. Words; 75 by default.
        rate_smoothing / with_rate_smoothing: f64 = 75.0,
        /// Least share of copied units that an estimate may give. 0–1; 0.05 by default.
        copied_share_min / with_copied_share_min: f64 = 0.05,
        /// Greatest share of copied units that an estimate may give while growing, and the first estimate. 0–1; 0.4 by
        /// default.
        copied_share_max / with_copied_share_max: f64 = 0.4,
        /// The same while merged candidates are drawn anew. 0–1; 0.3 by default.
        drawn_share_max / with_drawn_share_max: f64 = 0.3,
        /// What the estimated share is multiplied by before the borders are drawn in. 0–1; 0.45 by default.
        tightening / with_tightening: f64 = 0.45,
        /// How far growing may look beyond a border in one round, besides half of the passage's length. Words; 30 by
        /// default.
        reach / with_reach: u32 = 30,
        /// Evidence that a border at the end of a sentence, or of the text, is worth. Nats; 2.5 by default.
        sentence_bonus / with_sentence_bonus: f64 = 2.5,
        /// Evidence that a border at the end of a line is worth. Nats; 1 by default.
        line_bonus / with_line_bonus: f64 = 1.0,
        /// Candidates nearer to each other than this on both sides become one. Words; 60 by default.
        merge_gap / with_merge_gap: u32 = 60,
        /// Shortest run of equal features that is reported with its exact borders. Words; 43 by default.
        run / with_run: u32 = 43,
        /// Unequal units that a run may step over on either side. Units; 3 by default.
        run_gap / with_run_gap: u32 = 3,
        /// Passages nearer than this to a run become one with it. Words; 25 by default.
        run_merge_gap / with_run_merge_gap: u32 = 25,
        /// Evidence that such a passage must have. Nats; 30 by default.
        run_merge_evidence / with_run_merge_evidence: f64 = 30.0,
        /// Whether summaries (a short passage that follows a long one) are looked for. Yes by default.
        summaries / with_summaries: bool = true,
        /// Evidence a candidate needs to be part of a summary. Nats; 12 by default.
        summary_part / with_summary_part: f64 = 12.0,
        /// Evidence of all parts that makes a summary. Nats; 125 by default.
        summary_evidence / with_summary_evidence: f64 = 125.0,
        /// Gap between the parts of a summary in the submission. Words; 20 by default.
        summary_gap / with_summary_gap: u32 = 20,
        /// The parts' evidence is at least this many times that of the best stretch of the source which is this many
        /// times as long as the summary. A factor; 1.25 by default.
        summary_gain / with_summary_gain: f64 = 1.25,
        /// The parts' evidence is also at least this many times what that stretch is worth as a passage of its own. A factor; 1.8
        /// by default.
        summary_regrow / with_summary_regrow: f64 = 1.8,
        /// A summary whose parts spread over this share of the source is one of the whole source. 0–1; 0.4 by default.
        summary_whole / with_summary_whole: f64 = 0.4,
        /// How many times as long as a summary what it condenses is at most: the abstracts of two long texts have something of
        /// each other everywhere. 30 by default.
        summary_most / with_summary_most: f64 = 30.0,
    }
}

impl AlignSettings {
    /// The default: every kind of passage, with hardly any false alarm.
    pub fn balanced() -> Self {
        Self::default()
    }

    /// Whether a passage of these characters of either text is long enough to be reported.
    pub(super) fn are_long_enough(&self, submission: &Range<u32>, source: &Range<u32>) -> bool {
        submission.len() >= self.min_match as usize && source.len() >= self.min_match_source as usize
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
