//! A piece of work as its caller sees it: how far it is, and whether it is still wanted.
//!
//! Long work takes a [`Job`] and looks at it often: reading once a page or a program, everything else at least every few
//! milliseconds. A job that was cancelled ends with [`Cancelled`], wherever it is, and leaves nothing behind.
//!
//! Words: docs/ARCHITECTURE.md, *Of checks and reports*.

#[doc(hidden)] // Only the program's own crates use this.
pub mod program;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A switch that ends the work it was handed to. Clones are the same switch.
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<AtomicBool>);

/// The work was cancelled.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, thiserror::Error, serde::Serialize, serde::Deserialize)]
#[error("cancelled")]
pub struct Cancelled;

impl Cancel {
    /// Asks the work to end. It may be called from any thread and more than once.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the work was asked to end.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// An error once the work was asked to end. It costs about as much as reading a variable.
    pub fn check(&self) -> Result<(), Cancelled> {
        if self.is_cancelled() { Err(Cancelled) } else { Ok(()) }
    }
}

/// The switch behind a flag that something else sets, such as the handler of a signal.
impl From<Arc<AtomicBool>> for Cancel {
    fn from(flag: Arc<AtomicBool>) -> Self {
        Cancel(flag)
    }
}

/// Two switches are equal when they are the same one.
impl PartialEq for Cancel {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Cancel {}

/// What a job is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Stage {
    /// Documents are read and analysed, one a step.
    Reading,
    /// Submissions are checked, one a step.
    Checking,
    /// Sources of one submission are aligned with it, one a step.
    Aligning,
    /// Submissions are compared with each other, two steps for each: others are looked up for it, and aligned with it.
    Sharing,
    /// Pairs of similar documents are verified, one a step.
    Pairing,
}

/// The listener for progress. It is called on any thread, and should return at once.
type Listener = Arc<dyn Fn(Stage, u64) + Send + Sync>;

/// A piece of work as its caller sees it. Cheap to clone; [`Job::default`] is never cancelled and tells nobody anything.
#[derive(Clone, Default)]
pub struct Job {
    /// Ends it.
    pub cancel: Cancel,
    listener: Option<Listener>,
}

impl Job {
    /// A job whose progress is told to `listener`: how many steps of a stage were done since it was last told, on whatever thread
    /// does the work.
    pub fn new(listener: impl Fn(Stage, u64) + Send + Sync + 'static) -> Self {
        Job { cancel: Cancel::default(), listener: Some(Arc::new(listener)) }
    }

    /// The same job, ended by `cancel`.
    pub fn with_cancel(self, cancel: Cancel) -> Self {
        Job { cancel, ..self }
    }

    /// Tells that `steps` more steps are done.
    pub fn advance(&self, stage: Stage, steps: u64) {
        if let Some(listener) = &self.listener {
            listener(stage, steps);
        }
    }

    /// An error once the job was cancelled.
    pub fn check(&self) -> Result<(), Cancelled> {
        self.cancel.check()
    }
}

impl std::fmt::Debug for Job {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Job").field("cancel", &self.cancel).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU64;

    #[test]
    fn clones_of_a_job_are_cancelled_together_and_tell_one_listener() {
        let told = Arc::new(AtomicU64::new(0));
        let sum = told.clone();
        let job = Job::new(move |_, steps| _ = sum.fetch_add(steps, Ordering::Relaxed));
        let other = job.clone();
        job.advance(Stage::Reading, 2);
        other.advance(Stage::Checking, 3);
        assert_eq!(told.load(Ordering::Relaxed), 5);
        assert_eq!(other.check(), Ok(()));
        job.cancel.cancel();
        assert_eq!(other.check(), Err(Cancelled));
        assert_eq!(Job::default().check(), Ok(()));
    }
}
