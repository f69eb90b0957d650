//! What deeds come to, as programs are told it: pages and the programming interface do the same, and differ in what they say of it.

use crate::fault::Fault;
use crate::http::call::Call;
use crate::http::reply::Reply;
use crate::store::Transaction;
use axum::http::header;
use serde::Serialize;
use utoipa::ToSchema;

/// What a deed came to. With what status it is told, the table of routes says.
pub trait Outcome: Serialize {
    /// Whether it is a secret, which no reply tells twice.
    const IS_SECRET: bool = false;

    /// Where programs find what was made.
    fn place(&self) -> Option<String> {
        None
    }
}

impl Outcome for () {}

/// Something was made, and has this id.
#[derive(Serialize, ToSchema)]
pub struct Made {
    /// Its id.
    pub id: String,
}

impl Outcome for Made {}

/// Something was made that has this number.
#[derive(Serialize, ToSchema)]
pub struct Numbered {
    /// Its number.
    pub id: i64,
}

impl Outcome for Numbered {}

/// How many it was done to.
#[derive(Serialize, ToSchema)]
pub struct Count {
    /// How many.
    pub count: usize,
}

impl Outcome for Count {}

impl Call {
    /// The reply that tells a program what a deed came to.
    pub fn told<T: Outcome>(&self, done: &T) -> Reply {
        let reply = match self.route.described.as_ref().map_or(200, |described| described.status) {
            204 => Reply::bytes("application/json", Vec::new()).status(204),
            status => Reply::json(done).status(status),
        };
        let reply = done.place().into_iter().fold(reply, |reply, place| reply.with(header::LOCATION, place));
        if T::IS_SECRET { reply.secret() } else { reply }
    }

    /// Does work in one transaction, together with the reply to a program that asks for it to be done once: it is kept with what it
    /// tells of, or neither is. Every deed that changes something goes through here.
    ///
    /// # Errors
    /// Those of the work, and of the database.
    pub fn does<T: Outcome>(&self, work: impl FnOnce(&Transaction<'_>) -> Result<T, Fault>) -> Result<T, Fault> {
        self.app.write(|t| {
            let done = work(t)?;
            if let Some(key) = &self.key {
                key.keep(t, &self.told(&done))?;
            }
            Ok(done)
        })
    }

    /// The same work, which puts jobs into the queue.
    ///
    /// # Errors
    /// Those of the work, and of the database.
    pub fn queues<T: Outcome>(&self, work: impl FnOnce(&Transaction<'_>) -> Result<T, Fault>) -> Result<T, Fault> {
        let done = self.does(work)?;
        self.app.pool.wake();
        Ok(done)
    }
}
