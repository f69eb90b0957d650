//! A server that is started for a test, and people who use it.

use crate::program::{project, wait_for};
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use zip::write::SimpleFileOptions;

/// A server, ended when this is dropped.
pub struct Server {
    child: Child,
    pub base: String,
    /// What it said when it started.
    pub said: Vec<String>,
    pub data: PathBuf,
}

impl Server {
    pub fn start(data: &Path, extra: &[&str]) -> Self {
        Server::try_start(data, extra).expect("the server starts")
    }

    pub fn try_start(data: &Path, extra: &[&str]) -> Result<Self, String> {
        Server::try_start_by(Command::new(env!("CARGO_BIN_EXE_copytrace")), data, extra)
    }

    /// Starts a desk, and gives the path that it would open in a browser.
    pub fn desk(data: &Path) -> Result<(Self, String), String> {
        let mut program = Command::new(env!("CARGO_BIN_EXE_copytrace"));
        program.args(["desk", "--no-browser"]).arg(data);
        let server = Server::spawn(program, data, "for you alone: ")?;
        let path = server.told("for you alone: ").rsplit(&server.base).next().unwrap().to_owned();
        Ok((server, path))
    }

    /// Starts a server by this command, which runs the program.
    pub fn try_start_by(mut program: Command, data: &Path, extra: &[&str]) -> Result<Self, String> {
        program
            .args(["serve", "--data"])
            .arg(data)
            .args(
                [["--listen", "127.0.0.1:0"], ["--reserve", "1MB"]]
                    .iter()
                    .filter(|own| !extra.contains(&own[0]))
                    .flatten(),
            )
            .args(extra);
        Server::spawn(program, data, "Serving ")
    }

    /// Starts the program, and waits until it has said a line with these words.
    pub fn spawn(mut program: Command, data: &Path, last: &str) -> Result<Self, String> {
        let mut child = program.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let (mut said, mut base) = (Vec::new(), String::new());
        for line in BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok) {
            if line.starts_with("Serving ") {
                base = line.rsplit(' ').next().unwrap().trim_end_matches('/').to_owned();
            }
            let is_last = line.contains(last);
            said.push(line);
            if is_last {
                return Ok(Server { child, base, said, data: data.to_owned() });
            }
        }
        let mut complaint = String::new();
        child.stderr.take().unwrap().read_to_string(&mut complaint).unwrap();
        child.wait().unwrap();
        Err(complaint)
    }

    pub fn process(&self) -> u32 {
        self.child.id()
    }

    /// The line of its output that holds these words.
    pub fn told(&self, words: &str) -> &str {
        self.said.iter().find(|line| line.contains(words)).unwrap_or_else(|| panic!("{:?}", self.said))
    }

    /// Signs the first administrator in by the link that the server told.
    pub fn administrator(&self) -> Person<'_> {
        let link = self.told("/invite/").rsplit(' ').next().unwrap().trim_start_matches(&self.base).to_owned();
        let mut person = self.nobody();
        let reply = person.form(&link, &[("password", PASSWORD)]);
        assert_eq!((reply.status, reply.place()), (303, "/"));
        person
    }

    /// Somebody who is not signed in.
    pub fn nobody(&self) -> Person<'_> {
        Person { server: self, cookie: String::new(), token: None }
    }

    pub fn sign_in(&self, number: &str, password: &str) -> Person<'_> {
        let mut person = self.nobody();
        let reply = person.form("/login", &[("number", number), ("password", password)]);
        assert_eq!((reply.status, reply.place()), (303, "/"), "{number}: {}", reply.text());
        person
    }

    /// Kills it at once.
    pub fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Waits until it has ended by itself.
    pub fn wait(mut self) {
        assert!(self.child.wait().unwrap().success());
    }

    /// Tells it to end, and waits.
    pub fn stop(mut self) {
        let pid = rustix::process::Pid::from_raw(self.child.id() as i32).unwrap();
        rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub const PASSWORD: &str = "a password for tests";

/// Somebody with a browser, or a program with a token.
#[derive(Clone)]
pub struct Person<'a> {
    server: &'a Server,
    pub cookie: String,
    pub token: Option<String>,
}

#[derive(Debug)]
pub struct Reply {
    pub status: u16,
    pub headers: BTreeMap<String, String>,
    pub body: Vec<u8>,
}

impl Reply {
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("{}: {}", self.status, self.text()))
    }

    pub fn place(&self) -> &str {
        self.headers.get("location").map_or("", String::as_str)
    }
}

