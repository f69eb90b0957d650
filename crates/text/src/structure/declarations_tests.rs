//! Declarations of many schools and languages, and what is none.

use super::super::Structure;
use crate::languages::tests::without_language;
use crate::layout::Layout;

/// A language, and a declaration in it with everything that stands around.
const DECLARATIONS: &[(&str, &str)] = &[
    (
        "zh",
        "郑重声明\n\n本人呈交的学位论文《潮汐与沉积：盐沼水文过程的长期观测研究》，是在导师的指导下，独立进行研究工作所取得的成果，\
            所有数据、图片资料真实可靠。尽我所知，除文中已经注明引用的内容外，本学位论文的研究成果不包含他人享有著作权的内容。\
            本学位论文的知识产权归属于培养单位。\n\n本人签名：__________　日期：__________",
    ),
    (
        "zh",
        "学位论文作者声明\n\n本人声明，题目为潮汐与沉积的毕业设计（论文）系本人独立完成，没有抄袭、剽窃他人成果，没有伪造数据。\n\
            如违反上述承诺，愿意接受学校的处理，一切法律责任由本人承担。\n\n学位类别：□学术硕士 □专业硕士\n涉密论文：□是 □否\n\n\
            本人同意学校保留并向国家有关部门或机构送交论文的复印件和电子版，允许论文被查阅和借阅。\n\n作者签名：　　　导师签名：\n2021年6月1日",
    ),
    (
        "zh",
        "本科毕业设计（论文）诚信承诺书\n\n1、本人承诺所呈交的毕业设计（论文）是在指导教师的指导下独立撰写完成的，引用他人观点和材料均已注明出处。\n\
            2、如存在抄袭、剽窃、买卖、代写等学术不端行为，本人愿意承担由此产生的一切后果。\n\n承诺人（签名）：\n年　月　日",
    ),
    (
        "zh",
        "國立大學圖書館博碩士論文授權書\n\n本授權書所授權之論文為本人在大學取得碩士學位之論文。\n論文題目：潮汐與沉積\n本人同意授權學校將論文全文電子檔公開，\
            提供讀者檢索、閱覽及複製。\n\n授權人簽名：\n中華民國　年　月　日",
    ),
    (
        "en",
        "DECLARATION\n\nI, Jane Clerk, declare that this thesis titled, “Tides and Silt in the Marshes of the North” and the work presented in it \
            are my own. I confirm that:\n\n• This work was done wholly while in candidature for a research degree at this University.\n\n\
            • Where any part of this thesis has previously been submitted for a degree at this University or any other institution, this has been \
            clearly stated.\n\n• Where I have quoted from the work of others, the source is always given.\n\n\
            • I have acknowledged all main sources of help.\n\nSigned:\n\nDate:",
    ),
    (
        "en",
        "Statement of Originality\n\nThis is to certify that to the best of my knowledge, the content of this thesis is my own work. This thesis has \
            not been submitted for any degree or other purposes. I certify that the intellectual content of this thesis is the product of my own work \
            and that all the assistance received in preparing this thesis and sources have been acknowledged.\n\nJane Clerk\n12 May 2020",
    ),
    (
        "en",
        "Copyright\n\nThe copyright of this thesis rests with the author. Copies (by any means) either in full or of extracts may not be made \
            without prior written consent from the author. I hereby grant the university library permission to make copies for scholarly purposes.\n\nSignature ________",
    ),
    (
        "de",
        "Ehrenwörtliche Erklärung\n\nIch erkläre hiermit ehrenwörtlich, dass ich die vorliegende Arbeit mit dem Titel „Gezeiten und Schlick in den \
            Salzwiesen der Nordsee“ selbständig angefertigt habe. Die aus fremden Quellen direkt oder indirekt übernommenen Gedanken sind als solche \
            kenntlich gemacht. Die Arbeit wurde bisher keiner anderen Prüfungsbehörde vorgelegt und noch nicht veröffentlicht.\n\nA. Schreiber\nJena, den 12. Mai 2020",
    ),
    (
        "de",
        "Eigenständigkeitserklärung\n\nHiermit versichere ich, dass ich die Masterarbeit selbstständig verfasst und keine anderen als die \
            angegebenen Quellen und Hilfsmittel benutzt habe, alle Ausführungen, die anderen Schriften wörtlich oder sinngemäß entnommen wurden, \
            kenntlich gemacht sind und die Arbeit in gleicher oder ähnlicher Fassung noch nicht Bestandteil einer Studien- oder Prüfungsleistung war.\n\n\
            Ort, Datum ............................   Unterschrift",
    ),
    (
        "fr",
        "Attestation de non-plagiat\n\nJe soussignée, Jeanne Clerc, étudiante en master, certifie que le texte présenté est le fruit de mon travail \
            personnel et que toutes les sources utilisées sont citées. Je suis consciente que le plagiat est une fraude qui peut faire l'objet de \
            sanctions disciplinaires.\n\nFait à Lyon, le 12 mai 2020\n\nSignature",
    ),
    (
        "es",
        "DECLARACIÓN RESPONSABLE\n\nYo, Juana Clérigo, con DNI 00000000X, declaro que el presente Trabajo de Fin de Grado es original y de mi \
            autoría, que no ha sido presentado previamente para ningún grado o calificación profesional, y que he consultado las referencias \
            bibliográficas que se incluyen en este documento.\n\nSalamanca, 12 de mayo de 2020\n\nFirma:",
    ),
    (
        "ru",
        "Декларация автора\n\nЯ подтверждаю, что выпускная квалификационная работа выполнена мной самостоятельно. Все использованные в работе \
            материалы из опубликованной научной литературы имеют ссылки на источники. Работа не содержит плагиата.\n\n«12» мая 2020 г.\n\nПодпись",
    ),
    (
        "pl",
        "Oświadczenie autora pracy\n\nŚwiadom odpowiedzialności prawnej oświadczam, że niniejsza praca dyplomowa została napisana przeze mnie \
            samodzielnie i nie zawiera treści uzyskanych w sposób niezgodny z obowiązującymi przepisami. Przedstawiona praca nie była wcześniej \
            przedmiotem procedur związanych z uzyskaniem tytułu zawodowego w wyższej uczelni.\n\nData    Podpis autora pracy",
    ),
    (
        "it",
        "Dichiarazione\n\nIl sottoscritto dichiara che la presente tesi è opera originale e frutto del proprio lavoro personale, e che tutte le \
            fonti utilizzate sono citate nella bibliografia secondo le regole dell'ateneo.\n\nFirma",
    ),
    (
        "pt",
        "Declaração de integridade\n\nDeclaro que este trabalho é original, da minha autoria e que todas as fontes consultadas estão \
            devidamente citadas no texto e indicadas nas referências bibliográficas. Declaro que não utilizei plágio.\n\nAssinatura",
    ),
    (
        "ja",
        "誓約書\n\n私は、本学位論文が自身の研究に基づいて作成したものであり、他人の著作物を無断で引用または盗用していないことを誓約します。\n\n署名",
    ),
    (
        "ko",
        "연구윤리 서약서\n\n본인은 본 학위논문을 작성함에 있어 위조, 변조, 표절 등 연구윤리를 위반하지 않았으며 타인의 저작물을 인용할 때 출처를 \
            표시하였음을 서약합니다.\n\n서명",
    ),
];

