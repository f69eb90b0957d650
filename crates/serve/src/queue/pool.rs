//! The workers of a server: child processes, each driven by a thread. A job is cancelled by killing its worker.

use super::protocol::{News, Order};
use super::{Claimed, State, Task, claim, complete, fail, order, postpone};
use crate::fault::{BUSY, Fault, NO_SPACE};
use crate::figures::{Figures, Lived};
use crate::store::Transaction;
use crate::store::{Store, rows};
use crate::{folder, log, program};
use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long a worker without work lives.
const IDLE: Duration = Duration::from_secs(20);
/// How long a worker may say nothing while it checks, ...
const LONGEST_CHECK: Duration = Duration::from_secs(20 * 60);
/// ... while it changes an index, which may be a large one, ...
const LONGEST_CHANGE: Duration = Duration::from_secs(6 * 3600);
/// ... and when it starts.
const LONGEST_START: Duration = Duration::from_secs(10);
/// How long it is known that workers start.
const KNOWN: Duration = Duration::from_secs(10);
/// How often the queue is looked at when nobody says that there is something in it.
const LOOK: Duration = Duration::from_secs(1);

/// The workers of a server.
pub struct Pool {
    shared: Arc<Shared>,
    threads: Mutex<Vec<std::thread::JoinHandle<()>>>,
}

struct Shared {
    data: PathBuf,
    store: Arc<Store>,
    figures: Arc<Figures>,
    server: String,
    /// Whether scans are read by OCR.
    ocr: bool,
    stop: AtomicBool,
    /// Changes whenever something was queued.
    queued: Mutex<u64>,
    changed: Condvar,
    /// The processes at work, by their jobs; those that start by numbers below 0.
    running: Mutex<HashMap<i64, Running>>,
    starts: AtomicI64,
    /// When a worker was started last to see whether one starts, and whether it did.
    asked: Mutex<Option<(Instant, bool)>>,
}

struct Running {
    process: Arc<Process>,
    /// When it is taken for hung.
    deadline: Instant,
}

/// A worker's process. One that has been waited for is never killed, so no other process that got its number is either.
struct Process(Mutex<Child>);

impl Process {
    fn child(&self) -> MutexGuard<'_, Child> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Kills it; whoever reads its pipe sees that it has ended.
    fn kill(&self) {
        if let Err(error) = self.child().kill() {
            log::failed("worker", &format!("it cannot be killed: {error}"));
        }
    }
}

impl Shared {
    fn running(&self) -> MutexGuard<'_, HashMap<i64, Running>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Has a worker killed that says nothing for this time.
    fn watch(&self, job: i64, worker: &Worker, most: Duration) {
        let running = Running { process: Arc::clone(&worker.process), deadline: Instant::now() + most };
        self.running().insert(job, running);
    }
}

impl Pool {
    /// Starts this number of workers for a server of this name, which must hold the lock on the data folder. They read scans if there
    /// is to be OCR.
    ///
    /// # Errors
    /// When what a server before left cannot be put back into the queue.
    pub fn start(
        data: &Path,
        store: Arc<Store>,
        figures: Arc<Figures>,
        server: &str,
        workers: usize,
        ocr: bool,
    ) -> Result<Self, Fault> {
        store.write(super::recover)?;
        let shared = Arc::new(Shared {
            data: data.to_owned(),
            store,
            figures,
            server: server.to_owned(),
            ocr,
            stop: AtomicBool::new(false),
            queued: Mutex::new(0),
            changed: Condvar::new(),
            running: Mutex::default(),
            starts: AtomicI64::new(-1),
            asked: Mutex::default(),
        });
        let watched = Arc::clone(&shared);
        let watchdog = std::thread::spawn(move || {
            let mut looked = Instant::now();
            while !watched.stop.load(Ordering::Relaxed) {
                // A machine that slept meanwhile makes nobody late.
                let slept = looked.elapsed().saturating_sub(LOOK);
                watched.running().values_mut().for_each(|running| running.deadline += slept);
                overdue(&watched);
                looked = Instant::now();
                std::thread::sleep(LOOK);
            }
        });
        let drive = |_| {
            let shared = Arc::clone(&shared);
            std::thread::spawn(move || drive(&shared))
        };
        let threads = Mutex::new((0..workers).map(drive).chain([watchdog]).collect());
        Ok(Pool { shared, threads })
    }

