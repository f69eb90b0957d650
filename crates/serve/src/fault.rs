//! Why a request is not done: a status, a stable code, and a sentence for people in each language.

use copytrace::report::messages::Language;

/// A reason that a person or a program can do something about.
#[derive(Debug, PartialEq, Eq)]
pub struct Refusal {
    /// A word that programs may rely on.
    pub code: &'static str,
    /// The HTTP status.
    pub status: u16,
    english: &'static str,
    chinese: &'static str,
}

impl Refusal {
    /// What is said to people.
    pub fn message(&self, language: Language) -> &'static str {
        match language {
            Language::English => self.english,
            Language::Chinese => self.chinese,
        }
    }
}

macro_rules! refusals {
    ($($name:ident $code:literal $status:literal: $english:literal, $chinese:literal;)*) => {
        $(#[doc = $english] pub static $name: Refusal =
            Refusal { code: $code, status: $status, english: $english, chinese: $chinese };)*
        /// All of them, for the description of the programming interface.
        pub static REFUSALS: &[&Refusal] = &[$(&$name),*];
    };
}

refusals! {
    BAD_REQUEST "bad_request" 400: "The request cannot be understood.", "无法理解该请求。";
    BAD_FIELD "bad_field" 422: "A field is missing or has a value that is not allowed.", "缺少字段，或字段的值不被允许。";
    NOT_SIGNED_IN "not_signed_in" 401: "Please sign in.", "请先登录。";
    WRONG_PASSWORD "wrong_password" 401: "Number or password is wrong.", "学工号或密码不正确。";
    LINK_USED "link_used" 410: "This link was used already, or its time is over. Ask an administrator for a new one.", "该链接已使用或已过期，请联系管理员重新获取。";
    WEAK_PASSWORD "weak_password" 422: "A password needs at least 10 characters, and must not be the number.", "密码至少 10 个字符，且不能与学工号相同。";
    NOT_ALLOWED "not_allowed" 403: "Your role does not allow this.", "您的角色无权执行此操作。";
    NOT_IN_SCOPE "not_in_scope" 403: "The token's scopes do not allow this.", "该令牌的权限范围不允许此操作。";
    CROSS_SITE "cross_site" 403: "The request came from another site.", "该请求来自其他网站，已拒绝。";
    WRONG_HOST "wrong_host" 421: "This server does not answer to that name.", "服务器不以该主机名提供服务。";
    NOT_FOUND "not_found" 404: "There is no such page, or you have no access.", "页面不存在，或您无权查看。";
    WRONG_METHOD "wrong_method" 405: "The address does not take this method.", "该地址不支持此方法。";
    CONFLICT "conflict" 409: "This is there already, or has changed meanwhile.", "该内容已存在，或已被更改。";
    ROUND_CLOSED "round_closed" 409: "The round is not open.", "该批次当前未开放。";
    NOT_ENROLLED "not_enrolled" 404: "This student is not in the round.", "该学生不在此批次中。";
    QUOTA_USED "quota_used" 409: "No checks are left in this round.", "本批次的检测次数已用完。";
    TOO_SOON "too_soon" 409: "The interval between two checks is not over yet.", "两次检测的间隔时间未到。";
    STILL_RUNNING "still_running" 409: "A check of this student is still under way.", "该学生尚有检测在进行中。";
    NOT_READY "not_ready" 409: "There is no report yet.", "尚无检测报告。";
    NOT_SHOWN "not_shown" 403: "This round does not show its reports to students, or not yet.", "本批次的报告不向学生开放，或尚未开放。";
    NOT_FINAL "not_final" 409: "Only a final version that has passed can be deposited.", "只有已通过的终稿才能入库。";
    WRONG_KIND "wrong_kind" 415: "Files of this kind cannot be checked: use .docx .pdf .odt .doc .rtf .txt .md .html .epub or .tex.", "不支持此类文件，请使用 .docx .pdf .odt .doc .rtf .txt .md .html .epub 或 .tex。";
    EMPTY_FILE "empty_file" 422: "The file is empty.", "文件为空。";
    TOO_LARGE "too_large" 413: "The file or the request is too large.", "文件或请求过大。";
    BAD_ARCHIVE "bad_archive" 422: "The archive is damaged, too large, or holds names that lead out of it.", "压缩包已损坏、过大，或含有越界的文件名。";
    TOO_SLOW "too_slow" 408: "The upload took too long.", "上传超时。";
    TOO_MANY "too_many" 429: "Too many attempts. Wait a minute.", "尝试次数过多，请稍候一分钟。";
    KEY_REUSED "key_reused" 422: "The Idempotency-Key was used for another request.", "该 Idempotency-Key 已用于其他请求。";
    NO_SPACE "no_space" 507: "The disk is nearly full, so nothing new is taken. Tell an administrator.", "磁盘空间不足，暂不接收新文件，请通知管理员。";
    BUSY "busy" 503: "The server is busy. Try again.", "服务器繁忙，请重试。";
}

/// Why a request is not done.
#[derive(Debug)]
pub enum Fault {
    /// For a reason that is told, with what it is about.
    Refused(&'static Refusal, String),
    /// Something failed that should not; the log has it.
    Failed(String),
}

impl From<&'static Refusal> for Fault {
    fn from(refusal: &'static Refusal) -> Self {
        Fault::Refused(refusal, String::new())
    }
}

macro_rules! failures {
    ($($error:ty),*) => { $(impl From<$error> for Fault {
        fn from(error: $error) -> Self {
            Fault::Failed(error.to_string())
        }
    })* };
}

failures!(serde_json::Error, copytrace::index::IndexError, rust_xlsxwriter::XlsxError);

impl From<rusqlite::Error> for Fault {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(rusqlite::ErrorCode::DiskFull) => (&NO_SPACE).into(),
            Some(rusqlite::ErrorCode::DatabaseBusy) => (&BUSY).into(),
            _ => Fault::Failed(error.to_string()),
        }
    }
}

impl From<std::io::Error> for Fault {
    fn from(error: std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::StorageFull => (&NO_SPACE).into(),
            _ => Fault::Failed(error.to_string()),
        }
    }
}

/// A refusal with what it is about.
pub fn refused<T>(refusal: &'static Refusal, about: impl Into<String>) -> Result<T, Fault> {
    Err(Fault::Refused(refusal, about.into()))
}
