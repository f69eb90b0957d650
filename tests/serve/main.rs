//! `copytrace serve`, driven as people and programs drive it. Servers and workers are killed as Unix kills.

#![cfg(unix)]

#[path = "../browser/accessibility.rs"]
mod accessibility;
#[path = "../browser/driver.rs"]
#[allow(dead_code)] // the tests of reports use the rest
mod driver;
mod durability;
mod face;
mod first_minutes;
mod hostile;
mod keeping;
mod load;
mod office;
mod privacy;
#[path = "../program/mod.rs"]
mod program;
mod requests;
mod roles;
mod server;
