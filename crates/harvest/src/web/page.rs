//! What a page says of the file that it stands before.

use std::borrow::Cow;

/// Bytes of a page in which its head is looked for.
const HEAD: usize = 512 << 10;

/// Words of an address or a title by which a page asks who one is.
const LOGIN: [&str; 10] =
    ["login", "log in", "signin", "sign in", "/cas/", "shibboleth", "wayf", "openathens", "登录", "身份认证"];

/// The address of the file that a landing page names for search engines.
pub(crate) fn file_named(page: &[u8]) -> Option<String> {
    let page = String::from_utf8_lossy(&page[..page.len().min(HEAD)]);
    let found = tags(&page, "meta")
        .find(|tag| attribute(tag, "name").is_some_and(|name| name.eq_ignore_ascii_case("citation_pdf_url")))?;
    attribute(found, "content").map(|content| content.replace("&amp;", "&")).filter(|content| !content.is_empty())
}

/// Whether a page asks who one is: it has a field for a password, or its address or title say so.
pub(crate) fn asks_who_one_is(address: &str, page: &[u8]) -> bool {
    let page = String::from_utf8_lossy(&page[..page.len().min(HEAD)]);
    let password = tags(&page, "input")
        .any(|tag| attribute(tag, "type").is_some_and(|kind| kind.eq_ignore_ascii_case("password")));
    let title = tags(&page, "title").next().unwrap_or_default();
    let said = [address, title].concat().to_lowercase();
    password || LOGIN.iter().any(|word| said.contains(word))
}

/// The tags of an element, from their names to their ends; of a title the text too.
fn tags<'a>(page: &'a str, name: &'a str) -> impl Iterator<Item = &'a str> {
    page.split('<').filter(move |tag| {
        tag.get(..name.len()).is_some_and(|found| found.eq_ignore_ascii_case(name))
            && tag[name.len()..].starts_with(|c: char| c.is_ascii_whitespace() || c == '>' || c == '/')
    })
}

/// The value of an attribute in a tag.
fn attribute<'a>(tag: &'a str, name: &str) -> Option<Cow<'a, str>> {
    let mut rest = tag.split('>').next().unwrap_or(tag);
    // A value between quotation marks may hold the sign that ends a tag; addresses do not.
    while let Some((before, after)) = rest.split_once('=') {
        let found = before.trim_end().rsplit([' ', '\t', '\n', '"', '\'', '/']).next().unwrap_or_default();
        let after = after.trim_start();
        let (value, next) = match after.chars().next() {
            Some(mark @ ('"' | '\'')) => after[1..].split_once(mark).unwrap_or((&after[1..], "")),
            _ => after.split_once([' ', '\t', '\n']).unwrap_or((after, "")),
        };
        if found.eq_ignore_ascii_case(name) {
            return Some(Cow::Borrowed(value.trim()));
        }
        rest = next;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_of_a_landing_page_is_found_however_its_tag_is_written() {
        for tag in [
            "<meta name=\"citation_pdf_url\" content=\"/a.pdf?x=1&amp;y=2\">",
            "<META content='/a.pdf?x=1&y=2' name='citation_pdf_url' />",
            "<meta\n name=Citation_PDF_URL content=/a.pdf?x=1&y=2>",
        ] {
            let page = format!("<html><head><meta charset=utf-8>{tag}</head>");
            assert_eq!(file_named(page.as_bytes()).as_deref(), Some("/a.pdf?x=1&y=2"), "{tag}");
        }
        assert_eq!(file_named(b"<meta name=citation_title content=x>"), None);
    }

    #[test]
    fn a_login_page_is_told_from_another() {
        for (address, page) in [
            ("https://a.org/x", "<form><input name=p type=\"password\"></form>"),
            ("https://sso.a.org/cas/login?service=x", "<p>Welcome"),
            ("https://a.org/x", "<title>统一身份认证</title>"),
        ] {
            assert!(asks_who_one_is(address, page.as_bytes()), "{page}");
        }
        assert!(!asks_who_one_is("https://a.org/x", b"<title>Tides</title><p>Read on</p><input type=text>"));
    }
}
