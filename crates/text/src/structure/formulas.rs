//! The set phrases of declarations of authorship, of authorisations, and of universities' forms, in lower case.

use std::sync::LazyLock;

/// Where somebody declares: one of these stands in every declaration.
const OATHS: &[&str] = &[
    "hereby",
    "i declare",
    "i certify",
    "i confirm",
    "i authori",
    "i grant",
    "i understand",
    "rests with the author",
    "本人郑重声明",
    "本人声明",
    "本人在此",
    "本人承诺",
    "本人授权",
    "本人同意",
    "本人完全",
    "作者完全了解",
    "本人所呈交",
    "我声明",
    "作者声明",
    "本人鄭重聲明",
    "本人聲明",
    "茲授權",
    "erkläre ich",
    "ich erkläre",
    "versichere ich",
    "ich versichere",
    "je déclare",
    "je soussigné",
    "declaro",
    "oświadczam",
    "заявляю",
    "подтверждаю",
    "宣誓",
    "誓約",
    "서약합니다",
    "서약한다",
];

/// What declarations and authorisations say, word for word.
const FORMULAS: &[&str] = &[
    // English
    "hereby declare",
    "hereby certify",
    "hereby grant",
    "i declare that",
    "i certify that",
    "i confirm that",
    "own work",
    "original work",
    "own unaided work",
    "best of my knowledge",
    "not been submitted",
    "previously submitted",
    "any other degree",
    "award of any degree",
    "any other university",
    "other institution",
    "degree or diploma",
    "higher learning",
    "due acknowledg",
    "acknowledgement has been made",
    "rests with the author",
    "all rights reserved",
    "no part of this",
    "without permission",
    "prior written consent",
    "i authori",
    "to lend this",
    "to reproduce this",
    "retains a copy",
    "publicly available",
    "plagiarism",
    "except where",
    "academic integrity",
    "statement of originality",
    "single copies",
    "scholarly research",
    "written permission",
    // Chinese
    "郑重声明",
    "鄭重聲明",
    "所呈交的",
    "在导师指导下",
    "在导师的指导下",
    "在指导教师",
    "在指導教授",
    "独立进行研究",
    "獨立進行研究",
    "研究工作所取得的",
    "研究工作及取得的",
    "研究工作和取得的",
    "所取得的研究成果",
    "所取得的成果",
    "尽我所知",
    "据我所知",
    "除文中已经注明",
    "除文中特别加以标注",
    "除了文中特别加以标注",
    "除文中已注明",
    "不包含任何",
    "不包含其他人",
    "已经发表或撰写",
    "他人享有著作权",
    "个人和集体",
    "在文中以明确方式标明",
    "在文中作了明确",
    "在论文中作了明确",
    "表示谢意",
    "使用过的材料",
    "法律结果由本人承担",
    "法律后果由本人承担",
    "法律责任",
    "法律后果",
    "完全了解",
    "完全意识到本声明",
    "学位论文的规定",
    "学位論文的規定",
    "论文的规定",
    "有权保留",
    "有權保留",
    "保留并向",
    "国家有关部门",
    "复印件",
    "電子版",
    "电子版",
    "被查阅和借阅",
    "被查阅",
    "全部或部分内容",
    "全部或部份內容",
    "采用影印",
    "影印、缩印",
    "复制手段",
    "保存和汇编",
    "保存、汇编",
    "汇编本",
    "编入有关数据库",
    "有关数据库",
    "涉密",
    "保密的",
    "解密后",
    "在解密",
    "适用本声明",
    "适用本授权",
    "遵守此规定",
    "授权书",
    "学术研究公开原则",
    "保护知识产权",
    "不存在剽窃",
    "无抄袭",
    "抄袭",
    "学术规范",
    "送交论文",
    "送交学位论文",
    // German
    "eidesstatt",
    "an eides statt",
    "selbständig verfasst",
    "selbstständig verfasst",
    "selbständig angefertigt",
    "selbstständig angefertigt",
    "keine anderen als die",
    "angegebenen quellen",
    "hilfsmittel",
    "als solche kenntlich",
    "keiner anderen prüfungsbehörde",
    "wörtlich oder sinngemäß",
    // French
    "déclare sur l’honneur",
    "déclare sur l'honneur",
    "travail personnel",
    "plagiat",
    "sources que j",
    "je déclare",
    // Spanish
    "declaro que",
    "trabajo original",
    "de mi autoría",
    "no ha sido presentado",
    "plagio",
    "fuentes consultadas",
    // Polish
    "oświadczam, że",
    "samodzielnie",
    "nie narusza praw",
    "nie była wcześniej",
    "praw autorskich",
    "prawo autorskie",
    // Russian
    "заявляю, что",
    "самостоятельно",
    "не содержит",
    "заимствован",
    "плагиат",
    "подтверждаю, что",
    // Japanese, Korean
    "剽窃",
    "自身の研究",
    "引用元を明記",
    "표절",
    "연구윤리",
    "본인이 직접",
    "서약합니다",
];