impl Person<'_> {
    pub fn request(&mut self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Reply {
        let agent = ureq::Agent::config_builder().http_status_as_error(false).max_redirects(0).build().new_agent();
        let mut request = ureq::http::Request::builder().method(method).uri(format!("{}{path}", self.server.base));
        if !self.cookie.is_empty() {
            request = request.header("cookie", &self.cookie);
        }
        if let Some(token) = &self.token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        if !headers.iter().any(|(name, _)| *name == "origin") {
            request = request.header("origin", &self.server.base);
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let mut reply = agent.run(request.body(body).unwrap()).unwrap();
        let headers: BTreeMap<String, String> = reply
            .headers()
            .iter()
            .map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned()))
            .collect();
        for cookie in reply.headers().get_all("set-cookie") {
            self.keep(cookie.to_str().unwrap().split(';').next().unwrap());
        }
        let body = reply.body_mut().with_config().limit(1 << 30).read_to_vec().unwrap();
        Reply { status: reply.status().as_u16(), headers, body }
    }

    /// Keeps a cookie of a sign-in as browsers do, in the place of the one of the same name.
    fn keep(&mut self, cookie: &str) {
        let (name, value) = cookie.split_once('=').unwrap();
        if name.starts_with("copytrace") {
            let others =
                self.cookie.split("; ").filter(|known| !known.is_empty() && known.split('=').next() != Some(name));
            self.cookie = others.chain((!value.is_empty()).then_some(cookie)).collect::<Vec<_>>().join("; ");
        }
    }

    pub fn get(&mut self, path: &str) -> Reply {
        self.request("GET", path, &[], b"")
    }

    pub fn form(&mut self, path: &str, fields: &[(&str, &str)]) -> Reply {
        let encode = |text: &str| {
            let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
            text.bytes()
                .map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
                .collect::<String>()
        };
        let pairs: Vec<String> =
            fields.iter().map(|(name, value)| format!("{}={}", encode(name), encode(value))).collect();
        self.request("POST", path, &[("content-type", "application/x-www-form-urlencoded")], pairs.join("&").as_bytes())
    }

    pub fn post_json(&mut self, path: &str, value: &Value) -> Reply {
        self.request("POST", path, &[("content-type", "application/json")], value.to_string().as_bytes())
    }

    pub fn upload(&mut self, path: &str, fields: &[(&str, &str)], name: &str, content: &[u8]) -> Reply {
        self.upload_with(path, fields, name, content, &[])
    }

    pub fn upload_with(
        &mut self,
        path: &str,
        fields: &[(&str, &str)],
        name: &str,
        content: &[u8],
        headers: &[(&str, &str)],
    ) -> Reply {
        let mut body = Vec::new();
        for (field, value) in fields {
            body.extend(
                format!("--border\r\nContent-Disposition: form-data; name=\"{field}\"\r\n\r\n{value}\r\n").bytes(),
            );
        }
        body.extend(
            format!("--border\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\r\n").bytes(),
        );
        body.extend(content);
        body.extend(b"\r\n--border--\r\n");
        let headers = [&[("content-type", "multipart/form-data; boundary=border")], headers].concat();
        self.request("POST", path, &headers, &body)
    }

    /// Sends a form with several files.
    pub fn upload_all(&mut self, path: &str, fields: &[(&str, &str)], files: &[(&str, &[u8])]) -> Reply {
        let mut body = Vec::new();
        for (field, value) in fields {
            body.extend(
                format!("--border\r\nContent-Disposition: form-data; name=\"{field}\"\r\n\r\n{value}\r\n").bytes(),
            );
        }
        for (name, content) in files {
            let head =
                format!("--border\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\r\n");
            body.extend([head.as_bytes(), content, b"\r\n"].concat());
        }
        body.extend(b"--border--\r\n");
        self.request("POST", path, &[("content-type", "multipart/form-data; boundary=border")], &body)
    }

    /// Makes a token with these scopes, and gives the program that has it.
    pub fn program(&mut self, scopes: &[&str]) -> Self {
        let fields: Vec<(&str, &str)> =
            scopes.iter().map(|scope| ("scopes", *scope)).chain([("label", "test")]).collect();
        let page = self.form("/account/tokens", &fields).text();
        let token = page
            .split("<code>")
            .find_map(|part| part.starts_with("ct_").then(|| part.split('<').next().unwrap().to_owned()));
        Person { server: self.server, cookie: String::new(), token }
    }

    /// Waits until nothing is queued or running, as an administrator is told.
    pub fn settle(&mut self) {
        wait_for("an idle queue", || {
            let figures = self.get("/metrics").text();
            (figures.contains("{state=\"queued\"} 0") && figures.contains("{state=\"running\"} 0")).then_some(())
        });
    }

    /// Waits until a submission's check is over, and gives its state.
    pub fn wait_for(&mut self, submission: &str) -> Value {
        wait_for("the end of a check", || {
            let told = self.get(&format!("/api/v1/submissions/{submission}")).json();
            let state = told["status"]["state"].as_str().unwrap_or_default();
            matches!(state, "done" | "failed" | "cancelled").then_some(told)
        })
    }
}

