//! What a process that reads a hostile file gives up before it opens it: all files but that one (Landlock), all calls of the system
//! but those that reading takes (seccomp), and memory and time beyond a bound (rlimits).

use copytrace::formats::input::ReadLimits;
#[cfg(unix)]
use rustix::process::Signal;
#[cfg(target_os = "linux")]
use rustix::process::{Resource, Rlimit, getrlimit, set_parent_process_death_signal, setrlimit};
use std::io;
use std::path::Path;
use std::process::ExitStatus;

/// Bytes of memory.
pub const MEMORY: u64 = 1_500 << 20;
/// Seconds of the processor.
pub const SECONDS: u64 = 60;

/// Restricts this process, for good, to reading the file at `path`. What the kernel does not know is left out; memory and
/// time are always bounded.
///
/// # Errors
/// When the kernel knows a restriction and refuses it.
#[cfg(target_os = "linux")]
pub fn restrict(path: &Path) -> io::Result<()> {
    // Nobody wants what it reads once the worker is gone.
    set_parent_process_death_signal(Some(Signal::KILL))?;
    let bounds = [
        (Resource::As, MEMORY),
        (Resource::Cpu, SECONDS),
        (Resource::Core, 0),
        (Resource::Fsize, 0),
        (Resource::Nofile, 64),
        // No process or thread besides this one.
        (Resource::Nproc, 0),
    ];
    bound(&bounds)?;
    files([(path, landlock::AccessFs::ReadFile.into())]).map_err(io::Error::other)?;
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

/// What the programs for OCR are made of, as systems install them.
#[cfg(target_os = "linux")]
const INSTALLED: [&str; 10] = [
    "/bin",
    "/etc",
    "/lib",
    "/lib64",
    "/nix/store",
    "/opt",
    "/proc",
    "/sys/devices/system/cpu",
    "/usr",
    "/var/cache/fontconfig",
];

/// Restricts this process, and the programs that it runs for OCR, for good, to reading the file at `path` and what is installed, and to
/// writing below `temporary`. It may call the system as any program does.
///
/// # Errors
/// When the kernel knows a restriction and refuses it.
#[cfg(target_os = "linux")]
pub fn restrict_with_programs(path: &Path, temporary: &Path, limits: &ReadLimits) -> io::Result<()> {
    use landlock::{Access, AccessFs};
    set_parent_process_death_signal(Some(Signal::KILL))?;
    let bounds = [
        (Resource::As, MEMORY),
        (Resource::Cpu, limits.ocr_time.as_secs()),
        (Resource::Core, 0),
        (Resource::Fsize, limits.file_bytes),
    ];
    bound(&bounds)?;
    let reading = AccessFs::ReadFile | AccessFs::ReadDir | AccessFs::Execute;
    let installed = INSTALLED.iter().map(|folder| (Path::new(*folder), reading));
    let own = [
        (path, AccessFs::ReadFile.into()),
        (temporary, AccessFs::from_all(NEWEST)),
        (Path::new("/dev/null"), AccessFs::ReadFile | AccessFs::WriteFile),
    ];
    files(installed.chain(own)).map_err(io::Error::other)
}

/// Where there is nothing of the kind only the bounds of the library's readers hold.
///
/// # Errors
/// Never.
#[cfg(not(target_os = "linux"))]
pub fn restrict_with_programs(_path: &Path, _temporary: &Path, _limits: &ReadLimits) -> io::Result<()> {
    Ok(())
}

/// Whether a process was ended because its time of the processor was over.
pub fn was_out_of_time(status: ExitStatus) -> bool {
    #[cfg(unix)]
    return std::os::unix::process::ExitStatusExt::signal(&status) == Some(Signal::XCPU.as_raw());
    #[cfg(not(unix))]
    {
        let _ = status;
        false
    }
}

/// Bounds what this process takes, and each that it starts.
#[cfg(target_os = "linux")]
fn bound(bounds: &[(Resource, u64)]) -> io::Result<()> {
    for (resource, most) in bounds {
        // Told that its time is over a process ends; killed for it, it could not be told from one that another killed.
        let hard = if *resource == Resource::Cpu { most + 1 } else { *most };
        // Nobody but root may have more than before.
        let maximum = getrlimit(*resource).maximum.map_or(hard, |before| before.min(hard));
        setrlimit(*resource, Rlimit { current: Some(maximum.min(*most)), maximum: Some(maximum) })?;
    }
    Ok(())
}

/// The newest level of Landlock that is known here.
#[cfg(target_os = "linux")]
const NEWEST: landlock::ABI = landlock::ABI::V9;

/// Leaves these files and folders, each for what stands beside it, nothing to be connected to, and no other process to be signalled: all
/// that the newest level of Landlock knows which this kernel has.
#[cfg(target_os = "linux")]
fn files<'p>(
    left: impl IntoIterator<Item = (&'p Path, landlock::BitFlags<landlock::AccessFs>)>,
) -> Result<(), landlock::RulesetError> {
    use landlock::{
        Access, AccessFs, AccessNet, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
        RulesetCreatedAttr, Scope,
    };
    let mut ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(NEWEST))?
        .handle_access(AccessNet::from_all(NEWEST))?
        .scope(Scope::from_all(NEWEST))?
        .create()?;
    for (path, access) in left {
        // What is not there is told of by whoever reads it.
        if let Ok(file) = PathFd::new(path) {
            ruleset = ruleset.add_rule(PathBeneath::new(file, access))?;
        }
    }
    ruleset.restrict_self().map(drop)
}

