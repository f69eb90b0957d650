//! The words of theses in each language: titles of parts, words for chapters, and what is said in parts without a body.
//!
//! A new language is a new entry. Titles are compared without numbers, blanks and punctuation, in lower case; words are
//! looked for anywhere in a text in lower case.

use super::SectionKind;

/// The words of one language.
pub(super) struct Language {
    abstracts: &'static [&'static str],
    contents: &'static [&'static str],
    /// Words that name a list of references, alone or with words [`beside`](Language::beside) them; parts of words where a
    /// language joins them.
    references: &'static [&'static str],
    /// Words that stand beside those in such a title; a title with any other word, such as a review of literature, is none.
    beside: &'static [&'static str],
    thanks: &'static [&'static str],
    declarations: &'static [&'static str],
    /// First words of the titles of appendices.
    appendices: &'static [&'static str],
    /// Titles of lists of words and signs, which stand beside chapters as appendices do.
    glossaries: &'static [&'static str],
    /// The word for a chapter before its number.
    chapters: &'static [&'static str],
    /// The word for a part before its number; it is a chapter unless it holds some.
    parts: &'static [&'static str],
    /// Words of title pages.
    cover: &'static [&'static str],
    /// Words by which one thanks.
    thanking: &'static [&'static str],
    /// Words of declarations of authorship.
    declaring: &'static [&'static str],
}

