//! Addresses inside the network, which a server out there must not make us ask: the metadata of a cloud, a router, a colleague's desk.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use ureq::config::Config;
use ureq::http::Uri;
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::NextTimeout;

/// Looks names up, and refuses those that stand for an address inside. The connection goes to the address that was looked at, so a
/// name that stands for another one a moment later gains nothing.
#[derive(Debug, Default)]
pub struct OutsideOnly(DefaultResolver);

/// What [`OutsideOnly`] refuses with.
#[derive(Debug, thiserror::Error)]
#[error("an address inside the network")]
pub struct IsInside;

impl Resolver for OutsideOnly {
    fn resolve(&self, uri: &Uri, config: &Config, timeout: NextTimeout) -> Result<ResolvedSocketAddrs, ureq::Error> {
        let found = self.0.resolve(uri, config, timeout)?;
        match found.iter().any(|address| is_inside(address.ip())) {
            true => Err(ureq::Error::Io(std::io::Error::other(IsInside))),
            false => Ok(found),
        }
    }
}

/// Whether an address is none of the public internet.
pub fn is_inside(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_inside_v4(address),
        IpAddr::V6(address) => {
            let [first, second, third, ..] = address.segments();
            let [.., a, b, c, d] = address.octets();
            let embedded = match (first, second) {
                // An IPv4 address translated (RFC 6052), or in a 6to4 one.
                (0x64, 0xff9b) => Some(Ipv4Addr::new(a, b, c, d)),
                (0x2002, _) => Some(Ipv4Addr::from((u32::from(second) << 16) | u32::from(third))),
                _ => address.to_ipv4_mapped(),
            };
            embedded.map_or_else(|| is_inside_v6(address), is_inside_v4)
        }
    }
}

fn is_inside_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let shared = a == 100 && (64..128).contains(&b);
    let benchmarking = a == 198 && matches!(b, 18 | 19);
    address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_multicast()
        || address.is_documentation()
        || (shared || benchmarking || a == 0 || a >= 240 || (a, b, c) == (192, 0, 0))
}

fn is_inside_v6(address: Ipv6Addr) -> bool {
    let first = address.segments()[0];
    // Only 2000::/3 was ever given out.
    first & 0xe000 != 0x2000
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_inside_are_told_in_all_their_forms() {
        for inside in [
            "127.0.0.1",
            "10.1.2.3",
            "172.16.0.1",
            "192.168.1.1",
            "169.254.169.254",
            "0.0.0.0",
            "100.64.0.1",
            "198.18.0.1",
            "224.0.0.1",
            "255.255.255.255",
            "::1",
            "::",
            "fe80::1",
            "fd00::1",
            "ff02::1",
            "::ffff:10.0.0.1",
            "64:ff9b::7f00:1",
            "2002:7f00:1::",
        ] {
            assert!(is_inside(inside.parse().unwrap()), "{inside}");
        }
        for outside in
            ["8.8.8.8", "172.32.0.1", "100.128.0.1", "2001:4860:4860::8888", "::ffff:8.8.8.8", "2002:808:808::"]
        {
            assert!(!is_inside(outside.parse().unwrap()), "{outside}");
        }
    }
}
