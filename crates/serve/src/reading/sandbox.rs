//! What a process that reads a hostile file gives up before it opens it: all files but that one (Landlock), sockets, other
//! programs and processes (seccomp), and memory and time beyond a bound (rlimits).

use std::io;
use std::path::Path;

/// Bytes of memory.
pub const MEMORY: u64 = 1_500 << 20;
/// Seconds of the processor.
pub const SECONDS: u64 = 60;
/// Processes and threads. The kernel counts all of the user, so this leaves room for the server and its other readers.
pub const PROCESSES: u64 = 4096;

/// Restricts this process, for good, to reading the file at `path`. What the kernel does not know is left out; memory and
/// time are always bounded.
///
/// # Errors
/// When the kernel knows a restriction and refuses it.
#[cfg(target_os = "linux")]
pub fn restrict(path: &Path) -> io::Result<()> {
    use rustix::process::{Resource, Rlimit, Signal, getrlimit, set_parent_process_death_signal, setrlimit};
    // Nobody wants what it reads once the worker is gone.
    set_parent_process_death_signal(Some(Signal::KILL))?;
    let limits = [
        (Resource::As, MEMORY),
        (Resource::Cpu, SECONDS),
        (Resource::Core, 0),
        (Resource::Fsize, 0),
        (Resource::Nofile, 64),
        (Resource::Nproc, PROCESSES),
    ];
    for (resource, most) in limits {
        // Nobody but root may have more than before.
        let most = getrlimit(resource).maximum.map_or(most, |before| before.min(most));
        setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) })?;
    }
    files(path).map_err(io::Error::other)?;
    calls().map_err(io::Error::other)
}

/// Where there is nothing of the kind only the bounds of the library's readers hold.
///
/// # Errors
/// Never.
#[cfg(not(target_os = "linux"))]
pub fn restrict(_path: &Path) -> io::Result<()> {
    Ok(())
}

/// Leaves one file to be read, and nothing to be written or run.
#[cfg(target_os = "linux")]
fn files(path: &Path) -> Result<(), landlock::RulesetError> {
    use landlock::{
        ABI, Access, AccessFs, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr, RulesetCreatedAttr,
    };
    let ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(ABI::V5))?
        .create()?;
    let ruleset = match PathFd::new(path) {
        Ok(file) => ruleset.add_rule(PathBeneath::new(file, AccessFs::ReadFile))?,
        // A file that is not there is told of by whoever reads it.
        Err(_) => ruleset,
    };
    ruleset.restrict_self().map(drop)
}

/// Leaves no call that reaches another process, the network, another program or the rights of a file; threads remain.
#[cfg(target_os = "linux")]
fn calls() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    use seccompiler::{
        BpfProgram, SeccompAction, SeccompCmpArgLen as Length, SeccompCmpOp as Is, SeccompCondition, SeccompFilter,
        SeccompRule, TargetArch,
    };
    let refused = [
        libc::SYS_socket,
        libc::SYS_socketpair,
        libc::SYS_connect,
        libc::SYS_bind,
        libc::SYS_listen,
        libc::SYS_accept,
        libc::SYS_accept4,
        libc::SYS_execve,
        libc::SYS_execveat,
        libc::SYS_ptrace,
        libc::SYS_process_vm_readv,
        libc::SYS_process_vm_writev,
        libc::SYS_kill,
        libc::SYS_tkill,
        libc::SYS_rt_sigqueueinfo,
        libc::SYS_rt_tgsigqueueinfo,
        libc::SYS_pidfd_send_signal,
        libc::SYS_fchmod,
        libc::SYS_fchmodat,
        libc::SYS_fchown,
        libc::SYS_fchownat,
        #[cfg(target_arch = "x86_64")]
        libc::SYS_chmod,
        #[cfg(target_arch = "x86_64")]
        libc::SYS_chown,
        libc::SYS_mount,
        libc::SYS_umount2,
        libc::SYS_unshare,
        libc::SYS_setns,
        libc::SYS_bpf,
        libc::SYS_perf_event_open,
        libc::SYS_keyctl,
        libc::SYS_add_key,
        libc::SYS_request_key,
        libc::SYS_io_uring_setup,
        libc::SYS_userfaultfd,
        libc::SYS_memfd_create,
        libc::SYS_shmget,
        libc::SYS_pidfd_open,
        libc::SYS_open_by_handle_at,
        #[cfg(target_arch = "x86_64")]
        libc::SYS_fork,
        #[cfg(target_arch = "x86_64")]
        libc::SYS_vfork,
    ];
    let only_if = |argument, length, is, value| {
        SeccompRule::new(vec![SeccompCondition::new(argument, length, is, value)?]).map(|rule| vec![rule])
    };
    let thread = libc::CLONE_THREAD as u64;
    let in_part = [
        (libc::SYS_clone, only_if(0, Length::Qword, Is::MaskedEq(thread), 0)?),
        // Its own limits a process may ask for.
        (libc::SYS_prlimit64, only_if(0, Length::Dword, Is::Ne, 0)?),
        (libc::SYS_tgkill, only_if(0, Length::Dword, Is::Ne, std::process::id().into())?),
    ];
    let rules = refused.into_iter().map(|call| (call, Vec::new())).chain(in_part).collect();
    // A filter cannot see what this call is asked for. Without it the C library makes threads by the older one.
    let newer = std::iter::once((libc::SYS_clone3, Vec::new())).collect();
    let architecture = TargetArch::try_from(std::env::consts::ARCH)?;
    for (rules, error) in [(rules, libc::EPERM), (newer, libc::ENOSYS)] {
        let refuse = SeccompAction::Errno(error as u32);
        let filter: BpfProgram = SeccompFilter::new(rules, SeccompAction::Allow, refuse, architecture)?.try_into()?;
        seccompiler::apply_filter_all_threads(&filter)?;
    }
    Ok(())
}

/// Whether the kernel keeps a process from other files (Landlock, Linux 5.13).
#[cfg(target_os = "linux")]
pub fn keeps_files() -> bool {
    // The call that asks for the version changes nothing. It is not in the C library.
    const ASK_VERSION: libc::c_ulong = 1;
    let nothing = std::ptr::null::<libc::c_void>();
    // SAFETY: with this flag the call takes a null pointer and a size of 0, and touches no memory.
    #[allow(unsafe_code)]
    let version = unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, nothing, 0usize, ASK_VERSION) };
    version > 0
}

/// Other systems keep nobody from anything.
#[cfg(not(target_os = "linux"))]
pub fn keeps_files() -> bool {
    false
}
