//! Every word of the reports for people, in each of their languages.

use crate::check::Status;
use serde::Serialize;

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
    skip: "Skip to the full text", "跳到全文";
    overview: "Overview", "总览";
    all: "In other texts", "总相似比";
    without_quotes: "Without cited quotations", "去除引用相似比";
    without_own_work: "Without own earlier work", "去除本人作品相似比";
    largest_source: "Largest single source", "单一来源最大相似比";
    of: "of", "/";
    characters: "characters", "字符";
    all_characters: "Characters", "字符数";
    recomputed: "Recomputed by what you switched off: the ratios of the text and of its chapters", "已按您的选择重新计算全文与各章的比例";
    left_out: "Left out: ", "未计入：";
    nothing_left_out: "Everything is counted.", "全部计入。";
    sources_off: "source(s)", "个来源";
    where_matches_lie: "Where the matches lie, from the first page to the last", "相似段落在全文中的分布（自首至尾）";
    top_sources: "Sources with the most", "主要来源";
    no_sources: "No passage of this text stands in the corpus.", "本文没有与对比库相同的段落。";
    more_chapters: "Those with the greatest ratios. Chapters left out here, but listed beside the full text: ", "此处只列比例最高的各章，其余见全文旁的目录，章数：";
    no_heading: "Text without a heading", "无标题的文字";
    chapters: "Chapters", "章节";
    contents: "Chapters and pages", "章节与页码";
    flags: "Unusual characters and hidden text", "异常字符与隐藏文字";
    no_flags: "None found.", "未发现。";
    excluded: "Not counted", "未计入部分";
    reason: "Reason", "原因";
    details: "About this report", "报告信息";
    submission: "Submission", "送检文本";
    title: "Title", "标题";
    author: "Author", "作者";
    date: "Date", "日期";
    id: "Name", "名称";
    corpus: "Corpus", "对比库";
    documents: "documents", "篇文档";
    updated: "last addition", "最近更新";
    read_for_this_check: "read for this check", "为本次检测读入";
    settings: "Settings", "参数";
    program: "Program", "程序";
    number: "Report number", "报告编号";
    checked: "Checked on", "检测日期";
    file_digest: "SHA-256 of the file", "文件 SHA-256";
    text_digest: "SHA-256 of the text", "文本 SHA-256";
    remarks: "Remarks", "备注";
    note: "This report measures similarity; what it means, only a person who reads the passages can say. The text was compared with the corpus named above and with nothing else: not with the internet, and not with pictures, translations or ideas retold in new words. A low ratio does not show that a text is original, and a high one does not show that anything is wrong: quotations, set phrases and common sources are similar too.", "本报告只度量文字的相似程度，其意义须由人阅读段落后判断。检测只与上述对比库比较，未检索互联网，也不涉及图片、译文和改写的观点。比例低不说明文章是原创，比例高也不说明有不当之处：引文、套语和共同的资料来源同样会相似。";
    full_text: "Full text", "全文";
    legend: "How passages are marked", "标记说明";
    no_attribution: "no attribution", "未注明来源";
    quoted_not_cited: "quoted, no citation", "有引号而无出处";
    quoted_and_cited: "quoted and cited", "引用并注明出处";
    status_excluded: "not counted (reference list, template, own work …)", "不计入（参考文献、模板、本人作品等）";
    previous: "Previous passage (p)", "上一处 (p)";
    next: "Next passage (n)", "下一处 (n)";
    close: "Close (Esc)", "关闭 (Esc)";
    keys: "n and p, or → and ←: next and previous passage. Esc: close.", "n、p 或 →、←：下一处、上一处；Esc：关闭。";
    passages: "Passages", "相似段落";
    passage: "Passage", "段落";
    compare: "Side by side", "对照";
    in_submission: "In the submission", "送检文本";
    in_source: "In the source", "来源文本";
    source: "Source", "来源";
    sources: "Sources", "来源";
    share: "Share", "占比";
    credited: "Credited", "归属";
    credited_long: "Credited: not in a larger source", "归属字符：更大的来源中没有的部分";
    matched: "Matched characters", "相似字符";
    counted: "Counted", "计入";
    why: "Why", "依据";
    kind: "Kind", "类型";
    similarity: "Similarity", "相似度";
    length: "Length", "长度";
    edits: "Words that differ", "不同的词";
    others: "Other sources that hold some of it", "含有其中文字的其他来源";
    unknown: "not compared", "未比较";
    cut: "Only the first 20,000 characters of this passage are shown.", "此段只显示前 20,000 个字符。";
    no_source_text: "The corpus does not keep the wording of this source.", "对比库未保存此来源的原文。";
    capped: "This page lists only the longest passages. Left out of the list: ", "本页只列出最长的段落，未列出的段落数：";
    verbatim: "verbatim", "逐字相同";
    edited: "edited", "有改动";
    reordered: "reordered", "语序调整";
    disguised: "disguised characters", "字符伪装";
    page: "p. ", "第 ";
    page_after: "", " 页";
    submissions: "Submissions", "送检文本";
    search: "Search", "查找";
    threshold: "Threshold", "阈值";
    at_or_above: "at or above the threshold", "达到或超过阈值";
    distribution: "How the ratios are distributed", "相似比分布";
    logarithmic: "logarithmic", "对数刻度";
    ratio: "Ratio", "相似比";
    failed: "Could not be checked", "未能检测";
    shared: "Submissions that share text with each other", "相互之间有相似文字的送检文本";
    shared_help: "A line joins two submissions of this batch that share passages with each other; the thicker, the greater the share. What both have from one source is shared too: see the sources in common.", "连线表示本批两篇送检文本之间有相同或相似的段落；线越粗，所占比例越大。两者取自同一来源的文字也计算在内，请参看共同来源数。";
    not_shared: "The submissions were not compared with each other.", "未对送检文本进行相互比较。";
    group: "Group", "组";
    none_shared: "No two submissions share a passage.", "没有两篇送检文本含有相似段落。";
    shared_capped: "Only the 500 pairs with the largest shares are listed here. Pairs left out: ", "此处只列出占比最大的 500 对，未列出的对数：";
    longest: "Longest passage", "最长段落";
    common_sources: "Sources in common", "共同来源数";
    graph_capped: "Only the first 60 submissions of the groups are drawn.", "图中只画出前 60 篇。";
    top_source: "Largest source", "最大来源";
    message: "Message", "说明";
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

    /// The Chinese of a word of the tables (a kind, a reason, a sign of manipulation), or the word itself.
    pub fn word<'a>(&self, word: &'a str) -> &'a str {
        if self.language == "en" {
            return word;
        }
        WORDS.iter().find(|(english, _)| *english == word).map_or(word, |(_, chinese)| chinese)
    }
}

