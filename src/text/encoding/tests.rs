use super::*;
use encoding_rs::*;

/// (short, long) texts of one language with the encodings that people use for it.
struct Sample {
    language: &'static str,
    short: &'static str,
    long: &'static str,
    legacy: &'static [&'static Encoding],
}

const SAMPLES: &[Sample] = &[
    Sample {
        language: "English",
        short: "The river’s “lower” course – unlike its upper one – freezes.",
        long: "Each autumn the gauge at the old mill is read twice a day. The café’s owner keeps a notebook of the \
               levels, and the “wet” years stand out – not by their peaks, but by how slowly the water falls.",
        legacy: &[WINDOWS_1252],
    },
    Sample {
        language: "simplified Chinese",
        short: "河流的下游在冬天结冰，上游则不会。",
        long: "每年秋天，旧磨坊旁边的水位站每天观测两次。咖啡馆的主人把读数记在一个本子上，多年以后我们才发现，\
               丰水年与枯水年的区别并不在于最高水位，而在于洪水退去的速度。本文根据这些记录讨论了土壤含水量的变化。",
        legacy: &[GBK, GB18030],
    },
    Sample {
        language: "traditional Chinese",
        short: "河流的下游在冬天結冰，上游則不會。",
        long: "每年秋天，舊磨坊旁邊的水位站每天觀測兩次。咖啡館的主人把讀數記在一個本子上，多年以後我們才發現，\
               豐水年與枯水年的區別並不在於最高水位，而在於洪水退去的速度。本文根據這些記錄討論了土壤含水量的變化。",
        legacy: &[BIG5, GB18030],
    },
    Sample {
        language: "Japanese",
        short: "川の下流は冬に凍りますが、上流は凍りません。",
        long: "毎年の秋、古い水車小屋のそばにある水位計は一日に二回読み取られます。カフェの主人はその値をノートに\
               書きとめており、雨の多い年と少ない年との違いは最高水位ではなく、水が引く速さにあることがわかりました。",
        legacy: &[SHIFT_JIS, EUC_JP],
    },
    Sample {
        language: "Korean",
        short: "강의 하류는 겨울에 얼지만 상류는 얼지 않는다.",
        long: "해마다 가을이면 오래된 물레방아 옆의 수위계를 하루에 두 번 읽는다. 카페 주인은 그 값을 공책에 적어 \
               두었고, 비가 많은 해와 적은 해의 차이는 최고 수위가 아니라 물이 빠지는 속도에 있다는 것을 알게 되었다.",
        legacy: &[EUC_KR],
    },
    Sample {
        language: "Russian",
        short: "Нижнее течение реки зимой замерзает, а верхнее никогда.",
        long: "Каждую осень уровень воды у старой мельницы измеряют два раза в день. Хозяин кафе записывает его в \
               тетрадь, и оказалось, что влажные годы отличаются не высотой паводка, а тем, как медленно уходит вода.",
        legacy: &[WINDOWS_1251, KOI8_U],
    },
    Sample {
        language: "French",
        short: "Le cours inférieur gèle l’hiver ; le cours supérieur, jamais.",
        long: "Chaque automne, le niveau de l’eau près du vieux moulin est relevé deux fois par jour. Le propriétaire \
               du café note les valeurs dans un cahier : les années humides se distinguent non par la hauteur des \
               crues, mais par la lenteur avec laquelle l’eau se retire.",
        legacy: &[WINDOWS_1252],
    },
    Sample {
        language: "Polish",
        short: "Dolny bieg rzeki zamarza zimą, górny – nigdy się nie ścina.",
        long: "Każdej jesieni poziom wody przy starym młynie odczytuje się dwa razy dziennie. Właściciel kawiarni \
               zapisuje go w zeszycie, a wilgotne lata różnią się nie wysokością wezbrań, lecz tym, jak powoli \
               woda opada. Źródła tych zmian należy szukać w glebie.",
        legacy: &[WINDOWS_1250],
    },
];

/// Encodes as the named encoding, `None` if it cannot express the text.
fn encode(text: &str, encoding: &'static Encoding) -> Option<Vec<u8>> {
    let (bytes, _, unmappable) = encoding.encode(text);
    (!unmappable).then(|| bytes.into_owned())
}

fn utf16(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    text.encode_utf16().flat_map(bytes).collect()
}

fn utf32(text: &str, bytes: fn(u32) -> [u8; 4]) -> Vec<u8> {
    text.chars().flat_map(|c| bytes(u32::from(c))).collect()
}

#[test]
fn every_unicode_encoding_gives_the_same_text_with_and_without_a_mark() {
    for sample in SAMPLES {
        for text in [sample.short, sample.long] {
            for text in [text.to_owned(), format!("\u{FEFF}{text}")] {
                for (name, bytes) in [
                    ("UTF-8", text.clone().into_bytes()),
                    ("UTF-16LE", utf16(&text, u16::to_le_bytes)),
                    ("UTF-16BE", utf16(&text, u16::to_be_bytes)),
                    ("UTF-32LE", utf32(&text, u32::to_le_bytes)),
                    ("UTF-32BE", utf32(&text, u32::to_be_bytes)),
                ] {
                    let decoded = decode(&bytes).unwrap();
                    assert_eq!((decoded.text.as_str(), decoded.encoding), (text.as_str(), name), "{}", sample.language);
                    assert_eq!(decoded.replaced, 0);
                }
            }
        }
    }
}

#[test]
fn national_encodings_are_recognised_in_long_texts_and_nearly_always_in_short_ones() {
    let mut missed = Vec::new();
    let mut cases = 0;
    for sample in SAMPLES {
        for (length, text) in [("short", sample.short), ("long", sample.long)] {
            for encoding in sample.legacy {
                let bytes = encode(text, encoding).unwrap_or_else(|| panic!("{text} in {}", encoding.name()));
                cases += 1;
                if decode(&bytes).map(|decoded| decoded.text).as_deref() != Ok(text) {
                    missed.push(format!("{length} {} in {}: {:?}", sample.language, encoding.name(), decode(&bytes)));
                }
            }
        }
    }
    println!("{} of {cases} national encodings recognised", cases - missed.len());
    assert!(missed.is_empty(), "{missed:#?}");
}
