//! Asking servers: one request at a time for each host, as slowly as it wants, within limits of size and time.

use super::inside::{IsInside, OutsideOnly};
use super::robots::{AGENT, Rules};
use crate::reason::Reason;
use crate::streams::{Bounded, TooMuch};
use copytrace_job::Job;
use std::collections::HashMap;
use std::io::Read;
use std::time::{Duration, Instant};
use ureq::Agent;
use ureq::http::{HeaderMap, header};
use ureq::tls::{Certificate, RootCerts, TlsConfig};
use ureq::unversioned::transport::DefaultConnector;
use url::Url;

/// How servers are asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebSettings {
    /// Whom a server's keeper may write to: an address of mail or of a page. It stands in the `User-Agent`.
    pub contact: String,
    /// The time between two requests to one host.
    pub pause: Duration,
    /// How long a run of a source may take: after that it begins no record of a server any more, but for its first, and no batch of a
    /// file, once it has read on for four times as long as its way to where it began took.
    pub time: Option<Duration>,
    /// How many bytes come in a second at most.
    pub bytes_per_second: Option<u64>,
    /// Whether addresses inside the network may be asked; then proxies of the environment are used too.
    pub allow_inside: bool,
    /// How long one answer may take, its body included.
    pub answer_time: Duration,
    /// How many bytes one answer may have, packed and unpacked.
    pub answer_bytes: u64,
    /// How long a server that asks for it is waited for.
    pub longest_wait: Duration,
}

impl Default for WebSettings {
    /// Two seconds between requests, ten minutes and 256 MiB for an answer, ten minutes of waiting; nobody to write to.
    fn default() -> Self {
        WebSettings {
            contact: String::new(),
            pause: Duration::from_secs(2),
            time: None,
            bytes_per_second: None,
            allow_inside: false,
            answer_time: Duration::from_secs(600),
            answer_bytes: 256 << 20,
            longest_wait: Duration::from_secs(600),
        }
    }
}

/// Redirects that are followed.
const REDIRECTS: usize = 8;

/// How often one request is made again because the server says it is busy.
const ATTEMPTS: u32 = 5;

/// The first wait for a server that does not say how long; each next one is twice as long.
const FIRST_WAIT: Duration = Duration::from_secs(5);

/// How long connecting may take.
const CONNECT: Duration = Duration::from_secs(30);

/// A wait is interrupted within this when the job is cancelled.
const LOOK: Duration = Duration::from_millis(100);

/// Bytes of a robots.txt that are read (RFC 9309 asks for 500 KiB at least).
const ROBOTS_BYTES: u64 = 512 << 10;

/// The authorities that the system trusts, among which an institution has its own; those that are built in if it has none.
fn trusted() -> RootCerts {
    let of_system = rustls_native_certs::load_native_certs().certs;
    let own = |der: &[u8]| Certificate::from_der(der).to_owned();
    let of_system: Vec<Certificate<'static>> = of_system.iter().map(|der| own(der)).collect();
    if of_system.is_empty() { RootCerts::WebPki } else { RootCerts::Specific(of_system.into()) }
}

/// What a server said in the end.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) address: Url,
    pub(crate) media_type: String,
    /// What else the server names: the values of `Link` (RFC 8288).
    pub(crate) links: String,
    pub(crate) bytes: Vec<u8>,
}

/// Whether robots.txt is asked: not for the address that the user gave, which is for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Manners {
    Invited,
    Visiting,
}

/// Asks servers, and remembers how each of them wants to be asked.
pub(crate) struct Client {
    agent: Agent,
    settings: WebSettings,
    asked: HashMap<String, Instant>,
    robots: HashMap<String, Rules>,
    began: Instant,
    bytes: u64,
}