/// Prose that nobody declares.
const PROSE: &str = "The tide leaves a thin layer of silt between the stems of the marsh, and the surface grows by a little every year until the \
                     creeks are as deep as the sea allows. ";

/// What of a text counts, without line breaks.
fn counts(text: &str) -> String {
    let characters: Vec<char> = text.chars().collect();
    let sections = Structure::find(text, &Layout::default()).sections;
    let counted = sections.into_iter().filter(|section| section.kind.counts());
    let parts = counted.flat_map(|section| characters[section.start as usize..section.end as usize].to_vec());
    parts.filter(|c| *c != '\n').collect()
}

/// The declaration between prose, and whether nothing but the prose counts.
fn is_known(declaration: &str) -> bool {
    let prose = PROSE.repeat(10);
    let prose = prose.trim();
    let counted = counts(&format!("1 Silt\n\n{prose}\n\n{declaration}\n\n{prose}"));
    let left = counted.replace(prose, "").replace("1 Silt", "");
    left.is_empty()
}

#[test]
fn declarations_of_many_schools_are_known_by_what_they_say_whatever_their_title() {
    let unknown: Vec<&str> = DECLARATIONS.iter().map(|(_, text)| *text).filter(|text| !is_known(text)).collect();
    assert!(unknown.is_empty(), "{unknown:#?}");
    for (_, text) in DECLARATIONS {
        let (_, untitled) = text.split_once("\n\n").unwrap();
        assert!(is_known(untitled), "{untitled}");
    }
}

