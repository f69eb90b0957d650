//! Every engine against brute force, and stored tables against damage.

use proptest::prelude::*;

use super::*;

/// Fingerprints as they come in practice: some spread out, some in clusters a few bits apart, some repeated.
pub(super) fn clustered_fingerprints(most: usize) -> impl Strategy<Value = Vec<u64>> {
    let one = (0u64..6, prop::collection::vec(0u32..64, 0..9), any::<u64>(), 0u8..4);
    prop::collection::vec(one, 0..most).prop_map(|parts| {
        parts
            .into_iter()
            .map(|(cluster, bits, spread, kind)| match kind {
                0 => spread,
                _ => bits.iter().fold(cluster.wrapping_mul(0x9e37_79b9_7f4a_7c15), |word, bit| word ^ 1 << bit),
            })
            .collect()
    })
}

const ENGINES: [Engine; 7] = [
    Engine::Auto,
    Engine::Scan,
    Engine::Blocks,
    Engine::MultiIndex,
    Engine::Permuted,
    Engine::Compressed,
    Engine::CompressedHuffman,
];

/// Every engine with its own choice of tables, and the designs that only a caller would choose.
fn all_tables(fingerprints: &[u64], k: u8) -> Vec<FingerprintTable> {
    let mut tables: Vec<FingerprintTable> =
        ENGINES.map(|engine| FingerprintTable::build(fingerprints, k, engine).unwrap()).into();
    for design in permuted::designs(k, fingerprints.len()) {
        for engine in [Engine::Permuted, Engine::Compressed] {
            tables.push(FingerprintTable::build_design(fingerprints, engine, &design).unwrap());
        }
    }
    // Designs for many more fingerprints than there are: wide directories, radii, unequal parts.
    for count in [1 << 12, 1 << 18] {
        let design = multi_index::design(k, count);
        tables.push(FingerprintTable::build_design(fingerprints, Engine::MultiIndex, &design).unwrap());
    }
    for parts in [1, 3, 4] {
        let design = multi_index::equal_parts(k, parts, fingerprints.len());
        tables.push(FingerprintTable::build_design(fingerprints, Engine::MultiIndex, &design).unwrap());
    }
    tables
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn every_engine_finds_what_brute_force_finds(
        fingerprints in clustered_fingerprints(300), others in clustered_fingerprints(6), k in 0u8..=7,
    ) {
        let queries = others.iter().chain(fingerprints.iter().take(6));
        let tables = all_tables(&fingerprints, k);
        for &query in queries {
            for asked in [k, k / 2] {
                let expected = FingerprintTable::brute_force(&fingerprints, query, asked);
                for table in &tables {
                    let found = table.find(query, asked).unwrap();
                    prop_assert_eq!(&found, &expected, "{} {} asked {}", table.engine(), table.describe(), asked);
                }
            }
        }
    }

    #[test]
    fn many_queries_at_once_find_what_each_finds_alone(
        fingerprints in clustered_fingerprints(100), queries in clustered_fingerprints(200), k in 0u8..=7,
    ) {
        for engine in [Engine::Scan, Engine::MultiIndex, Engine::Compressed] {
            let table = FingerprintTable::build(&fingerprints, k, engine).unwrap();
            let mut found = vec![Vec::new(); queries.len()];
            let mut order = Vec::new();
            table
                .find_all(&queries, k, |position, hits| {
                    order.push(position);
                    found[position] = hits.to_vec();
                    Ok::<(), Error>(())
                })
                .unwrap();
            prop_assert!(order.is_sorted());
            for (query, found) in queries.iter().zip(found) {
                prop_assert_eq!(found, FingerprintTable::brute_force(&fingerprints, *query, k));
            }
        }
    }

    #[test]
    fn changed_bytes_are_an_error_and_never_a_panic(
        fingerprints in clustered_fingerprints(100),
        k in 0u8..=4,
        engine in 1usize..7,
        place in any::<prop::sample::Index>(),
        value in 1u8..,
    ) {
        let mut bytes = FingerprintTable::build(&fingerprints, k, ENGINES[engine]).unwrap().bytes().to_vec();
        let place = place.index(bytes.len());
        bytes[place] ^= value;
        prop_assert!(FingerprintTable::open(&bytes[..]).is_err());
        if let Ok(table) = FingerprintTable::open_trusting(&bytes[..]) {
            for &query in fingerprints.iter().take(5) {
                let _ = table.find(query, table.distance());
            }
        }
    }
}

