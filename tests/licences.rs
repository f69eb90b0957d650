//! Every dependency has a licence that `deny.toml` allows, as `cargo deny check licenses` would tell.

use std::process::Command;

/// Whether an SPDX expression can be satisfied by allowed licences: one side of each OR, both sides of each AND.
fn satisfied(expression: &str, allowed: &[String]) -> bool {
    let expression = expression.replace('/', " OR ").replace(['(', ')'], " ");
    // AND binds closer than OR, but `(A OR B) AND C` is how crates write it: each AND part is a choice.
    expression.split(" AND ").all(|part| part.split(" OR ").any(|licence| allowed.iter().any(|a| a == licence.trim())))
}

#[test]
fn every_dependency_has_a_licence_that_is_allowed() {
    let deny = std::fs::read_to_string("deny.toml").unwrap();
    let list = deny.split("allow = [").nth(1).unwrap().split(']').next().unwrap();
    let allowed: Vec<String> = list.split(',').map(|l| l.trim().trim_matches('"').to_owned()).collect();
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked"])
        .output()
        .expect("cargo runs, for it runs this test");
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    assert!(packages.len() > 50);
    let refused: Vec<String> = packages
        .iter()
        .filter(|p| !p["license"].as_str().is_some_and(|licence| satisfied(licence, &allowed)))
        .map(|p| format!("{} {}", p["name"], p["license"]))
        .collect();
    assert!(refused.is_empty(), "{refused:?}");
}