#[test]
fn copied_prose_in_a_declaration_counts() {
    let copied = "Salt marshes store more carbon in a square metre than most forests do, because the mud below them lets no air in and nothing rots.";
    for (_, declaration) in DECLARATIONS {
        // Behind each line, in the same paragraph or the next one.
        for behind in [" ", "\n", "\n\n"] {
            for (at, _) in declaration.match_indices('\n').chain([(declaration.len(), "")]) {
                let (before, after) = declaration.split_at(at);
                let text = format!("{}\n\n{before}{behind}{copied}{after}", PROSE.repeat(10));
                assert!(counts(&text).contains(copied), "{text}");
            }
        }
    }
}

#[test]
fn prose_in_the_first_person_about_theses_and_rights_counts() {
    for prose in [
        "我国著作权法规定，作者享有发表权和复制权。学位论文的作者同意授权学校使用的，学校可以将论文的全部内容编入数据库进行检索，并可以采用影印、\
         缩印或扫描等复制手段保存和汇编论文。未经作者许可，任何机构不得公开出版。",
        "我们认为，高校应当明确抄袭、剽窃、伪造数据等学术不端行为的法律责任。学生在完成毕业论文期间没有注明引用他人成果的，学校可以按照有关规定撤销\
         其学位。我们同意学者的观点，即个人承担的责任不应由导师承担。",
        "I understand the work presented in this chapter as a contribution to research on academic publishing. The results of the project are \
         presented in part two, and previous work by other authors is referenced where available.\nSmith 2004.",
        "I argue that the authors of a thesis should declare which artificial intelligence tools they used in their own work. Universities grant \
         degrees for original research. I agree that library repositories should publish the electronic copies of dissertations.",
        "Ich gebe an dieser Stelle einen Überblick über den Inhalt der vorliegenden Arbeit. Im zweiten Kapitel werden die verwendete Literatur \
         und die wissenschaftlichen Quellen vorgestellt.",
    ] {
        let plain = |text: &str| text.replace('\n', "");
        let text = format!("{}\n\n{prose}\n\n{}", PROSE.repeat(10), PROSE.repeat(10));
        assert!(counts(&text).contains(&plain(prose)), "{prose}");
    }
}

/// Whether somebody signs below a declaration, so that several theses that hold it show it to be a form.
fn is_signed(declaration: &str) -> bool {
    let text = format!("{}\n\n{declaration}", PROSE.repeat(10).trim());
    let start = text.chars().count() - declaration.chars().count();
    let signed = Structure::find(&text, &Layout::default()).signed;
    signed.iter().any(|line| *line as usize > start + declaration.chars().count() / 2)
}

#[test]
fn a_declaration_is_known_by_where_it_is_signed_without_the_file_of_its_language() {
    for (language, text) in DECLARATIONS {
        let (known, signed) = without_language(language, || (is_known(text), is_signed(text)));
        assert!(!known, "its words are no other language's: {text}");
        // A word that stands alone is signed on, or begins the next part: only the language tells.
        let last = text.lines().last().unwrap();
        let is_bare_word = !last.contains(|c: char| c.is_whitespace() || c.is_ascii_punctuation() || c == '：');
        assert!(signed || is_bare_word, "{language}: {last}");
    }
}
