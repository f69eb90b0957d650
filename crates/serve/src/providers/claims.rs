//! What a provider says of a person.

use super::jws::Claims;
use serde_json::Value;

/// What a provider says of somebody who has signed in there.
#[derive(Debug, Clone, Default)]
pub struct Told {
    /// By which the provider knows the person, for ever.
    pub subject: String,
    /// The provider's session, by which it tells of its end.
    pub session: Option<String>,
    /// Everything else.
    pub claims: Claims,
}

impl Told {
    /// What a claim says; several values if it has several. A name with dots leads into objects, as in `realm_access.roles`.
    pub fn values(&self, claim: &str) -> Vec<String> {
        let found = self.claims.get(claim).or_else(|| {
            let mut parts = claim.split('.');
            let first = self.claims.get(parts.next()?)?;
            parts.try_fold(first, |value, part| value.get(part))
        });
        let text = |value: &Value| match value {
            Value::String(text) => Some(text.trim().to_owned()),
            Value::Number(number) => Some(number.to_string()),
            Value::Bool(yes) => Some(yes.to_string()),
            _ => None,
        };
        match found {
            Some(Value::Array(values)) => values.iter().filter_map(text).collect(),
            Some(value) => text(value).into_iter().collect(),
            None => Vec::new(),
        }
    }

    /// What a claim says that must say one thing.
    pub fn one(&self, claim: &str) -> Option<String> {
        let values = self.values(claim);
        if let [value] = &values[..] { Some(value.clone()).filter(|value| !value.is_empty()) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_claim_is_a_text_a_number_or_a_list_and_what_has_several_values_names_nobody() {
        let claims = json!({
            "sub": "x", "no": 2026001, "groups": ["a", "b"], "one": ["a"], "empty": " ", "realm": { "roles": ["r"] }, "https://e.edu/n": "n"
        });
        let told = Told { claims: claims.as_object().unwrap().clone(), ..Told::default() };
        assert_eq!(told.one("no").as_deref(), Some("2026001"));
        assert_eq!(told.one("one").as_deref(), Some("a"));
        assert_eq!(told.one("https://e.edu/n").as_deref(), Some("n"), "a name that has dots itself");
        assert_eq!(told.values("realm.roles"), ["r"]);
        for none in ["groups", "empty", "realm", "nothing", "sub.x"] {
            assert_eq!(told.one(none), None, "{none}");
        }
    }
}
