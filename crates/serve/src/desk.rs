//! `copytrace desk`: the service for one person, on the machine where the browser runs too.
//!
//! The pages and the queue are those of the service. There is one account, which the program's own address signs in: it has a
//! secret, which the browser gives for a cookie, and which stands besides in a file that nobody else of the machine may read. Whoever
//! starts the program again for a folder is led to the one that serves it.

use crate::audit::Action;
use crate::data_error::DataError;
use crate::fault::{Fault, NOT_FOUND};
use crate::http::call::Call;
use crate::http::reply::Reply;
use crate::pages::account;
use crate::people::Person;
use crate::store::{Store, rows, secret};
use crate::{Options, ServeError, serve};
use std::fs::{self, File};
use std::io::{self, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::path::Path;
use std::time::{Duration, Instant};
use tokio::sync::Notify;

/// The file below the folder that holds the address of the program that serves it.
const ADDRESS: &str = "desk.address";
/// How long a second start waits until the first one has told its address: it may be opening a large database.
const JOIN: Duration = Duration::from_secs(30);
/// Bytes of the disk that must stay free. A laptop has less to spare than a server.
const RESERVE: u64 = 500_000_000;
/// How many submissions are checked at once, which leaves the machine to its user.
const WORKERS: usize = 2;

/// What is shown to the person when the address is known: a browser is opened, as a rule.
pub type Open = fn(&str);

/// A desk that is served.
#[derive(Debug)]
pub struct Desk {
    secret: String,
    /// Tells the server to end.
    pub ended: Notify,
}

impl Desk {
    /// A desk with a new secret.
    pub(crate) fn new() -> Self {
        Desk { secret: secret::new_secret(), ended: Notify::new() }
    }

    /// The address that signs in, on this port, written where a second start finds it.
    pub(crate) fn tell(&self, data: &Path, port: u16) -> Result<String, DataError> {
        let (path, address) = (data.join(ADDRESS), format!("http://127.0.0.1:{port}/desk/{}", self.secret));
        let write = || {
            let mut options = File::options();
            options.write(true).create_new(true);
            #[cfg(unix)]
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
            options.open(&path)?.write_all(address.as_bytes())
        };
        write().map_err(DataError::io(&path))?;
        Ok(address)
    }
}

/// Removes the address of a program that has ended, and gives its port: a page that stayed open goes on where the new one listens there.
pub(crate) fn forget(data: &Path) -> Result<u16, DataError> {
    let path = data.join(ADDRESS);
    let port = address(data).and_then(|address| port(&address)).unwrap_or_default();
    match fs::remove_file(&path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(DataError::io(&path)(error)),
        _ => Ok(port),
    }
}

fn address(data: &Path) -> Option<String> {
    fs::read_to_string(data.join(ADDRESS)).ok().filter(|address| address.starts_with("http://127.0.0.1:"))
}

fn port(address: &str) -> Option<u16> {
    address.split('/').nth(2)?.rsplit(':').next()?.parse().ok()
}

/// The address of the program that serves a folder, if it answers.
fn served(data: &Path) -> Option<String> {
    let address = address(data)?;
    let answers = TcpStream::connect_timeout(&(Ipv4Addr::LOCALHOST, port(&address)?).into(), Duration::from_secs(2));
    answers.is_ok().then_some(address)
}

/// Serves a folder to one person until the page or a signal ends it. If it is served already, its page is opened instead.
///
/// # Errors
/// When the folder cannot be written or holds something else, or nothing can be listened to.
pub fn desk(data: &Path, open: Open, output: &mut (impl Write + Send)) -> Result<(), ServeError> {
    let (begun, options) = (Instant::now(), options(data, open));
    loop {
        match serve(&options, output) {
            Err(ServeError::Data(DataError::InUse { .. })) if begun.elapsed() < JOIN => {}
            ended => return ended,
        }
        if let Some(address) = served(data) {
            // Whoever started it may have gone; the page opens nevertheless.
            let _ = writeln!(output, "{} is open already at {address}", data.display());
            open(&address);
            return Ok(());
        }
        std::thread::sleep(Duration::from_millis(100));
    }
}

fn options(data: &Path, open: Open) -> Options {
    Options {
        data: data.to_owned(),
        listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
        origin: None,
        proxies: Vec::new(),
        workers: WORKERS,
        demo: false,
        reserve: RESERVE,
        intake: None,
        require_factor: false,
        require_sandbox: false,
        access_log: false,
        font: None,
        institution: String::new(),
        logo: None,
        audit_copy: None,
        providers: Vec::new(),
        mail: None,
        webhook_hosts: Vec::new(),
        harvest_inside: false,
        desk: Some(open),
    }
}

/// Makes the one account of a new folder.
///
/// # Errors
/// When the folder is an institution's: its people have passwords.
pub(crate) fn first_start(store: &Store, data: &Path) -> Result<(), ServeError> {
    let exists = |sql: &str| store.read(|c| rows::exists(c, sql, []));
    if exists("SELECT 1 FROM setting WHERE name = 'desk'")? {
        return Ok(());
    }
    if exists("SELECT 1 FROM unit")? {
        return Err(ServeError::NoDesk(data.to_owned()));
    }
    crate::first_start(store, true)?;
    store.write(|t| t.execute("INSERT INTO setting VALUES ('desk', '')", []))?;
    Ok(())
}

/// Signs in whoever brings the secret, and leads on to an address without it.
pub fn enter(call: &Call) -> Result<Reply, Fault> {
    let desk = call.app.desk.as_ref().ok_or(&NOT_FOUND)?;
    // Hashes are compared, so that the time it takes tells nothing.
    if secret::hash(call.part("secret")?) != secret::hash(&desk.secret) {
        return Err((&NOT_FOUND).into());
    }
    let person = call.app.read(|c| Ok(Person::by_number(c, "admin")?.ok_or(&NOT_FOUND)?))?;
    account::begin_session(call, &person.id, Action::SignIn, "/", None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_found_again_for_its_owner_alone_until_its_program_has_ended() {
        let data = tempfile::tempdir().unwrap();
        assert_eq!(served(data.path()), None);
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let told = Desk::new().tell(data.path(), port).unwrap();
        assert_eq!(served(data.path()), Some(told));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(fs::metadata(data.path().join(ADDRESS)).unwrap().permissions().mode() & 0o777, 0o600);
        }
        drop(listener);
        assert_eq!(served(data.path()), None);
        assert_eq!(forget(data.path()).unwrap(), port);
        assert_eq!(forget(data.path()).unwrap(), 0);
    }
}
