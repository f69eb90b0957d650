//! The program's own messages in Chinese: those of `check`, `verify-report` and of keeping an index. What is not here is said in
//! English, as are the messages of the argument parser.

use copytrace::report::sentences::Sentences;

/// English patterns and their Chinese, as [`copytrace::report::sentences`] reads them.
pub const SENTENCES: &Sentences = &[
    ("error", "错误"),
    ("notice", "提示"),
    // Progress.
    ("left", "剩余"),
    ("reading the corpus", "读取对比库"),
    ("checking submissions", "检测"),
    ("comparing submissions", "相互比较"),
    ("adding documents", "入库"),
    ("printing", "打印"),
    // What to compare with.
    ("the corpus holds no readable document", "对比库中没有可读的文本"),
    ("there is no submission to check", "没有可检测的文本"),
    (
        "a single submission needs something to be compared with: give --corpus PATH or --index DIR",
        "只有一篇送检文本，需要有可比较的文本：请用 --corpus 路径 或 --index 文件夹 指定",
    ),
    (
        "standard input is compared with a corpus: give --corpus PATH or --index DIR",
        "标准输入须与对比库比较：请用 --corpus 路径 或 --index 文件夹 指定",
    ),
    ("the filters leave none of the {} documents to compare with", "筛选条件排除了全部 {} 篇文本，没有可比较的"),
    (
        "none of the {} documents that --since, --until or --max-age would choose from has a date; give dates with --manifest \
         (column date), or keep the corpus in an index",
        "{} 篇文本都没有日期，无法用 --since、--until、--max-age 筛选；请用 --manifest 给出日期（date 或 日期 列），或将对比库存为索引",
    ),
    (
        "the filter on dates left out {} of {} documents, which have no date",
        "日期筛选略去了没有日期的 {} 篇（共 {} 篇）",
    ),
    (
        "there is no such document to compare with (--own-work, --exclude)",
        "对比库中没有此文本（--own-work、--exclude）",
    ),
    ("in the manifest, but there is no such document", "清单中有此行，但没有相应的文件"),
    (
        "this row of the manifest stands for a submission and for a document of the corpus; give one of them another name",
        "清单中的此行既对应送检文本，又对应对比库中的文本，请将其中之一改名",
    ),
    ("not a manifest", "不是清单"),
    ("none of its columns is called path (or 文件名); it has", "没有名为 文件名（或 path）的列；现有的列"),
    ("row {} has more cells than there are columns", "第 {} 行的单元格多于列数"),
    ("row {} names no path", "第 {} 行没有文件名"),
    ("it names the path {} twice", "文件名 {} 出现两次"),
    ("the workbook has no sheet", "工作簿中没有工作表"),
    ("the template {}", "模板 {}"),
    (
        "1 pair of submissions was not compared: each is aligned with a limited number of others",
        "有 1 对送检文本未作比较：每篇只与有限的篇数对照",
    ),
    (
        "{} pairs of submissions were not compared: each is aligned with a limited number of others",
        "有 {} 对送检文本未作比较：每篇只与有限的篇数对照",
    ),
    ("1 LaTeX file was read as a part of another", "1 个 LaTeX 文件作为另一文件的一部分读入"),
    ("{} LaTeX files were read as parts of others", "{} 个 LaTeX 文件作为其他文件的一部分读入"),
    ("{} and {} more", "{} 等，另有 {} 个"),
    // Where the report goes.
    ("lies in {}, which is read; give a folder outside (-o)", "位于要读取的 {} 之内，请用 -o 指定其外的文件夹"),
    (
        "holds the report of an earlier check; --overwrite replaces it, -o names another folder",
        "其中已有一份报告；--overwrite 可将其替换，-o 可另指定文件夹",
    ),
    (
        "holds other files than a report; a report needs a folder of its own",
        "其中有报告以外的文件；报告需要单独的文件夹",
    ),
    ("the earlier report was kept, because no submission could be checked", "没有一篇能检测，保留了原有的报告"),
    // Printing.
    (
        "no PDF file was written: Chromium is not installed (Debian: apt-get install chromium; looked for {})",
        "未写出 PDF：没有安装 Chromium（Debian：apt-get install chromium；查找过 {}）",
    ),
    (
        "this process is root's, so Chromium prints the pages without its sandbox",
        "当前用户为 root，Chromium 在无沙箱的情况下打印",
    ),
    ("not printed within {} seconds", "{} 秒内未能打印"),
    // Reports.
    ("cannot be read", "无法读取"),
    ("neither a page nor a JSON file of a report of this version", "不是本版本报告的网页或 JSON 文件"),
    ("not a page of a report", "不是报告的网页"),
    ("not a page of a report of this version", "不是本版本报告的网页"),
    ("it is not the page of one submission", "不是某一篇送检文本的网页"),
    (
        "the page's script is not the program's, so it may show other figures than it holds",
        "网页中的脚本不是本程序的，显示的数字可能与所载的不同",
    ),
    ("its number is {}, but what it tells has the number {}", "报告编号为 {}，而按其内容计算应为 {}"),
    ("its figures are not those of its passages", "各比例与其中的相似段落不符"),
    ("its figure is not that of its passages", "占比与其中的相似段落不符"),
    ("a passage lies outside the text or has no source", "有段落超出正文，或没有来源"),
    (
        "--submission is checked anew: give --corpus or --index too",
        "重新检测 --submission 还需指定 --corpus 或 --index",
    ),
    ("it is the report on another file than {} (SHA-256)", "不是 {} 的报告（SHA-256 不同）"),
    (
        "it was checked against another state of the corpus: of documents there were {} (last addition {}), and are {} now (last \
         addition {})",
        "检测时的对比库与现在不同：当时 {} 篇（最近更新 {}），现有 {} 篇（最近更新 {}）",
    ),
    ("unknown", "未知"),
    (
        "checked anew it has the number {} and the ratio {}, not {} and {}; were the options the same?",
        "重新检测得编号 {}、总相似比 {}，而非 {}、{}；所用选项是否相同？",
    ),
    (
        "report {} agrees with itself: {}, computed anew from its passages",
        "报告 {} 前后一致：按其中的段落重新计算，总相似比为 {}",
    ),
    ("report {} is what a new check of {} gives: {}", "报告 {} 与重新检测 {} 的结果相同：总相似比 {}"),
    // Indexes.
    ("not an index (make one with `copytrace index create`)", "不是索引（用 `copytrace index create` 建立）"),
    ("is there already", "已经存在"),
    ("being changed by another process ({}); try again when it is done", "另一进程（{}）正在修改，请稍后再试"),
    ("damaged ({}); `copytrace index verify` tells more", "已损坏（{}）；详情见 `copytrace index verify`"),
    ("the index was made with other settings: {}", "索引是用其他参数建立的：{}"),
    ("there is no such document in the index", "索引中没有此文本"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use copytrace::report::sentences::in_chinese;

    #[test]
    fn no_sentence_is_hidden_by_another_and_all_have_as_many_places() {
        for (english, chinese) in SENTENCES {
            assert_eq!(english.matches("{}").count(), chinese.matches("{}").count(), "{english}");
            let said = in_chinese(&english.replace("{}", "7"), SENTENCES).into_owned();
            assert_eq!(said, chinese.replace("{}", "7"), "{english}");
        }
    }
}
