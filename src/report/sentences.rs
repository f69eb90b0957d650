//! Sentences of the program in Chinese: why a file could not be read, and what else should be known of it.
//!
//! The library speaks English, also in what it gives to other programs. Where a person reads along in Chinese, a sentence is
//! looked up by its pattern.

use std::borrow::Cow;

/// English patterns and their Chinese. `{}` stands for whatever the sentence has there; it comes in the same order.
pub type Sentences = [(&'static str, &'static str)];

/// Why a submission could not be checked, and the remarks of those that were.
const REASONS: &Sentences = &[
    // Reading.
    ("no such file or folder", "文件或文件夹不存在"),
    ("permission denied", "没有读取权限"),
    ("no text in it", "其中没有文字"),
    ("only white space in it", "其中只有空白"),
    ("no document in it", "其中没有可读的文件"),
    ("no file in it of a kind that is read", "其中没有可读类型的文件"),
    ("not read: files of this kind are not known", "未读取：不支持此类文件"),
    ("not read, because files of this kind are not known", "不支持以下类型的文件，未读取"),
    ("binary data, not text", "是二进制数据，不是文本"),
    ("not text in any known encoding", "无法识别文本编码"),
    ("not a PDF file, though its name says so; export it as PDF again", "不是 PDF 文件，请重新导出为 PDF"),
    ("{}; not readable by this version", "{}，本版本不能读取"),
    ("a report that copytrace wrote; not read", "是 copytrace 写出的报告，不读取"),
    ("no text layer: needs OCR (--ocr)", "没有文字层，需要 OCR（--ocr）"),
    ("unreadable text layer: needs OCR (--ocr)", "文字层无法辨读，需要 OCR（--ocr）"),
    ("no text layer; to read it, install {}", "没有文字层；读取它需安装 {}"),
    ("a Word file of before 1997 (.doc); to read it, install {}", "Word 97 之前的 .doc 文件；读取它需安装 {}"),
    ("protected by a password; save it without one", "有密码保护，请另存为无密码的文件"),
    ("protected by a password; pack it without one", "压缩包有密码保护，请去掉密码"),
    ("damaged: {}", "文件已损坏：{}"),
    ("damaged after line {}: {}", "文件已损坏（第 {} 行之后）：{}"),
    (
        "cut off, or no file of this kind; open it in its program and save it again",
        "不完整，或不是此类文件；请用原程序打开后重新保存",
    ),
    ("the reader of PDF files failed on it; another program may write it anew", "无法解析此 PDF，请用其他程序重新导出"),
    ("its encryption is invalid or not known", "加密方式无效或未知"),
    ("cut off or broken; export it as PDF again", "不完整或已损坏，请重新导出为 PDF"),
    ("no pages in it", "其中没有页面"),
    ("{} is missing", "缺少 {}"),
    ("it ends too early", "内容不完整"),
    ("antiword cannot read it", "antiword 无法读取"),
    ("not a zip archive, or a damaged or truncated one ({})", "不是 zip 压缩包，或已损坏（{}）"),
    ("truncated: the compressed data end after line {}", "压缩数据不完整，止于第 {} 行"),
    ("truncated: the compressed data end before the first line", "压缩数据不完整，没有一行可读"),
    ("larger than the limit of {}", "超过大小上限 {}"),
    ("a line longer than the limit of {}", "有一行超过大小上限 {}"),
    ("the archive expands to more than {}; the rest of it is not read", "压缩包展开后超过 {}，其余部分未读取"),
    ("expands to more than {}", "展开后超过 {}"),
    ("{} entries, more than the limit of {}", "有 {} 个条目，超过上限 {}"),
    ("too large: reading it takes too long", "文件过大，读取超时"),
    ("too large: the text", "文字过多"),
    ("too large: more than {} of text", "文字过多，超过 {}"),
    ("too large: {}", "文件过大：{}"),
    ("{} pages without a readable text layer; OCR reads {} at most", "{} 页没有可读的文字层，OCR 最多读取 {} 页"),
    ("OCR takes more than {} seconds of processor time", "OCR 占用处理器超过 {} 秒"),
    ("more than {} levels inside each other", "嵌套超过 {} 层"),
    ("the program that reads it: {}", "读取它的程序：{}"),
    ("it is not installed", "未安装"),
    ("an archive inside an archive; unpack it first", "压缩包中的压缩包，请先解压"),
    ("a symbolic link inside an archive", "压缩包中的符号链接"),
    ("a symbolic link that leads out of the folder; not followed", "指向文件夹之外的符号链接，未读取"),
    ("neither a file nor a folder", "既不是文件也不是文件夹"),
    ("not a JSON object: {}", "不是 JSON 对象：{}"),
    ("no `text` field", "没有 `text` 字段"),
    ("`text` is not a string", "`text` 不是字符串"),
    ("no `text` field ({})", "没有 `text` 字段（{}）"),
    ("`text` is not a string ({})", "`text` 不是字符串（{}）"),
    ("holds no document", "其中没有文件"),
    ("holds several documents where one is needed", "此处只能有一个文件，而其中有多个"),
    // Formats that are not read.
    ("an Excel workbook ({})", "Excel 工作簿（{}）"),
    ("a PowerPoint presentation ({})", "PowerPoint 演示文稿（{}）"),
    ("an OpenDocument file that is no text ({})", "不是文本的 OpenDocument 文件（{}）"),
    ("a Microsoft Office file that is no text ({})", "不是文本的 Microsoft Office 文件（{}）"),
    ("a zip archive", "zip 压缩包"),
    ("a format that is more than plain text", "不是纯文本的格式"),
    // Comparing.
    (
        "too short to be compared: it has fewer than {} words or Han characters",
        "文字过短，无法比较：不足 {} 个词或汉字",
    ),
    ("too short to be compared: it has fewer than {} characters", "文字过短，无法比较：不足 {} 个字符"),
    ("too short to be compared: it has fewer than {} words", "文字过短，无法比较：不足 {} 个词"),
    ("nothing is left to compare: all of the text is left out", "全部文字都属于不计入的部分，没有可比较的内容"),
    ("another submission has this id already; only the first is checked", "与另一篇送检文本同名，只检测第一篇"),
    ("another document has this id already; only the first is kept", "与另一篇文本同名，只保留第一篇"),
    ("refused as an id: {}", "不能用作名称：{}"),
    // Remarks.
    ("left out because it is this submission itself: {}", "即本送检文本，未参与比较：{}"),
    ("1 character could not be decoded", "1 个字符无法解码"),
    ("{} characters could not be decoded", "{} 个字符无法解码"),
    (
        "{} of its phrases stand in very many documents, of which some were compared: there may be more sources",
        "有 {} 处用语见于极多文本，只比较了其中一部分，可能还有其他来源",
    ),
];

