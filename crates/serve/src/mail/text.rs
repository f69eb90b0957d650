//! What letters say. They name no title, no student and no ratio: whoever reads somebody's mail learns that there is something to read.

use super::notices::News;
use super::outbox::Letter;
use crate::app::App;
use crate::people::Person;
use copytrace_messages::{Language, Tell, message};

/// A letter's subject and text. `link` is where it leads, `news` what a digest tells.
pub fn of(
    app: &App,
    kind: Letter,
    person: &Person,
    language: Language,
    link: &str,
    news: &[(News, i64)],
) -> (String, String) {
    let number = person.number.as_deref().unwrap_or_default();
    let (subject, text) = match kind {
        Letter::Invitation => {
            (message!("letter-invitation-subject"), message!("letter-invitation", number = number, link = link))
        }
        Letter::Reset => (message!("letter-reset-subject"), message!("letter-reset", number = number, link = link)),
        Letter::Digest => {
            let lines: Vec<String> = news.iter().map(|(news, count)| line(*news, *count, language)).collect();
            (message!("letter-digest-subject"), message!("letter-digest", news = lines.join("\n"), link = link))
        }
    };
    let greeting = message!("letter-greeting", name = person.label()).tell(language);
    let signature = if app.institution.is_empty() { String::new() } else { format!("\n-- \n{}\n", app.institution) };
    (subject.tell(language), format!("{greeting}\n\n{}\n{signature}", text.tell(language)))
}

fn line(news: News, count: i64, language: Language) -> String {
    let message = match news {
        News::Report => message!("news-report", count = count),
        News::Verdict => message!("news-verdict", count = count),
        News::ToJudge => message!("news-to-judge", count = count),
        News::Objection => message!("news-objection", count = count),
        News::Asked => message!("news-asked", count = count),
        News::Answered => message!("news-answered", count = count),
    };
    format!("- {}", message.tell(language))
}
