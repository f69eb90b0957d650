//! Letters to a mail server that others have written (aiosmtpd), by TLS, which the service must be sure of.

use super::others::Other;
use crate::program::{Bench, wait_for};
use crate::serve::letters::{ADDRESSES, address};
use crate::serve::server::{College, Server};
use serde_json::json;
use std::path::Path;
use std::process::Command;

/// A service that sends by this port, and trusts this authority besides nobody.
fn start(bench: &Bench, data: &str, encryption: &str, port: &str, authority: &Path) -> Server {
    let secret = bench.write("password", "right\n");
    let config = format!(
        "[serve.mail]\nserver = '127.0.0.1'\nport = {port}\nencryption = '{encryption}'\nfrom = 'office@example.edu'\nuser = 'office'\n\
         password-file = '{}'\ngather-minutes = 0\nlanguage = 'zh'\n",
        secret.display()
    );
    let mut program = Command::new(env!("CARGO_BIN_EXE_copytrace"));
    program.env("COPYTRACE_CONFIG", bench.write(format!("{data}.toml"), config)).env("SSL_CERT_FILE", authority);
    Server::try_start_by(program, &bench.path(data), &[]).unwrap()
}

#[test]
fn letters_go_by_both_kinds_of_tls_and_wait_where_the_certificate_is_of_another_name_or_authority() {
    let bench = Bench::new();
    std::fs::create_dir_all(bench.path("post")).unwrap();
    let mut postman = Other::python("mail_server.py", &[bench.path("post")]);
    let ports = postman.line();
    let ports: Vec<&str> = ports.split(' ').collect();
    let authority = bench.path("post/authority.pem");
    let letters = || {
        let names = std::fs::read_dir(bench.path("post"))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut found: Vec<String> = names.filter(|name| name.ends_with(".eml")).collect();
        found.sort();
        found
    };
    let invites = |server: &Server| {
        let college = College::found(server, json!({}));
        address(&college, ADDRESSES);
        let mut administrator = college.administrator.clone();
        administrator.form("/people/invitations", &[("form", "mail"), ("unit", "1")]);
        administrator.cookie
    };
    // Of another name, and of an authority that nobody here knows: no letter, and the page says why.
    let other = bench.path("post/other.pem");
    for (data, port, trusted) in [("name", ports[2], &authority), ("authority", ports[0], &other)] {
        let server = start(&bench, data, "starttls", port, trusted);
        let mut administrator = server.nobody();
        administrator.cookie = invites(&server);
        wait_for("the reason", || administrator.get("/letters").text().contains("certificate").then_some(()));
        assert_eq!(letters(), [] as [String; 0]);
    }
    for (data, encryption, port) in [("starttls", "starttls", ports[0]), ("tls", "tls", ports[1])] {
        let server = start(&bench, data, encryption, port, &authority);
        let before = letters().len();
        invites(&server);
        wait_for("three letters", || (letters().len() == before + 3).then_some(()));
    }
    let letter = std::fs::read_to_string(bench.path("post").join(&letters()[0])).unwrap();
    assert!(letter.contains("Subject: =?utf-8?b?"), "{letter}");
}