/// The Chinese of a sentence, as far as it is known: also of one behind a name (`thesis.pdf: no text in it`), and of several
/// between semicolons. `more` are the sentences of whoever asks. What is not known stays as it is.
pub fn in_chinese<'a>(said: &'a str, more: &Sentences) -> Cow<'a, str> {
    known(said, more).map_or(Cow::Borrowed(said), Cow::Owned)
}

fn known(said: &str, more: &Sentences) -> Option<String> {
    if let Some(parts) = said.split("; ").map(|part| whole(part, more)).collect::<Option<Vec<_>>>() {
        return Some(parts.join("；"));
    }
    whole(said, more).or_else(|| {
        let (name, rest) = said.split_once(": ")?;
        let name = whole(name, more).unwrap_or_else(|| name.to_owned());
        Some(format!("{name}：{}", known(rest, more)?))
    })
}

fn whole(said: &str, more: &Sentences) -> Option<String> {
    more.iter().chain(REASONS).find_map(|(english, chinese)| {
        let mut filled = String::new();
        let mut values = values(said, english)?.into_iter();
        for (at, part) in chinese.split("{}").enumerate() {
            if at > 0 {
                filled.push_str(&in_chinese(values.next()?, more));
            }
            filled.push_str(part);
        }
        Some(filled)
    })
}

/// What stands in the places of a pattern; none if the sentence is another one.
fn values<'a>(said: &'a str, pattern: &str) -> Option<Vec<&'a str>> {
    let mut parts = pattern.split("{}");
    let mut rest = said.strip_prefix(parts.next()?)?;
    let mut values = Vec::new();
    let mut parts = parts.peekable();
    while let Some(part) = parts.next() {
        let end = if parts.peek().is_some() { rest.find(part)? } else { rest.len().checked_sub(part.len())? };
        if !rest.is_char_boundary(end) || !rest[end..].starts_with(part) || end == 0 {
            return None;
        }
        values.push(&rest[..end]);
        rest = &rest[end + part.len()..];
    }
    rest.is_empty().then_some(values)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::encoding::DecodeError;
    use crate::formats::extract::ExtractError;
    use crate::sketch::analysers::TooShort;

    #[test]
    fn sentences_are_known_alone_behind_a_name_and_several_together() {
        for (english, chinese) in [
            ("no text in it", "其中没有文字"),
            ("a: b.pdf: no text in it", "a：b.pdf：其中没有文字"),
            ("damaged: no pages in it", "文件已损坏：其中没有页面"),
            (
                "1 character could not be decoded; 2 characters could not be decoded",
                "1 个字符无法解码；2 个字符无法解码",
            ),
            ("thesis.pdf: something new", "thesis.pdf: something new"),
            ("", ""),
        ] {
            assert_eq!(in_chinese(english, &[]), chinese);
        }
        assert_eq!(in_chinese("3 of them", &[("{} of them", "其中 {} 个")]), "其中 3 个");
    }

    #[test]
    fn whatever_keeps_a_file_from_being_read_is_told_in_chinese() {
        let errors = [
            ExtractError::NoText,
            ExtractError::OnlyWhiteSpace,
            DecodeError::Binary.into(),
            DecodeError::Unknown.into(),
            ExtractError::OtherFormat("a zip archive"),
            ExtractError::NoTextLayer,
            ExtractError::UnreadableTextLayer,
            ExtractError::Encrypted,
            ExtractError::NotPdf,
            ExtractError::Damaged("?".to_owned()),
            ExtractError::TooLarge("?".to_owned()),
            ExtractError::TooDeep(9),
            ExtractError::NeedsProgram("no text layer", "tesseract"),
            ExtractError::NeedsProgram("a Word file of before 1997 (.doc)", "antiword"),
            ExtractError::Program("it is not installed".to_owned()),
            ExtractError::InvalidJson("?".to_owned()),
            ExtractError::NoTextField,
            ExtractError::TextNotString,
        ];
        let short = ["units:5", "chars:9", "words:3"].map(|shingling| TooShort(shingling.parse().unwrap()).to_string());
        for english in errors.iter().map(ToString::to_string).chain(short) {
            let chinese = in_chinese(&english, &[]);
            assert_ne!(chinese, english);
            for word in ["damaged", "large", "short", "read", "needs", "words", "archive"] {
                assert!(!chinese.split(|c: char| !c.is_ascii_lowercase()).any(|of| of == word), "{chinese}");
            }
        }
    }
}
