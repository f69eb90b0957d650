//! `copytrace serve`, driven as people and programs drive it.

mod again;
mod archives;
mod bodies;
pub mod browser;
mod campus;
mod corrections;
mod day;
mod desk;
mod erasure;
mod export;
mod fair;
mod first_minutes;
mod harvests;
mod hostile;
pub mod institution;
mod interface;
mod invitations;
mod keeping;
pub mod learning_platform;
pub mod letters;
mod lists;
mod load;
mod naming;
mod office;
mod once;
mod onward;
pub mod postman;
#[cfg(target_os = "linux")]
mod pressure;
mod privacy;
mod promises;
pub mod provider;
mod records;
mod reports;
mod requests;
#[cfg(target_os = "linux")]
mod restricted;
mod reviewers;
mod roles;
mod running;
mod same_count;
mod second_factor;
pub mod server;
mod sharing;
mod sign_in;
mod webhooks;