const LANGUAGES: &[Language] = &[
    // English
    Language {
        abstracts: &["abstract", "summary", "englishabstract", "executivesummary"],
        contents: &[
            "contents",
            "tableofcontents",
            "listoffigures",
            "listoftables",
            "listofpublications",
            "listofequations",
            "listofalgorithms",
            "listoflistings",
            "listofillustrations",
            "listoffiguresandtables",
            "listingoffigures",
            "listingoftables",
            "listingofalgorithms",
            "listingofpublications",
            "listofappendices",
            "listofschemes",
            "listofmaps",
            "briefcontents",
            "figures",
            "tables",
        ],
        references: &[
            "references",
            "reference",
            "bibliography",
            "bibliographies",
            "literature",
            "sources",
            "workscited",
            "workconsulted",
            "worksconsulted",
            "readinglist",
            "furtherreading",
        ],
        beside: &[
            "list",
            "of",
            "the",
            "and",
            "for",
            "cited",
            "consulted",
            "selected",
            "select",
            "general",
            "annotated",
            "used",
            "primary",
            "secondary",
            "bibliographical",
            "bibliographic",
            "reference",
            "printed",
            "published",
            "unpublished",
            "archival",
            "online",
            "internet",
            "electronic",
            "additional",
            "notes",
            "works",
            "workscited",
        ],
        thanks: &["acknowledgements", "acknowledgments", "acknowledgement", "acknowledgment"],
        declarations: &[
            "declaration",
            "declarationofauthorship",
            "declarationoforiginality",
            "statementoforiginality",
            "statementofauthorship",
            "authorsdeclaration",
            "author’sdeclaration",
            "author'sdeclaration",
        ],
        appendices: &["appendix", "appendices"],
        glossaries: &[
            "glossary",
            "acronyms",
            "abbreviations",
            "listofabbreviations",
            "listofacronyms",
            "nomenclature",
            "notation",
            "listofsymbols",
            "symbols",
        ],
        chapters: &["chapter"],
        parts: &["part"],
        cover: &[
            "thesis",
            "dissertation",
            "submitted",
            "supervisor",
            "university",
            "faculty",
            "department",
            "degree",
            "student",
        ],
        thanking: &["thank", "grateful", "gratitude", "appreciat", "indebted", "acknowledg"],
        declaring: &[
            "declare",
            "original",
            "own work",
            "plagiar",
            "copyright",
            "author",
            "submitted",
            "degree",
            "rights",
            "licen",
            "signature",
            "thesis",
        ],
    },
    // Chinese, simplified and traditional
    Language {
        abstracts: &["摘要", "中文摘要", "英文摘要", "内容摘要", "論文摘要", "论文摘要", "提要", "內容摘要"],
        contents: &[
            "目录",
            "目錄",
            "目次",
            "图目录",
            "表目录",
            "圖目錄",
            "表目錄",
            "图表目录",
            "插图目录",
            "插图索引",
            "表格索引",
            "公式索引",
            "图索引",
            "表索引",
            "图表索引",
            "插图清单",
            "附表清单",
            "表格清单",
            "图清单",
            "表清单",
        ],
        references: &[
            "参考文献",
            "參考文獻",
            "参考书目",
            "參考書目",
            "引用文献",
            "引用文獻",
            "参考资料",
            "參考資料",
            "徵引書目",
            "征引书目",
            "文献目录",
            "文獻目錄",
        ],
        beside: &[
            "主要", "中文", "英文", "外文", "西文", "日文", "与", "與", "和", "及", "引用", "文献", "文獻", "资料",
            "資料", "来源", "來源", "注释", "註釋", "注", "书目", "書目", "目录", "目錄", "列表", "部分", "部份",
        ],
        thanks: &["致谢", "致謝", "谢辞", "謝辭", "鸣谢", "鳴謝", "谢词", "謝詞", "誌謝", "志谢", "后记与致谢"],
        declarations: &[
            "独创性声明",
            "原创性声明",
            "学位论文原创性声明",
            "学位论文独创性声明",
            "毕业论文原创性声明",
            "声明",
            "诚信声明",
            "聲明",
            "学位论文版权使用授权书",
            "学位论文使用授权书",
            "学位论文使用授权声明",
            "论文使用授权",
            "诚信承诺书",
            "承诺书",
            "版权使用授权书",
            "原创性声明及使用授权说明",
            "毕业设计原创性声明",
            "学术诚信声明",
            "关于论文使用授权的说明",
            "关于学位论文使用授权的声明",
            "关于学位论文独创性的声明",
        ],
        appendices: &["附录", "附錄"],
        glossaries: &[
            "主要符号对照表",
            "符号对照表",
            "符号说明",
            "主要符号表",
            "符号表",
            "缩略语",
            "缩略语表",
            "英文缩略语",
            "缩写说明",
            "缩略词表",
            "術語表",
            "术语表",
            "符號說明",
        ],
        chapters: &[],
        parts: &[],
        cover: &[
            "学位论文",
            "毕业论文",
            "毕业设计",
            "學位論文",
            "碩士論文",
            "博士論文",
            "指导教师",
            "指導教授",
            "導師",
            "导师",
            "学号",
            "學號",
            "综合论文训练",
            "系别",
            "姓名",
            "题目",
            "專業",
            "专业",
            "学院",
            "學院",
            "大学",
            "大學",
            "研究所",
        ],
        thanking: &["谢", "謝", "感激", "感恩"],
        declaring: &[
            "声明", "聲明", "独创", "原创", "授权", "授權", "版权", "版權", "本人", "保密", "论文", "論文", "签名",
            "簽名", "承诺", "导师",
        ],
    },
    // German
    Language {
        abstracts: &["zusammenfassung", "kurzfassung", "abriss"],
        contents: &[
            "inhalt",
            "inhaltsverzeichnis",
            "inhaltsübersicht",
            "verzeichnisderabbildungen",
            "verzeichnisdertabellen",
            "abbildungsverzeichnis",
            "tabellenverzeichnis",
        ],
        references: &["literatur", "quellen", "bibliographie", "bibliografie", "referenzen", "schrifttum"],
        beside: &[
            "verzeichnis",
            "verzeichnisse",
            "liste",
            "angaben",
            "nachweis",
            "nachweise",
            "hinweise",
            "und",
            "der",
            "die",
            "verwendete",
            "verwendeten",
            "benutzte",
            "benutzten",
            "zitierte",
            "zitierten",
            "weiterführende",
            "primär",
            "sekundär",
            "internet",
            "online",
            "gedruckte",
            "ungedruckte",
            "auswahl",
        ],
        thanks: &["danksagung", "dank"],
        declarations: &[
            "eidesstattlicheerklärung",
            "eidesstattlicheversicherung",
            "erklärung",
            "selbständigkeitserklärung",
            "selbstständigkeitserklärung",
        ],
        appendices: &["anhang"],
        glossaries: &["glossar", "abkürzungsverzeichnis", "abkürzungen", "symbolverzeichnis"],
        chapters: &["kapitel"],
        parts: &["teil"],
        cover: &[
            "dissertation",
            "diplomarbeit",
            "masterarbeit",
            "bachelorarbeit",
            "universität",
            "fakultät",
            "betreuer",
            "vorgelegt",
        ],
        thanking: &["dank"],
        declaring: &["erkläre", "versicher", "eidesstatt", "selbst", "hilfsmittel", "unterschrift", "arbeit"],
    },
    // French
    Language {
        abstracts: &["résumé", "sommaireexécutif"],
        contents: &[
            "sommaire",
            "tabledesmatières",
            "tabledesmatieres",
            "listedesfigures",
            "listedestableaux",
            "tabledesfigures",
            "listedesillustrations",
            "tabledesillustrations",
            "listedesannexes",
        ],
        references: &["références", "bibliographie", "sources", "ouvragescités", "sitographie", "webographie"],
        beside: &[
            "bibliographiques",
            "générale",
            "sélective",
            "citées",
            "consultées",
            "principales",
            "imprimées",
            "manuscrites",
            "primaires",
            "secondaires",
            "liste",
            "et",
            "de",
            "des",
            "la",
            "les",
        ],
        thanks: &["remerciements", "remerciement"],
        declarations: &[
            "déclaration",
            "déclarationsurlhonneur",
            "déclarationd’originalité",
            "déclarationd'originalité",
        ],
        appendices: &["annexe", "annexes"],
        glossaries: &["glossaire", "listedesabréviations", "abréviations", "nomenclature"],
        chapters: &["chapitre"],
        parts: &["partie"],
        cover: &["thèse", "mémoire", "université", "soutenue", "directeur", "faculté", "docteur"],
        thanking: &["merci", "remerci", "reconnaiss", "gratitude"],
        declaring: &["déclare", "original", "plagiat", "personnel", "honneur", "signature", "auteur"],
    },
    // Spanish
    Language {
        abstracts: &["resumen"],
        contents: &[
            "índice",
            "indice",
            "índicegeneral",
            "indicegeneral",
            "índicedefiguras",
            "listadefiguras",
            "listadetablas",
            "índicedetablas",
            "indicedefiguras",
            "indicedetablas",
            "contenido",
            "contenidos",
            "tabladecontenidos",
            "tabladecontenido",
        ],
        references: &[
            "referencias",
            "bibliografía",
            "bibliografia",
            "fuentes",
            "obrascitadas",
            "webgrafía",
            "literaturacitada",
        ],
        beside: &[
            "bibliográficas",
            "bibliograficas",
            "general",
            "básica",
            "complementaria",
            "consultada",
            "consultadas",
            "citada",
            "citadas",
            "utilizada",
            "primarias",
            "secundarias",
            "documentales",
            "lista",
            "y",
            "de",
            "las",
        ],
        thanks: &["agradecimientos", "agradecimiento"],
        declarations: &["declaración", "declaracióndeautoría", "declaracióndeoriginalidad"],
        appendices: &["anexo", "anexos", "apéndice", "apéndices"],
        glossaries: &["glosario", "abreviaturas", "listadeabreviaturas"],
        chapters: &["capítulo", "capitulo"],
        parts: &["parte"],
        cover: &["tesis", "universidad", "facultad", "director", "tutor", "grado"],
        thanking: &["agradec", "gracias", "gratitud"],
        declaring: &["declaro", "original", "plagio", "autor", "firma"],
    },
    // Polish
    Language {
        abstracts: &["streszczenie", "abstrakt"],
        contents: &["spistreści", "spisrysunków", "spistabel", "spisilustracji", "spiswykresów"],
        references: &[
            "literatura",
            "literatury",
            "bibliografia",
            "źródła",
            "źródeł",
            "piśmiennictwo",
            "piśmiennictwa",
            "netografia",
        ],
        beside: &[
            "spis",
            "wykaz",
            "i",
            "oraz",
            "cytowana",
            "cytowanej",
            "przedmiotu",
            "podmiotu",
            "wykorzystana",
            "wykorzystanej",
            "wykorzystanych",
            "internetowe",
            "internetowych",
        ],
        thanks: &["podziękowania", "podziękowanie"],
        declarations: &["oświadczenie", "oświadczenieautora"],
        appendices: &["załącznik", "załączniki", "dodatek", "aneks"],
        glossaries: &["wykazskrótów", "słownik"],
        chapters: &["rozdział"],
        parts: &["część"],
        cover: &["praca", "uniwersytet", "wydział", "promotor", "politechnika"],
        thanking: &["dzięk", "wdzięczn"],
        declaring: &["oświadcz", "samodzieln", "autor", "prac", "podpis"],
    },
    // Russian
    Language {
        abstracts: &["аннотация", "реферат", "резюме"],
        contents: &["содержание", "оглавление", "списокрисунков", "списоктаблиц", "списокиллюстраций"],
        references: &[
            "литература",
            "литературы",
            "источники",
            "источников",
            "библиография",
            "библиографии",
            "библиографическийсписок",
        ],
        beside: &[
            "список",
            "перечень",
            "и",
            "использованная",
            "использованной",
            "использованных",
            "используемая",
            "используемой",
            "используемых",
            "цитируемая",
            "цитируемой",
            "цитированной",
            "научной",
            "основной",
        ],
        thanks: &["благодарности", "благодарность"],
        declarations: &["заявление", "декларация"],
        appendices: &["приложение", "приложения"],
        glossaries: &["списоксокращений", "глоссарий", "обозначенияисокращения", "переченьсокращений"],
        chapters: &["глава", "раздел"],
        parts: &["часть"],
        cover: &["диссертация", "университет", "факультет", "руководитель", "кафедра"],
        thanking: &["благодар", "признател"],
        declaring: &["заявляю", "самостоятельно", "автор", "подпись", "работ"],
    },
    // Japanese
    Language {
        abstracts: &["要旨", "概要", "要約", "論文要旨"],
        contents: &["目次", "図目次", "表目次"],
        references: &["参考文献", "引用文献", "文献", "参考資料", "参考図書"],
        beside: &["主要", "引用", "参考", "一覧", "リスト", "目録", "表", "および", "及び", "と"],
        thanks: &["謝辞"],
        declarations: &["宣誓書", "誓約書"],
        appendices: &["付録", "附録"],
        glossaries: &["略語一覧", "用語集", "記号一覧"],
        chapters: &[],
        parts: &[],
        cover: &["修士論文", "博士論文", "卒業論文", "大学", "指導教員", "研究科", "学籍番号"],
        thanking: &["感謝", "謝", "お礼", "御礼"],
        declaring: &["宣誓", "誓", "剽窃", "署名"],
    },
    // Korean
    Language {
        abstracts: &["초록", "국문초록", "요약", "국문요약"],
        contents: &["목차", "차례", "그림목차", "표목차"],
        references: &["참고문헌", "참고자료", "인용문헌"],
        beside: &["및", "목록", "국내", "국외", "주요", "인용", "출처", "자료"],
        thanks: &["감사의글", "감사의말", "감사"],
        declarations: &["연구윤리서약서", "서약서"],
        appendices: &["부록"],
        glossaries: &["약어", "용어집", "기호"],
        chapters: &[],
        parts: &[],
        cover: &["학위논문", "석사", "박사", "대학교", "대학원", "지도교수", "학번"],
        thanking: &["감사", "고맙"],
        declaring: &["서약", "표절", "서명", "본인"],
    },
    // Portuguese
    Language {
        abstracts: &["resumo"],
        contents: &["sumário", "índice", "listadefiguras", "listadetabelas", "listadeilustrações", "listadequadros"],
        references: &["referências", "bibliografia", "fontes", "obrascitadas"],
        beside: &[
            "bibliográficas",
            "consultadas",
            "citadas",
            "primárias",
            "secundárias",
            "geral",
            "lista",
            "e",
            "de",
            "das",
        ],
        thanks: &["agradecimentos", "agradecimento"],
        declarations: &["declaração", "declaraçãodeautoria"],
        appendices: &["apêndice", "apêndices", "anexo", "anexos"],
        glossaries: &[
            "glossário",
            "listadesiglas",
            "listadeabreviaturas",
            "listadeabreviaturasesiglas",
            "listadesímbolos",
        ],
        chapters: &["capítulo"],
        parts: &["parte"],
        cover: &["tese", "dissertação", "universidade", "faculdade", "orientador", "mestrado", "doutorado"],
        thanking: &["agradec", "obrigad", "gratidão"],
        declaring: &["declaro", "original", "plágio", "autor", "assinatura"],
    },
    // Italian
    Language {
        abstracts: &["riassunto", "sommarioesecutivo"],
        contents: &[
            "indice",
            "sommario",
            "elencodellefigure",
            "elencodelletabelle",
            "indicedellefigure",
            "indicedelletabelle",
        ],
        references: &["bibliografia", "riferimenti", "fonti", "sitografia", "operecitate"],
        beside: &["bibliografici", "generale", "citata", "consultata", "primarie", "secondarie", "e", "dei", "delle"],
        thanks: &["ringraziamenti", "ringraziamento"],
        declarations: &["dichiarazione", "dichiarazionedioriginalità"],
        appendices: &["appendice", "appendici", "allegato", "allegati"],
        glossaries: &["glossario", "acronimi", "elencodegliacronimi", "abbreviazioni", "simboli"],
        chapters: &["capitolo"],
        parts: &["parte"],
        cover: &["tesi", "università", "facoltà", "relatore", "laurea", "candidato", "dipartimento"],
        thanking: &["ringrazi", "gratitudine"],
        declaring: &["dichiaro", "originale", "plagio", "autore", "firma"],
    },
];

