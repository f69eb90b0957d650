//! Files and pages of the web, asked for politely and read warily.

mod client;
pub(crate) mod inside;
pub(crate) mod media;
mod page;
mod robots;

pub use client::WebSettings;
pub(crate) use client::{Answer, Client, Manners};
pub(crate) use page::{asks_who_one_is, file_named};