const WORDS: [(&str, &str); 33] = [
    ("verbatim", "逐字相同"),
    ("edited", "有改动"),
    ("reordered", "语序调整"),
    ("disguised", "字符伪装"),
    ("title page", "封面"),
    ("abstract", "摘要"),
    ("contents", "目录"),
    ("references", "参考文献"),
    ("acknowledgements", "致谢"),
    ("appendix", "附录"),
    ("template", "模板"),
    ("own work", "本人作品"),
    ("quotation", "引文"),
    ("white text", "白色文字"),
    ("tiny text", "极小文字"),
    ("zero_width", "零宽字符"),
    ("look_alike", "形近字母"),
    ("mixed_script", "混用字母"),
    ("replaced_letters", "大量替换字母"),
    ("white_text", "白色文字"),
    ("tiny_text", "极小文字"),
    ("hidden_text", "隐藏文字"),
    ("picture", "图片"),
    ("white_space", "异常空白"),
    (
        "words with invisible characters inside; text copied from web pages may have some",
        "词内有不可见字符；从网页复制的文字也可能带有",
    ),
    ("words with letters of another alphabet that look like the right ones", "词内有另一种文字的形近字母"),
    ("words of two alphabets; formulas and names of species may have some", "一词混用两种字母；公式和学名也可能如此"),
    ("words with replaced letters all over the text, more than by chance", "全文多处替换字母，超出偶然"),
    ("characters in white on white", "白底白字"),
    ("characters in letters of less than four points", "字号小于四磅的文字"),
    ("characters that the format hides; they are left out of the text", "格式中隐藏的文字，未列入正文"),
    (
        "pictures whose text, if any, is not compared; a page of a PDF file without any text",
        "图片，其中若有文字未作比较；或 PDF 中没有文字的页",
    ),
    ("blanks of unusual kinds or between the letters of words", "异常的空白或字母间的空白"),
];

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
    fn no_word_of_a_report_accuses() {
        let all = format!("{ENGLISH:?}{CHINESE:?}").to_lowercase();
        for word in ["plagiar", "cheat", "guilt", "fraud", "抄袭", "剽窃", "作弊"] {
            assert!(!all.contains(word), "{word}");
        }
    }
}
