//! A provider of sign-ins in small, for tests: OpenID Connect with RSA keys that change, and CAS. It says what a test wants said, also what is wrong.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::rand::SystemRandom;
use ring::signature::{KeyPair, RSA_PKCS1_SHA256, RsaKeyPair};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::{SystemTime, UNIX_EPOCH};

pub const SECRET: &str = "a secret of the service, with +/% in it";

/// Keys for tests, known to everybody who reads this.
const KEYS: [(&str, &[u8]); 2] =
    [("one", include_bytes!("../keys/one.der")), ("two", include_bytes!("../keys/two.der"))];

/// What a test changes in the head and the claims of tokens.
pub type Twist = Box<dyn Fn(&mut Value, &mut Value) + Send>;

#[derive(Default)]
pub struct State {
    /// Which key signs, and which are published.
    pub signs: usize,
    pub published: Vec<usize>,
    pub is_down: bool,
    pub twist: Option<Twist>,
    /// What stands beside the code, and what userinfo says.
    codes: HashMap<String, (HashMap<String, String>, Value)>,
    tickets: HashMap<String, (String, String)>,
    /// What userinfo says; of whom it spoke last, if nothing.
    pub more: Value,
    last: Value,
}

pub struct Provider {
    pub base: String,
    pub state: Arc<Mutex<State>>,
}

pub fn seconds() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs() as i64
}

pub fn parameters(query: &str) -> HashMap<String, String> {
    form_urlencoded::parse(query.as_bytes()).into_owned().collect()
}

impl Provider {
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let state = Arc::new(Mutex::new(State { published: vec![0], ..State::default() }));
        let (shared, own) = (Arc::clone(&state), base.clone());
        std::thread::spawn(move || {
            for connection in listener.incoming().map_while(Result::ok) {
                let (shared, own) = (Arc::clone(&shared), own.clone());
                std::thread::spawn(move || answer(connection, &shared, &own));
            }
        });
        Provider { base, state }
    }

    /// What a person who signs in here comes back with: the address to which the service sent the browser is answered by a code.
    pub fn grants(&self, asked: &str, claims: Value) -> String {
        let asked = parameters(asked.split_once('?').unwrap().1);
        assert_eq!((asked["response_type"].as_str(), asked["code_challenge_method"].as_str()), ("code", "S256"));
        let mut state = self.state.lock().unwrap();
        let code = format!("code{}", state.codes.len());
        let back = format!("code={code}&state={}", asked["state"]);
        state.codes.insert(code, (asked, claims));
        back
    }

    /// A ticket of CAS for a service.
    pub fn ticket(&self, service: &str, user: &str) -> String {
        let mut state = self.state.lock().unwrap();
        let ticket = format!("ST-{}-{user}", state.tickets.len());
        state.tickets.insert(ticket.clone(), (service.to_owned(), user.to_owned()));
        ticket
    }

    /// A token that this provider signs, with claims of now.
    pub fn token(&self, claims: Value) -> String {
        signed(&self.state.lock().unwrap(), &self.base, claims)
    }
}

fn signed(state: &State, base: &str, more: Value) -> String {
    let (kid, key) = KEYS[state.signs];
    let mut head = json!({ "alg": "RS256", "kid": kid });
    let mut claims = json!({ "iss": base, "aud": "copytrace", "iat": seconds(), "exp": seconds() + 300 });
    more.as_object().unwrap().iter().for_each(|(name, value)| claims[name] = value.clone());
    if let Some(twist) = &state.twist {
        twist(&mut head, &mut claims);
    }
    let message = [&head, &claims].map(|part| URL_SAFE_NO_PAD.encode(part.to_string())).join(".");
    let pair = RsaKeyPair::from_der(key).unwrap();
    let signature = match head["alg"].as_str().unwrap() {
        "none" => Vec::new(),
        // The public key as if it were a secret.
        "HS256" => {
            let key = ring::hmac::Key::new(ring::hmac::HMAC_SHA256, pair.public_key().as_ref());
            ring::hmac::sign(&key, message.as_bytes()).as_ref().to_vec()
        }
        _ => {
            let mut signature = vec![0; pair.public().modulus_len()];
            pair.sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), message.as_bytes(), &mut signature).unwrap();
            signature
        }
    };
    format!("{message}.{}", URL_SAFE_NO_PAD.encode(signature))
}

