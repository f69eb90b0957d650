//! What agrees in texts of which neither was copied is no evidence, and copied prose is, however it is dressed.

use crate::program::{Bench, Csv, check};

/// Prose of one author, and of another: they have no sentence in common.
const OURS: [&str; 2] = [
    "My grandmother baked with rye because wheat was rationed, and she kept the crusts in a tin under the stairs. Nobody in \
     our street owned a telephone, so the doctor came when a child was sent for him.",
    "本章先说明采样点如何布置，再讨论连续三年的观测数据。冬季风大，仪器多次被潮水冲走，所以记录有几处空缺，文中逐一标出。",
];
const THEIRS: [&str; 2] = [
    "Engineers who drain a valley rarely ask what the herons will eat. Twelve gauges were read each Monday by pupils of the \
     village school, whose teacher wrote the figures into a ruled ledger.",
    "推荐系统的冷启动问题一直困扰着小型平台。我们访谈了十二位店主，请他们描述顾客第一次进店时的行为，并据此设计了两组对照试验。",
];

/// How many passages count between two texts that have a stretch in common, in the prose of either language.
fn counted(first: &str, second: &str) -> usize {
    let bench = Bench::new();
    for (at, (ours, theirs)) in OURS.iter().zip(THEIRS).enumerate() {
        bench.write(format!("ours/{at}.txt"), format!("{ours}\n\n{first}\n\n{ours}"));
        bench.write(format!("theirs/{at}.txt"), format!("{theirs}\n\n{second}\n\n{theirs}"));
    }
    check(bench.path("ours"), bench.path("theirs"), bench.path("report")).args(["--format", "csv"]).assert().success();
    let passages = Csv::read(&bench.path("report/passages.csv"));
    passages.rows().iter().filter(|row| row["excluded"].is_empty()).count()
}

