//! A mail server in small, for tests: it keeps what it is given, and refuses whom a test names.

use base64::Engine;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// A letter that came.
#[derive(Debug, Clone)]
pub struct Letter {
    pub to: String,
    pub head: String,
    /// Its text, decoded.
    pub text: String,
}

impl Letter {
    /// The path of the link in it.
    pub fn link(&self) -> String {
        let link = self.text.split_whitespace().find(|word| word.starts_with("http")).expect("a link");
        format!("/{}", link.splitn(4, '/').nth(3).unwrap())
    }
}

#[derive(Default)]
pub struct State {
    pub letters: Vec<Letter>,
    /// What is answered to this recipient, in the place of 250.
    pub refuses: Vec<(String, String)>,
    /// All lines that clients sent.
    pub heard: Vec<String>,
    /// Whether a user must sign in with this (AUTH PLAIN).
    pub password: Option<String>,
    pub is_down: bool,
}

pub struct Postman {
    pub port: u16,
    pub state: Arc<Mutex<State>>,
}

impl Postman {
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let (port, state) = (listener.local_addr().unwrap().port(), Arc::<Mutex<State>>::default());
        let shared = Arc::clone(&state);
        std::thread::spawn(move || {
            for connection in listener.incoming().map_while(Result::ok) {
                let shared = Arc::clone(&shared);
                std::thread::spawn(move || converse(connection, &shared));
            }
        });
        Postman { port, state }
    }

    /// What came to an address.
    pub fn to(&self, address: &str) -> Vec<Letter> {
        let letters = &self.state.lock().unwrap().letters;
        letters.iter().filter(|letter| letter.to == address).cloned().collect()
    }

    /// Waits until there are `count` letters to an address, and gives the last.
    pub fn wait_for(&self, address: &str, count: usize) -> Letter {
        let found = || Some(self.to(address)).filter(|letters| letters.len() >= count);
        crate::program::wait_for("a letter", found).pop().unwrap()
    }
}

fn converse(connection: TcpStream, state: &Mutex<State>) -> Option<()> {
    let say = |line: &str| (&connection).write_all(format!("{line}\r\n").as_bytes()).ok();
    if state.lock().unwrap().is_down {
        return say("421 closed");
    }
    say("220 test")?;
    let mut lines = BufReader::new(connection.try_clone().unwrap()).lines().map_while(Result::ok);
    let (mut to, mut is_known) = (String::new(), state.lock().unwrap().password.is_none());
    while let Some(line) = lines.next() {
        state.lock().unwrap().heard.push(line.clone());
        let word = line.split([' ', ':']).next().unwrap().to_ascii_uppercase();
        match word.as_str() {
            "EHLO" => say("250-test\r\n250 AUTH PLAIN LOGIN")?,
            "AUTH" => {
                let given =
                    base64::engine::general_purpose::STANDARD.decode(line.rsplit(' ').next()?).unwrap_or_default();
                let password = state.lock().unwrap().password.clone().unwrap_or_default();
                is_known = given.ends_with(format!("\0{password}").as_bytes());
                say(if is_known { "235 yes" } else { "535 wrong password" })?
            }
            "MAIL" if !is_known => say("530 sign in first")?,
            "RCPT" => {
                to = line.split(['<', '>']).nth(1)?.to_owned();
                let refused =
                    state.lock().unwrap().refuses.iter().find(|(who, _)| *who == to).map(|(_, why)| why.clone());
                say(&refused.unwrap_or("250 yes".to_owned()))?
            }
            "DATA" => {
                say("354 go on")?;
                let content: Vec<String> = lines.by_ref().take_while(|line| line != ".").collect();
                let whole = content.join("\r\n");
                let (head, body) = whole.split_once("\r\n\r\n")?;
                let letter = Letter { to: to.clone(), head: head.to_owned(), text: decoded(head, body) };
                state.lock().unwrap().letters.push(letter);
                say("250 taken")?
            }
            "QUIT" => return say("221 bye"),
            "STARTTLS" => say("502 no")?,
            _ => say("250 yes")?,
        }
    }
    Some(())
}

fn decoded(head: &str, body: &str) -> String {
    let head = head.to_ascii_lowercase();
    if head.contains("content-transfer-encoding: base64") {
        let plain: String = body.split_whitespace().collect();
        return String::from_utf8(base64::engine::general_purpose::STANDARD.decode(plain).unwrap()).unwrap();
    }
    if !head.contains("content-transfer-encoding: quoted-printable") {
        return body.to_owned();
    }
    let (joined, mut bytes) = (body.replace("=\r\n", ""), Vec::new());
    let mut rest = joined.as_bytes();
    while let Some((&first, behind)) = rest.split_first() {
        let code = (first == b'=').then(|| std::str::from_utf8(&behind[..2]).unwrap());
        bytes.push(code.map_or(first, |code| u8::from_str_radix(code, 16).unwrap()));
        rest = if code.is_some() { &behind[2..] } else { behind };
    }
    String::from_utf8(bytes).unwrap()
}
