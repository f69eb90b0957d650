//! What deeds come to, as programs are told it: pages and the programming interface do the same, and differ in what they say of it.

use crate::fault::Fault;
use crate::http::call::Call;
use crate::http::reply::Reply;
use crate::store::Transaction;
use serde::Serialize;
use utoipa::ToSchema;

/// What a deed came to.
pub trait Outcome: Serialize {
    /// The status of a reply that tells it.
    const STATUS: u16;
    /// Whether it is a secret, which no reply tells twice.
    const IS_SECRET: bool = false;
}

impl Outcome for () {
    const STATUS: u16 = 204;
}

/// Something was made, and has this id.
#[derive(Serialize, ToSchema)]
pub struct Made {
    /// Its id.
    pub id: String,
}

impl Outcome for Made {
    const STATUS: u16 = 201;
}

/// Something was made that has this number.
#[derive(Serialize, ToSchema)]
pub struct Numbered {
    /// Its number.
    pub id: i64,
}

impl Outcome for Numbered {
    const STATUS: u16 = 201;
}

/// It was done to so many.
#[derive(Serialize, ToSchema)]
pub struct Count {
    /// How many.
    pub count: usize,
}

impl Outcome for Count {
    const STATUS: u16 = 200;
}

/// The reply that tells it to a program.
pub fn told<T: Outcome>(done: &T) -> Reply {
    let reply = match T::STATUS {
        204 => Reply::bytes("application/json", Vec::new()),
        _ => Reply::json(done),
    };
    let reply = reply.status(T::STATUS);
    if T::IS_SECRET { reply.secret() } else { reply }
}

impl Call {
    /// Does work in one transaction, together with the reply to a program that asks for it to be done once.
    ///
    /// # Errors
    /// Those of the work, and of the database.
    pub fn does<T: Outcome>(&self, work: impl FnOnce(&Transaction<'_>) -> Result<T, Fault>) -> Result<T, Fault> {
        self.app.write(|t| {
            let done = work(t)?;
            self.tell(t, told(&done))?;
            Ok(done)
        })
    }
}