impl Client {
    pub(crate) fn new(settings: &WebSettings) -> Client {
        let about = if settings.contact.is_empty() { "" } else { &format!(" (+{})", settings.contact) };
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .user_agent(format!("{AGENT}/{}{about}", env!("CARGO_PKG_VERSION")))
            .accept_encoding("gzip")
            .tls_config(TlsConfig::builder().root_certs(trusted()).build())
            .timeout_connect(Some(CONNECT))
            .timeout_global(Some(settings.answer_time));
        let agent = match settings.allow_inside {
            true => config.build().new_agent(),
            // A proxy would look names up by itself.
            false => Agent::with_parts(config.proxy(None).build(), DefaultConnector::default(), OutsideOnly::default()),
        };
        let (asked, robots) = (HashMap::new(), HashMap::new());
        Client { agent, settings: settings.clone(), asked, robots, began: Instant::now(), bytes: 0 }
    }

    /// Bytes that came so far.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Whether the time that was set is over. What was begun comes to its end nevertheless: else an answer that takes longer than a run
    /// would be begun by each.
    pub(crate) fn is_over(&self) -> bool {
        self.settings.time.is_some_and(|time| self.began.elapsed() > time)
    }

    /// Fetches an address, wherever it leads.
    pub(crate) fn fetch(&mut self, address: &Url, manners: Manners, job: &Job) -> Result<Answer, Reason> {
        self.fetch_within(address, manners, u64::MAX, job)
    }

    /// The same of an answer that has no more than `bytes` bytes, and no more than all answers may have.
    pub(crate) fn fetch_within(
        &mut self,
        address: &Url,
        manners: Manners,
        bytes: u64,
        job: &Job,
    ) -> Result<Answer, Reason> {
        let bytes = bytes.min(self.settings.answer_bytes);
        let mut address = address.clone();
        for _ in 0..REDIRECTS {
            if !matches!(address.scheme(), "http" | "https") || address.host().is_none() {
                return Err(Reason::BadAddress { address: address.to_string() });
            }
            if manners == Manners::Visiting {
                self.ask_robots(&address, job)?;
            }
            match self.ask_patiently(&address, bytes, job)? {
                Said::Answer(media_type, links, bytes) => return Ok(Answer { address, media_type, links, bytes }),
                Said::Elsewhere(location) => {
                    let next = address.join(&location);
                    address = next.map_err(|_| Reason::BadAddress { address: location })?;
                }
                Said::Refused(status) => return Err(Reason::StatusRefused { status }),
                Said::Busy(wait) => return Err(Reason::ServerBusy { seconds: wait.unwrap_or(FIRST_WAIT).as_secs() }),
            }
        }
        Err(Reason::ManyRedirects)
    }

    /// Whether the host lets programs fetch this.
    fn ask_robots(&mut self, address: &Url, job: &Job) -> Result<(), Reason> {
        let host = host(address);
        if !self.robots.contains_key(&host) {
            let mut robots = address.clone();
            robots.set_path("/robots.txt");
            robots.set_query(None);
            let rules = match self.ask_patiently(&robots, ROBOTS_BYTES, job) {
                Ok(Said::Answer(_, _, bytes)) => Rules::read(&String::from_utf8_lossy(&bytes)),
                Ok(Said::Busy(_) | Said::Refused(500..)) => Rules::nothing(),
                // Where there is none everything is allowed; where nothing answers, what is asked for tells why.
                _ => Rules::default(),
            };
            self.robots.insert(host.clone(), rules);
        }
        let path =
            address.query().map_or_else(|| address.path().to_owned(), |query| format!("{}?{query}", address.path()));
        match self.robots.get(&host).is_none_or(|rules| rules.allow(&path)) {
            true => Ok(()),
            false => Err(Reason::RobotsForbid),
        }
    }

    /// Asks until the server has time.
    fn ask_patiently(&mut self, address: &Url, limit: u64, job: &Job) -> Result<Said, Reason> {
        let mut next = FIRST_WAIT;
        for _ in 1..ATTEMPTS {
            let wait = match self.ask(address, limit, job)? {
                Said::Busy(wait) => wait.unwrap_or(next),
                said => return Ok(said),
            };
            if wait > self.settings.longest_wait {
                return Ok(Said::Busy(Some(wait)));
            }
            self.wait(wait, job)?;
            next *= 2;
        }
        self.ask(address, limit, job)
    }

