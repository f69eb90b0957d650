//! A browser without a window: it goes by the links and forms that pages hold, and sends a form with all that the page filled in.

use crate::serve::server::{Person, Server};

/// Somebody in front of a page.
pub struct Browser<'a> {
    pub person: Person<'a>,
    server: &'a Server,
    pub address: String,
    pub page: String,
}

/// The tags of a piece of a page that begin so, each with what stands behind it.
fn tags<'p>(html: &'p str, name: &'p str) -> impl Iterator<Item = (&'p str, &'p str)> {
    let parts = html.split('<').filter(move |part| part.split([' ', '>']).next() == Some(name));
    parts.map(|part| part.split_once('>').unwrap_or((part, "")))
}

/// An attribute of a tag.
pub fn attribute(tag: &str, name: &str) -> Option<String> {
    let value = tag.split_once(&format!(" {name}=\""))?.1.split('"').next()?;
    Some(value.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&"))
}

/// What a browser would send of a form that nobody touched.
pub fn filled_in(form: &str) -> Vec<(String, String)> {
    let mut fields = Vec::new();
    for (tag, _) in tags(form, "input") {
        let kind = attribute(tag, "type").unwrap_or_default();
        let Some(name) = attribute(tag, "name") else { continue };
        let ticks = matches!(kind.as_str(), "checkbox" | "radio");
        if kind != "file" && (!ticks || tag.contains(" checked")) {
            fields.push((name, attribute(tag, "value").unwrap_or_default()));
        }
    }
    for select in form.split("<select").skip(1).filter_map(|part| part.split("</select>").next()) {
        let chosen = tags(select, "option").find(|(tag, _)| tag.contains(" selected"));
        let chosen = chosen.or_else(|| tags(select, "option").next()).and_then(|(tag, _)| attribute(tag, "value"));
        fields.extend(attribute(select, "name").zip(chosen));
    }
    fields
}

impl<'a> Browser<'a> {
    pub fn of(person: Person<'a>, server: &'a Server) -> Self {
        Browser { person, server, address: String::new(), page: String::new() }
    }

    /// Opens an address, and what it leads to.
    pub fn open(&mut self, address: &str) -> &str {
        let reply = self.person.get(address.trim_start_matches(&self.server.base));
        if reply.status == 303 {
            let place = reply.place().to_owned();
            return self.open(&place);
        }
        self.address = address.to_owned();
        self.page = reply.text();
        assert_eq!(reply.status, 200, "{address}: {}", self.page);
        &self.page
    }

    /// Goes by the link whose words hold these.
    pub fn follow(&mut self, words: &str) -> &str {
        let links = self.page.split("<a ").skip(1).filter_map(|part| part.split("</a>").next());
        let found = links.filter(|link| link.split_once('>').is_some_and(|(_, text)| text.contains(words)));
        let href = found.filter_map(|link| attribute(&format!(" {link}"), "href")).next();
        let href = href.unwrap_or_else(|| panic!("no link {words} on {}: {}", self.address, self.page));
        self.open(&href)
    }

    /// The action of the first form that holds these words, and the form.
    fn form(&self, words: &str) -> (String, String) {
        let forms = self.page.split("<form").skip(1).filter_map(|part| part.split("</form>").next());
        let found = forms.filter(|form| form.contains(words)).find_map(|form| Some((attribute(form, "action")?, form)));
        let (action, form) = found.unwrap_or_else(|| panic!("no form {words} on {}: {}", self.address, self.page));
        (action, form.to_owned())
    }

    /// Sends the form that holds these words, with fields filled in and perhaps a file, and sees what comes of it.
    pub fn send(&mut self, words: &str, typed: &[(&str, &str)], file: Option<(&str, &[u8])>) -> &str {
        let (action, form) = self.form(words);
        let mut fields = filled_in(&form);
        for (name, value) in typed {
            assert!(form.contains(&format!("name=\"{name}\"")), "no field {name}: {form}");
            fields.retain(|(known, _)| known != name);
            fields.push(((*name).to_owned(), (*value).to_owned()));
        }
        let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        assert_eq!(form.contains("type=\"file\""), file.is_some(), "{form}");
        let reply = match file {
            Some((name, content)) => self.person.upload(&action, &fields, name, content),
            None => self.person.form(&action, &fields),
        };
        if reply.status == 303 {
            let place = reply.place().to_owned();
            return self.open(&place);
        }
        self.address = action;
        self.page = reply.text();
        assert_eq!(reply.status, 200, "{}: {}", self.address, self.page);
        &self.page
    }

    /// What stands between two marks of the page.
    pub fn between(&self, before: &str, after: &str) -> String {
        let rest = self.page.split_once(before).unwrap_or_else(|| panic!("no {before}: {}", self.page)).1;
        rest.split(after).next().unwrap().to_owned()
    }

    /// The row of a table that holds these words.
    pub fn row(&self, words: &str) -> &str {
        let rows = self.page.split("<tr").skip(1);
        let mut found = rows.filter_map(|row| row.split("</tr>").next()).filter(|row| row.contains(words));
        found.next().unwrap_or_else(|| panic!("no row {words} on {}: {}", self.address, self.page))
    }
}

/// The heads of the columns of a page's tables.
pub fn heads(page: &str) -> Vec<String> {
    let of = |part: &str| {
        let whole = part.split("</th>").next().unwrap_or_default();
        whole.split('<').map(|piece| piece.rsplit('>').next().unwrap_or_default()).collect::<String>()
    };
    page.split("<th").skip(1).filter(|part| part.starts_with([' ', '>'])).map(of).collect()
}