#[test]
fn many_equal_fingerprints_and_large_groups_are_found_by_every_engine() {
    // 3,000 fingerprints that agree in their upper 40 bits: groups large enough to be narrowed by binary search.
    let mut fingerprints: Vec<u64> =
        (0..3000u64).map(|i| 0xabcd_ef01_2300_0000 | i.wrapping_mul(2_654_435_761) & 0xff_ffff).collect();
    fingerprints.extend([0xabcd_ef01_2345_6789; 700]);
    for table in all_tables(&fingerprints, 3) {
        for query in [fingerprints[17], 0xabcd_ef01_2345_6789 ^ 0b101, 0xabcd_ef01_2345_6789 ^ 1 << 63] {
            let expected = FingerprintTable::brute_force(&fingerprints, query, 3);
            assert_eq!(table.find(query, 3).unwrap(), expected, "{}", table.describe());
        }
    }
}

#[test]
fn no_fingerprints_and_one_are_possible_for_every_engine() {
    for k in 0..=Engine::MAX_DISTANCE {
        for engine in ENGINES {
            let none = FingerprintTable::build(&[], k, engine).unwrap();
            assert!(none.is_empty());
            assert_eq!(none.find(5, k).unwrap(), []);
            let one = FingerprintTable::build(&[4], k, engine).unwrap();
            assert_eq!(one.find(5, k).unwrap().len(), usize::from(k > 0));
            assert_eq!(one.find(4, 0).unwrap(), [Hit { row: 0, distance: 0 }]);
        }
    }
}

#[test]
fn a_table_is_asked_from_bytes_that_are_only_borrowed_and_not_aligned() {
    let fingerprints: Vec<u64> = (0..5000u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
    for engine in ENGINES {
        let mut shifted = vec![0];
        shifted = FingerprintTable::write(&fingerprints, 3, engine, shifted).unwrap();
        let table = FingerprintTable::open(&shifted[1..]).unwrap();
        assert_eq!((table.len(), table.distance()), (5000, 3));
        assert_eq!(
            table.find(fingerprints[77] ^ 0b11, 3).unwrap(),
            FingerprintTable::brute_force(&fingerprints, fingerprints[77] ^ 0b11, 3)
        );
    }
}

#[test]
fn a_table_built_in_parts_is_right_and_does_not_depend_on_the_number_of_threads() {
    let fingerprints: Vec<u64> = (0..1_200_000u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
    for engine in [Engine::Blocks, Engine::Permuted] {
        let built = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| FingerprintTable::build(&fingerprints, 1, engine).unwrap())
        };
        let table = built(1);
        assert!(table.bytes() == built(3).bytes());
        for row in [0, 77, 600_000, 1_199_999] {
            let query = fingerprints[row] ^ 1 << (row % 64);
            assert_eq!(table.find(query, 1).unwrap(), FingerprintTable::brute_force(&fingerprints, query, 1));
        }
    }
}

#[test]
fn foreign_cut_off_and_newer_bytes_are_named_errors() {
    let table = FingerprintTable::build(&[1, 2, 3], 3, Engine::Blocks).unwrap();
    let bytes = table.bytes();
    assert!(matches!(FingerprintTable::open(&b""[..]), Err(Error::Foreign)));
    assert!(matches!(FingerprintTable::open(&b"PK\x03\x04 something else"[..]), Err(Error::Foreign)));
    for length in 8..bytes.len() {
        assert!(FingerprintTable::open(&bytes[..length]).is_err(), "cut at {length}");
    }
    let mut longer = bytes.to_vec();
    longer.push(0);
    assert!(matches!(FingerprintTable::open(&longer[..]), Err(Error::Damaged { .. })));
    let mut newer = bytes.to_vec();
    newer[8] = 2;
    assert!(matches!(FingerprintTable::open(&newer[..]), Err(Error::Version { found: 2 })));
}

#[test]
fn distances_out_of_range_are_named_errors() {
    assert!(matches!(FingerprintTable::build(&[1], 8, Engine::Auto), Err(Error::DistanceOutOfRange { k: 8 })));
    let table = FingerprintTable::build(&[1], 3, Engine::Blocks).unwrap();
    let error = table.find(1, 4).unwrap_err();
    assert_eq!(error.to_string(), "a Hamming distance of 4 bits was asked of a table built for 3");
}
