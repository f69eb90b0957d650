//! What a check tells in the end, in the language of its reports.

use copytrace::check::{Summary, Unread};
use copytrace::report::messages::Language;
use std::path::Path;

/// How many submissions are listed at most: those with the highest ratios.
const MOST_LISTED: usize = 10;

/// What was checked and found, the submissions with the highest ratios, and where to read on. `documents` are those each was
/// compared with.
pub fn told(
    outcomes: &[Result<Summary, Unread>],
    documents: usize,
    each_other: bool,
    output: &Path,
    pages: bool,
    language: Language,
) -> String {
    let mut checked: Vec<&Summary> = outcomes.iter().flatten().collect();
    let with = checked.iter().filter(|summary| summary.passages > 0).count();
    let passages: usize = checked.iter().map(|summary| summary.passages).sum();
    checked.sort_by(|a, b| b.ratios.all.ratio.total_cmp(&a.ratios.all.ratio).then_with(|| a.id.cmp(&b.id)));
    let (all, failed) = (checked.len(), outcomes.len() - checked.len());
    let mut lines = vec![match language {
        Language::English => {
            let failed = if failed > 0 { format!(", {failed} could not be") } else { String::new() };
            let against =
                if each_other { "each other".to_owned() } else { counted(documents, "document", "documents") };
            let found = match passages {
                _ if all == 0 => String::new(),
                0 => ": no passage found".to_owned(),
                _ => format!(": {} found in {with} of them", counted(passages, "passage", "passages")),
            };
            format!("{} checked against {against}{failed}{found}", counted(all, "submission", "submissions"))
        }
        Language::Chinese => {
            let failed = if failed > 0 { format!("，{failed} 篇未能检测") } else { String::new() };
            let against =
                if each_other { "相互比较".to_owned() } else { format!("与 {documents} 篇文本比较") };
            let found = match passages {
                _ if all == 0 => String::new(),
                0 => "：未发现相似段落".to_owned(),
                _ => format!("：其中 {with} 篇共有 {passages} 处相似段落"),
            };
            format!("已检测 {all} 篇，{against}{failed}{found}")
        }
    }];
    let matched = checked.iter().filter(|summary| summary.ratios.all.matched > 0).take(MOST_LISTED);
    lines.extend(matched.map(|Summary { id, ratios, top_source, .. }| {
        let top = top_source.as_ref().map(|source| format!("  ({source})")).unwrap_or_default();
        format!("{:>6.1}%  {id}{top}", ratios.all.ratio * 100.0)
    }));
    for summary in checked.iter().filter(|summary| !summary.itself.is_empty()) {
        let (id, itself) = (&summary.id, summary.itself.join(", "));
        lines.push(match language {
            Language::English => format!("{id}: left out because it is this submission itself: {itself}"),
            Language::Chinese => format!("{id}：以下文本即本送检文本，未参与比较：{itself}"),
        });
    }
    let (folder, page) = (output.display(), output.join("index.html"));
    lines.push(match (language, pages) {
        (Language::English, true) => format!("Written to {folder}; open {}", page.display()),
        (Language::English, false) => format!("Written to {folder}"),
        (Language::Chinese, true) => format!("报告已写入 {folder}，请打开 {}", page.display()),
        (Language::Chinese, false) => format!("结果已写入 {folder}"),
    });
    lines.join("\n")
}

/// A number of things, in English.
pub fn counted(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}
