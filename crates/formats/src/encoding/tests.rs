use super::*;
use encoding_rs::*;
use proptest::prelude::*;

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
    Sample {
        language: "Greek",
        short: "Ο κάτω ρους του ποταμού παγώνει τον χειμώνα.",
        long: "Κάθε φθινόπωρο η στάθμη του νερού κοντά στον παλιό μύλο μετριέται δύο φορές την ημέρα. Ο ιδιοκτήτης του \
               καφενείου σημειώνει τις τιμές σε ένα τετράδιο.",
        legacy: &[WINDOWS_1253],
    },
    Sample {
        language: "Turkish",
        short: "Irmağın aşağı kesimi kışın donar, yukarı kesimi hiç donmaz.",
        long: "Her sonbaharda eski değirmenin yanındaki su seviyesi günde iki kez ölçülür. Kahvehanenin sahibi değerleri \
               bir deftere yazar; yağışlı yıllar suyun ne kadar yavaş çekildiğiyle ayırt edilir.",
        legacy: &[WINDOWS_1254],
    },
    Sample {
        language: "Thai",
        short: "แม่น้ำตอนล่างเป็นน้ำแข็งในฤดูหนาว",
        long: "ทุกฤดูใบไม้ร่วง ระดับน้ำข้างโรงสีเก่าถูกวัดวันละสองครั้ง เจ้าของร้านกาแฟจดค่าเหล่านั้นไว้ในสมุด \
               และปีที่ฝนมากต่างจากปีที่ฝนน้อยตรงที่น้ำลดช้าเพียงใด",
        legacy: &[WINDOWS_874],
    },
    Sample {
        language: "Arabic",
        short: "يتجمد المجرى الأسفل للنهر في الشتاء ولا يتجمد الأعلى.",
        long: "في كل خريف يقاس منسوب الماء قرب الطاحونة القديمة مرتين في اليوم. ويدون صاحب المقهى القيم في دفتر، وتبين أن \
               السنوات الرطبة تتميز ببطء انحسار الماء.",
        legacy: &[WINDOWS_1256],
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
fn national_encodings_are_recognised_in_long_and_short_texts() {
    let mut missed = Vec::new();
    for sample in SAMPLES {
        for (length, text) in [("short", sample.short), ("long", sample.long)] {
            for encoding in sample.legacy {
                let bytes = encode(text, encoding).unwrap_or_else(|| panic!("{text} in {}", encoding.name()));
                if decode(&bytes).map(|decoded| decoded.text).as_deref() != Ok(text) {
                    missed.push(format!("{length} {} in {}: {:?}", sample.language, encoding.name(), decode(&bytes)));
                }
            }
        }
    }
    assert!(missed.is_empty(), "{missed:#?}");
}

#[test]
fn one_damaged_place_does_not_change_the_encoding() {
    for sample in SAMPLES {
        let last = sample.long.len() - sample.long.chars().next_back().unwrap().len_utf8();
        let cut = [&sample.long.as_bytes()[..last], b"\xE6\xB2"].concat();
        let decoded = decode(&cut).unwrap();
        assert_eq!(decoded.text, format!("{}\u{FFFD}", &sample.long[..last]));
        assert_eq!((decoded.encoding, decoded.replaced), ("UTF-8", 1), "{}", sample.language);
    }
    for (index, encoding) in [(1, GB18030), (2, BIG5), (3, SHIFT_JIS)] {
        let mut bytes = encode(SAMPLES[index].long, encoding).unwrap();
        // A lead byte without its trail byte, in the middle.
        bytes.splice(60..60, [0xC4, b'\n']);
        let decoded = decode(&bytes).unwrap();
        assert_eq!(decoded.encoding, encoding.name());
        assert!(decoded.replaced <= 1);
    }
}

#[test]
fn a_sample_from_the_first_foreign_byte_on_decides() {
    let mut bytes = vec![b'a'; 3 << 20];
    bytes.extend(encode(SAMPLES[1].long, GB18030).unwrap());
    assert!(decode(&bytes).unwrap().text.ends_with(SAMPLES[1].long));
}

#[test]
fn typographic_symbols_in_english_are_no_letters_of_other_alphabets() {
    for text in [
        "The miller’s wife",
        "the horizon – an absolute",
        "“both” ‘kinds’ — and … more",
        "\u{A0}\u{A0}\u{A0}\u{A0} Home | More",
        "Read more »",
        "Copyright © 2009, £9.99, 5 °C",
        "• one\n• two",
    ] {
        let decoded = decode(&encode(text, WINDOWS_1252).unwrap()).unwrap();
        assert_eq!((decoded.text.as_str(), decoded.encoding), (text, "windows-1252"));
    }
}

#[test]
fn what_is_no_text_is_refused() {
    let mut noise = 0x9E37_79B9_7F4A_7C15u64;
    let random: Vec<u8> = (0..5000)
        .map(|_| {
            noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (noise >> 56) as u8
        })
        .collect();
    assert_eq!(decode(&random), Err(DecodeError::Binary));
    // Without nulls it might be any text, but for its control characters.
    let without_nulls: Vec<u8> = random.iter().copied().filter(|byte| *byte != 0).collect();
    assert!(decode(&without_nulls).is_err());
    assert_eq!(decode(&[1, 2, 3, 4, b'a', b'b']), Err(DecodeError::Binary));
    assert_eq!(decode(&[0; 100]), Err(DecodeError::Binary));
    // A mark that promises UTF-8, and then random bytes.
    let marked = [b"\xEF\xBB\xBF", without_nulls.as_slice()].concat();
    assert!(decode(&marked).is_err());
}

#[test]
fn stray_nulls_and_controls_do_not_make_a_text_binary() {
    for text in ["the mill\u{19}s owner \u{14} a patient man", "a table of\0names and\0numbers from a web page"] {
        assert_eq!(decode(text.as_bytes()).unwrap().text, text);
    }
    let text = format!("{}\0", SAMPLES[1].long);
    assert_eq!(decode(&encode(&text, GB18030).unwrap()).unwrap().text, text);
}

#[test]
fn newlines_form_feeds_and_escapes_are_text() {
    let text = "page one\r\n\x0Cpage two\r\x1B[1mbold\x1B[0m\n\tend";
    assert_eq!(decode(text.as_bytes()).unwrap().text, text);
}

#[test]
fn nothing_is_the_empty_text() {
    assert_eq!(decode(b"").unwrap().text, "");
}

#[test]
fn an_odd_byte_at_the_end_of_utf16_costs_one_character() {
    let mut bytes = utf16("\u{FEFF}A river, and its mill.", u16::to_le_bytes);
    bytes.push(b'x');
    let decoded = decode(&bytes).unwrap();
    assert_eq!(decoded.text, "\u{FEFF}A river, and its mill.\u{FFFD}");
    assert_eq!(decoded.replaced, 1);
}

proptest! {
    #[test]
    fn any_bytes_are_survived(bytes in proptest::collection::vec(any::<u8>(), 0..300), label in "[a-z0-9-]{0,12}") {
        let _ = decode(&bytes);
        let _ = decode_declared(&bytes, Some(&label));
    }

    #[test]
    fn valid_utf8_is_never_taken_for_anything_else(text in "[^\\p{Cc}]{0,80}") {
        let decoded = decode(text.as_bytes()).unwrap();
        prop_assert_eq!((decoded.text, decoded.encoding), (text, "UTF-8"));
    }

    #[test]
    fn wide_text_with_a_mark_comes_back(text in "[^\\p{Cc}]{0,80}") {
        let text = format!("\u{FEFF}{text}");
        for bytes in [
            utf16(&text, u16::to_le_bytes),
            utf16(&text, u16::to_be_bytes),
            utf32(&text, u32::to_le_bytes),
            utf32(&text, u32::to_be_bytes),
        ] {
            prop_assert_eq!(&decode(&bytes).unwrap().text, &text);
        }
    }

    #[test]
    fn ascii_and_french_are_never_taken_for_utf16(words in proptest::collection::vec("[a-zé]{1,9}", 1..30)) {
        let text = words.join(" ");
        let bytes = WINDOWS_1252.encode(&text).0;
        if let Ok(decoded) = decode(&bytes) {
            prop_assert!(!decoded.encoding.starts_with("UTF-16"), "{:?}", decoded);
        }
    }
}