    /// Whether workers start: one was started in the last seconds, or is now.
    pub fn is_ready(&self) -> bool {
        let mut asked = self.shared.asked.lock().unwrap_or_else(PoisonError::into_inner);
        match *asked {
            Some((at, could)) if at.elapsed() < KNOWN && could => true,
            _ => {
                let could = Worker::start(&self.shared).is_ok();
                *asked = Some((Instant::now(), could));
                could
            }
        }
    }

    /// Tells the workers that something was queued.
    pub fn wake(&self) {
        *self.shared.queued.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.shared.changed.notify_all();
    }

    /// Kills the worker of a job that was cancelled, if it has one.
    pub fn kill(&self, job: i64) {
        if let Some(running) = self.shared.running().get(&job) {
            running.process.kill();
        }
    }

    /// Ends all workers; what they were doing goes back into the queue.
    pub fn stop(&self) {
        self.shared.stop.store(true, Ordering::Relaxed);
        self.wake();
        self.shared.running().values().for_each(|running| running.process.kill());
        for thread in self.threads.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
            // One that panicked has ended too.
            let _ = thread.join();
        }
    }
}

/// A worker process with its pipes.
struct Worker {
    process: Arc<Process>,
    orders: ChildStdin,
    news: BufReader<ChildStdout>,
}

impl Worker {
    /// Starts a worker, and waits until it is ready.
    fn start(shared: &Shared) -> std::io::Result<Self> {
        let mut child = Command::new(program::path()?)
            .args(["--threads", "1", "serve", "work"])
            .args(shared.ocr.then_some("--ocr"))
            .current_dir(&shared.data)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            // A panic may quote what was read.
            .stderr(Stdio::null())
            .spawn()?;
        match (child.stdin.take(), child.stdout.take()) {
            (Some(orders), Some(news)) => {
                let process = Arc::new(Process(Mutex::new(child)));
                let mut worker = Worker { process, orders, news: BufReader::new(news) };
                let start = shared.starts.fetch_sub(1, Ordering::Relaxed);
                shared.watch(start, &worker, LONGEST_START);
                let ready = worker.next();
                shared.running().remove(&start);
                match ready {
                    Some(News::Ready) => Ok(worker),
                    _ => Err(std::io::Error::other("a worker ended before it was ready")),
                }
            }
            _ => Err(std::io::Error::other("a worker without pipes")),
        }
    }

    /// The next news; none when it has died.
    fn next(&mut self) -> Option<News> {
        let mut line = String::new();
        self.news.read_line(&mut line).ok()?;
        serde_json::from_str(&line).ok()
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let mut child = self.process.child();
        let _ = child.kill();
        let _ = child.wait();
    }
}

fn drive(shared: &Shared) {
    let mut worker = None;
    let mut idle_since = Instant::now();
    while !shared.stop.load(Ordering::Relaxed) {
        let seen = *shared.queued.lock().unwrap_or_else(PoisonError::into_inner);
        let claimed = shared.store.write(|t| claim(t, &shared.server));
        match claimed {
            Ok(Some(claimed)) => {
                if let Err(fault) = run(shared, &mut worker, &claimed) {
                    log::failed("job", &format!("{fault:?}"));
                    worker = None;
                    give_up(shared, &claimed, &fault);
                }
                if let Err(fault) = empty_intake(shared, &claimed).and_then(|()| count(shared, &claimed)) {
                    log::failed("intake", &format!("{fault:?}"));
                }
                idle_since = Instant::now();
                continue;
            }
            Ok(None) => {}
            Err(error) => log::failed("queue", &error.to_string()),
        }
        if idle_since.elapsed() > IDLE {
            worker = None;
        }
        let queued = shared.queued.lock().unwrap_or_else(PoisonError::into_inner);
        if *queued == seen {
            drop(shared.changed.wait_timeout(queued, LOOK));
        }
    }
}

/// Kills the workers that have said nothing for too long.
fn overdue(shared: &Shared) {
    let now = Instant::now();
    shared.running().values().filter(|running| running.deadline < now).for_each(|running| running.process.kill());
}