/// A college in small: a collection for everyone and one for staff alone, a supervisor, students, an auditor, and a round.
pub struct College<'a> {
    pub server: &'a Server,
    pub administrator: Person<'a>,
    pub round: String,
    pub open: i64,
    pub closed: i64,
}

pub const PEOPLE: &str = "number,name,role,unit,supervisor\nt1,Dr. Lin,supervisor,cs,\nt2,Dr. Ode,supervisor,cs,\nr1,Aud Itor,auditor,,\n\
                          s1,Ann One,student,cs,t1\ns2,Ben Two,student,cs,t1\ns3,Cy Three,student,cs,t2\n";

impl<'a> College<'a> {
    pub fn found(server: &'a Server, rules: Value) -> Self {
        let mut administrator = server.administrator();
        let mut collection = |name: &str, wording: &str, files: &[&str]| -> i64 {
            let place = administrator.form("/collections", &[("name", name), ("wording", wording)]).place().to_owned();
            for file in files {
                let content = std::fs::read(project(format!("corpora/demo/reference/{file}"))).unwrap();
                assert_eq!(administrator.upload(&format!("{place}/upload"), &[], file, &content).status, 303);
            }
            place.rsplit('/').next().unwrap().parse().unwrap()
        };
        let open = collection("Open", "everyone", &["en-ref-01-tidal-marsh.txt", "en-ref-06-ferry-timetables.txt"]);
        let closed = collection("Closed", "staff", &["en-ref-05-sluice-gate.txt", "en-ref-12-sensor-loggers.txt"]);
        assert_eq!(administrator.upload("/people", &[], "people.csv", PEOPLE.as_bytes()).status, 303);
        let mut round = serde_json::json!({
            "unit": 1, "title": "Term", "opens": 0, "closes": 4_000_000_000u32, "quota": 2, "limit_ratio": 0.2,
            "student_sees": "at_once", "collections": [open, closed],
        });
        round.as_object_mut().unwrap().extend(rules.as_object().unwrap().clone());
        let mut program = administrator.program(&["manage", "read", "submit"]);
        let made = program.post_json("/api/v1/rounds", &round);
        assert_eq!(made.status, 201, "{}", made.text());
        let round = made.json()["id"].as_str().unwrap().to_owned();
        let students: String =
            PEOPLE.lines().filter(|line| !line.contains("auditor")).map(|line| format!("{line}\n")).collect();
        let enrolled =
            administrator.upload(&format!("/rounds/{round}/students"), &[], "students.csv", students.as_bytes());
        assert_eq!(enrolled.status, 303, "{}", enrolled.text());
        let college = College { server, administrator, round, open, closed };
        college.settle();
        college
    }

    /// Sends the form of a new round, in which nothing is special.
    pub fn new_round(&self, person: &mut Person<'_>, title: &str, unit: &str) -> Reply {
        let fields = [
            ("title", title),
            ("unit", unit),
            ("opens", "2020-01-01T00:00"),
            ("closes", "2090-01-01T00:00"),
            ("quota", "1"),
            ("interval_hours", "0"),
            ("self_checks", "0"),
            ("limit", "20"),
            ("student_sees", "never"),
            ("collections", &self.open.to_string()),
        ];
        person.form("/rounds", &fields)
    }

    /// Waits until nothing is queued or running.
    pub fn settle(&self) {
        self.administrator.clone().settle();
    }

    /// Signs a person of the college in, by a link that the administrator makes.
    pub fn person(&self, number: &str) -> Person<'a> {
        let mut administrator = self.administrator.clone();
        let people = administrator.get(&format!("/people?q={number}")).text();
        let row = people.split("<tr>").find(|row| row.contains(&format!("<td>{number}</td>"))).unwrap();
        let invite = row.split("action=\"").nth(1).unwrap().split('"').next().unwrap();
        let page = administrator.form(invite, &[]).text();
        let link = page
            .split("<code>")
            .nth(1)
            .unwrap()
            .split('<')
            .next()
            .unwrap()
            .trim_start_matches(&self.server.base)
            .to_owned();
        let mut person = self.server.nobody();
        assert_eq!(person.form(&link, &[("password", PASSWORD)]).status, 303);
        person
    }

    /// Hands in a final for a student, and gives its id.
    pub fn hand_in(&self, student: &str, name: &str, content: &[u8]) -> String {
        let mut administrator = self.administrator.clone();
        let fields = [("student", student), ("kind", "final")];
        let reply = administrator.upload(&format!("/rounds/{}/submissions", self.round), &fields, name, content);
        assert_eq!(reply.status, 303, "{}", reply.text());
        reply.place().rsplit('/').next().unwrap().to_owned()
    }
}

/// A zip archive of members with these names and contents.
pub fn archive(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, content) in members {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}
