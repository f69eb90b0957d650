//! Every word of the service's pages, in each of their languages.

use copytrace::report::messages::Language;
use copytrace::report::sentences::Sentences;

macro_rules! words {
    ($($name:ident: $english:literal, $chinese:literal;)*) => {
        /// The words of one language, by what they are for.
        #[derive(Debug)]
        #[allow(missing_docs)] // the English words beside the names say what they are for
        pub struct Words { pub of: Language, $(pub $name: &'static str,)* }
        static ENGLISH: Words = Words { of: Language::English, $($name: $english,)* };
        static CHINESE: Words = Words { of: Language::Chinese, $($name: $chinese,)* };

        #[cfg(test)]
        const PAIRS: &[(&str, &str, &str)] = &[$((stringify!($name), $english, $chinese)),*];
    };
}

impl Words {
    /// The words of a language.
    pub fn of(language: Language) -> &'static Words {
        match language {
            Language::English => &ENGLISH,
            Language::Chinese => &CHINESE,
        }
    }

    /// What a word of the database or of a form is called: `supervisor`, `queued`, `pass` and the like.
    pub fn word(&self, word: &str) -> &'static str {
        match word {
            "administrator" => self.administrator,
            "supervisor" => self.supervisor,
            "student" => self.student,
            "auditor" => self.auditor,
            "queued" => self.queued,
            "running" => self.running,
            "done" => self.done,
            "failed" => self.failed,
            "cancelled" => self.cancelled,
            "pass" => self.pass,
            "revise" => self.revise,
            "fail" => self.fail,
            "self" => self.kind_self,
            "draft" => self.kind_draft,
            "final" => self.kind_final,
            "never" => self.sees_never,
            "ratio" => self.sees_ratio,
            "after_verdict" => self.sees_after_verdict,
            "at_once" => self.sees_at_once,
            _ => self.unknown,
        }
    }
}

