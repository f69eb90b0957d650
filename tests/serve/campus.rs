//! A learning platform in small, for tests: it says who comes (LTI 1.3), takes scores (AGS) and tells members (NRPS), and registers tools.

use crate::program::Bench;
use crate::serve::provider::{Provider, parameters};
use crate::serve::server::{Person, Reply, Server};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::signature::{RSA_PKCS1_2048_8192_SHA256, RsaPublicKeyComponents};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// A request that a platform got: method and address, the head by name, and the body.
#[derive(Debug, Clone)]
pub struct Heard {
    pub line: String,
    pub head: HashMap<String, String>,
    pub body: String,
}

#[derive(Default)]
pub struct State {
    pub heard: Vec<Heard>,
    pub is_down: bool,
    /// The pages of the list of members.
    pub members: Vec<Value>,
}

pub struct Campus {
    /// Who signs tokens and publishes keys.
    pub provider: Provider,
    /// Where the services are.
    pub base: String,
    pub state: Arc<Mutex<State>>,
}

pub const TEACHER: &str = "http://purl.imsglobal.org/vocab/lis/v2/membership#Instructor";
pub const STUDENT: &str = "http://purl.imsglobal.org/vocab/lis/v2/membership#Learner";

impl Campus {
    pub fn start() -> Self {
        let provider = Provider::start();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let state = Arc::new(Mutex::new(State::default()));
        let (shared, own, keys) = (Arc::clone(&state), base.clone(), provider.base.clone());
        std::thread::spawn(move || {
            for connection in listener.incoming().map_while(Result::ok) {
                let Some(heard) = hear(&connection) else { continue };
                let (status, head, body) = told(&mut shared.lock().unwrap(), &own, &keys, heard);
                let length = body.len();
                let reply =
                    format!("HTTP/1.1 {status} X\r\n{head}content-length: {length}\r\nconnection: close\r\n\r\n{body}");
                let _ = (&connection).write_all(reply.as_bytes());
            }
        });
        Campus { provider, base, state }
    }

    /// A server that may reach it.
    pub fn serve(&self, bench: &Bench) -> Server {
        Server::start(&bench.path("data"), &["--webhook-host", "127.0.0.1"])
    }

    /// Registers it by hand, for the unit of the college.
    pub fn register(&self, administrator: &mut Person<'_>) {
        let reply = administrator.form(
            "/platforms",
            &self.registration().iter().map(|(name, value)| (*name, value.as_str())).collect::<Vec<_>>(),
        );
        assert_eq!(reply.status, 303, "{}", reply.text());
    }