/// The part whose title this is: letters and digits in lower case, without blanks.
pub(super) fn part_called(core: &str) -> Option<SectionKind> {
    let of = |kind: SectionKind, titles: fn(&Language) -> &'static [&'static str]| {
        LANGUAGES.iter().any(|language| titles(language).contains(&core)).then_some(kind)
    };
    of(SectionKind::Abstract, |l| l.abstracts)
        .or_else(|| of(SectionKind::Contents, |l| l.contents))
        .or_else(|| names_references(core).then_some(SectionKind::References))
        .or_else(|| of(SectionKind::Acknowledgements, |l| l.thanks))
        .or_else(|| of(SectionKind::TitlePage, |l| l.declarations))
        .or_else(|| of(SectionKind::Appendix, |l| l.glossaries))
}

/// Whether a title consists of words for lists of references and of words that stand beside them. Languages may mix, as in
/// "参考文献 References".
fn names_references(core: &str) -> bool {
    if core.ends_with(['.', ',', ';']) {
        return false;
    }
    let core: String = core.chars().filter(|c| c.is_alphanumeric()).collect();
    // Up to each place: whether words end there, and whether one of them names a list.
    let mut ends: Vec<Option<bool>> = vec![None; core.len() + 1];
    ends[0] = Some(false);
    for at in 0..core.len() {
        let Some(named) = ends[at] else { continue };
        for language in LANGUAGES {
            let words = language.references.iter().map(|word| (word, true));
            for (word, names) in words.chain(language.beside.iter().map(|word| (word, false))) {
                if core[at..].starts_with(word) {
                    let end = &mut ends[at + word.len()];
                    *end = Some(end.unwrap_or(false) || named || names);
                }
            }
        }
    }
    ends[core.len()] == Some(true)
}