/// Leaves the calls that reading a file takes, in the C library's older and newer ways. Every other one is answered as if the kernel
/// did not know it (`ENOSYS`): libraries have another way for that, and code that would use threads goes on with this one.
#[cfg(target_os = "linux")]
fn calls() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    use seccompiler::{
        BpfProgram, SeccompAction, SeccompCmpArgLen as Length, SeccompCmpOp as Is, SeccompCondition, SeccompFilter,
        SeccompRule, TargetArch,
    };
    let allowed = [
        libc::SYS_read,
        libc::SYS_write,
        libc::SYS_close,
        libc::SYS_lseek,
        libc::SYS_statx,
        libc::SYS_fstat,
        libc::SYS_newfstatat,
        // The real path of a LaTeX file.
        libc::SYS_readlinkat,
        #[cfg(target_arch = "x86_64")]
        libc::SYS_readlink,
        libc::SYS_brk,
        libc::SYS_munmap,
        libc::SYS_mremap,
        libc::SYS_madvise,
        // Hash maps are seeded, and readers are timed.
        libc::SYS_getrandom,
        libc::SYS_clock_gettime,
        libc::SYS_futex,
        // The handler that notices a full stack, and the end.
        libc::SYS_rt_sigaction,
        libc::SYS_rt_sigprocmask,
        libc::SYS_rt_sigreturn,
        libc::SYS_sigaltstack,
        libc::SYS_getpid,
        libc::SYS_gettid,
        libc::SYS_exit,
        libc::SYS_exit_group,
    ];
    let only_if = |argument, is, value| {
        SeccompRule::new(vec![SeccompCondition::new(argument, Length::Dword, is, value)?]).map(|rule| vec![rule])
    };
    let none_of = |argument, flags: i32| only_if(argument, Is::MaskedEq(flags as u64), 0);
    let in_part = [
        (libc::SYS_openat, none_of(2, libc::O_ACCMODE | libc::O_CREAT | libc::O_TRUNC)?),
        (libc::SYS_mmap, none_of(2, libc::PROT_EXEC)?),
        (libc::SYS_mprotect, none_of(2, libc::PROT_EXEC)?),
        // Debug builds look whether what they close is open. Other uses could send signals.
        (libc::SYS_fcntl, only_if(1, Is::Eq, libc::F_GETFD as u64)?),
        // It may end itself.
        (libc::SYS_tgkill, only_if(0, Is::Eq, std::process::id().into())?),
    ];
    let rules = allowed.into_iter().map(|call| (call, Vec::new())).chain(in_part).collect();
    let unknown = SeccompAction::Errno(libc::ENOSYS as u32);
    let architecture = TargetArch::try_from(std::env::consts::ARCH)?;
    let filter: BpfProgram = SeccompFilter::new(rules, unknown, SeccompAction::Allow, architecture)?.try_into()?;
    Ok(seccompiler::apply_filter_all_threads(&filter)?)
}

/// What a process that reads a file is not kept from, where the kernel has this level of Landlock: level 1 keeps it from all other
/// files (Linux 5.13).
pub fn lacks(level: i64) -> Option<&'static str> {
    (level < 1).then_some("this kernel has no Landlock: the process that reads a file could read others")
}

/// The level of Landlock that the kernel has; less than 1 if it has none.
#[cfg(target_os = "linux")]
pub fn level() -> i64 {
    // The call that asks for the version changes nothing. It is not in the C library.
    const ASK_VERSION: libc::c_ulong = 1;
    let nothing = std::ptr::null::<libc::c_void>();
    // SAFETY: with this flag the call takes a null pointer and a size of 0, and touches no memory.
    #[allow(unsafe_code)]
    unsafe {
        libc::syscall(libc::SYS_landlock_create_ruleset, nothing, 0usize, ASK_VERSION)
    }
}

/// Other systems keep nobody from anything.
#[cfg(not(target_os = "linux"))]
pub fn level() -> i64 {
    0
}