/// Stretches that theses have in common of which none was copied.
const HONEST: &[(&str, &str, &str)] = &[
    (
        "imports",
        "import numpy as np\nimport pandas as pd\nimport matplotlib.pyplot as plt\nimport seaborn as sns\n\
         from sklearn.model_selection import train_test_split\nfrom sklearn.metrics import accuracy_score",
        "",
    ),
    (
        "includes",
        "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <unistd.h>\n#include <sys/types.h>\n\
         #include <sys/socket.h>\n#include <netinet/in.h>",
        "",
    ),
    (
        "calls",
        "plt.figure(figsize=(10, 6))\nplt.plot(history.history['loss'], label='train')\nplt.xlabel('Epoch')\nplt.ylabel('Loss')\n\
         plt.legend()\nplt.show()",
        "",
    ),
    (
        "partners",
        "Our partners were Siemens AG, Deutsche Telekom AG, the University of Leeds, Delft University of Technology, Instituto \
         Superior Técnico, Fraunhofer Institute, and Nokia Bell Labs.",
        "Funding came through Siemens AG, Deutsche Telekom AG, the University of Leeds, Delft University of Technology, Instituto \
         Superior Técnico, Fraunhofer Institute, and Nokia Bell Labs.",
    ),
    (
        "universities",
        "问卷发给了清华大学、北京大学、浙江大学、上海交通大学、复旦大学、南京大学和武汉大学的新生。",
        "数据来自清华大学、北京大学、浙江大学、上海交通大学、复旦大学、南京大学和武汉大学的图书馆。",
    ),
    (
        "lives of one man",
        "Johann Sebastian Bach was born at Eisenach on 21 March 1685. An orphan at ten, he went to live with his brother in Ohrdruf. In \
         1703 he became organist in Arnstadt, in 1707 at Mühlhausen, where he married his cousin Maria Barbara; he moved to Weimar in \
         1708 and to Köthen in 1717. After her death he married Anna Magdalena Wilcke in 1721. From 1723 he served at Saint Thomas in \
         Leipzig, where he died on 28 July 1750.",
        "When Leipzig looked for a cantor at Saint Thomas in 1723, Johann Sebastian Bach was its third choice. Behind him lay Arnstadt \
         (1703), Mühlhausen (1707), Weimar (1708) and Köthen (1717), where Maria Barbara was buried and Anna Magdalena Wilcke, a \
         singer, came into his house in 1721. Eisenach saw his birth on 21 March 1685, Ohrdruf his schooling. Two operations blinded \
         him, and he died in Leipzig on 28 July 1750.",
    ),
    (
        "glosses",
        "框架的核心是控制反转(Inversion of Control，IoC)和面向切面编程(Aspect Oriented Programming，AOP)，易于测试。",
        "本系统采用了控制反转(Inversion of Control，IoC)和面向切面编程(Aspect Oriented Programming，AOP)两种思想。",
    ),
    (
        "laws",
        "平台须遵守《中华人民共和国网络安全法》《中华人民共和国数据安全法》《中华人民共和国个人信息保护法》，违者受罚。",
        "参见《中华人民共和国网络安全法》《中华人民共和国数据安全法》《中华人民共和国个人信息保护法》的条文。",
    ),
    (
        "what a program prints",
        "Deviance Residuals:\nMin 1Q Median 3Q Max\n-1.6539 -0.0508 0.4133 0.9736 2.5509\nCoefficients:\nEstimate Std. Error z value \
         Pr(>|z|)\n(Intercept) 1.1077 0.3339 3.318 0.0009\ndepth 0.6839 0.3319 2.061 0.0393\n(Dispersion parameter for binomial family \
         taken to be 1)\nNull deviance: 78.015 on 42 degrees of freedom\nResidual deviance: 44.053 on 36 degrees of freedom\nAIC: 140.52\n\
         Number of Fisher Scoring iterations: 4",
        "Deviance Residuals:\nMin 1Q Median 3Q Max\n-2.0381 -0.4057 0.0432 0.6116 2.2600\nCoefficients:\nEstimate Std. Error z value \
         Pr(>|z|)\n(Intercept) -3.828 0.0386 -99.15 0.0001\nincome 1.4364 0.3433 4.607 0.0004\n(Dispersion parameter for binomial family \
         taken to be 1)\nNull deviance: 277.19 on 228 degrees of freedom\nResidual deviance: 254.23 on 224 degrees of freedom\nAIC: 304.31\n\
         Number of Fisher Scoring iterations: 7",
    ),
    (
        "what is installed",
        "Platform: aarch64-apple-darwin20 (64-bit)\nRunning under: macOS Monterey 12.6\nMatrix products: default\nattached base packages:\n\
         [1] stats graphics grDevices utils datasets methods base\nother attached packages:\n[1] psych_2.2.9 GPArotation_2014.11\n\
         loaded via a namespace (and not attached):\n[1] compiler_4.2.1 tools_4.2.1 parallel_4.2.1 mnormt_2.1.1",
        "Platform: x86_64-pc-linux-gnu (64-bit)\nRunning under: Ubuntu 14.04\nMatrix products: default\nattached base packages:\n\
         [1] stats graphics grDevices utils datasets methods base\nother attached packages:\n[1] Epi_2.47 popEpi_0.4.10\n\
         loaded via a namespace (and not attached):\n[1] compiler_3.6.3 splines_3.6.3 zoo_1.8.12 lattice_0.20",
    ),
    (
        "a form",
        "婚姻状况：已婚；是否独生子女：否；政治面貌：群众；文化程度：高中；从事职业：教师；家庭人口：4；家庭月收入：6200元；住房建筑面积：\
         96平方米；每天上网时间：2小时；主要上网地点：家中；参加社区活动次数：3；对物业服务满意度：一般。",
        "婚姻状况：未婚；是否独生子女：是；政治面貌：团员；文化程度：小学；从事职业：渔民；家庭人口：6；家庭月收入：3800元；住房建筑面积：\
         140平方米；每天上网时间：1小时；主要上网地点：船上；参加社区活动次数：0；对物业服务满意度：很低。",
    ),
    (
        "a title in two languages",
        "The report “On the Formation of Salt Marshes and Tidal Flats along the Coasts of the German Bight” was read twice.",
        "文献“On the Formation of Salt Marshes and Tidal Flats along the Coasts of the German Bight”给出了另一种解释。",
    ),
    (
        "outlines",
        "The rest of this thesis is organised as follows: Chapter 2 introduces the background and related work. Chapter 3 presents the \
         design and implementation of the proposed system. Chapter 4 describes the experimental setup and evaluation. Chapter 5 \
         concludes the thesis and discusses future work.",
        "The rest of this dissertation is organised as follows: Chapter 2 introduces the background and related work; Chapter 3 presents \
         the design and implementation; Chapter 4 describes the experimental setup and the results; Chapter 5 concludes and discusses \
         future work.",
    ),
    (
        "outlines in Chinese",
        "本文的组织结构如下：第一章：绪论。介绍了课题的研究背景和意义。第二章：相关技术介绍。对系统开发过程中用到的主要技术进行了介绍。第三章：\
         系统需求分析。从功能需求和非功能需求两个方面对系统进行了分析。",
        "",
    ),
    (
        "thanks",
        "I would like to express my sincere gratitude to my supervisor, Dr Helen Marsh, for her guidance, patience and continuous support \
         throughout this project. I would also like to thank my family and friends for their encouragement.",
        "I would like to express my deepest gratitude to my supervisor, Professor Anne Kuhl, for her guidance, patience and support \
         throughout this research. I would also like to thank the members of my committee for their encouragement.",
    ),
    (
        "a title in a sentence that the other one has in its references",
        "For the interviews we followed Perceived usefulness, perceived ease of use, and user acceptance of information technology as it is.",
        "Davis, F. D. (1989). Perceived usefulness, perceived ease of use, and user acceptance of information technology. MIS Quarterly, \
         13(3), 319-340. Two scales of six questions each.",
    ),
    (
        "entries with what somebody says of them",
        "Fornell, C., & Larcker, D. F. (1981). Evaluating structural equation models with unobservable variables and measurement error. \
         Journal of Marketing Research, 18(1), 39-50. What every reviewer asks for.",
        "Fornell, C., & Larcker, D. F. (1981). Evaluating structural equation models with unobservable variables and measurement error. \
         Journal of Marketing Research, 18(1), 39-50. It has two tests.",
    ),
];

