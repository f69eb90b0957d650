//! How much time the processor worked on something, which does not grow with what else the machine does.
//!
//! Linux tells it of a thread and of another process. Elsewhere the clock stands in for that of a thread, and that of a process
//! is not known: there a program is only ended by the clock, after the long time that [`super::program`] grants any program.

use std::time::Duration;

/// The time that the processor worked on this thread so far; of interest are differences.
#[cfg(target_os = "linux")]
pub(super) fn of_this_thread() -> Duration {
    use rustix::time::{ClockId, clock_gettime};
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.try_into().unwrap_or(0), time.tv_nsec.try_into().unwrap_or(0))
}

/// The time since this was first asked for.
#[cfg(not(target_os = "linux"))]
pub(super) fn of_this_thread() -> Duration {
    use std::sync::OnceLock;
    use std::time::Instant;
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}

/// The time that the processor worked on a process, and on those that it started and saw end; `None` if it is not known.
#[cfg(target_os = "linux")]
pub(super) fn of_process(id: u32) -> Option<Duration> {
    in_line(&std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?)
}

#[cfg(not(target_os = "linux"))]
pub(super) fn of_process(_: u32) -> Option<Duration> {
    None
}

/// The sum of the fields 14 to 17 of `/proc/…/stat` (proc(5)): a process and its children, in their own code and in the system's.
#[cfg(target_os = "linux")]
fn in_line(line: &str) -> Option<Duration> {
    // The second field is the program's name in brackets, which may hold blanks and brackets; the next one is the third.
    let (_, fields) = line.rsplit_once(')')?;
    let times = fields.split_ascii_whitespace().skip(11).take(4);
    let ticks = times.map(|field| field.parse::<u64>().ok()).sum::<Option<u64>>()?;
    Some(Duration::from_secs_f64(ticks as f64 / rustix::param::clock_ticks_per_second().max(1) as f64))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn the_times_of_a_process_and_its_children_are_summed_whatever_its_name() {
        let line = "7 (a) b (c) S 1 7 7 0 -1 4194560 120 0 0 0 150 50 75 25 20 0 1 0 100 1000 10";
        let ticks = rustix::param::clock_ticks_per_second() as f64;
        assert_eq!(in_line(line), Some(Duration::from_secs_f64(300.0 / ticks)));
        assert_eq!(in_line("broken"), None);
    }

    #[test]
    fn a_thread_that_sleeps_takes_no_processor_time() {
        let start = of_this_thread();
        std::thread::sleep(Duration::from_millis(60));
        assert!(of_this_thread() - start < Duration::from_millis(30));
    }
}
