//! How much memory this process may have.

use std::fs;
use std::path::Path;

/// Bytes that may be used when nothing else is said: half of the machine's memory, or of what the process's control group is
/// granted, where the system tells it (Linux); 4 GB elsewhere.
pub fn half_of_it() -> u64 {
    let machine = fs::read_to_string("/proc/meminfo").ok().and_then(|info| of_machine(&info));
    let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let granted = of_groups(&groups, Path::new("/sys/fs/cgroup"));
    machine.into_iter().chain(granted).min().map_or(4_000_000_000, |bytes| bytes / 2)
}

fn of_machine(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kibibytes| kibibytes * 1024)
}

/// The least that the process's control groups, as `/proc/self/cgroup` names them, and those above them may have.
fn of_groups(groups: &str, mounted: &Path) -> Option<u64> {
    let limits = groups.lines().filter_map(|line| {
        let mut fields = line.splitn(3, ':');
        let (_, controllers, path) = (fields.next()?, fields.next()?, fields.next()?.trim_start_matches('/'));
        // Version 2 has one hierarchy and names no controllers; version 1 has one for each.
        let (root, file) = match controllers.split(',').find(|name| name.is_empty() || *name == "memory")? {
            "" => (mounted.to_owned(), "memory.max"),
            _ => (mounted.join("memory"), "memory.limit_in_bytes"),
        };
        let group = root.join(path);
        let above = group.ancestors().take_while(|folder| folder.starts_with(&root));
        // In a container the path is often that of the host, and only the root is mounted. `max` is no number and no limit.
        let read = |folder: &Path| fs::read_to_string(folder.join(file)).ok()?.trim().parse::<u64>().ok();
        above.filter_map(read).min()
    });
    limits.min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_that_a_control_group_or_one_above_it_is_granted_counts() {
        let mounted = tempfile::tempdir().unwrap();
        let write = |path: &str, limit: &str| {
            let path = mounted.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, limit).unwrap();
        };
        write("jobs/memory.max", "5000000\n");
        write("jobs/one/memory.max", "max\n");
        write("jobs/two/memory.max", "3000000\n");
        write("memory/old/memory.limit_in_bytes", "2000000\n");
        let limit = |groups: &str| of_groups(groups, mounted.path());
        assert_eq!(limit("0::/jobs/one\n"), Some(5_000_000));
        assert_eq!(limit("0::/jobs/two\n"), Some(3_000_000));
        assert_eq!(limit("0::/jobs/of/the/host\n"), Some(5_000_000));
        assert_eq!(limit("4:cpu,cpuacct:/old\n3:memory:/old\n"), Some(2_000_000));
        assert_eq!(limit("0::/\n"), None);
        assert_eq!(limit(""), None);
    }

    #[test]
    fn the_memory_of_the_machine_is_in_kibibytes() {
        assert_eq!(of_machine("MemFree: 1 kB\nMemTotal:       2048 kB\n"), Some(2 << 20));
        assert_eq!(of_machine("nothing"), None);
    }
}