    /// Makes one request, when the host's turn has come.
    fn ask(&mut self, address: &Url, limit: u64, job: &Job) -> Result<Said, Reason> {
        let host = host(address);
        let pause = self.settings.pause.max(self.robots.get(&host).map_or(Duration::ZERO, |rules| rules.delay));
        let due = self.asked.get(&host).map_or(Duration::ZERO, |asked| pause.saturating_sub(asked.elapsed()));
        self.wait(due, job)?;
        let said = self.request(address, limit, job);
        self.asked.insert(host, Instant::now());
        said
    }

    fn request(&mut self, address: &Url, limit: u64, job: &Job) -> Result<Said, Reason> {
        let named = |error: &ureq::Error| self.named(error, address);
        let mut answer = self.agent.get(address.as_str()).call().map_err(|error| named(&error))?;
        let (status, headers) = (answer.status().as_u16(), answer.headers());
        let text = |name| text(headers, name);
        match status {
            200 => {}
            301 | 302 | 303 | 307 | 308 => return Ok(Said::Elsewhere(text(header::LOCATION))),
            429 | 503 => return Ok(Said::Busy(wait_asked_for(&text(header::RETRY_AFTER)))),
            _ => return Ok(Said::Refused(status)),
        }
        let links = headers.get_all(header::LINK).iter().filter_map(|value| value.to_str().ok());
        let links = links.collect::<Vec<_>>().join(", ");
        let (media_type, coding) = (text(header::CONTENT_TYPE).to_ascii_lowercase(), text(header::CONTENT_ENCODING));
        let began = Instant::now();
        let mut body = answer.body_mut().as_reader();
        let (mut bytes, mut buffer) = (Vec::new(), vec![0; 64 << 10]);
        loop {
            let read = match body.read(&mut buffer) {
                Ok(0) => break,
                Ok(read) => read,
                Err(error) => return Err(self.named(&ureq::Error::from(error), address)),
            };
            bytes.extend_from_slice(&buffer[..read]);
            self.bytes += read as u64;
            if bytes.len() as u64 > limit {
                return Err(Reason::AnswerLarge { limit });
            }
            if let Some(speed) = self.settings.bytes_per_second {
                let due = Duration::from_secs_f64(bytes.len() as f64 / speed.max(1) as f64);
                self.wait(due.saturating_sub(began.elapsed()), job)?;
            }
            self.still_wanted(job)?;
        }
        if coding.to_ascii_lowercase().contains("gzip") {
            let mut plain = Vec::new();
            let unpacked = Bounded::new(flate2::read::MultiGzDecoder::new(&bytes[..]), limit).read_to_end(&mut plain);
            unpacked.map_err(|error| match error.get_ref().is_some_and(|inner| inner.is::<TooMuch>()) {
                true => Reason::AnswerExpands { limit },
                false => Reason::NoConnection { said: error.to_string() },
            })?;
            bytes = plain;
        }
        Ok(Said::Answer(media_type, links, bytes))
    }

    /// The reason that an error of the client stands for.
    fn named(&self, error: &ureq::Error, address: &Url) -> Reason {
        match error {
            ureq::Error::Io(error) if error.get_ref().is_some_and(|inner| inner.is::<IsInside>()) => {
                Reason::InsideNetwork { host: address.host_str().unwrap_or_default().to_owned() }
            }
            ureq::Error::Timeout(_) => Reason::AnswerSlow { seconds: self.settings.answer_time.as_secs() },
            ureq::Error::BadUri(said) => Reason::BadAddress { address: said.clone() },
            error => Reason::NoConnection { said: error.to_string() },
        }
    }

    /// Waits, as long as the job is wanted.
    fn wait(&self, time: Duration, job: &Job) -> Result<(), Reason> {
        let began = Instant::now();
        loop {
            self.still_wanted(job)?;
            match time.checked_sub(began.elapsed()) {
                None | Some(Duration::ZERO) => return Ok(()),
                Some(left) => std::thread::sleep(left.min(LOOK)),
            }
        }
    }

