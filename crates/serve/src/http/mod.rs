//! Requests and replies: what came, who it is from, and what is sent back.

pub mod body;
pub mod call;
pub mod guard;
pub mod once;
pub mod reply;
pub mod route;