/// Fields of the forms that stand beside a thesis: reviews, marks, records.
const FORM_WORDS: &[&str] = &[
    "学生姓名",
    "学号",
    "班级",
    "论文题目",
    "题目",
    "主要内容",
    "进度安排",
    "中期考核",
    "考核组",
    "指导教师评语",
    "评阅教师评语",
    "答辩小组评语",
    "答辩委员会",
    "教师签字",
    "组长签字",
    "负责人签字",
    "总成绩",
    "成绩评定",
    "评语",
    "签字",
    "任务书",
    "记录表",
    "评阅人",
    "姓名",
    "院系",
    "专业",
    "candidate’s name",
    "candidate's name",
    "student number",
    "examiner",
    "date of viva",
    "grade awarded",
    "supervisor’s comments",
    "supervisor's comments",
    "committee member",
    "approved by",
];

fn different(text: &str, phrases: &[&str]) -> usize {
    phrases.iter().filter(|phrase| text.contains(*phrase)).count()
}

/// How many different oaths are in a text in lower case.
pub(super) fn oaths(text: &str) -> usize {
    different(text, OATHS)
}

/// How many different formulas are in a text in lower case.
pub(super) fn formulas(text: &str) -> usize {
    if SOME_FORMULA.is_in(text) { different(text, FORMULAS) } else { 0 }
}

/// How many different words of forms are in a text in lower case.
pub(super) fn form_words(text: &str) -> usize {
    different(text, FORM_WORDS)
}

/// Nearly every line of a text holds no formula, and is looked through once for all of them.
static SOME_FORMULA: LazyLock<Any> = LazyLock::new(|| Any::of(FORMULAS));

/// Bytes by which phrases are known, of which none has fewer.
const BEGINNING: usize = 6;

/// Any of several phrases, sought all at once.
struct Any {
    phrases: &'static [&'static str],
    /// A bit for each hash of a beginning.
    beginnings: Vec<u64>,
}

impl Any {
    fn of(phrases: &'static [&'static str]) -> Self {
        let mut beginnings = vec![0; 1 << 10];
        for beginning in phrases.iter().filter_map(|phrase| phrase.as_bytes().first_chunk()) {
            let (word, bit) = Self::place(*beginning);
            beginnings[word] |= bit;
        }
        Any { phrases, beginnings }
    }

    /// Whether one of them is in a text.
    fn is_in(&self, text: &str) -> bool {
        let bytes = text.as_bytes();
        bytes.windows(BEGINNING).filter_map(<[u8]>::first_chunk).enumerate().any(|(at, beginning)| {
            let (word, bit) = Self::place(*beginning);
            self.beginnings[word] & bit != 0
                && self.phrases.iter().any(|phrase| bytes[at..].starts_with(phrase.as_bytes()))
        })
    }

    fn place([a, b, c, d, e, f]: [u8; BEGINNING]) -> (usize, u64) {
        let hash = (u64::from_le_bytes([a, b, c, d, e, f, 0, 0]).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 48) as usize;
        (hash / 64, 1 << (hash % 64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_formula_is_counted_wherever_it_stands() {
        for formula in FORMULAS {
            assert!(formula.len() >= BEGINNING, "{formula}");
            for text in [formula.to_string(), format!("says 说{formula}"), format!("{formula}说 so")] {
                assert_eq!(formulas(&text), different(&text, FORMULAS), "{text}");
                assert!(formulas(&text) > 0);
            }
        }
        assert_eq!(formulas("the tide is not what it was 声明"), 0);
    }
}
