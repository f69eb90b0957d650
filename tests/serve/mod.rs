//! `copytrace serve`, driven as people and programs drive it.

mod again;
mod archives;
mod bodies;
mod corrections;
mod erasure;
mod fair;
mod first_minutes;
mod hostile;
mod keeping;
mod load;
mod naming;
mod office;
mod once;
mod onward;
#[cfg(target_os = "linux")]
mod pressure;
mod privacy;
mod records;
mod reports;
mod requests;
#[cfg(target_os = "linux")]
mod restricted;
mod roles;
mod running;
mod second_factor;
pub mod server;
mod sign_in;
