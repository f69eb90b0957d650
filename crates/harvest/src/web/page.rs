//! What a page, or the server of it, says of the file that it stands before.

use super::media;
use std::borrow::Cow;

/// Bytes of a page in which its head is looked for.
const HEAD: usize = 512 << 10;

/// Words of an address or a title by which a page asks who one is.
const LOGIN: [&str; 10] =
    ["login", "log in", "signin", "sign in", "/cas/", "shibboleth", "wayf", "openathens", "登录", "身份认证"];

/// The address of the file that a landing page names: for search engines, or as an item of what it describes, in the page or in the
/// links of the server's answer (Signposting, Van de Sompel 2015).
pub(crate) fn file_named(links: &str, page: &[u8]) -> Option<String> {
    let page = String::from_utf8_lossy(&page[..page.len().min(HEAD)]);
    let plain = |value: Cow<str>| Some(value.replace("&amp;", "&")).filter(|value| !value.is_empty());
    let for_engines = tags(&page, "meta")
        .find(|tag| attribute(tag, "name").is_some_and(|name| name.eq_ignore_ascii_case("citation_pdf_url")))
        .and_then(|tag| plain(attribute(tag, "content")?));
    let of_server = links.split('<').skip(1).filter_map(|link| {
        let (address, rest) = link.split_once('>')?;
        item(Some(Cow::Borrowed(address)), &rest.replace(';', " "))
    });
    let of_page = tags(&page, "link").filter_map(|tag| item(attribute(tag, "href"), tag));
    // Of several items one that is PDF, then one of another kind that is read, then one of which the kind is not said.
    for_engines
        .or_else(|| of_server.chain(of_page).min_by_key(|(rank, _)| *rank).and_then(|(_, file)| plain(file.into())))
}

/// The address of a link, if it leads to an item that may be read; the least rank first.
fn item(address: Option<Cow<str>>, attributes: &str) -> Option<(u8, String)> {
    let is_item = attribute(attributes, "rel")?.split_ascii_whitespace().any(|rel| rel.eq_ignore_ascii_case("item"));
    let kind = attribute(attributes, "type").unwrap_or_default();
    let address = address?.into_owned();
    let rank = media::rank(&kind.trim_end_matches(',').to_ascii_lowercase(), &address)?;
    Some((rank, address)).filter(|_| is_item)
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
            assert_eq!(file_named("", page.as_bytes()).as_deref(), Some("/a.pdf?x=1&y=2"), "{tag}");
        }
        assert_eq!(file_named("", b"<meta name=citation_title content=x>"), None);
    }

    #[test]
    fn the_file_is_found_that_a_server_or_a_page_calls_an_item_of_what_it_describes() {
        let described = "<https://a.org/about>; rel=\"describedby\"; type=\"application/json\"";
        for (links, page, expected) in [
            ("</a.pdf>; rel=\"item\"; type=\"application/pdf\"", "", Some("/a.pdf")),
            ("</a.csv>; rel=item; type=text/csv, </b.docx>; rel=item", "", Some("/b.docx")),
            ("</a.txt>; rel=item; type=\"text/plain\", </b>;type=\"application/pdf\" ;rel=\"item up\"", "", Some("/b")),
            (described, "<link rel=item href='/a.pdf' type='application/pdf'>", Some("/a.pdf")),
            (described, "<link rel=stylesheet href=a.css><link rel=license href=l.pdf>", None),
            ("</c.zip>; rel=\"item\"; type=\"application/zip\"", "", None),
            ("<", "<link", None),
        ] {
            assert_eq!(file_named(links, page.as_bytes()).as_deref(), expected, "{links} {page}");
        }
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