#[test]
fn names_titles_glosses_and_imports_are_no_evidence() {
    for (what, first, second) in HONEST {
        let second = if second.is_empty() { first } else { second };
        assert_eq!(counted(first, second), 0, "{what}");
    }
}

/// A program that somebody wrote.
const PROGRAM: &str = "def settle(samples, velocity, interval):\n    depth = [0.0] * len(samples)\n    for index, grain in enumerate(samples):\n\
    \x20       fall = velocity.of(grain) * interval\n        if grain.flocculates():\n            fall += cohesion(grain, depth[index - 1])\n\
    \x20       depth[index] = min(bed.height(index), fall)\n    trapped = sum(depth[marsh.first:marsh.last])\n    lost = drift.outflow(depth) - creek.inflow(depth)\n\
    \x20   ledger.write(tide.number, trapped, lost)\n    while lost > tolerance:\n        lost = drift.rebalance(lost, banks)\n\
    \x20       trapped -= erosion.of(lost) / season.length\n    for herring in shoal.members():\n        herring.swim(creek.current(tide), trapped)\n\
    \x20       if not herring.alive:\n            shoal.remove(herring)\n    chart.add(tide.height, trapped, colour=\"grey\")\n\
    \x20   archive.store(\"marsh\", chart, compress=True)\n    return trapped, lost, shoal.size()";

const SENTENCE: &str = "the grey tide leaves a thin layer of silt between the stems of the marsh twice a day and every spring \
    the reeds grow out of last year's mud while the herons wait along the channel for eels that never come";

#[test]
fn copied_programs_and_dressed_prose_count() {
    let capitals = |text: &str| -> String {
        let word = |word: &str| word[..1].to_uppercase() + &word[1..] + " ";
        text.split_whitespace().map(word).collect()
    };
    let code: String =
        SENTENCE.split(' ').collect::<Vec<_>>().chunks(6).map(|line| line.join(" ") + " = x();\n").collect();
    let page: String = (0..4).map(|at| SENTENCE.replace("the", ["the", "one", "that", "no"][at]) + " ").collect();
    let imports = "import ".to_owned() + &SENTENCE.replace(" the ", ";\nimport the ") + ";\n";
    // A figure after each third word.
    let broken = |text: &str| {
        let words = text.split(' ').enumerate().map(|(at, word)| match at % 3 {
            2 => format!("{word} {}.{at}\n", at * 7 + 3),
            _ => format!("{word} "),
        });
        words.collect::<String>()
    };
    let chapters: String =
        SENTENCE.split(' ').collect::<Vec<_>>().chunks(8).map(|words| words.join(" ") + " (see Chapter 3) ").collect();
    let han = "盐沼由两个方向填满，潮水从外面带来泥沙，河流从里面带来枯枝，芦苇把它们留在根间";
    let cases = [
        ("a program", PROGRAM, PROGRAM.to_owned()),
        ("a sentence", SENTENCE, SENTENCE.to_owned()),
        ("in lines of code", SENTENCE, code),
        ("a page with capitals", &page, capitals(&page)),
        ("a sentence with capitals", SENTENCE, capitals(SENTENCE)),
        ("in lines that import", SENTENCE, imports),
        ("broken by figures", SENTENCE, broken(SENTENCE)),
        ("a table with its figures", &broken(SENTENCE), broken(SENTENCE)),
        ("with a chapter named in each clause", SENTENCE, chapters),
        ("in book marks", han, format!("《{han}》")),
        ("with enumerating commas", han, han.replace('，', "、")),
    ];
    for (what, source, dressed) in cases {
        assert!(counted(&dressed, source) > 0, "{what}");
    }
}