words! {
    language: "en", "zh-CN";
    other_language: "中文", "English";
    other_code: "zh", "en";
    product: "copytrace", "copytrace 文本比对";
    internal: "Something failed here. The server's log has the reason; nothing was lost.", "服务器内部出错，原因已记入日志，数据没有丢失。";
    unknown: "–", "–";
    colon: ": ", "：";
    in_progress: "in progress", "处理中";
    finished: "finished", "已完成";
    skip: "Skip to the content", "跳到正文";
    main_menu: "Main menu", "主菜单";
    overview: "Overview", "总览";
    rounds: "Rounds", "批次";
    people: "People", "人员";
    collections: "Collections", "对比库";
    audit: "Audit log", "审计日志";
    account: "My account", "我的账户";
    sign_in: "Sign in", "登录";
    sign_out: "Sign out", "退出";
    number: "Number", "学工号";
    name: "Name", "姓名";
    password: "Password", "密码";
    new_password: "New password (at least 10 characters)", "新密码（至少 10 个字符）";
    choose_password: "Choose a password", "设置密码";
    welcome: "Welcome", "欢迎";
    save: "Save", "保存";
    back: "Back", "返回";
    error: "That did not work", "操作未完成";
    administrator: "administrator", "管理员";
    supervisor: "supervisor", "导师";
    student: "student", "学生";
    auditor: "auditor", "审计员";
    queued: "waiting", "排队中";
    running: "checking", "检测中";
    done: "checked", "已检测";
    failed: "could not be checked", "无法检测";
    cancelled: "cancelled", "已取消";
    pass: "pass", "通过";
    revise: "revise", "修改";
    fail: "fail", "不通过";
    kind_self: "practice check", "自检";
    kind_draft: "draft", "初稿";
    kind_final: "final version", "终稿";
    sees_never: "nothing", "不显示";
    sees_ratio: "the ratio", "仅比例";
    sees_after_verdict: "the report, after the verdict", "评定后显示报告";
    sees_at_once: "the report, at once", "立即显示报告";
    look_first: "Look at these first", "请先查看";
    look_first_none: "Nothing waits for you: no submission without a verdict is above its round's limit or has flags.", "暂无待处理：没有超过阈值、含异常标记且尚未评定的论文。";
    no_rounds: "There is no round yet.", "尚无批次。";
    no_rounds_admin: "There is no round yet. Create a collection of reference documents first, then a round.", "尚无批次。请先建立对比库，再建立批次。";
    no_rounds_student: "You are in no round yet. Your college enrols you.", "您尚未加入任何批次，由学院统一添加。";
    new_round: "New round", "新建批次";
    title: "Title", "名称";
    unit: "Unit", "单位";
    opens: "Opens", "开始";
    closes: "Closes", "截止";
    open_now: "open", "开放中";
    not_open: "closed", "未开放";
    quota: "Checks for each student", "每生检测次数";
    interval_hours: "Hours between two checks", "两次检测间隔（小时）";
    self_checks: "Practice checks for each student", "每生自检次数";
    limit: "Highlight from (%)", "提示阈值（%）";
    student_sees: "Students see", "学生可见";
    anonymous: "Supervisors see no names before the verdict", "评定前对导师匿名";
    among: "Compare final versions with each other", "终稿之间互相比对";
    keep_days: "Delete submissions … days after closing (empty: never)", "截止后自动删除的天数（留空不删除）";
    previous: "Also compare with finals of", "上一批次（其终稿也参与比对）";
    none: "none", "无";
    compared_with: "Compared with", "对比范围";
    create: "Create", "建立";
    submissions: "Submissions", "论文";
    no_submissions: "Nothing has been handed in yet.", "尚无论文提交。";
    ratio: "Overall similarity", "相似比";
    decided_ratio: "Ratio after review", "复核后相似比";
    passages: "Passages", "相似段落";
    signs: "Flags", "异常标记";
    state: "State", "状态";
    verdict: "Verdict", "评定";
    no_verdict: "none yet", "未评定";
    received: "Received", "提交时间";
    kind: "Kind", "类型";
    attempt: "No.", "序号";
    file: "File", "文件";
    upload: "Upload", "上传";
    upload_own: "Hand in", "提交论文";
    upload_for: "Upload for a student", "代学生上传";
    upload_batch: "Upload many in a zip archive", "批量上传（zip）";
    batch_hint: "File names begin with the student's number, as in 2022010101_张三_题目.docx. What matches no student is shown before anything is checked.", "文件名以学号开头，如 2022010101_张三_题目.docx。未匹配的文件会先列出，确认后才开始检测。";
    batch: "Files of the archive", "压缩包中的文件";
    batch_start: "Check those that match", "检测已匹配的文件";
    batch_none: "No file matches a student of the round.", "没有文件与本批次学生匹配。";
    matched_student: "Student", "对应学生";
    no_match: "no student of the round", "未匹配到学生";
    left_checks: "Checks left", "剩余次数";
    left_self: "Practice checks left", "剩余自检次数";
    enrol: "Enrol students", "添加学生";
    enrol_hint: "A CSV file or workbook with the columns number,name,role,unit,supervisor; without a role it is a student.", "CSV 或 XLSX 文件，列为 学号,姓名,角色,学院,导师工号（或 number,name,role,unit,supervisor）；未填角色的按学生处理。";
    students: "Students", "学生";
    templates: "Templates", "模板";
    templates_hint: "Template text is not counted: the university's form, the assignment.", "模板中的文字不计入相似比，如学校声明、任务书。";
    sheet: "Result sheet", "结果汇总表";
    report: "Report", "报告";
    open_report: "Open the report", "打开报告";
    not_shown: "Your college shows the report later, or not at all.", "学院将稍后公布报告，或不公布。";
    figures: "Figures", "比例";
    later: "Later submissions that share text with this one", "之后提交、与本文有相似内容的论文";
    sources: "Sources", "来源";
    no_sources: "No passage of this text stands in the collections.", "本文没有与对比库相同的段落。";
    characters: "characters", "字符";
    exclude: "Leave out", "不计入";
    exclude_source: "Leave a source or passage out", "排除来源或段落";
    whole_source: "the whole source", "整个来源";
    passage: "Passage", "段落";
    reason: "Reason", "理由";
    decisions: "Decisions", "认定记录";
    no_decisions: "Nothing was left out.", "没有排除任何内容。";
    revoke: "Revoke", "撤销";
    revoked: "revoked", "已撤销";
    comment: "Comment", "评语";
    give_verdict: "Give the verdict", "提交评定";
    deposit: "Deposit", "入库";
    deposit_hint: "After the defence: later submissions are compared with it.", "答辩后入库，以后的论文将与其比对。";
    deposited: "Deposited", "已入库";
    cancel: "Cancel the check", "取消检测";
    erase: "Erase", "清除";
    erase_hint: "File, report, index entry and every quotation of it in other reports are removed for good.", "文件、报告、索引以及其他报告中的引文将被永久删除。";
    waiting: "The check is under way. This page updates automatically; without JavaScript, reload it.", "检测正在进行，本页会自动更新；若禁用脚本请手动刷新。";
    before: "before it in the queue", "排在前面";
    import: "Import", "导入";
    import_hint: "A CSV file or workbook with the columns number,name,role,unit,supervisor. Roles are administrator, supervisor, student, auditor.", "CSV 或 XLSX 文件，列为 学工号,姓名,角色,学院,导师工号（或 number,name,role,unit,supervisor）；角色为 管理员、导师、学生、审计员。";
    roles: "Roles", "角色";
    invite: "New sign-in link", "生成登录链接";
    invite_made: "This link is good once, for three days. Hand it to the person; it is not shown again.", "该链接三天内有效，仅可使用一次，请转交本人；此后不再显示。";
    more: "More", "更多";
    new_collection: "New collection", "新建对比库";
    wording: "Who may read its wording", "谁可查看原文";
    wording_everyone: "everyone", "所有人";
    wording_staff: "staff only", "仅教职工";
    documents: "Documents", "文档数";
    no_collections: "There is no collection yet. Create one, then fill it with reference documents.", "尚无对比库。请先建立，再添加文献。";
    fill_upload: "Add files, or zip archives of them", "添加文件或 zip 压缩包";
    fill_folder: "Add a folder of the server", "添加服务器上的文件夹";
    folder: "Folder", "文件夹";
    search: "Find documents by name", "按名称查找文档";
    find: "Find", "查找";
    remove: "Remove", "移除";
    jobs: "Activity", "处理记录";
    unreadable: "could not be read", "无法读取";
    added: "added", "已添加";
    sessions: "Signed-in browsers", "已登录的浏览器";
    this_one: "this one", "当前";
    end: "End", "结束";
    tokens: "Tokens for programs", "程序令牌";
    token_made: "The new token; it is not shown again.", "新令牌，此后不再显示。";
    scopes: "Scopes", "权限范围";
    label: "Label", "标签";
    expires: "Expires", "到期";
    old_password: "Old password", "原密码";
    change_password: "Change the password", "修改密码";
    chain_whole: "The chain is whole. Its rows:", "日志链完整，行数：";
    chain_broken: "The chain is broken. The first row that is not as it was written:", "日志链已损坏，首个被改动的行：";
    chain_head: "Latest hash, record it elsewhere:", "最新摘要值（请另行记录）：";
    at: "When", "时间";
    who: "Who", "操作者";
    action: "Action", "操作";
    object: "Object", "对象";
    done_count: "Done", "已处理";
    limit_short: "Limit", "阈值";
    called: "Name", "名称";
    times: "Times are those of the server:", "时间以服务器时区为准：";
    change_round: "Change the round", "修改批次";
    change_hint: "Reports that are there stay as they are.", "已有报告不受影响。";
    among_short: "the round's other final versions", "本批次其他终稿";
    next_check: "Next check from", "下次检测时间";
    without_final: "without a final version", "未交终稿";
    no_students: "Nobody is in this round yet. Enrol students from a list.", "本批次尚无学生，请导入名单。";
    extra_checks: "Extra checks", "增加次数";
    deposit_all: "Deposit all finals that have passed", "将已通过的终稿全部入库";
    units: "Units", "单位";
    new_unit: "New unit", "新建单位";
    code: "Unit code", "单位代码";
    part_of: "Part of", "上级单位";
    change: "Edit", "编辑";
    find_people: "Find people by number or name", "按学工号或姓名查找";
    no_people: "Nobody has such a number or name.", "没有匹配的人员。";
    not_let_in: "shut out", "已停用";
    let_in: "Let in again", "恢复使用";
    shut_out: "Shut out", "停用";
    take_role: "Take the role away", "取消角色";
    remove_ticked: "Remove those ticked", "移除所选文档";
    closed_source: "Source not shown", "不公开来源";
    measures: "A program measures similarity. Whether something is plagiarism, only a person decides.", "程序只度量相似度；是否构成抄袭，只能由人判断。";
    demo: "This is the demo: its people and texts were made up.", "这是演示：人物与文本均为虚构。";
}

/// Why work failed, where it is the service that says so.
pub static SENTENCES: &Sentences = &[
    ("reading or checking it ended its process three times", "读取或检测时进程三次异常终止"),
    ("the server died each time it was checked", "每次检测时服务器均异常终止"),
    ("the round's collections hold no document", "本批次的对比库中没有文档"),
    ("the process that read it died", "读取它的进程异常终止"),
    ("the reader cannot be run: {}", "无法运行读取程序：{}"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_there_in_both_languages() {
        for (name, english, chinese) in PAIRS {
            assert!(!english.is_empty() && !chinese.is_empty(), "{name}");
        }
        assert_eq!(Words::of(Language::Chinese).word("pass"), "通过");
    }
}
