//! Generated hostile requests: every address of the service and every operation of its OpenAPI description, with parts, fields,
//! headers and bodies that no form sends. None may be answered by a fault of the server's own (5xx), and the service is whole
//! after them. `make serve-hostile` sends 10,000, `make test` a thousand.

use crate::program::{Bench, PATIENCE, copytrace, project};
use crate::serve::server::{College, Server};
use copytrace_serve::http::route::Takes;
use copytrace_serve::server::routes::ROUTES;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus as Random;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::TcpStream;

/// A request by address and body, as the generator starts from it.
struct Operation {
    method: String,
    path: String,
    /// The schema of its JSON, if the description has one.
    schema: Option<Value>,
    takes: Takes,
}

/// Operations that end what the others need: sessions, tokens, roles. Tests of their own ask for them.
const LEFT_OUT: [&str; 4] = ["/logout", "/account/sessions/{id}", "/account/tokens/{id}", "/people/{id}/role"];

fn operations(description: &Value) -> Vec<Operation> {
    let schemas = &description["components"]["schemas"];
    let known = ROUTES.iter().filter(|route| !LEFT_OUT.contains(&route.path)).map(|route| {
        let method = route.method.as_str().to_owned();
        let body = &description["paths"][route.path][method.to_ascii_lowercase()]["requestBody"]["content"];
        let schema = body.as_object().and_then(|kinds| kinds.values().next()).map(|kind| kind["schema"].clone());
        let schema = schema.map(|schema| match schema["$ref"].as_str() {
            Some(name) => schemas[name.rsplit('/').next().unwrap()].clone(),
            None => schema,
        });
        Operation { method, path: route.path.to_owned(), schema, takes: route.takes }
    });
    let known: Vec<Operation> = known.collect();
    let described: usize =
        description["paths"].as_object().unwrap().values().map(|p| p.as_object().unwrap().len()).sum();
    let of_interface = known.iter().filter(|operation| operation.path.starts_with("/api/v1")).count();
    assert_eq!(described, of_interface, "the description has every operation of the interface");
    known
}

/// Texts that programs stumble over.
const TEXTS: [&str; 22] = [
    "",
    " ",
    "0",
    "-1",
    "9223372036854775807",
    "9223372036854775808",
    "1e400",
    "NaN",
    "null",
    "true",
    "\u{0}",
    "a\u{0}b",
    "\r\nX: y",
    "' OR 1=1 --",
    "\"><script>alert(1)</script>",
    "../../etc/passwd",
    "..\\..\\x",
    "%00",
    "{{7*7}}",
    "\u{202e}txt.exe",
    "论文\u{fffd}💥",
    "${jndi:ldap://x}",
];

fn text(random: &mut Random) -> String {
    match random.random_range(0..10) {
        0 => "A".repeat(random.random_range(1..20_000)),
        1 => (0..random.random_range(0..40)).map(|_| random.random::<char>()).collect(),
        _ => (*TEXTS.choose(random).unwrap()).to_owned(),
    }
}

