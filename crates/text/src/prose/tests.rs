use super::*;

#[test]
fn the_counts_of_all_causes_and_what_was_compared_add_up() {
    let text = "Tidal marshes trap the silt that every flood carries over the banks of the creek. ".repeat(9)
        + &"qxzv kwj pfx ".repeat(99);
    let layout = Layout::default();
    let compared = Compared::of(&text, &layout, &Structure::find(&text, &layout), &Units::from_text(&text));
    assert_eq!(compared.seen, compared.compared + compared.by_cause().values().sum::<u32>());
    assert!(compared.compared > 0 && compared.by_cause()[&Cause::NoLanguage] > 800);
}
