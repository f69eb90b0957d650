//! The pages, a file per subject: each shows what is there and does what its forms ask for. They work without script.

pub mod account;
pub mod again;
pub mod audit;
pub mod batch;
pub mod collections;
pub mod desk;
pub mod enrolment;
pub mod files;
pub mod forms;
pub mod harvests;
pub mod health;
pub mod invitations;
pub mod layout;
pub mod letters;
pub mod lists;
pub mod lti;
mod overview;
pub mod people;
pub mod platforms;
pub mod progress;
pub mod protection;
mod record;
pub mod report;
mod report_sheet;
pub mod review;
pub mod round;
pub mod round_form;
pub mod sharing;
pub mod sheet;
pub mod sign_in;
pub mod start;
pub mod submission;
pub mod units;
pub mod webhooks;
pub mod words;

use crate::fault::Fault;
use crate::http::call::Call;
use crate::http::reply::Reply;
use words::Words;

impl Call {
    /// The words of the caller's language.
    pub fn words(&self) -> &'static Words {
        Words::of(self.language)
    }

    /// Leads a browser to a place of the service: `{id}` in it is the path's.
    ///
    /// # Errors
    /// When it names what the path does not have.
    pub fn leads_to(&self, place: &str) -> Result<Reply, Fault> {
        Ok(Reply::to(match place.split_once("{id}") {
            Some((before, after)) => format!("{before}{}{after}", self.part("id")?),
            None => place.to_owned(),
        }))
    }
}