/// What follows the word for an appendix at the start of a title, and whether the word is of a script with blanks.
pub(super) fn after_appendix(title: &str) -> Option<&str> {
    let words = LANGUAGES.iter().flat_map(|language| language.appendices);
    words.filter_map(|word| after_word(title, word)).min_by_key(|rest| rest.len())
}

/// Whether a word is one for a part.
pub(super) fn is_part_word(word: &str) -> bool {
    LANGUAGES.iter().any(|language| language.parts.contains(&word.trim().to_lowercase().as_str()))
}

/// What follows the word for a chapter or a part at the start of a title.
pub fn after_chapter_word(title: &str) -> Option<&str> {
    let words = LANGUAGES.iter().flat_map(|language| language.chapters.iter().chain(language.parts));
    words.filter_map(|word| after_word(title, word)).min_by_key(|rest| rest.len())
}

fn after_word<'a>(title: &'a str, word: &str) -> Option<&'a str> {
    let mut rest = title.chars();
    let same = word.chars().all(|c| rest.next().is_some_and(|other| other.to_lowercase().eq(c.to_lowercase())));
    same.then_some(rest.as_str())
}

/// How many different words of title pages are in a text in lower case.
pub(super) fn cover_words(text: &str) -> usize {
    count(text, |l| l.cover)
}

/// How often a text in lower case thanks.
pub(super) fn thanks(text: &str) -> usize {
    let mut words: Vec<&str> = LANGUAGES.iter().flat_map(|l| l.thanking).copied().collect();
    words.sort_unstable();
    words.dedup();
    words.iter().map(|word| text.matches(word).count()).sum()
}

/// How many different words of declarations are in a text in lower case.
pub(super) fn declaring_words(text: &str) -> usize {
    count(text, |l| l.declaring)
}

fn count(text: &str, words: fn(&Language) -> &'static [&'static str]) -> usize {
    let mut found: Vec<&str> = LANGUAGES.iter().flat_map(words).copied().filter(|word| text.contains(word)).collect();
    found.sort_unstable();
    found.dedup();
    found.len()
}
