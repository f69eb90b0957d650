//! Figures for those who watch a server, in the text format of OpenMetrics: how long requests and jobs take, and how many wait.
//! They name routes and kinds, and nobody.

use crate::fault::Fault;
use crate::queue::State;
use prometheus_client::encoding::text;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};
use std::time::Duration;

/// The type of what [`Figures::tell`] gives.
pub const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Bounds of requests in seconds. Those that `make serve-load` and `make serve-hostile` hold replies to are among them: .1, .2 and 1.
const OF_REQUESTS: [f64; 11] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.5, 1.0, 5.0, 20.0, 60.0];

/// Bounds of jobs in seconds, with the 120 to which `make serve-load` holds reports. Jobs note whole seconds.
const OF_JOBS: [f64; 10] = [1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0, 900.0, 3600.0];

/// The labels of a figure, with their names.
type Labels<const N: usize> = [(&'static str, String); N];

type Times<const N: usize> = Family<Labels<N>, Histogram, fn() -> Histogram>;

/// What is counted while the server runs, and what is read from the database when it is asked for.
#[derive(Debug)]
pub struct Figures {
    registry: Registry,
    requests: Times<3>,
    whole: Times<2>,
    work: Times<2>,
    jobs: Family<Labels<1>, Gauge>,
    put_off: Family<Labels<1>, Gauge>,
    audit_rows: Gauge,
    free: Gauge,
}

/// What is read when figures are asked for.
#[derive(Debug, Default)]
pub struct Now {
    /// How many jobs there are in each state.
    pub jobs: Vec<(State, i64)>,
    /// How many removals, and how many other jobs, were put off.
    pub put_off: (i64, i64),
    /// Rows of the audit log.
    pub audit_rows: i64,
    /// Bytes that are free on the disk.
    pub free: u64,
}

/// When a job was queued, begun and ended, in seconds since 1970 (UTC).
#[derive(Debug, Clone, Copy)]
pub struct Lived {
    /// Queued.
    pub made: i64,
    /// Begun, for the last time.
    pub started: i64,
    /// Ended.
    pub ended: i64,
}

impl Default for Figures {
    fn default() -> Self {
        let mut registry = Registry::with_prefix("copytrace");
        let requests = Times::new_with_constructor(|| Histogram::new(OF_REQUESTS));
        let help = "From the head of a request to its reply, with what is uploaded";
        registry.register_with_unit("request", help, Unit::Seconds, requests.clone());
        let of_jobs: fn() -> Histogram = || Histogram::new(OF_JOBS);
        let (whole, work) = (Times::new_with_constructor(of_jobs), Times::new_with_constructor(of_jobs));
        registry.register_with_unit("job", "From when a job was queued to its end", Unit::Seconds, whole.clone());
        let help = "From when a worker took a job, for the last time, to its end";
        registry.register_with_unit("job_work", help, Unit::Seconds, work.clone());
        let (jobs, put_off, audit_rows, free) =
            (Family::default(), Family::default(), Gauge::default(), Gauge::default());
        registry.register("jobs", "Jobs by their state", jobs.clone());
        registry.register("put_off", "Jobs that could not be done yet and are tried again", put_off.clone());
        registry.register("audit_rows", "Rows of the audit log", audit_rows.clone());
        registry.register_with_unit("disk_free", "Free on the disk of the data folder", Unit::Bytes, free.clone());
        Figures { registry, requests, whole, work, jobs, put_off, audit_rows, free }
    }
}

impl Figures {
    /// Counts a request that was answered; its route has braces in the place of what varies.
    pub fn answered(&self, method: &str, route: &'static str, status: u16, took: Duration) {
        let of = [("method", method.to_owned()), ("route", route.to_owned()), ("status", status.to_string())];
        self.requests.get_or_create(&of).observe(took.as_secs_f64());
    }

    /// Counts a job that has ended.
    pub fn ended(&self, kind: &str, state: State, times: Lived) {
        let of = [("kind", kind.to_owned()), ("state", state.as_str().to_owned())];
        // A clock may have been put right in between.
        let seconds = |since: i64| (times.ended - since).max(0) as f64;
        self.whole.get_or_create(&of).observe(seconds(times.made));
        self.work.get_or_create(&of).observe(seconds(times.started));
    }

    /// All figures.
    ///
    /// # Errors
    /// Never: they are written into memory.
    pub fn tell(&self, now: &Now) -> Result<String, Fault> {
        for state in State::ALL {
            let count = now.jobs.iter().find(|(known, _)| known == state).map_or(0, |(_, count)| *count);
            self.jobs.get_or_create(&[("state", state.as_str().to_owned())]).set(count);
        }
        for (kind, count) in [("removal", now.put_off.0), ("other", now.put_off.1)] {
            self.put_off.get_or_create(&[("kind", kind.to_owned())]).set(count);
        }
        self.audit_rows.set(now.audit_rows);
        self.free.set(i64::try_from(now.free).unwrap_or(i64::MAX));
        let mut told = String::new();
        text::encode(&mut told, &self.registry).map_err(|error| Fault::Failed(error.to_string()))?;
        Ok(told)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_and_jobs_are_counted_by_how_long_they_took() {
        let figures = Figures::default();
        for milliseconds in [3, 150, 900] {
            figures.answered("GET", "/rounds/{id}", 200, Duration::from_millis(milliseconds));
        }
        figures.ended("check", State::Done, Lived { made: 100, started: 103, ended: 104 });
        // By a clock that went back.
        figures.ended("check", State::Done, Lived { made: 100, started: 100, ended: 90 });
        let now = Now { jobs: vec![(State::Queued, 7)], put_off: (1, 2), audit_rows: 5, free: 123 };
        let told = figures.tell(&now).unwrap();
        for line in [
            "copytrace_request_seconds_bucket{le=\"0.1\",method=\"GET\",route=\"/rounds/{id}\",status=\"200\"} 1",
            "copytrace_request_seconds_bucket{le=\"0.2\",method=\"GET\",route=\"/rounds/{id}\",status=\"200\"} 2",
            "copytrace_request_seconds_count{method=\"GET\",route=\"/rounds/{id}\",status=\"200\"} 3",
            "copytrace_job_seconds_sum{kind=\"check\",state=\"done\"} 4.0",
            "copytrace_job_work_seconds_sum{kind=\"check\",state=\"done\"} 1.0",
            "copytrace_jobs{state=\"queued\"} 7",
            "copytrace_jobs{state=\"running\"} 0",
            "copytrace_put_off{kind=\"removal\"} 1",
            "copytrace_audit_rows 5",
            "copytrace_disk_free_bytes 123",
        ] {
            assert!(told.lines().any(|told| told == line), "{line}: {told}");
        }
        assert!(told.ends_with("# EOF\n"));
    }
}