fn escaped(text: &str) -> String {
    text.bytes()
        .map(|byte| if byte.is_ascii_alphanumeric() { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

/// A value that a schema allows, or nearly.
fn value(schema: &Value, random: &mut Random, depth: u32) -> Value {
    if random.random_range(0..5) == 0 {
        return match random.random_range(0..8) {
            0 => Value::Null,
            1 => json!(random.random::<i64>()),
            2 => json!(random.random::<f64>() * 1e300),
            3 => json!(random.random::<bool>()),
            4 => json!([[], {}, [null]]),
            5 => (0..200).fold(json!({}), |inner, _| json!([inner])),
            6 => json!({ "": text(random) }),
            _ => json!(text(random)),
        };
    }
    let kind = match &schema["type"] {
        Value::Array(kinds) => kinds.choose(random).and_then(Value::as_str).unwrap_or("null"),
        kind => kind.as_str().unwrap_or("string"),
    };
    match kind {
        "object" if depth < 4 => {
            let fields = schema["properties"].as_object().cloned().unwrap_or_default();
            let chosen = fields.iter().filter(|_| random.random_range(0..12) > 0).collect::<Vec<_>>();
            chosen.into_iter().map(|(name, of)| (name.clone(), value(of, random, depth + 1))).collect()
        }
        "array" => (0..random.random_range(0..4)).map(|_| value(&schema["items"], random, depth + 1)).collect(),
        "integer" => json!(random.random_range(-2i64..5)),
        "number" => json!(random.random::<f64>()),
        "boolean" => json!(random.random::<bool>()),
        "null" => Value::Null,
        _ => match schema["enum"].as_array() {
            Some(words) => words.choose(random).cloned().unwrap_or_default(),
            None => json!(text(random)),
        },
    }
}

/// Names of fields that the forms of the service have.
const FIELDS: [&str; 26] = [
    "name",
    "number",
    "password",
    "old",
    "language",
    "kind",
    "student",
    "verdict",
    "comment",
    "reason",
    "source",
    "passage",
    "collection",
    "collections",
    "document",
    "title",
    "unit",
    "parent",
    "code",
    "opens",
    "closes",
    "quota",
    "limit",
    "extra_checks",
    "access",
    "role",
];

fn form(random: &mut Random) -> Vec<u8> {
    let count = random.random_range(0..12);
    let pairs = (0..count).map(|_| format!("{}={}", FIELDS.choose(random).unwrap(), escaped(&text(random))));
    pairs.collect::<Vec<_>>().join("&").into_bytes()
}

fn multipart(random: &mut Random) -> Vec<u8> {
    let mut body = Vec::new();
    for _ in 0..random.random_range(0..5) {
        let field = if random.random() { "file" } else { FIELDS.choose(random).unwrap() };
        let file = if random.random() {
            format!("; filename=\"{}.txt\"", text(random).replace(['\r', '\n'], ""))
        } else {
            String::new()
        };
        body.extend(format!("--border\r\nContent-Disposition: form-data; name=\"{field}\"{file}\r\n\r\n").bytes());
        match random.random_range(0..4) {
            0 => body.extend(text(random).bytes()),
            1 => body.extend(b"PK\x03\x04 no archive"),
            2 => body.extend((0..random.random_range(0..3000)).map(|_| random.random::<u8>())),
            _ => body.extend(["self", "draft", "final", "s1", "s2"].choose(random).unwrap().bytes()),
        }
        body.extend(b"\r\n");
    }
    if random.random_range(0..4) > 0 {
        body.extend(b"--border--\r\n");
    }
    body
}

/// The kind and the bytes of a body.
fn body(operation: &Operation, random: &mut Random) -> (String, Vec<u8>) {
    let junk =
        |random: &mut Random| (0..random.random_range(0..2000)).map(|_| random.random::<u8>()).collect::<Vec<u8>>();
    let json_of = |random: &mut Random| {
        let schema = operation.schema.clone().unwrap_or_else(|| json!({ "type": "object" }));
        let mut bytes = value(&schema, random, 0).to_string().into_bytes();
        if random.random_range(0..8) == 0 {
            bytes.truncate(random.random_range(0..=bytes.len()));
        }
        bytes
    };
    let (kind, bytes) = match (operation.takes, random.random_range(0..6)) {
        (_, 0) => ("application/octet-stream", junk(random)),
        (_, 1) => ("multipart/form-data; boundary=border", multipart(random)),
        (takes, _) if takes.is_upload() => ("multipart/form-data; boundary=border", multipart(random)),
        (Takes::Fields, 2 | 3) if operation.schema.is_none() => ("application/x-www-form-urlencoded", form(random)),
        _ if operation.schema.is_some() => ("application/json", json_of(random)),
        _ => ("application/x-www-form-urlencoded", form(random)),
    };
    match random.random_range(0..20) {
        0 => (text(random), bytes),
        _ => (kind.to_owned(), bytes),
    }
}

/// Headers that change what a server does.
fn headers(random: &mut Random) -> Vec<(&'static str, String)> {
    let names = [
        "Idempotency-Key",
        "Accept-Language",
        "Referer",
        "User-Agent",
        "Range",
        "If-None-Match",
        "X-Forwarded-For",
        "Expect",
    ];
    let chosen: Vec<&&str> = names.iter().filter(|_| random.random_range(0..8) == 0).collect();
    let clean = |text: String| text.replace(|c: char| c.is_control(), "?").chars().take(900).collect::<String>();
    chosen.into_iter().map(|name| (*name, clean(text(random)))).collect()
}

/// Sends bytes and gives the status, the type and the body of the reply; nothing if the server closed the line.
fn send(base: &str, request: &[u8]) -> Option<(u16, String, Vec<u8>)> {
    let mut stream = TcpStream::connect(base.trim_start_matches("http://")).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    // A server that has seen enough closes before all is sent.
    let _ = stream.write_all(request);
    let mut reply = Vec::new();
    let _ = stream.read_to_end(&mut reply);
    let head = reply.windows(4).position(|four| four == b"\r\n\r\n")?;
    let text = String::from_utf8_lossy(&reply[..head]).into_owned();
    let status = text.split(' ').nth(1)?.parse().ok()?;
    let kind = text.lines().find_map(|line| line.strip_prefix("content-type: ")).unwrap_or_default().to_owned();
    Some((status, kind, reply[head + 4..].to_vec()))
}

#[test]
fn no_generated_request_is_answered_by_a_fault_of_the_server() {
    let asked = |name: &str, default: u64| std::env::var(name).map_or(default, |value| value.parse().unwrap());
    let (most, seed) = (asked("COPYTRACE_SERVE_REQUESTS", 1_000) as usize, asked("COPYTRACE_SERVE_SEED", 20261122));
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &[]);
    let college = College::found(&server, json!({ "among": true, "quota": 1000 }));
    let content = std::fs::read(project("corpora/demo/submissions/en-01-estuary-crossing.txt")).unwrap();
    let submissions: Vec<String> = (0..4)
        .map(|n| college.hand_in(["s1", "s2"][n % 2], "estuary.txt", &[&content[..], &[b'0' + n as u8]].concat()))
        .collect();
    college.settle();
    let mut administrator = college.administrator.clone();
    let description = administrator.get("/api/v1/openapi.json").json();
    let operations = operations(&description);
    let program = administrator.program(&["read", "submit", "manage"]);
    let callers = [
        format!("Cookie: {}", college.administrator.cookie),
        format!("Authorization: Bearer {}", program.token.as_ref().unwrap()),
        format!("Cookie: {}", college.person("t1").cookie),
        format!("Cookie: {}", college.person("s1").cookie),
        format!("Cookie: {}", college.person("r1").cookie),
        String::new(),
        "Authorization: Bearer ct_forged".to_owned(),
        "Cookie: copytrace=forged; copytrace=; =; ;;".to_owned(),
    ];
    let mut random = Random::seed_from_u64(seed);
    let mut statuses: BTreeMap<u16, usize> = BTreeMap::new();
    for n in 0..most {
        // Each operation in its turn, so that none is left out.
        let operation = &operations[n % operations.len()];
        let mut path = String::new();
        for part in operation.path.split('/').skip(1) {
            path.push('/');
            path.push_str(&match part.strip_prefix('{') {
                None => part.to_owned(),
                Some(_) => match random.random_range(0..5) {
                    0 => escaped(&text(&mut random)),
                    1 => format!("{:032x}", random.random::<u128>()),
                    2 => random.random_range(-1i64..4).to_string(),
                    _ if operation.path.contains("/rounds") => college.round.clone(),
                    // Some are erased, so that all else has something to be asked about.
                    _ if operation.path.ends_with("/erase") || operation.method == "DELETE" => submissions[3].clone(),
                    _ => submissions[n % 3].clone(),
                },
            });
        }
        if random.random_range(0..3) == 0 {
            let name = ["after", "before", "limit", "q", "view", ""].choose(&mut random).unwrap();
            path.push_str(&format!("?{name}={}", escaped(&text(&mut random))));
        }
        let method = match random.random_range(0..25) {
            0 => {
                (*["PUT", "PATCH", "OPTIONS", "TRACE", "GET", "POST", "DELETE"].choose(&mut random).unwrap()).to_owned()
            }
            _ => operation.method.clone(),
        };
        let (kind, bytes) = if method == "GET" { (String::new(), Vec::new()) } else { body(operation, &mut random) };
        let kind = kind.replace(|c: char| c.is_control(), "?");
        let mut request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nOrigin: {}\r\nConnection: close\r\n",
            server.base.trim_start_matches("http://"),
            server.base
        );
        // Mostly somebody who may ask.
        let caller = if random.random() { &callers[n % 2] } else { callers.choose(&mut random).unwrap() };
        for (name, value) in headers(&mut random) {
            request.push_str(&format!("{name}: {value}\r\n"));
        }
        if !caller.is_empty() {
            request.push_str(&format!("{caller}\r\n"));
        }
        if method != "GET" {
            request.push_str(&format!("Content-Type: {kind}\r\nContent-Length: {}\r\n", bytes.len()));
        }
        let mut whole = (request.clone() + "\r\n").into_bytes();
        whole.extend(&bytes);
        let about = || format!("request {n}:\n{request}\n{}", String::from_utf8_lossy(&bytes[..bytes.len().min(2000)]));
        let (status, kind, replied) = send(&server.base, &whole).unwrap_or_else(|| panic!("no reply to {}", about()));
        assert!(status < 500, "{status} {} to {}", String::from_utf8_lossy(&replied), about());
        // What the server itself refuses before any address is known has no form of ours.
        if path.starts_with("/api/v1/") && status >= 400 && !replied.is_empty() {
            assert_eq!(kind, "application/problem+json", "{status} to {}", about());
            let problem: Value = serde_json::from_slice(&replied).unwrap();
            assert_eq!(problem["status"], status, "{problem}");
        }
        *statuses.entry(status).or_default() += 1;
    }
    println!("{most} requests of seed {seed} to {} operations; replies by status: {statuses:?}", operations.len());
    assert!(statuses.keys().filter(|status| **status < 400).count() >= 2, "some are done: {statuses:?}");

    // Nothing was broken or left behind.
    assert_eq!(administrator.get("/health/ready").status, 200);
    assert!(administrator.get("/audit").text().contains("The chain is intact"));
    college.settle();
    assert_eq!(std::fs::read_dir(server.data.join("incoming")).unwrap().count(), 0);
    server.stop();
    copytrace().args(["serve", "verify-audit"]).arg(bench.path("data")).assert().success();
    drop(Server::start(&bench.path("data"), &[]));
}