/// Removes what was uploaded for a job that is over: the index has it, or never will.
fn empty_intake(shared: &Shared, claimed: &Claimed) -> Result<(), Fault> {
    let Task::Fill { from, .. } = claimed.task()? else { return Ok(()) };
    let state: State = shared.store.read(|c| rows::one(c, "SELECT state FROM job WHERE id = ?1", [claimed.id]))?;
    // Other folders of the server are whole paths, and not the service's to empty.
    if from.starts_with("intake") && state.is_over() {
        folder::remove(&shared.data.join(from))?;
    }
    Ok(())
}

/// Counts a job that is over.
fn count(shared: &Shared, claimed: &Claimed) -> Result<(), Fault> {
    let (kind, state, times) = shared.store.read(|c| {
        let sql = "SELECT kind, state FROM job WHERE id = ?1";
        let (kind, state): (String, State) = rows::one(c, sql, [claimed.id])?;
        let sql = "SELECT made, coalesce(started, made), coalesce(ended, made) FROM job WHERE id = ?1";
        let (made, started, ended) = rows::one(c, sql, [claimed.id])?;
        Ok::<_, Fault>((kind, state, Lived { made, started, ended }))
    })?;
    if state.is_over() {
        shared.figures.ended(&kind, state, times);
    }
    Ok(())
}

/// A job that cannot be run, or whose result cannot be written. When the disk is full or the database is busy, that passes:
/// it is done again. Else it fails. Until one of the two is written down this thread does nothing else, for a row that says
/// that it runs would be true no more.
fn give_up(shared: &Shared, claimed: &Claimed, fault: &Fault) {
    let passes = matches!(fault, Fault::Refused(refusal, _) if **refusal == NO_SPACE || **refusal == BUSY);
    let write = |t: &Transaction<'_>| match passes {
        true => postpone(t, claimed.id, &shared.server),
        false => fail(t, claimed.id, &shared.server, "internal", None),
    };
    while let Err(error) = shared.store.write(write) {
        log::failed("queue", &error.to_string());
        std::thread::sleep(LOOK);
        if shared.stop.load(Ordering::Relaxed) {
            // The next server puts it back.
            return;
        }
    }
}

fn run(shared: &Shared, slot: &mut Option<Worker>, claimed: &Claimed) -> Result<(), Fault> {
    let order = shared.store.read(|c| order::of(c, claimed))?;
    let mut worker = match slot.take() {
        Some(worker) => worker,
        None => Worker::start(shared).map_err(|error| {
            log::failed("worker", &error.to_string());
            // Too many processes, or too little memory: that passes.
            Fault::from(&BUSY)
        })?,
    };
    let most = if matches!(order, Order::Check { .. }) { LONGEST_CHECK } else { LONGEST_CHANGE };
    shared.watch(claimed.id, &worker, most);
    // A worker that has died takes no order; then it tells no news either.
    let mut line = serde_json::to_string(&order)?;
    line.push('\n');
    let _ = worker.orders.write_all(line.as_bytes());
    let last = loop {
        match worker.next() {
            Some(News::Progress(percent)) => {
                shared.watch(claimed.id, &worker, most);
                let sql = "UPDATE job SET progress = ?2 WHERE id = ?1 AND state = 'running'";
                shared.store.write(|t| t.execute(sql, rusqlite::params![claimed.id, percent]))?;
            }
            last => break last,
        }
    };
    shared.running().remove(&claimed.id);
    if shared.stop.load(Ordering::Relaxed) {
        // The next server puts it back.
        return Ok(());
    }
    if last.is_some() {
        *slot = Some(worker);
    }
    complete::write(&shared.store, &shared.data, &shared.server, claimed, last)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_worker_that_hangs_is_killed_though_no_thread_is_idle() {
        let folder = tempfile::tempdir().unwrap();
        let store = Arc::new(Store::open(&folder.path().join("service.db")).unwrap());
        let pool = Pool::start(folder.path(), store, Arc::default(), "server", 0, false).unwrap();
        let mut child = Command::new("sleep").arg("1000").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (orders, news) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        let mut hung = Worker { process: Arc::new(Process(Mutex::new(child))), orders, news };
        pool.shared.watch(1, &hung, Duration::ZERO);
        assert_eq!(hung.next(), None, "its pipe is closed");
        pool.stop();
    }
}
