//! Work beside the interpreter: in threads of its own, ended by Ctrl-C, telling how far it is.

use crate::errors::Failure;
use copytrace::job::{Job, Stage};
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// What Python pickles of an object: a function that makes it again, and its arguments.
pub type Pickled<'py, T> = (Bound<'py, PyAny>, T);

/// How often signals and progress are looked at.
const TICK: Duration = Duration::from_millis(40);

/// How the caller watches work, and how many threads do it.
#[derive(Default)]
pub struct Watch<'py> {
    /// A callable that is told the steps done, how many there are in all and what they are; `True` for a bar, `False` for none;
    /// without it a bar shows itself where somebody can see it.
    pub progress: Option<Bound<'py, PyAny>>,
    /// What is counted; work without it has no progress.
    pub counts: &'static str,
    /// How many steps there are in all, as far as that is known before.
    pub total: Option<u64>,
    /// As many as there are processors, unless told.
    pub threads: Option<NonZero<usize>>,
}

impl Watch<'_> {
    /// Work that is short, or has nothing to count.
    pub fn silent() -> Self {
        Watch::default()
    }
}

/// Does some work without the interpreter's lock. The documents that it tells its job of are counted.
///
/// On Ctrl-C, or when the progress callback raises, it is cancelled, and the exception is raised at once: the threads end as soon as
/// they notice.
pub fn run<T: Send + 'static>(
    py: Python<'_>,
    watch: Watch,
    work: impl FnOnce(&Job) -> Result<T, Failure> + Send + 'static,
) -> PyResult<T> {
    let steps = Arc::new(AtomicU64::new(0));
    let count = steps.clone();
    let job = Job::new(move |stage, steps| {
        // Documents are counted, and not what is done for one of them.
        if matches!(stage, Stage::Reading | Stage::Checking) {
            count.fetch_add(steps, Ordering::Relaxed);
        }
    });
    let cancel = job.cancel.clone();
    let (sender, receiver) = sync_channel(1);
    pool(watch.threads)?.spawn(move || {
        let done = catch_unwind(AssertUnwindSafe(|| work(&job)));
        // Nobody receives it once the caller was interrupted.
        let _ = sender.send(done.unwrap_or_else(|panic| Err(Failure::Fault(said(&*panic)))));
    });
    // Only this thread receives; the lock lets it do so while it is detached.
    let receiver = Mutex::new(receiver);
    let receive = || receiver.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(TICK);
    let mut teller = Teller::new(py, &watch)?;
    loop {
        match py.detach(receive) {
            Ok(Ok(done)) => {
                teller.finish(steps.load(Ordering::Relaxed))?;
                return Ok(done);
            }
            Ok(Err(failure)) => {
                teller.close()?;
                return Err(failure.into());
            }
            Err(RecvTimeoutError::Disconnected) => {
                return Err(PyRuntimeError::new_err("the work ended without a result"));
            }
            Err(RecvTimeoutError::Timeout) => {
                let told = py.check_signals().and_then(|()| teller.tell(steps.load(Ordering::Relaxed)));
                if let Err(interrupted) = told {
                    cancel.cancel();
                    // What it says comes before any trouble of the bar's.
                    let _ = teller.close();
                    return Err(interrupted);
                }
            }
        }
    }
}

/// What a panic said.
fn said(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
    format!("a fault in copytrace: {}", text.unwrap_or("a panic"))
}

/// Tells the progress.
struct Teller<'py> {
    callback: Option<Bound<'py, PyAny>>,
    /// Whether the callback is a bar of ours, which is taken away in the end.
    is_bar: bool,
    counts: &'static str,
    total: Option<u64>,
    told: u64,
}

impl<'py> Teller<'py> {
    fn new(py: Python<'py>, watch: &Watch<'py>) -> PyResult<Self> {
        let asked = watch.progress.as_ref().map(|progress| (progress, progress.extract::<bool>()));
        let (callback, is_bar) = match asked {
            _ if watch.counts.is_empty() => (None, false),
            Some((_, Ok(false))) => (None, false),
            Some((callback, Err(_))) if callback.is_callable() => (Some(callback.clone()), false),
            Some((other, Err(_))) => {
                let shown = other.repr()?;
                return Err(PyTypeError::new_err(format!(
                    "progress is {shown}: expected a callable, True, False or None"
                )));
            }
            asked => {
                let arguments = (watch.counts, watch.total, asked.is_some());
                let bar = py.import("copytrace._progress")?.call_method1("bar", arguments)?;
                (Some(bar).filter(|bar| !bar.is_none()), true)
            }
        };
        Ok(Teller { callback, is_bar, counts: watch.counts, total: watch.total, told: 0 })
    }

    fn tell(&mut self, steps: u64) -> PyResult<()> {
        if let Some(callback) = &self.callback
            && steps != self.told
        {
            self.told = steps;
            callback.call1((steps, self.total, self.counts))?;
        }
        Ok(())
    }

    fn close(&self) -> PyResult<()> {
        match &self.callback {
            Some(bar) if self.is_bar => bar.call_method0("close").map(drop),
            _ => Ok(()),
        }
    }

    /// All is done, and so are documents that could not be read.
    fn finish(&mut self, steps: u64) -> PyResult<()> {
        self.tell(self.total.unwrap_or(steps))?;
        self.close()
    }
}

/// How many threads the caller asks for.
pub fn threads_of(threads: &Bound<'_, PyAny>) -> PyResult<Option<NonZero<usize>>> {
    threads.extract().or_else(|_| {
        let shown = threads.repr()?;
        Err(PyValueError::new_err(format!("threads is {shown}: expected a whole number from 1 on, or None")))
    })
}

/// Threads for some work. Those of all processors are shared and kept; after a fork the child has to make its own.
fn pool(threads: Option<NonZero<usize>>) -> PyResult<Arc<ThreadPool>> {
    static SHARED: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);
    let build = |threads: usize| {
        let built = ThreadPoolBuilder::new().num_threads(threads).thread_name(|_| "copytrace".to_owned()).build();
        built.map(Arc::new).map_err(|error| PyRuntimeError::new_err(format!("no threads: {error}")))
    };
    if let Some(threads) = threads {
        return build(threads.get());
    }
    let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
    match &*shared {
        Some((process, pool)) if *process == std::process::id() => Ok(pool.clone()),
        _ => {
            let pool = build(0)?;
            if let Some((_, of_parent)) = shared.replace((std::process::id(), pool.clone())) {
                // Its threads are not there in this process, so nobody could wait for them.
                std::mem::forget(of_parent);
            }
            Ok(pool)
        }
    }
}