fn published(key: usize) -> Value {
    let pair = RsaKeyPair::from_der(KEYS[key].1).unwrap();
    let parts: ring::rsa::PublicKeyComponents<Vec<u8>> = pair.public_key().into();
    let [n, e] = [parts.n, parts.e].map(|part| URL_SAFE_NO_PAD.encode(part));
    json!({ "kty": "RSA", "kid": KEYS[key].0, "use": "sig", "alg": "RS256", "n": n, "e": e })
}

fn answer(connection: TcpStream, state: &Mutex<State>, base: &str) {
    let mut reader = BufReader::new(connection.try_clone().unwrap());
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).unwrap_or(0) == 0 || line.trim().is_empty() {
            break;
        }
        lines.push(line.trim().to_owned());
    }
    let header = |name: &str| {
        let of = |line: &String| {
            line.split_once(": ").filter(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, v)| v.to_owned())
        };
        lines.iter().find_map(of).unwrap_or_default()
    };
    let mut body = vec![0; header("content-length").parse().unwrap_or(0)];
    let _ = reader.read_exact(&mut body);
    let target = lines.first().and_then(|line| line.split(' ').nth(1)).unwrap_or("/").to_owned();
    let (path, query) = target.split_once('?').unwrap_or((&target, ""));
    let (status, content) =
        told(&mut state.lock().unwrap(), base, path, &parameters(query), &body, &header("authorization"));
    let reply =
        format!("HTTP/1.1 {status} X\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{content}", content.len());
    let _ = (&connection).write_all(reply.as_bytes());
}

fn told(
    state: &mut State,
    base: &str,
    path: &str,
    query: &HashMap<String, String>,
    body: &[u8],
    authorization: &str,
) -> (u16, String) {
    if state.is_down {
        return (500, "<html>".to_owned());
    }
    let refused = (400, json!({ "error": "invalid_grant" }).to_string());
    match path {
        "/.well-known/openid-configuration" => {
            let at = |path: &str| format!("{base}/{path}");
            let description = json!({
                "issuer": base, "authorization_endpoint": at("authorize?tenant=1"), "token_endpoint": at("token"), "jwks_uri": at("jwks"),
                "userinfo_endpoint": at("userinfo"), "end_session_endpoint": at("logout")
            });
            (200, description.to_string())
        }
        "/jwks" => {
            (200, json!({ "keys": state.published.iter().map(|key| published(*key)).collect::<Vec<_>>() }).to_string())
        }
        "/token" => {
            let form = parameters(std::str::from_utf8(body).unwrap());
            let encoded = |text: &str| form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
            let expected = format!("copytrace:{}", encoded(SECRET));
            let is_client =
                authorization == format!("Basic {}", base64::engine::general_purpose::STANDARD.encode(expected));
            // A code is good once.
            let Some((asked, mut claims)) = state.codes.remove(&form["code"]) else { return refused };
            let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(form["code_verifier"].as_bytes()));
            if !is_client || form["redirect_uri"] != asked["redirect_uri"] || challenge != asked["code_challenge"] {
                return refused;
            }
            claims["nonce"] = json!(asked["nonce"]);
            state.last = json!({ "sub": claims["sub"] });
            (
                200,
                json!({ "id_token": signed(state, base, claims), "access_token": "t", "token_type": "Bearer" })
                    .to_string(),
            )
        }
        "/userinfo" if authorization == "Bearer t" && state.more.is_null() => (200, state.last.to_string()),
        "/userinfo" if authorization == "Bearer t" => (200, state.more.to_string()),
        "/cas/p3/serviceValidate" => {
            let confirmed = state.tickets.remove(&query["ticket"]).filter(|(service, _)| *service == query["service"]);
            let within = match confirmed {
                Some((_, user)) => format!(
                    "<cas:authenticationSuccess><cas:user>{user}</cas:user><cas:attributes><cas:no>{user}</cas:no></cas:attributes>\
                     </cas:authenticationSuccess>"
                ),
                None => "<cas:authenticationFailure code=\"INVALID_TICKET\">no</cas:authenticationFailure>".to_owned(),
            };
            (
                200,
                format!("<cas:serviceResponse xmlns:cas=\"http://www.yale.edu/tp/cas\">{within}</cas:serviceResponse>"),
            )
        }
        _ => (404, String::new()),
    }
}