    pub fn registration(&self) -> [(&'static str, String); 10] {
        [
            ("name", "Campus".to_owned()),
            ("issuer", self.provider.base.clone()),
            ("client", "copytrace".to_owned()),
            ("deployments", "1 2".to_owned()),
            ("authorization_url", format!("{}/auth?tenant=1", self.base)),
            ("token_url", format!("{}/token", self.base)),
            ("keys_url", format!("{}/jwks", self.provider.base)),
            ("frame", format!("{}/some/page", self.base)),
            ("unit", "2".to_owned()),
            ("takes_new", "true".to_owned()),
        ]
    }

    /// What the platform says of somebody with a role who opens an assignment of its course.
    pub fn claims(&self, subject: &str, role: &str, assignment: &str) -> Value {
        let claim = |name: &str| format!("https://purl.imsglobal.org/spec/lti/claim/{name}");
        json!({
            "sub": subject, "name": format!("Name of {subject}"),
            claim("version"): "1.3.0", claim("message_type"): "LtiResourceLinkRequest", claim("deployment_id"): "1",
            claim("roles"): [role], claim("context"): { "id": "c1", "title": "Thesis seminar" },
            claim("resource_link"): { "id": assignment, "title": "Final thesis" },
            claim("target_link_uri"): "https://elsewhere.example/steal",
            "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint": {
                "scope": ["https://purl.imsglobal.org/spec/lti-ags/scope/score"], "lineitems": format!("{}/items?course=1", self.base)
            },
            "https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice": {
                "context_memberships_url": format!("{}/members?page=0", self.base), "service_versions": ["2.0"]
            }
        })
    }

    /// The same for a teacher who chooses what an assignment leads to.
    pub fn choosing(&self, subject: &str, role: &str) -> Value {
        let mut claims = self.claims(subject, role, "none");
        claims["https://purl.imsglobal.org/spec/lti/claim/message_type"] = json!("LtiDeepLinkingRequest");
        claims["https://purl.imsglobal.org/spec/lti-dl/claim/deep_linking_settings"] = json!({
            "deep_link_return_url": format!("{}/chosen", self.base), "accept_types": ["link", "ltiResourceLink"], "data": "of the platform"
        });
        claims
    }

    /// What a browser brings to this service that the platform sends there.
    pub fn opens(&self, person: &mut Person<'_>, server: &Server) -> HashMap<String, String> {
        let form = [
            ("iss", self.provider.base.as_str()),
            ("client_id", "copytrace"),
            ("login_hint", "7"),
            ("lti_message_hint", "m=1&n"),
            ("target_link_uri", &format!("{}/lti/launch", server.base)),
        ];
        let reply = self.posts(person, "/lti/login", &form);
        assert_eq!(reply.status, 303, "{}", reply.text());
        let place = reply.place().to_owned();
        assert!(place.starts_with(&format!("{}/auth?tenant=1&", self.base)), "{place}");
        let asked = parameters(place.split_once('?').unwrap().1);
        let expected = ["openid", "id_token", "form_post", "none", "copytrace", "7", "m=1&n"];
        let names =
            ["scope", "response_type", "response_mode", "prompt", "client_id", "login_hint", "lti_message_hint"];
        assert_eq!(names.map(|name| asked[name].as_str()), expected);
        assert_eq!(asked["redirect_uri"], format!("{}/lti/launch", server.base));
        asked
    }

    /// A form that a page of the platform sends to this service.
    pub fn posts(&self, person: &mut Person<'_>, path: &str, fields: &[(&str, &str)]) -> Reply {
        let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        let headers = [
            ("content-type", "application/x-www-form-urlencoded"),
            ("origin", self.base.as_str()),
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-dest", "iframe"),
        ];
        person.request("POST", path, &headers, body.as_bytes())
    }

    /// Comes to this service with these claims.
    pub fn launch(&self, person: &mut Person<'_>, server: &Server, mut claims: Value) -> Reply {
        let asked = self.opens(person, server);
        claims["nonce"] = json!(asked["nonce"]);
        let token = self.provider.token(claims);
        self.posts(person, "/lti/launch", &[("state", &asked["state"]), ("id_token", &token)])
    }

    pub fn heard(&self, path: &str) -> Vec<Heard> {
        self.state.lock().unwrap().heard.iter().filter(|heard| heard.line.contains(path)).cloned().collect()
    }
}

/// The claims of a token that this service signed, verified by the keys that it publishes.
pub fn verified(server: &Server, token: &str) -> Value {
    let keys = server.nobody().get("/lti/keys").json();
    let parts: Vec<&str> = token.split('.').collect();
    let decoded = |part: &str| URL_SAFE_NO_PAD.decode(part).unwrap();
    let head: Value = serde_json::from_slice(&decoded(parts[0])).unwrap();
    assert_eq!(head["alg"], "RS256");
    let key = keys["keys"].as_array().unwrap().iter().find(|key| key["kid"] == head["kid"]).unwrap();
    assert!(key.get("d").is_none() && key["use"] == "sig");
    let [n, e] = ["n", "e"].map(|name| decoded(key[name].as_str().unwrap()));
    let message = format!("{}.{}", parts[0], parts[1]);
    let key = RsaPublicKeyComponents { n, e };
    key.verify(&RSA_PKCS1_2048_8192_SHA256, message.as_bytes(), &decoded(parts[2])).expect("a signature of ours");
    serde_json::from_slice(&decoded(parts[1])).unwrap()
}

fn hear(connection: &TcpStream) -> Option<Heard> {
    let mut reader = BufReader::new(connection);
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok().filter(|bytes| *bytes > 0)?;
        if line.trim().is_empty() {
            break;
        }
        lines.push(line.trim().to_owned());
    }
    let head: HashMap<String, String> = lines[1..]
        .iter()
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
        .collect();
    let mut body = vec![0; head.get("content-length").and_then(|length| length.parse().ok()).unwrap_or(0)];
    reader.read_exact(&mut body).ok()?;
    Some(Heard { line: lines[0].clone(), head, body: String::from_utf8(body).ok()? })
}

fn told(state: &mut State, base: &str, keys: &str, heard: Heard) -> (u16, String, String) {
    let target = heard.line.split(' ').nth(1).unwrap_or("/").to_owned();
    let (path, query) = target.split_once('?').unwrap_or((&target, ""));
    let is_known = heard.head.get("authorization").is_some_and(|token| token == "Bearer t");
    let (json, none) = (|value: Value| (200, String::new(), value.to_string()), || (404, String::new(), String::new()));
    state.heard.push(heard);
    if state.is_down {
        return (500, String::new(), String::new());
    }
    match path {
        "/token" => json(json!({ "access_token": "t", "token_type": "Bearer", "expires_in": 3600 })),
        "/.well-known/openid-configuration" | "/other/openid-configuration" => json(json!({
            "issuer": if path.starts_with("/other") { "https://other.example.edu" } else { base },
            "authorization_endpoint": format!("{base}/auth"), "token_endpoint": format!("{base}/token"),
            "jwks_uri": format!("{keys}/jwks"), "registration_endpoint": format!("{base}/register"),
            "https://purl.imsglobal.org/spec/lti-platform-configuration": { "product_family_code": "moodle", "version": "5" }
        })),
        "/register" => json(json!({
            "client_id": "registered", "https://purl.imsglobal.org/spec/lti-tool-configuration": { "deployment_id": "9" }
        })),
        _ if !is_known => (401, String::new(), String::new()),
        "/items" => json(json!({ "id": format!("{base}/item?type=1") })),
        "/item/scores" => (204, String::new(), String::new()),
        "/members" => {
            let page: usize = parameters(query)["page"].parse().unwrap();
            let members = state.members.get(page).cloned().unwrap_or(json!([]));
            let next = format!("link: <{base}/members?page={}>; rel=\"next\"\r\n", page + 1);
            let next = if page + 1 < state.members.len() { next } else { String::new() };
            (200, next, json!({ "members": members }).to_string())
        }
        _ => none(),
    }
}
