//! Every word of the reports for people, in each of their languages.

use super::sentences::{Sentences, in_chinese};
use super::words::{FLAGS, WORDS};
use crate::check::Status;
use crate::text::manipulation::FlagKind;
use serde::Serialize;
use std::borrow::Cow;

/// A language of the reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// English.
    English,
    /// Chinese, in simplified script.
    Chinese,
}

impl Language {
    /// The language of a locale such as `zh_CN.UTF-8`; English unless it is Chinese.
    pub fn of_locale(locale: &str) -> Language {
        if locale.to_ascii_lowercase().starts_with("zh") { Language::Chinese } else { Language::English }
    }

    /// Its words.
    pub fn messages(self) -> &'static Messages {
        match self {
            Language::English => &ENGLISH,
            Language::Chinese => &CHINESE,
        }
    }
}

macro_rules! messages {
    ($($name:ident: $english:literal, $chinese:literal;)*) => {
        /// The words of one language, by what they are for.
        #[derive(Debug, Serialize)]
        #[allow(missing_docs)] // the English words beside the names say what they are for
        pub struct Messages { $(pub $name: &'static str,)* }
        const ENGLISH: Messages = Messages { $($name: $english,)* };
        const CHINESE: Messages = Messages { $($name: $chinese,)* };
    };
}

messages! {
    language: "en", "zh-CN";
    report: "Similarity report", "相似性检测报告";
    batch: "Similarity reports", "相似性检测报告汇总";
    skip: "Skip to the text", "跳到正文";
    back: "All submissions", "全部送检文本";
    overview: "Overview", "总览";
    all: "Overall similarity", "总相似比";
    without_quotes: "Excluding cited quotations", "去除引用相似比";
    without_own_work: "Excluding author’s own work", "去除本人作品相似比";
    largest_source: "Largest single source", "单篇最大相似比";
    in_short_runs: "In short runs (not counted)", "短片段占比（不计入）";
    of: "of", "/";
    colon: ": ", "：";
    comma: ", ", "，";
    semicolon: "; ", "；";
    open: " (", "（";
    close_bracket: ")", "）";
    characters: "characters", "字符";
    all_characters: "Characters", "字符数";
    recomputed: "Recalculated for your selection. Left out: {}. ", "已按您的选择重新计算，未计入：{}。";
    sources_off: "sources: {}", "{} 个来源";
    shorter_than: "matches shorter than {} characters", "短于 {} 字符的段落";
    list_comma: ", ", "、";
    restore: "Count everything again", "恢复全部";
    where_matches_lie: "Where the matches are, from beginning to end", "相似段落在全文中的分布（从头到尾）";
    no_match: "No passage of this text was found in the texts it was compared with.", "未发现本文与对比文本有相似段落。";
    itself: "Left out, because it is this submission itself: ", "以下文本即本送检文本，未参与比较：";
    no_heading: "Untitled section", "无标题部分";
    chapters: "Chapters", "章节";
    flags: "Unusual characters and hidden text", "异常字符与隐藏文字";
    flags_short: "Flags", "异常";
    reveal: "Show invisible characters", "显示不可见字符";
    excluded: "Not counted", "未计入部分";
    details: "About this report", "报告信息";
    submission: "Submission", "送检文本";
    title: "Title", "题目";
    author: "Author", "作者";
    corpus: "Compared with", "对比库";
    documents: "documents", "篇";
    one_document: "document", "篇";
    the_others: "the other submissions", "本批其他送检文本";
    updated: "last updated", "最近更新";
    read_for_this_check: "read for this check", "本次检测读入";
    settings: "Settings", "参数";
    program: "Program", "程序";
    number: "Report number", "报告编号";
    checked: "Checked on", "检测日期";
    file_digest: "SHA-256 of the file", "文件 SHA-256";
    text_digest: "SHA-256 of the text", "文本 SHA-256";
    remarks: "Remarks", "备注";
    note: "This report measures similarity; only a person who reads the passages can judge what it means. The text was compared with the texts named above and nothing else: not with the internet, and not with pictures, translations or ideas put into new words. A low figure does not prove that a text is original, and a high one does not prove that anything is wrong: quotations, set phrases and common sources are similar too.", "本报告只度量文字的相似程度，其含义须由人阅读段落后判断。检测只与上述文本比较，未检索互联网，也不涉及图片、译文以及用新的文字转述的观点。比例低不说明文章是原创，比例高也不说明有不当之处：引文、套语和共同的资料来源同样会相似。";
    full_text: "Text", "正文";
    legend: "How passages are marked", "标记说明";
    no_attribution: "no attribution", "未注明来源";
    quoted_not_cited: "quoted, not cited", "有引号，无出处";
    quoted_and_cited: "quoted and cited", "引用并注明出处";
    status_excluded: "not counted", "不计入";
    letter_no_attribution: "", "无";
    letter_quoted_not_cited: "q", "引";
    letter_quoted_and_cited: "c", "注";
    letter_excluded: "x", "免";
    previous: "Previous", "上一处";
    next: "Next", "下一处";
    close: "Close", "关闭";
    keys: "Keys: n next passage, p previous, Esc close", "快捷键：n 下一处，p 上一处，Esc 关闭";
    shortest: "Shortest match counted", "最短计入长度";
    passages: "Passages", "相似段落";
    passage: "Passage", "段落";
    compare: "Side by side", "对照";
    in_submission: "Submission", "送检文本";
    in_source: "Source", "来源文本";
    sources: "Sources", "来源";
    weak: "Too little evidence to count", "证据不足，未计入";
    weak_help: "A summary, a loose paraphrase, or a stock phrase of the field. Not part of any figure.", "可能是概述、宽泛的改写或本领域套语，不计入任何比例。";
    share: "Share", "占比";
    credited: "Unique to this source", "独占字符";
    counted: "Counted", "计入";
    attribution: "Attribution", "引用情况";
    not_counted_as: "Not counted as", "不计入，属";
    why: "Details", "依据";
    kind: "Type", "类型";
    similarity: "Similarity", "相似度";
    length: "Length", "长度";
    edits: "Different words", "差异词数";
    others: "Other sources containing part of it", "含有其中文字的其他来源";
    holders: "Texts containing it", "含有此段的文本数";
    unknown: "not compared", "未比较";
    cut: "Only the first 20,000 characters of this passage are shown.", "此段只显示前 20,000 个字符。";
    no_source_text: "The wording of this source is not kept in the index.", "索引未保存此来源的原文。";
    capped: "Only the longest passages are listed on this page. Not listed: ", "本页只列出最长的段落，未列出的段落数：";
    changes: "Underlined: only on this side. Framed: moved.", "虚线：仅此侧有；方框：位置移动。";
    verbatim: "verbatim", "逐字相同";
    edited: "edited", "有改动";
    reordered: "reordered", "语序调整";
    disguised: "disguised characters", "字符伪装";
    page: "p. ", "第 ";
    page_after: "", " 页";
    print_brief: "Print summary sheet", "打印简洁报告单";
    print_full: "Print full report", "打印全文对照报告单";
    brief_sheet: "Summary sheet", "简洁报告单";
    full_sheet: "Full comparison sheet", "全文对照报告单";
    signature_student: "Student’s signature", "学生签名";
    signature_supervisor: "Supervisor’s signature", "指导教师签名";
    signature_office: "Reviewer’s signature", "审核人签名";
    signature_date: "Date", "日期";
    table_of_passages: "Passages and their sources", "相似段落与来源对照表";
    table_help: "In the text each passage begins with its number in square brackets.", "正文中，各段落起始处的方括号内为其编号。";
    before_count: "", "送检文本（";
    after_count: "", " 篇）";
    submissions: "submissions", "篇";
    one_submission: "submission", "篇";
    submission_list: "Submissions", "送检文本";
    search: "Search", "查找";
    threshold: "Threshold (%)", "阈值（%）";
    above_threshold: "{} of {} at or above the threshold", "{} 篇达到或超过阈值（共 {} 篇）";
    at_or_above: "at or above the threshold", "达到或超过阈值";
    distribution: "Distribution", "相似比分布";
    logarithmic: "logarithmic scale", "对数刻度";
    failed: "Could not be checked", "未能检测";
    shared: "Submissions that share text with each other", "送检文本之间的相似";
    shared_help: "Two submissions are joined when this share of one of them, or more, is also in the other. What both took from one source is shared too: see “Sources in common”.", "两篇之中任一篇有此比例或更多的文字见于另一篇时，以线相连。两者取自同一来源的文字也计算在内，请参看“共同来源数”。";
    least_share: "Smallest share shown", "显示的最小占比";
    not_shared: "The submissions were not compared with each other.", "未对送检文本进行相互比较。";
    group: "Group", "组";
    none_shared: "No two submissions share a passage.", "没有两篇送检文本含有相似段落。";
    none_at_share: "No two submissions share this much.", "没有两篇达到此占比。";
    shared_capped: "Only the 500 pairs with the largest shares are listed. Not listed: ", "此处只列出占比最大的 500 对，未列出的对数：";
    longest: "Longest passage", "最长段落";
    common_sources: "Sources in common", "共同来源数";
    heat_map: "Each square is a pair: the darker, the larger the share.", "每个方格代表一对文本，颜色越深占比越大。";
    see_pair: "Compare", "对照";
    pair: "Two submissions side by side", "两篇送检文本对照";
    in_other: "{} characters are also in the other text", "{} 字符也见于另一篇";
    top_source: "Top source", "最大来源";
    message: "Remarks", "说明";
    departments: "By department", "按院系统计";
    supervisors: "By supervisor", "按指导教师统计";
    median: "Median", "中位数";
    highest: "Highest", "最高";
}

impl Messages {
    /// A status in words.
    pub fn status(&self, status: Status) -> &'static str {
        match status {
            Status::NoAttribution => self.no_attribution,
            Status::QuotedNotCited => self.quoted_not_cited,
            Status::QuotedAndCited => self.quoted_and_cited,
            Status::Excluded => self.status_excluded,
        }
    }

    /// What stands at a mark for a status, besides the number of its source; empty where it goes without saying.
    pub fn letter(&self, status: Status) -> &'static str {
        match status {
            Status::NoAttribution => self.letter_no_attribution,
            Status::QuotedNotCited => self.letter_quoted_not_cited,
            Status::QuotedAndCited => self.letter_quoted_and_cited,
            Status::Excluded => self.letter_excluded,
        }
    }

    /// A kind of sign of manipulation, as a heading.
    pub fn flag(&self, kind: FlagKind) -> &'static str {
        if self.language != "en" {
            return self.word(kind.as_str());
        }
        FLAGS.iter().find(|(name, _)| *name == kind.as_str()).map_or(kind.as_str(), |(_, heading)| heading)
    }

    /// A sentence of the program, such as why a file could not be read, as far as it is known in this language; `more` are
    /// sentences of whoever asks.
    pub fn sentence<'a>(&self, said: &'a str, more: &Sentences) -> Cow<'a, str> {
        if self.language == "en" { Cow::Borrowed(said) } else { in_chinese(said, more) }
    }

    /// The Chinese of a word of the tables (a kind, a reason, a sign of manipulation), or the word itself.
    pub fn word<'a>(&self, word: &'a str) -> &'a str {
        if self.language == "en" {
            return word;
        }
        WORDS.iter().find(|(english, _)| *english == word).map_or(word, |(_, chinese)| chinese)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_locale_gives_its_language() {
        for (locale, language) in [
            ("zh_CN.UTF-8", Language::Chinese),
            ("ZH", Language::Chinese),
            ("C", Language::English),
            ("", Language::English),
        ] {
            assert_eq!(Language::of_locale(locale), language, "{locale}");
        }
    }

    #[test]
    fn every_word_of_the_tables_has_its_chinese() {
        use crate::report::rows;
        use crate::text::manipulation::FlagKind;
        let columns = [
            rows::SUMMARY_COLUMNS,
            rows::SOURCES_COLUMNS,
            rows::PASSAGES_COLUMNS,
            rows::CHAPTERS_COLUMNS,
            rows::EXCLUDED_COLUMNS,
            rows::FLAGS_COLUMNS,
            rows::SHARED_COLUMNS,
        ];
        let columns = columns.iter().flat_map(|columns| columns.split(','));
        let kinds: Vec<FlagKind> = serde_json::from_str(&FLAG_KINDS.replace('\'', "\"")).unwrap();
        let flags = kinds.iter().flat_map(|kind| [kind.as_str(), kind.explanation()]);
        for word in columns.chain(flags) {
            assert!(WORDS.iter().any(|(english, _)| *english == word), "{word}");
        }
        for kind in kinds {
            assert!(!ENGLISH.flag(kind).contains('_') && ENGLISH.flag(kind) != kind.as_str(), "{kind:?}");
        }
    }

    const FLAG_KINDS: &str = "['zero_width','look_alike','mixed_script','replaced_letters','white_text','tiny_text',\
        'hidden_text','picture','white_space','unseen_text','direction','word_length','odd_letters','text_layer',\
        'text_picture','not_judged','large_part','copied_part','left_out','mosaic']";

    #[test]
    fn no_word_of_a_report_accuses() {
        let all = format!("{ENGLISH:?}{CHINESE:?}").to_lowercase();
        for word in ["plagiar", "cheat", "guilt", "fraud", "抄袭", "剽窃", "作弊"] {
            assert!(!all.contains(word), "{word}");
        }
    }
}
