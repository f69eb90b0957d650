//! Radicals and strokes that stand for the Han character they look like.
//!
//! The Kangxi radicals (U+2F00–2FD5) have compatibility mappings and need no table. The CJK Radicals Supplement and
//! the CJK Strokes have none; Unicode lists their equivalents in `EquivalentUnifiedIdeograph.txt`, from which this
//! table is taken.

/// The unified ideograph that a radical or stroke looks like; none for everything else.
pub(super) fn ideograph(radical: char) -> Option<char> {
    if !matches!(radical, '\u{2e80}'..='\u{2eff}' | '\u{31c0}'..='\u{31ef}') {
        return None;
    }
    let index = IDEOGRAPHS.binary_search_by_key(&radical, |&(radical, _)| radical).ok()?;
    Some(IDEOGRAPHS[index].1)
}

/// Radicals and strokes without a compatibility mapping, sorted, each with its equivalent.
#[rustfmt::skip]
const IDEOGRAPHS: &[(char, char)] = &[
    ('⺁', '厂'), ('⺂', '乛'), ('⺃', '乚'), ('⺄', '乙'), ('⺅', '亻'), ('⺆', '冂'), ('⺇', '𠘨'), ('⺈', '刀'), ('⺉', '刂'),
    ('⺊', '卜'), ('⺋', '㔾'), ('⺌', '小'), ('⺍', '小'), ('⺎', '兀'), ('⺏', '尣'), ('⺐', '尢'), ('⺑', '𡯂'), ('⺒', '巳'),
    ('⺓', '幺'), ('⺔', '彑'), ('⺕', '𫜹'), ('⺖', '忄'), ('⺗', '心'), ('⺘', '扌'), ('⺙', '攵'), ('⺛', '旡'), ('⺜', '日'),
    ('⺝', '月'), ('⺞', '歺'), ('⺠', '民'), ('⺡', '氵'), ('⺢', '氺'), ('⺣', '灬'), ('⺤', '爫'), ('⺥', '爫'), ('⺦', '丬'),
    ('⺧', '牛'), ('⺨', '犭'), ('⺩', '王'), ('⺪', '𤴔'), ('⺫', '目'), ('⺬', '示'), ('⺭', '礻'), ('⺮', '𥫗'), ('⺯', '糹'),
    ('⺰', '纟'), ('⺱', '罓'), ('⺲', '罒'), ('⺳', '㓁'), ('⺴', '冗'), ('⺵', '𦉫'), ('⺶', '羊'), ('⺷', '𦍌'), ('⺸', '𦍋'),
    ('⺹', '耂'), ('⺺', '肀'), ('⺻', '聿'), ('⺼', '肉'), ('⺽', '𦥑'), ('⺾', '艹'), ('⺿', '艹'), ('⻀', '艹'), ('⻁', '虎'),
    ('⻂', '衤'), ('⻃', '覀'), ('⻄', '西'), ('⻅', '见'), ('⻆', '角'), ('⻇', '𧢲'), ('⻈', '讠'), ('⻉', '贝'), ('⻊', '𧾷'),
    ('⻋', '车'), ('⻌', '辶'), ('⻍', '辶'), ('⻎', '辶'), ('⻏', '邑'), ('⻐', '钅'), ('⻑', '長'), ('⻒', '镸'), ('⻓', '长'),
    ('⻔', '门'), ('⻕', '𨸏'), ('⻖', '阝'), ('⻗', '雨'), ('⻘', '青'), ('⻙', '韦'), ('⻚', '页'), ('⻛', '风'), ('⻜', '飞'),
    ('⻝', '食'), ('⻞', '𩙿'), ('⻟', '飠'), ('⻠', '饣'), ('⻡', '𩠐'), ('⻢', '马'), ('⻣', '骨'), ('⻤', '鬼'), ('⻥', '鱼'),
    ('⻦', '鸟'), ('⻧', '卤'), ('⻨', '麦'), ('⻩', '黄'), ('⻪', '黾'), ('⻫', '斉'), ('⻬', '齐'), ('⻭', '歯'), ('⻮', '齿'),
    ('⻯', '竜'), ('⻰', '龙'), ('⻱', '龜'), ('⻲', '亀'), ('㇆', '𠃌'), ('㇏', '乀'), ('㇐', '一'), ('㇑', '丨'), ('㇒', '丿'),
    ('㇓', '丿'), ('㇔', '丶'), ('㇕', '𠃍'), ('㇖', '乛'), ('㇗', '𠃊'), ('㇘', '𠃎'), ('㇙', '𠄌'), ('㇚', '亅'), ('㇛', '𡿨'),
    ('㇜', '𠃋'), ('㇝', '乀'), ('㇞', '𠃑'), ('㇟', '乚'), ('㇠', '乙'), ('㇡', '𠄎'),
];

#[cfg(test)]
mod tests {
    use super::*;
    use unicode_normalization::is_nfkc;

    #[test]
    fn radicals_give_the_character_they_look_like() {
        for (radical, character) in [('⺠', '民'), ('⻄', '西'), ('⻩', '黄'), ('⻛', '风'), ('㇐', '一')] {
            assert_eq!(ideograph(radical), Some(character), "{radical}");
        }
        assert_eq!(ideograph('民'), None);
        assert_eq!(ideograph('⺀'), None);
    }

    #[test]
    fn the_table_is_sorted_and_holds_what_compatibility_normalisation_leaves() {
        assert!(IDEOGRAPHS.is_sorted_by(|a, b| a.0 < b.0));
        for &(radical, character) in IDEOGRAPHS {
            assert!(is_nfkc(radical.encode_utf8(&mut [0; 4])), "{radical}");
            assert!(is_nfkc(character.encode_utf8(&mut [0; 4])), "{character}");
        }
    }
}