    fn still_wanted(&self, job: &Job) -> Result<(), Reason> {
        // A job that was cancelled ends where the caller looks at it.
        if job.check().is_err() { Err(Reason::TimeOver) } else { Ok(()) }
    }
}

/// What one request gave.
#[derive(Debug)]
enum Said {
    /// The media type and the bytes.
    Answer(String, String, Vec<u8>),
    Elsewhere(String),
    Refused(u16),
    /// With the time after which it asks to come again, if it says so.
    Busy(Option<Duration>),
}

/// Host and port: what a server is.
fn host(address: &Url) -> String {
    let port = address.port_or_known_default().unwrap_or_default();
    format!("{}://{}:{port}", address.scheme(), address.host_str().unwrap_or_default())
}

fn text(headers: &HeaderMap, name: header::HeaderName) -> String {
    headers.get(name).map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned()).unwrap_or_default()
}

/// What `Retry-After` asks for: seconds, or a date.
fn wait_asked_for(value: &str) -> Option<Duration> {
    if let Ok(seconds) = value.trim().parse() {
        return Some(Duration::from_secs(seconds));
    }
    let until = jiff::fmt::rfc2822::parse(value.trim()).ok()?.timestamp().as_second();
    let now = jiff::Timestamp::now().as_second();
    Some(Duration::from_secs(u64::try_from(until - now).unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufRead, BufReader, Write};
    use std::net::TcpListener;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};
    use ureq::config::Config;
    use ureq::http::Uri;
    use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
    use ureq::unversioned::transport::NextTimeout;

    /// Finds one name on this machine, as if it were out there, and every other one as a run does.
    #[derive(Debug, Default)]
    struct OneOutside(DefaultResolver, OutsideOnly);

    impl Resolver for OneOutside {
        fn resolve(
            &self,
            uri: &Uri,
            config: &Config,
            timeout: NextTimeout,
        ) -> Result<ResolvedSocketAddrs, ureq::Error> {
            match uri.host() {
                Some("outside.example") => {
                    let here = uri.to_string().replace("outside.example", "127.0.0.1").parse().unwrap();
                    self.0.resolve(&here, config, timeout)
                }
                _ => self.1.resolve(uri, config, timeout),
            }
        }
    }

    #[test]
    fn a_server_outside_leads_to_no_address_inside() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let asked = Arc::new(AtomicU32::new(0));
        let counter = asked.clone();
        let targets = [
            format!("http://127.0.0.1:{port}/secret"),
            format!("http://localhost:{port}/secret"),
            format!("http://[::1]:{port}/secret"),
            format!("http://2130706433:{port}/secret"),
            "http://169.254.169.254/latest/meta-data/".to_owned(),
            "http://10.0.0.1/".to_owned(),
            "http://[::ffff:10.0.0.1]/".to_owned(),
        ];
        let to = targets.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                counter.fetch_add(1, Ordering::Relaxed);
                let (mut stream, mut line) = (BufReader::new(stream), String::new());
                stream.read_line(&mut line).unwrap();
                let which = line.split(['/', ' ']).nth(2).unwrap_or_default().parse().unwrap_or(0);
                let place: &String = &to[which];
                let _ = write!(
                    stream.get_mut(),
                    "HTTP/1.1 302 Found\r\nLocation: {place}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                );
            }
        });
        let mut client = Client::new(&WebSettings { pause: Duration::ZERO, ..WebSettings::default() });
        let config = Agent::config_builder().http_status_as_error(false).max_redirects(0).proxy(None).build();
        client.agent = Agent::with_parts(config, DefaultConnector::default(), OneOutside::default());
        for (number, target) in targets.iter().enumerate() {
            let address = format!("http://outside.example:{port}/{number}").parse().unwrap();
            let refused = client.fetch(&address, Manners::Invited, &Job::default()).unwrap_err();
            assert!(matches!(refused, Reason::InsideNetwork { .. }), "{target}: {refused}");
        }
        assert_eq!(asked.load(Ordering::Relaxed) as usize, targets.len(), "none but the redirects was asked for");
    }
}
