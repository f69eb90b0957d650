### What copytrace tells people, in Chinese.

language-names = zh-CN zh zh-hans chinese

## Reports: pages and workbooks

report-report = 相似性检测报告
report-batch = 相似性检测报告汇总
report-skip = 跳到正文
report-back = 全部送检文本
report-overview = 总览
report-all = 总相似比
report-without-quotes = 去除引用相似比
report-without-own-work = 去除本人作品相似比
report-largest-source = 单篇最大相似比
report-at-least = { "≥ " }
report-compared = 作为文字参与比较
report-compared-of = （占读者可见内容）
cause-formulas = 公式
cause-code = 程序代码
cause-figures = 数字表格
cause-other-alphabet = 音标或其他字母
cause-pictures-with-text = 含文字的图片
cause-unresolved-input = 缺失或未读取的部分
cause-unjudged = 无法判定是否可见的文字
cause-no-language = 不成语句的文字
report-in-short-runs = 短片段占比（不计入）
report-of = /
report-colon = ：
report-comma = ，
report-semicolon = ；
report-open = （
report-close-bracket = ）
report-characters = 字符
report-all-characters = 字符数
report-recomputed = 已按您的选择重新计算，未计入：{ $left-out }。
report-sources-off = { $count } 个来源
report-shorter-than = 短于 { $characters } 字符的段落
report-list-comma = 、
report-restore = 恢复全部
report-where-matches-lie = 相似段落在全文中的分布（从头到尾）
report-no-match = 未发现本文与对比文本有相似段落。
report-itself = 以下文本即本送检文本，未参与比较：
report-no-heading = 无标题部分
report-chapters = 章节
report-flags = 异常字符与隐藏文字
report-flags-short = 异常
report-reveal = 显示不可见字符
report-excluded = 未计入部分
report-details = 报告信息
report-submission = 送检文本
report-title = 题目
report-author = 作者
report-corpus = 对比库
report-documents = 篇
report-one-document = 篇
report-the-others = 本批其他送检文本
report-updated = 最近更新
report-read-for-this-check = 本次检测读入
report-settings = 参数
report-program = 程序
report-number = 报告编号
report-checked = 检测日期
report-file-digest = 文件 SHA-256
report-text-digest = 文本 SHA-256
report-remarks = 备注
report-note = 本报告只度量文字的相似程度，其含义须由人阅读段落后判断。检测只与上述文本比较，未检索互联网，也不涉及图片、译文以及用新的文字转述的观点。比例低不说明文章是原创，比例高也不说明有不当之处：引文、套语和共同的资料来源同样会相似。
report-full-text = 正文
report-legend = 标记说明
report-no-attribution = 未注明来源
report-quoted-not-cited = 有引号，无出处
report-quoted-and-cited = 引用并注明出处
report-status-excluded = 不计入
report-letter-no-attribution = 无
report-letter-quoted-not-cited = 引
report-letter-quoted-and-cited = 注
report-letter-excluded = 免
report-previous = 上一处
report-next = 下一处
report-close = 关闭
report-keys = 快捷键：n 下一处，p 上一处，Esc 关闭
report-shortest = 最短计入长度
report-passages = 相似段落
report-passage = 段落
report-compare = 对照
report-in-submission = 送检文本
report-in-source = 来源文本
report-sources = 来源
report-weak = 证据不足，未计入
report-weak-help = 可能是概述、宽泛的改写或本领域套语，不计入任何比例。
report-resemblances = 翻译或改述
report-resemblances-help = 用语言模型另行查找的结果。这些段落似乎以另一种语言或不同的措辞表达了与来源相同的内容，不计入上面的任何数值。双方写法相同的数字和名称已标出；依词典互为翻译的词加下划线。判断之前请对照阅读双方：同一主题的文本也可能看起来相似。
report-unknown-languages = 模型不支持以下语言，未在这些语言的文字中查找
report-translated = 翻译
report-retold = 改述
report-linked-sentences = 句
report-share = 占比
report-credited = 独占字符
report-counted = 计入
report-attribution = 引用情况
report-not-counted-as = 不计入，属
report-why = 依据
report-kind = 类型
report-similarity = 相似度
report-length = 长度
report-edits = 差异词数
report-others = 含有其中文字的其他来源
report-holders = 含有此段的文本数
report-unknown = 未比较
report-cut = 此段只显示前 20,000 个字符。
report-no-source-text = 索引未保存此来源的原文。
report-capped = 本页只列出最长的段落，未列出的段落数：
report-changes = 虚线：仅此侧有；方框：位置移动；灰色斜体：另一侧没有，不计入。
report-verbatim = 逐字相同
report-not-shown-to-you = 此来源的原文不对您公开。
report-appeal = 对此段落提出异议
report-appeals = 学生异议
report-nearly-verbatim = 近于逐字相同
report-edited = 有改动
report-reordered = 语序调整
report-disguised = 字符伪装
report-page = 第{" "}
report-page-after = {" "}页
report-print-brief = 打印简洁报告单
report-print-full = 打印全文对照报告单
report-brief-sheet = 简洁报告单
report-full-sheet = 全文对照报告单
report-signature-student = 学生签名
report-signature-supervisor = 指导教师签名
report-signature-office = 审核人签名
report-signature-date = 日期
report-table-of-passages = 相似段落与来源对照表
report-table-help = 正文中，各段落起始处的方括号内为其编号。
report-before-count = 送检文本（
report-after-count = {" "}篇）
report-submissions = 篇
report-one-submission = 篇
report-submission-list = 送检文本
report-search = 查找
report-threshold = 阈值（%）
report-above-threshold = { $above } 篇达到或超过阈值（共 { $all } 篇）
report-at-or-above = 达到或超过阈值
report-distribution = 相似比分布
report-logarithmic = 对数刻度
report-failed = 未能检测
report-shared = 送检文本之间的相似
report-shared-help = 两篇之中任一篇有此比例或更多的文字见于另一篇时，以线相连。两者取自同一来源的文字也计算在内。
report-least-share = 显示的最小占比
report-not-shared = 未对送检文本进行相互比较。
report-group = 组
report-none-shared = 没有两篇送检文本含有相似段落。
report-none-at-share = 没有两篇达到此占比。
report-less-shared = 另有占比更小的，向左移动滑块即可查看。
report-shared-capped = 此处只列出占比最大的 500 对，未列出的对数：
report-longest = 最长段落
report-common-sources = 共同来源数
report-heat-map = 每个方格代表一对文本，颜色越深占比越大。
report-see-pair = 对照
report-pair = 两篇送检文本对照
report-in-other = { $characters } 字符也见于另一篇
report-top-source = 最大来源
report-message = 说明
report-departments = 按院系统计
report-supervisors = 按指导教师统计
report-median = 中位数
report-highest = 最高
report-as-found = 检测时
report-after-review = 复核后
report-verdicts = 评定
report-decisions = 复核记录
report-revoke = 撤销
report-leave-out = 不计入
report-this-passage = 此段落
report-whole-source = 整个来源
report-reason = 理由
report-not-counted = 其中不计入
report-see-submission = 查看该论文
report-claims = 文件自带信息

## Flags: signs of manipulation, and what they are about

flag-zero-width = 零宽字符
    .explanation = 词内含有不可见字符；从网页复制的文字也可能带有
flag-look-alike = 形近字母
    .explanation = 词内含有其他文字的形近字母
flag-mixed-script = 混用字母
    .explanation = 一词混用两种字母；公式和学名也可能如此
flag-replaced-letters = 大量替换字母
    .explanation = 全文多处字母被替换或拼错，超出偶然
flag-white-text = 与背景同色的文字
    .explanation = 与背景同色的字符，未列入正文
flag-tiny-text = 极小文字
    .explanation = 字号小于四磅的字符，未列入正文
flag-hidden-text = 隐藏文字
    .explanation = 格式中隐藏的字符，未列入正文
flag-picture = 图片
    .explanation = 图片，其中若有文字未作比较；或 PDF 中没有文字的页
flag-white-space = 异常空白
    .explanation = 异常的空白，或插在字母之间的空白
flag-unseen-text = 看不见的文字
    .explanation = 读者看不见的字符（位置或绘制方式所致），未列入正文
flag-direction = 改变方向的控制符
    .explanation = 被控制符颠倒顺序的字符，按所见顺序比较
flag-word-length = 词长异常
    .explanation = 词长远超常规：缺少空格或被插入空格
flag-odd-letters = 字母间的异常符号
    .explanation = 字母之间不属于任何词的符号，比较时已忽略
flag-text-layer = 文字层不可信
    .explanation = 字符与读者所见不符（如字体缺少映射），需 OCR
flag-text-picture = 以图代文
    .explanation = 这些页的图像所含文字远多于参与比较的文字，需 OCR
flag-not-judged = 无法判断是否可见
    .explanation = 无法判断是否可见的字符
flag-large-part = 不计入的部分过大
    .explanation = 作为参考文献、目录等未计入的字符，多于常见情形
flag-copied-part = 不计入部分含相似文字
    .explanation = 不计入比例的部分中，与其他文本相似的字符
flag-left-out = 有内容未进入正文
    .explanation = 文件中未进入正文的字符，如未读取的部分
flag-mosaic = 短片段拼接
    .explanation = 也见于其他文本的短片段中的字符，每段都太短，不单独计入
flag-same-id = 与来源同名
    .explanation = 库中有文本与送检文本名称相同，并有相同内容；已按一般来源计入
flag-reworded = 改写
    .explanation = 长段落中逐句对应某一来源的字符，因多数词语被替换而未计入

## Words of the tables: kinds, parts, reasons, sheets and columns

word-verbatim = 逐字相同或相近
word-edited = 有改动
word-reordered = 语序调整
word-disguised = 字符伪装
word-title-page = 封面
word-abstract = 摘要
word-contents = 目录
word-references = 参考文献
word-acknowledgements = 致谢
word-appendix = 附录
word-template = 模板
word-own-work = 本人作品
word-weak = 证据不足
word-left-out-in-review = 经复核不计入
word-common = 常见文字
word-set-phrase = 套话
word-quotation = 引文
word-navigation = 导航菜单
word-page-margin = 页边文字
word-white-text = 与背景同色的文字
word-tiny-text = 极小文字
word-unjudged-text = 无法判定是否可见的文字
word-unseen-text = 看不见的文字
word-hidden-text = 隐藏文字
word-glyph-without-a-character = 无对应字符的字形
word-deleted-text = 修订中删除的文字
word-comment = 批注
word-running-head = 页眉页脚
word-formula-or-drawing = 公式或图形
word-second-form-of-the-text = 正文的另一形式
word-instruction = 域代码或命令
word-part-not-read = 未读取的部分
word-missing-file = 缺失的文件
word-summary = 汇总
word-sources = 来源
word-passages = 相似段落
word-chapters = 章节
word-shared = 相互相似
word-flags = 异常
word-submission = 送检文本
word-status = 状态
word-ok = 已检测
word-error = 未能检测
word-characters = 字符数
word-matched-characters = 相似字符数
word-copy-ratio = 总相似比
word-top-source = 最大来源
word-top-source-ratio = 单篇最大相似比
word-message = 说明
word-copy-ratio-without-quotes = 去除引用相似比
word-copy-ratio-without-own-work = 去除本人作品相似比
word-short-run-ratio = 短片段占比
word-compared-share = 参与比较的占比
word-not-compared = 未作为文字比较
word-title = 题目
word-author = 作者
word-source = 来源
word-estimated-jaccard = Jaccard 估计值
word-jaccard = Jaccard
word-containment = 包含度
word-hamming = 汉明距离
word-simhash-agrees = SimHash 一致
word-ratio = 占比
word-longest-match = 最长段落
word-credited = 独占字符
word-url = 网址
word-licence = 许可
word-submission-start = 送检起始
word-submission-end = 送检结束
word-source-start = 来源起始
word-source-end = 来源结束
word-similarity = 相似度
word-kind = 类型
word-excluded = 未计入
word-submission-text = 送检文字
word-source-text = 来源文字
word-holders = 含有此段的文本数
word-chapter = 章节
word-start = 起始
word-end = 结束
word-reason = 原因
word-count = 数量
word-explanation = 说明
word-first = 文本一
word-second = 文本二
word-group = 组
word-characters-first = 文本一相似字符
word-ratio-first = 占文本一
word-characters-second = 文本二相似字符
word-ratio-second = 占文本二
word-longest = 最长段落
word-common-sources = 共同来源数


## Why a document is missing: reading

missing = 文件或文件夹不存在
permission-denied = 没有读取权限
in-use = 正被其他程序（例如 Word）打开，无法读取；请在该程序中关闭后重试
kept-online = 文件仅保存在云端，目前无法下载；请在 OneDrive 中选择“始终保留在此设备上”后重试
unreadable = { $said }
no-file = 既不是文件也不是文件夹
nothing-known = 其中没有可读类型的文件
no-document = 其中没有可读的文件
own-report = 是 copytrace 写出的报告，不读取
outside-folder = 指向文件夹之外的符号链接，未读取
larger = 超过大小上限 { SIZE($limit) }
long-line = 有一行超过大小上限 { SIZE($limit) }
many-entries = 有 { $entries } 个条目，超过上限 { $limit }
archive-expands = 压缩包展开后超过 { SIZE($limit) }，其余部分未读取
entry-expands = 展开后超过 { SIZE($limit) }
lines-expand =
    { $line ->
        [0] 展开后超过 { SIZE($limit) }，没有一行可读
       *[other] 展开后超过 { SIZE($limit) }，止于第 { $line } 行
    }
truncated =
    { $line ->
        [0] 压缩数据不完整，没有一行可读
       *[other] 压缩数据不完整，止于第 { $line } 行
    }
lines-damaged =
    { $line ->
        [0] 文件已损坏（第一行之前）：{ $said }
       *[other] 文件已损坏（第 { $line } 行之后）：{ $said }
    }
no-archive = 不是 zip 压缩包，或已损坏（{ $said }）
entry-unreadable = { $said }
entry-damaged = 文件已损坏：{ $said }
archives-unread = zip 压缩包，本版本不能读取
nested-archive = 压缩包中的压缩包，请先解压
encrypted-entry = 压缩包有密码保护，请去掉密码
archived-link = 压缩包中的符号链接
bad-row = { $said }

no-text = 其中没有文字
only-white-space = 其中只有空白
binary = 是二进制数据，不是文本
unknown-encoding = 无法识别文本编码
other-format =
    { $format ->
        [post-script] PostScript 文件
        [png] PNG 图片
        [jpeg] JPEG 图片
        [gif] GIF 图片
        [tiff] TIFF 图片
        [dj-vu] DjVu 文件
        [gzip] gzip 压缩数据
        [zstandard] Zstandard 压缩数据
        [xz] xz 压缩数据
        [bzip2] bzip2 压缩数据
        [seven-zip] 7-Zip 压缩包
        [rar] RAR 压缩包
        [elf] 程序（ELF）
        [windows-program] Windows 程序
        [sqlite] SQLite 数据库
        [xls] Excel 或 WPS 工作簿（.xls、.et，可在原程序中导出为 PDF）
        [xlsx] Excel 工作簿（.xlsx，可在原程序中导出为 PDF）
        [pptx] PowerPoint 演示文稿（.pptx，可在原程序中导出为 PDF）
        [other-open-document] 不是文本的 OpenDocument 文件（.ods、.odp，可在原程序中导出为 PDF）
        [i-work] 苹果 iWork 文件（.pages、.numbers、.key，可在原程序中导出为 Word 或 PDF）
        [other-office] 不是文本的 Microsoft Office 文件（.xlsx、.pptx，可在原程序中导出为 PDF）
        [not-built-in] 此程序编译时不含该格式
       *[zip] zip 压缩包
    }，本版本不能读取
not-pdf = 不是 PDF 文件，请重新导出为 PDF
no-text-layer = 没有文字层，需要 OCR（--ocr）
unreadable-text-layer = 文字层无法辨读，需要 OCR（--ocr）
needs-tesseract = 没有文字层；读取它需安装 poppler-utils、tesseract-ocr 及其语言包（tesseract-ocr-eng、-chi-sim、-chi-tra）
needs-antiword = Word 97 之前的 .doc 文件；读取它需安装 antiword
encrypted = 有密码保护，请另存为无密码的文件
too-deep = 嵌套超过 { $levels } 层
tool-missing = 读取它的程序：未安装
tool-waits = 读取它的程序：{ $seconds } 秒内未结束，且大部分时间在等待
tool-failed = 读取它的程序：{ $said }
cancelled = 已取消
invalid-json = 不是 JSON 对象：{ $said }
no-text-field = 没有 `text` 字段
text-not-string = `text` 不是字符串

cut-off = 文件已损坏，或并非真正的 { $ending } 文件；请用原程序打开后重新保存
broken-pdf = 文件已损坏：不完整或已损坏，请重新导出为 PDF
no-pages = 文件已损坏：其中没有页面
reader-failed = 文件已损坏：无法解析此 PDF，请用其他程序重新导出
unknown-encryption = 文件已损坏：加密方式无效或未知
part-missing = 文件已损坏：缺少 { $part }
part-broken = 文件已损坏：{ $part }：{ $said }
ends-too-early = 文件已损坏：内容不完整
no-book = 文件已损坏：META-INF/container.xml 中没有书名
not-rtf = 文件已损坏：开头不是 {"{"}\rtf
no-word-text = 文件已损坏：其中没有 Word 正文
header-cut-off = 文件已损坏：文件头不完整
pieces-broken = 文件已损坏：文本片段表有误
antiword-failed = 文件已损坏：antiword 无法读取
reading-failed = 文件已损坏：{ $said }

reading-time = 文件过大，读取超时
text = 文字过多
text-bytes = 文字过多，超过 { $limit } MiB
commands = 文件过大：展开命令后内容过多
included-files = 文件过大：包含 { $files } 个文件
included-file = 文件过大：所包含的文件 { $name }
parts = 文件过大：有 { $parts } 个部分
part-bytes = 文件过大：{ $part } 展开后超过 { $limit } 字节
ocr-pages = 文件过大：{ $pages } 页没有可读的文字层，OCR 最多读取 { $limit } 页
ocr-time = 文件过大：OCR 的处理器时间超过 { $limit } 秒

## Why a document is missing: comparing

unread =
    { $place ->
        [none] { $id }：{ $reason }
       *[other] { $id }：{ $reason }（{ $place }）
    }
too-short =
    文字过短，无法比较：不足 { $k } { $of ->
        [chars] 个字符
        [words] 个词
       *[units] 个词或汉字
    }
nothing-left = 全部文字都属于不计入的部分，没有可比较的内容
other-check = { $id }：结果属于两次不同的检测（文本或设置不同），无法合并
no-features = 没有特征，无从比较
repeated-submission = 与另一篇送检文本同名，只检测第一篇
repeated-document = 与另一篇文本同名，只保留第一篇
bad-id =
    不能用作名称：{ $why ->
        [too-long] 超过 1,000 字节
        [control-characters] 含有控制字符
        [leads-out] 作为路径指向文件夹之外
       *[empty] 为空
    }
unknown-kind = 未读取：不支持此类文件
holds-none = 其中没有文件
holds-several = 此处只能有一个文件，而其中有多个
other = { $said }

## Remarks on a check

left-out-itself = 即本送检文本，未参与比较：{ $ids }
partly-compared = 仅 { $share } 的内容作为文字参与比较（其余主要是：{ $cause ->
        [formulas] 公式
        [code] 程序代码
        [figures] 数字表格
        [other-alphabet] 音标或其他字母
        [pictures-with-text] 含文字的图片（扫描页可用 --ocr 读取）
        [unresolved-input] 缺失或未读取的内容
        [unjudged] 无法判定是否可见的文字
       *[no-language] 不成语句的文字
    }），相似比为下限
hardly-compared = 不给出相似比：仅 { $share } 的内容作为文字参与比较（其余主要是：{ $cause ->
        [formulas] 公式
        [code] 程序代码
        [figures] 数字表格
        [other-alphabet] 音标或其他字母
        [pictures-with-text] 含文字的图片（扫描页可用 --ocr 读取）
        [unresolved-input] 缺失或未读取的内容
        [unjudged] 无法判定是否可见的文字
       *[no-language] 不成语句的文字
    }）
unknown-language = { $share } 的文字不属于任何已知语言：其用词若被改动，无从得知
undecodable = { $characters } 个字符无法解码
pictures = { $pictures } 张图片或无文字的页面未参与比较
frequent-phrases = 有 { $phrases } 处用语见于极多文本，只比较了其中一部分，可能还有其他来源

## Errors of an index

not-an-index = { $path }：不是索引（用 `copytrace index create` 建立）
already-there = { $path }：已经存在
other-index-format = { $path }：格式为 { $found }，本版本读取格式 { $known }：需要更新的 copytrace，或将其中的文本加入新索引
settings-differ = { $path }：索引是用其他参数建立的：{ $difference }
locked = { $path }：另一进程（{ $holder }）正在修改，请稍后再试
damaged = { $path }：已损坏（{ $what }）；详情见 `copytrace index verify`
segment-missing = { $path }：缺少第 { $segment } 段
duplicate-id = { $id }：与另一篇文本同名，只保留第一篇
refused-id =
    { $id }：不能用作名称：{ $why ->
        [too-long] 超过 1,000 字节
        [control-characters] 含有控制字符
        [leads-out] 作为路径指向文件夹之外
       *[empty] 为空
    }
no-document-of-number = 索引中没有编号为 { $document } 的文本
writer-failed = { $path }：先前的更改失败；请撤销或重新打开
unreadable-log = { $path }：最近的更改在此文件夹中，不写入就无法读取：请设为可写，或将索引复制到可写的位置
catalogue = { $path }：{ $error }
io = { $path }：{ $error }

## Errors of a folder of reports

holds-report = { $path }：其中已有一份报告
holds-others = { $path }：其中有报告以外的文件；报告需要单独的文件夹
nothing-checked = { $path }：没有一篇能检测，保留了原有的报告
not-replaced = { $path }：原有的报告无法移开（{ $said }），在 Windows 上其中的文件被其他程序打开时会这样；新报告在 { $kept }

## What contradicts itself in a report

other-number = 报告编号为 { $told }，而按其内容计算应为 { $computed }
other-ratios = 各比例与其中的相似段落不符
other-source-ratio = { $id }：占比与其中的相似段落不符
passage-outside = 有段落超出正文，或没有来源

## The program: what it does at the moment

program-error = 错误
program-notice = 提示
program-full-stop = 。
program-left = 剩余
program-reading-meanings = 分析语义
program-reading-corpus = 读取对比库
program-checking = 检测
program-comparing = 相互比较
program-adding = 入库
program-printing = 打印
program-aligning = 比对
program-reading = 读取
program-verifying = 核对文本对
program-fingerprinting = 计算指纹
program-reading-new = 读取新文本
program-writing-corpus = 写出文本库

## The program: checking

nothing-to-check = 没有可检测的文本
empty-corpus = 对比库中没有可读的文本
single-submission = 只有一篇送检文本，需要有可比较的文本：请用 --corpus 路径 或 --index 文件夹 指定
standard-input-alone = 标准输入须与对比库比较：请用 --corpus 路径 或 --index 文件夹 指定
no-dates = { $all } 篇文本都没有日期，无法用 --since、--until、--max-age 筛选；请用 --manifest 给出日期（date 或 日期 列），或将对比库存为索引
undated = 日期筛选略去了没有日期的 { $undated } 篇（共 { $all } 篇）
filtered-out = 筛选条件排除了全部 { $all } 篇文本，没有可比较的
no-such-reference = { $id }：对比库中没有此文本（--own-work、--exclude）
template-unread = 模板 { $unread }
output-in-input = { $output }：位于要读取的 { $input } 之内，请用 -o 指定其外的文件夹
earlier-report = { $path }：其中已有一份报告；--overwrite 可将其替换，-o 可另指定文件夹
pairs-left-out = 有 { $pairs } 对送检文本未作比较：每篇只与有限的篇数对照
latex-parts = { $files } 个文件是 LaTeX 文档的组成部分
unknown-kinds =
    { $more ->
        [0] 不支持以下类型的文件，未读取：{ $named }
       *[other] 不支持以下类型的文件，未读取：{ $named } 等，另有 { $more } 个
    }
hidden-files =
    { $more ->
        [0] 名称以“.”或“~$”开头，未读取：{ $named }
       *[other] 名称以“.”或“~$”开头，未读取：{ $named } 等，另有 { $more } 个
    }
checked =
    已检测 { $submissions } 篇，{ $documents ->
        [0] 相互比较
       *[other] 与 { $documents } 篇文本比较
    }{ $failed ->
        [0] {""}
       *[other] ，{ $failed } 篇未能检测
    }{ $passages ->
        [none] {""}
        [0] ：未发现相似段落
       *[other] ：其中 { $with } 篇共有 { $passages } 处相似段落
    }
left-out-of = { $id }：以下文本即本送检文本，未参与比较：{ $itself }
left-out-themselves = { $submissions } 份送检文本本身也在对比库中：均未与自身比较
written-with-pages = 报告已写入 { $folder }，请打开 { $page }
written = 结果已写入 { $folder }

## The program: manifests

not-built-in = { $option }：此程序编译时不含该功能（`--no-default-features`）
not-a-manifest = { $path }：不是清单
no-path-column = { $path }：不是清单：没有名为 文件名（或 path）的列；现有的列：{ $columns }
row-too-long = { $path }：第 { $row } 行的单元格多于列数
row-without-path = { $path }：第 { $row } 行没有文件名
path-twice = { $path }：文件名 { $of } 出现两次
manifest-row-unused = { $path }：清单中有此行，但没有相应的文件
manifest-row-twice = { $path }：清单中的此行既对应送检文本，又对应对比库中的文本，请将其中之一改名
manifest-rows-twice = 清单中有 { $rows } 行既对应送检文本，又对应对比库中的文本（如 { $path }）；若二者不是同一文件，请将其中之一改名

## The program: printing

no-chromium = 未写出 PDF：没有安装 Chromium（Debian：apt-get install chromium；查找过 { $browsers }）
no-sandbox = 当前用户为 root，Chromium 在无沙箱的情况下打印
not-printed = { $page }：{ $browser } 未能打印（{ $status }）
printing-too-slow = { $page }：{ $seconds } 秒内未能打印

## The program: verifying reports

file-unreadable = 无法读取
not-a-report = 不是本版本报告的网页或 JSON 文件
not-a-page = 不是报告的网页
page-of-other-version = 不是本版本报告的网页
not-one-submission = 不是某一篇送检文本的网页
other-figures = 页面显示的数字与其数据不一致
other-script = 网页中的脚本不是本程序的，显示的数字可能与所载的不同
nothing-to-verify-with = 重新检测 --submission 还需指定 --corpus 或 --index
other-file = 不是 { $submission } 的报告（SHA-256 不同）
other-corpus =
    检测时的对比库与现在不同：当时 { $documents } 篇（最近更新 { $updated ->
        [none] 未知
       *[other] { $updated }
    }），现有 { $documents-now } 篇（最近更新 { $updated-now ->
        [none] 未知
       *[other] { $updated-now }
    }）
other-result = 重新检测得编号 { $number-now }、总相似比 { $ratio-now }，而非 { $number }、{ $ratio }；所用选项是否相同？
meanings-kept = { $dir }：已保存 { $name } 对 { $documents } 篇文档的语义编码
model-installed = { $folder }：{ $name }
resembling = { $id }：有 { $passages } 段似乎是翻译或改述自某一来源，不计入任何数值，请对照阅读双方
languages-unknown = { $id }：模型不支持此文本的语言（{ $languages }），未在其中查找翻译或改述的段落
sources-in-unknown-languages = { $all } 篇文档中有 { $missing } 篇所用的语言模型不支持，未查找翻译或改述的段落
texts-not-kept = { $all } 篇文档中有 { $missing } 篇未查找翻译或改述的段落，因为索引没有保存它们的文本
sound-report = { $file }：报告 { $number } 前后一致：按其中的段落重新计算，总相似比为 { $ratio }
confirmed-report = { $file }：报告 { $number } 与重新检测 { $submission } 的结果相同：总相似比 { $ratio }

## Why a record of a source is no document, and why a source ended

no-file-named = 该记录没有给出文件，其页面上也没有
login-page = 得到的不是文件，而是登录页面
page-for-file = 得到的不是文件，而是另一个网页
kind-not-read = 不读取 { $kind } 类型的文件
answer-large = 超过 { $limit } 字节
answer-expands = 展开后超过 { $limit } 字节
answer-slow = { $seconds } 秒内没有完整的回答
status-refused = 服务器回答的状态是 { $status }
server-busy = 服务器要求 { $seconds } 秒后再来
no-connection = 无法连接：{ $said }
bad-address = 不是可以获取的地址：{ $address }
inside-network = { $host } 在内部网络中；只有 --allow-inside（服务为 --harvest-inside）才允许
robots-forbid = 该主机的 robots.txt 不允许
many-redirects = 重定向次数过多
not-oai = 回答是网页，不是 OAI-PMH
broken-xml = XML 有误：{ $said }
oai-error = 机构库回答 { $error }：{ $said }
token-repeats = 机构库再次给出同一个续传标记：其列表没有尽头
pages-repeat = 列表连续 { $pages } 页没有新记录：没有尽头
no-identifier = 该记录没有标识符
time-over = 设定的时间已到；下次从这里继续
archive-broken = 读到第 { $records } 条记录后截断或损坏：{ $said }
source-unreadable = { $said }
repeated-record = 另一条记录已有此编号；只取第一条
file-taken = { $id } 已有此文件；只取第一条
not-kept = { $said }

## The program: indexes

index-created = { $dir }：已建立空索引
index-added = { $dir }：新增 { $new } 篇，替换 { $replaced } 篇，未变 { $unchanged } 篇；现有 { $holds } 篇
index-pruned = { $dir }：移除已不存在的文档 { $removed } 篇
index-not-pruned = 未移除任何文档：有内容未能完整读取，无法确定哪些已不存在
index-removed = { $dir }：移除 { $removed } 篇；现有 { $holds } 篇
index-compacted = { $dir }：已整理
index-sound = { $dir }：完好
index-damaged = { $dir }：有 { $places } 处损坏
index-merged = { $dir }：并入 { $taken } 篇；现有 { $holds } 篇
in-both = { $id }：两者都有且不同，保留 { $dir } 中的一篇
not-in-index = { $id }：索引中没有此文本
set-aside = { $path }：目录中没有此文件，已移到一旁：可能是更改中断，或目录比此文件旧

## The program: harvesting

nothing-to-harvest = 没有可采集的来源：请给出来源
harvest-needs-place = 没有说明文本放在哪里：请给出 --index 目录 或 -o 文件
harvest-needs-contact = 需要告诉服务器如何联系您：请给出 --contact 地址
harvest-stopped = { $source }：未读完（{ $reason }），下次从那里继续
harvested = { $source }：新增 { $new } 篇，替换 { $replaced } 篇，未变 { $unchanged } 篇，移除 { $removed } 篇，不取 { $left } 篇，有误 { $failed } 条
harvest-holds = { $dir }：现有 { $holds } 篇
harvest-part = { $file }：尚未完整；再次运行同一命令即可继续

## The program: other commands

two-documents-needed = 需要两篇文本，或 --list
not-a-list = { $path }：不是文本对清单
empty-list = { $path }：清单中没有文本对
not-compared = { $submission } 与 { $source }：{ $unread }
compared =
    已比较 { $pairs } 对：有 { $passages } 处相似段落{ $similarity }{ $output ->
        [none] {""}
       *[other] 。已写入 { $output }
    }
similarity = ；Jaccard 相似度 { $jaccard }（估计 { $estimated }），第一篇的 { $first } 见于第二篇，第二篇的 { $second } 见于第一篇，汉明距离 { $hamming }
no-similarity = {""}
reads-again = --keep、--removed、--against 要再读一次文本库，标准输入做不到
nothing-readable = 没有可读的文本
more-of-these = 另有 { $count } 个：{ $reason }
more-pairs = 文本对不止这些：按名称顺序只写出前 { $most } 对（--max-pairs）
passed-over = 略过 { $files } 个未知类型的文件
pairs-found = { $documents } 篇文本：{ $pairs } 对的 Jaccard 相似度达到 { $threshold }（比较了 { $candidates } 对不同的文本；相同的文本无须比较）
clusters-found = { $documents } 篇文本按 Jaccard 相似度 { $threshold } 归组（比较了 { $candidates } 对不同的文本）
kept = 保留 { $kept } 篇，移除 { $removed } 篇
clusters-written = { $clusters } 组，共 { $documents } 篇，已写入 { $path }
corpus-unwritten = 无法写出文本库
no-two-documents = 没有两篇可读的文本
curve-drawn = 曲线已绘于 { $path }
empty-fingerprint = { $id }：没有特征，其指纹不说明什么
featureless-rows = { $path }：{ $count } 个指纹为 0（文本没有特征），与任何指纹都不匹配：行号 { $rows }
fingerprinted = { $documents } 篇文本：{ $fingerprints } 个 { $features } 指纹
not-a-fingerprint-file = { $path }：指纹写入 .csv 或 .u64 文件
nothing-to-search = 缺少检索对象：--table 文件 与 --queries 文件、--index 文件夹，或 --follow
filters-need-index = 指纹文件没有日期和作者：筛选只用于 --index 和 --follow
queries-missing = --table 文件 须有 --queries 文件，或用 --build 文件.tables 建表
one-index = --follow 只能写入一个 --index
lines-answered = 已应答 { $lines } 行
line-too-long = 行过长
line-unread = { $reason }
id-taken = { $id }：与另一篇文本同名
no-shingle = { $id }：文字过短，没有一个片段
line-failed = -:{ $line }：{ $reason }
near-index =
    在 { $documents } 篇文本中检索 { $queries } 个指纹：{ $matches } 个相差不超过 { $distance } 位{ $output ->
        [none] {""}
       *[other] 。已写入 { $output }
    }
near-sentences =
    { $pairs } 对文本有相差不超过 { $distance } 位的句子{ $output ->
        [none] {""}
       *[other] 。已写入 { $output }
    }
near-pairs =
    { $pairs } 对相差不超过 { $distance } 位{ $output ->
        [none] {""}
       *[other] 。已写入 { $output }
    }
not-a-tables-file = { $path }：表写入 .tables 文件
tables-written = 至多相差 { $distance } 位的表已写入 { $path }
no-desk-folder = 系统没有指明用户主文件夹，请指定文件夹：copytrace desk 文件夹
no-data-folder = 请用 --data 指定服务的文件夹
copied = { $data }：已复制到 { $target }
restored = { $backup }：已恢复到 { $data }
audit-sound = { $data }：审计日志的 { $rows } 行均未改动
key-lost = { $data }：未提供备份所用的密钥，已生成新密钥；两步验证均已失效
audit-sound-since = { $data }：审计日志的 { $rows } 行均未改动；第 { $before } 行及之前的密钥已丢失，无法逐行核对
audit-broken = { $data }：审计日志第 { $row } 行已被改动
no-such-person = { $data }：没有编号为 { $number } 的人员
password-link = 请在三天内通过此链接设置新密码（仅可使用一次）：{ $link }
audit-noted = { $data }：审计日志第 { $row } 行与另处记录的不一致
erased-again = { $data }：已再次删除备份之后被删除的人员及提交件共 { $count } 项
step-done = { $step }：{ $count } 个，用时 { $seconds } 秒
step-read = { $step }：{ $bytes } 字节，用时 { $seconds } 秒
run-took = 共用时 { $seconds } 秒
no-threads = 无法启动线程

## The service

service-own-name = 中文
service-product = copytrace 文本比对
service-internal = 服务器内部出错，原因已记入日志，数据没有丢失。
service-unknown = –
service-skip = 跳到正文
service-main-menu = 主菜单
service-overview = 总览
service-rounds = 批次
service-people = 人员
service-collections = 对比库
service-audit = 审计日志
service-account = 我的账户
service-sign-in = 登录
service-sign-out = 退出
service-number = 学工号
service-name = 姓名
service-password = 密码
service-new-password = 新密码（至少 10 个字符）
service-choose-password = 设置密码
service-welcome = 欢迎
service-save = 保存
service-back = 返回
service-error = 操作未完成
service-administrator = 管理员
service-supervisor = 导师
service-student = 学生
service-auditor = 审计员
service-queued = 排队中
service-running = 检测中
service-done = 已检测
service-failed = 无法检测
service-cancelled = 已取消
service-pass = 通过
service-revise = 修改
service-fail = 不通过
service-kind-self = 自检
service-kind-draft = 初稿
service-kind-final = 终稿
service-sees-never = 不显示
service-sees-ratio = 仅总相似比
service-sees-after-verdict = 评定后显示报告
service-sees-at-once = 立即显示报告
service-look-first = 请先查看
service-look-first-none = 暂无待处理：没有超过阈值、含异常标记且尚未评定的论文。
service-no-rounds = 尚无批次。
service-no-rounds-admin = 尚无批次。请先建立对比库，再建立批次。
service-no-rounds-student = 您尚未加入任何批次，由学院统一添加。
service-new-round = 新建批次
service-title = 名称
service-unit = 单位
service-opens = 开始
service-closes = 截止
service-open-now = 开放中
service-not-open = 未开放
service-quota = 每生检测次数
service-interval-hours = 两次检测间隔（小时）
service-self-checks = 每生自检次数
service-limit = 标出阈值（%）
service-student-sees = 学生可见
service-anonymous = 评定前对导师匿名
service-among = 终稿之间互相比对
service-keep-days = 截止后自动删除的天数（留空不删除）
service-previous = 同时与此批次的终稿比对
service-none = 无
service-compared-with = 对比范围
service-create = 建立
service-submissions = 论文
service-no-submissions = 尚无论文提交。
service-ratio = 总相似比
service-decided-ratio = 复核后相似比
service-compared = 作为文字参与比较
service-passages = 相似段落
service-signs = 异常标记
service-state = 状态
service-verdict = 评定
service-no-verdict = 未评定
service-received = 提交时间
service-kind = 类型
service-attempt = 序号
service-file = 文件
service-upload = 上传
service-upload-own = 提交论文
service-upload-for = 代学生上传
service-upload-batch = 批量上传（zip）
service-batch-hint = 文件名以学号开头，如 2022010101_张三_题目.docx。未匹配的文件会先列出，确认后才开始检测。
service-batch = 压缩包中的文件
service-batch-start = 检测已匹配的文件
service-batch-none = 没有文件与本批次学生匹配。
service-matched-student = 对应学生
service-no-match = 未匹配到学生
service-left-checks = 剩余次数
service-left-self = 剩余自检次数
service-enrol = 添加学生
service-enrol-hint = CSV 或 XLSX 文件，列为 学号,姓名,角色,学院,导师工号,论文题目（或 number,name,role,unit,supervisor,title）；未填角色的按学生处理。
service-students = 学生
service-templates = 模板
service-templates-hint = 模板中的文字不计入相似比，如学校声明、任务书。
service-sheet = 结果汇总表
service-report = 报告
service-open-report = 打开报告
service-not-shown = 学院将稍后公布报告，或不公布。
service-figures = 相似比
service-later = 之后提交、与本文有相似内容的论文
service-ratio-since = 计入之后提交论文的总相似比
service-ratio-since-hint = 报告及其相似比保持检测时的结果不变。
service-sources = 来源
service-no-sources = 未在对比库中发现与本文相似的段落。
service-characters = 字符
service-reason = 理由
service-decisions = 复核记录
service-revoke = 撤销
service-revoked = 已撤销
service-comment = 评语
service-give-verdict = 提交评定
service-deposit = 入库
service-deposit-hint = 答辩后入库，以后的论文将与其比对。
service-deposited = 已入库
service-cancel = 取消检测
service-erase = 删除
service-erase-hint = 文件、报告、索引以及其他报告中的引文将被永久删除。
service-waiting = 检测正在进行，本页会自动更新；若禁用脚本请手动刷新。
service-before = 排在前面
service-import = 导入
service-import-hint = CSV 或 XLSX 文件，列为 学工号,姓名,角色,学院,导师工号（或 number,name,role,unit,supervisor）；角色为 管理员、导师、学生、审计员。
service-roles = 角色
service-invite = 生成登录链接
service-invite-made = 该链接三天内有效，仅可使用一次，请转交本人；此后不再显示。
service-more = 更多
service-new-collection = 新建对比库
service-wording = 谁可查看原文
service-wording-everyone = 所有人
service-wording-staff = 仅教职工
service-documents = 文档数
service-no-collections = 尚无对比库。请先建立，再添加文献。
service-fill-upload = 添加文件或 zip 压缩包
service-fill-folder = 添加服务器上的文件夹
service-folder = 文件夹
service-search = 搜索
service-find = 查找
service-remove = 移除
service-jobs = 处理记录
service-unreadable = 无法读取
service-added = 已添加
service-sessions = 已登录的浏览器
service-this-one = 当前
service-end = 结束
service-tokens = 访问令牌
service-token-made = 请立即复制新令牌，此后不再显示。
service-scopes = 权限范围
service-label = 标签
service-expires = 到期
service-old-password = 原密码
service-change-password = 修改密码
service-chain-whole = 日志链完整，行数：
service-chain-broken = 日志链已损坏，首个被改动的行：
service-chain-head = 最新摘要值（请另行记录）：
service-at = 时间
service-who = 操作者
service-action = 操作
service-object = 对象
service-limit-short = 阈值
service-called = 名称
service-times = 时间以服务器时区为准：
service-change-round = 编辑批次
service-change-hint = 已有报告不受影响。
service-among-short = 本批次其他终稿
service-next-check = 下次检测时间
service-without-final = 未交终稿
service-no-students = 本批次尚无学生，请导入名单。
service-extra-checks = 增加次数
service-deposit-all = 将已通过的终稿全部入库
service-units = 单位
service-new-unit = 新建单位
service-code = 单位代码
service-part-of = 上级单位
service-change = 编辑
service-find-people = 按学工号或姓名查找
service-no-people = 没有匹配的人员。
service-not-let-in = 已停用
service-let-in = 恢复使用
service-shut-out = 停用
service-take-role = 取消角色
service-remove-ticked = 移除所选文档
service-closed-source = 不公开来源
service-measures = 程序只度量相似度；是否构成抄袭，只能由人判断。
service-demo = 这是演示：人物与文本均为虚构。
service-colon = ：
service-student-of = 学生
service-college = 学院
service-round = 批次
service-checked-on = 检测日期
service-signature-sheet = 签字报告单（PDF）
service-decide-hint = 请在报告中对照原文，将来源或段落设为不计入。
service-earlier = 之前的评定
service-sure = 我已确认，此操作无法撤销。
service-give-to = 指定学生
service-batch-waits = 可以离开后再回到此页：开始检测之前，批次页面上一直有此页的链接。
service-batches-waiting = 待处理的压缩包
service-remove-round = 删除批次
service-remove-round-hint = 仅可删除尚无提交的批次；其学生名单和模板将一并删除。
service-harvests = 定期采集
service-harvest-none = 本对比库尚无采集来源。
service-harvest-new = 新增来源
service-harvest-hint = 来源可以是机构知识库的地址（OAI-PMH，如 https://repository.example.org/oai?set=theses），也可以是服务器上 --intake 文件夹内文件的完整路径：MediaWiki 转储、WARC 或 WET 文件、JATS 或 arXiv 数据包、Parquet 文件。添加后立即采集，此后按计划采集：新增和有变化的会收入，已不存在的会移除。
service-harvest-source = 来源
service-harvest-contact = 联系邮箱（会告知对方服务器）
service-harvest-licence = 文献未注明时的许可协议
service-harvest-every = 频率
service-harvest-daily = 每天
service-harvest-weekly = 每周
service-harvest-monthly = 每 30 天
service-harvest-days = 天
service-harvest-by-hand = 仅手动
service-harvest-last-run = 上次采集
service-harvest-stopped = 提前结束，下次从该处继续
service-harvest-changes = 上次变化
service-harvest-replaced = 替换
service-harvest-removed = 移除
service-harvest-errors = 问题
service-harvest-now = 立即采集
service-add-harvest = 添加并采集
service-remove-collection = 删除对比库
service-remove-collection-hint = 仅可删除没有批次使用的对比库；其索引将一并删除。已入库的终稿不再视为入库，可能按批次规则自动删除。已有报告不变。
service-preview = 预览
service-preview-do = 确认导入
service-preview-refused = 部分行有误，名单无法导入。请修改名单后重新选择文件。
service-row = 行号
service-row-does = 处理结果
service-row-same = 无变化
service-row-refused = 有误
service-add-person = 添加人员
service-add-student = 添加一名学生
service-give-role = 添加角色
service-with-password = 使用密码登录
service-forget-identity = 解除统一认证绑定
service-invite-many = 批量生成登录链接
service-invite-many-hint = 面向尚未设置密码、也未通过统一认证登录过的人员。每个链接只能使用一次，14 天内有效。在您管理范围以外的单位有角色的人员不包括在内。
service-invite-as = 形式
service-invite-csv = 名单（CSV），用于群发邮件
service-invite-pdf = 打印页（含二维码）
service-invite-again = 包括已有链接的人员（原链接失效）
service-invite-how = 请扫描二维码或打开以下网址，设置密码：
service-invite-mail = 邮件（发给已登记邮箱的人员）
service-mail = 邮箱
service-letters = 邮件记录
service-letters-hint = 邮件服务器已接收或拒收的邮件。之后退回的邮件会送到发件人邮箱。
service-no-letters = 尚未发送邮件。
service-no-mail = 尚未配置邮件服务器。
service-letter = 邮件
service-letter-invitation = 邀请
service-letter-reset = 重设密码链接
service-letter-digest = 每日摘要
service-letter-sent = 已发送
service-letter-waiting = 等待发送
service-letter-refused = 被拒收
service-send-again = 重新发送
service-lost-password = 忘记密码？
service-number-or-mail = 学工号或邮箱
service-send-link = 发送链接
service-webhooks = Webhook
service-shared = 共享的对比库
service-shared-since = 共享始于
service-offered = 已提供，对方尚未同意
service-agree = 同意
service-end-sharing = 终止共享
service-share = 共享给其他单位
service-share-hint = 对方管理员同意后，其检测批次可以与此对比库比对。对方只能看到重合的长度和对比库所属单位；具体文献和原文须经您同意才会显示。任何一方都可以终止共享。
service-requests = 查看原文的申请
service-requests-hint = 其他单位申请查看本单位对比库中的来源。同意后，仅该篇论文的教师和管理人员可以看到原文，您可以随时收回。
service-no-requests = 暂无申请。
service-request-waits = 等待答复
service-request-granted = 已同意
service-request-refused = 已拒绝
service-request-revoked = 已收回
service-grant = 同意
service-refuse = 拒绝
service-take-back = 收回
service-answer = 答复
service-withheld = 原文归该单位所有。
service-ask-wording = 申请查看原文
service-webhooks-hint = 提交论文、生成报告、检测失败或给出评定时通知其他系统：只含编号，不含姓名。请求带有签名。地址须为校园网以外的 https 地址。
service-webhook-made = 对方以此密钥验证签名，密钥不再显示。
service-webhook-address = 地址
service-try-webhook = 测试
service-deliveries = 发送记录
service-no-deliveries = 尚无发送记录。
service-platforms = 教学平台
service-platforms-hint = 手工注册的平台需要填写以下地址；自动注册的平台不需要。
service-no-platforms = 尚未注册教学平台。
service-register-platform = 手工注册
service-issuer = 平台标识（issuer）
service-client = 客户端标识（client ID）
service-deployments = 部署标识（deployment ID）
service-deployment = 添加部署标识
service-authorization-url = 认证请求地址
service-token-url = 访问令牌地址
service-keys-url = 公钥集地址
service-frame-url = 嵌入本服务页面的网站地址
service-takes-new = 未登记的人员成为该单位的学生
service-register-link = 生成注册链接
service-register-link-hint = 平台凭此链接自动注册（LTI Dynamic Registration）。在 Moodle 中填入“管理工具”的“工具网址”。链接一天内有效，只能使用一次。
service-register-link-made = 请把此链接填入平台。链接一天内有效，只能使用一次，不再显示。
service-our-addresses = 本服务的地址
service-our-login = 发起登录地址
service-our-launch = 工具地址和重定向地址
service-our-keys = 公钥集
service-platform = 教学平台
service-score = 写入平台成绩
service-score-hint = 学生能在平台看到成绩。只有批次允许学生查看比例时，比例才会写入。
service-score-none = 不写入
service-score-ratio = 比例（百分数）
service-score-verdict = 评定：通过为 100，不通过为 0
service-fetch-members = 获取课程的学生名单
service-errands = 发送记录
service-no-errands = 尚未发送任何内容。
service-what-score = 成绩
service-what-members = 学生名单
service-choose-round = 选择批次
service-choose-round-hint = 学生由该作业进入此批次并提交论文。
service-round-there = 本课程的批次
service-open-window = 在新窗口中打开
service-window-hint = 此浏览器不保存嵌入页面的登录状态，请在新窗口中打开。
service-no-round-yet = 尚未就绪
service-no-round-yet-hint = 教师还没有为此作业选择批次，请稍后再来。
service-add-to-course = 添加到课程
service-add-to-course-hint = 正在把作业添加到课程。如果没有反应，请点击按钮。
service-registered = 平台已注册
service-registered-hint = 可以关闭此窗口，并在平台中启用该工具。
service-event = 事件
service-attempts = 次数
service-reviewer = 评审
service-reviewers = 评审
service-reviewers-differ = 各评审意见不一致，由您裁定。
service-differ = 意见不一致
service-review-hint = 评审意见只能提交一次，不显示其他评审的意见。
service-to-review = 待评审的终稿
service-draw-reviewers = 抽取评审
service-draw-hint = 在该单位及下级单位的评审中均匀抽取，直至每名学生达到所需人数。学生的导师、本批次的管理员和审计员除外。
service-reviewers-each = 每名学生的评审人数
service-name-reviewers = 指定评审
service-name-reviewers-hint = 名单须含“学号”和“评审工号”两列，每名评审一行。
service-blind = 评审中的姓名
service-blind-none = 双方公开
service-blind-author = 对评审隐去作者
service-blind-reviewer = 对作者隐去评审
service-blind-both = 双向隐去（双盲）
service-own-data = 个人全部数据（ZIP）
service-protection = 数据保护
service-protection-hint = 本服务保存的数据、在数据目录中的位置及保存期限。备份由学校自行轮换。
service-kept = 数据
service-place = 位置
service-how-long = 保存期限
service-who-saw = 报告查看记录
service-terms = 学生须同意的条款
service-no-terms = 无：学生提交前无需同意条款。
service-terms-hint = 学生提交前须同意最新版本。每个版本及同意记录（人员、时间）均予保存。
service-terms-text = 正文
service-version = 版本
service-agrees = 我已阅读并同意
nobody-to-invite = 没有需要链接的人员：均已设置密码、已有链接，或在您管理范围以外的单位有角色。
reviewer-no-role = { $who } 不是评审，或未启用
reviewer-too-near = { $who } 是该学生的导师或本人
reviewer-reads-names = { $who } 是本批次的管理员或审计员，可见全部姓名
reviewer-no-student = { $who } 不在本批次中
reviewer-nobody = 没有编号为 { $who } 的人员
reviewer-heads = 名单须含“学号”和“评审工号”两列。
reviewers-too-few = 该单位的评审不足以为每名学生抽取 { $count } 人：学生的导师、本批次的管理员和审计员除外。
letters-put =
    正在发送 { $sent } 封邮件。{ $without ->
        [0] {""}
       *[other] 有 { $without } 人未登记邮箱。
    }
letters-wait = 邮件服务器上次未接收邮件，邮件正在等待发送：{ $why }
lost-password-taken = 如果该学工号或邮箱对应的账户可以收到邮件，链接即将发出。链接在一小时内有效，仅可使用一次。
kept-files = 提交的文件
kept-reports = 检测报告（含论文正文）
kept-finals = 本批次用于互相比对的终稿
kept-deposits = 入库的终稿
kept-people = 人员：学工号、姓名、邮箱
kept-sessions = 登录会话
kept-letters = 已发邮件：收件人和时间
kept-deliveries = Webhook 发送记录：仅编号
kept-agreements = 条款同意记录
kept-requests = 查看共享对比库原文的申请
kept-audit = 审计日志：仅编号，不含姓名
keeps-round = 按批次设置，见下表
keeps-erased = 至删除为止
keeps-sessions = 7 天，或 12 小时未使用
keeps-letters = 90 天
keeps-deliveries = 30 天
keeps-for-good = 永久
letter-greeting = { $name }，您好：
letter-invitation-subject = 论文检测账户
letter-invitation =
    您可以在此提交和检测论文。请通过以下链接为您的学工号 { $number } 设置密码，链接在 14 天内有效，仅可使用一次：

    { $link }
letter-reset-subject = 重设密码
letter-reset =
    有人（很可能是您本人）为学工号 { $number } 申请了重设密码。以下链接在一小时内有效，仅可使用一次：

    { $link }

    如果不是您本人，无需任何操作，原密码不变。
letter-digest-subject = 论文检测：新消息
letter-digest =
    您有新的消息：

    { $news }

    { $link }

    此类邮件每天最多一封。
news-report = 新检测报告 { $count } 份
news-verdict = 新评定 { $count } 项
news-to-judge = { $count } 篇终稿等待您评定
news-objection = { $count } 份报告的申诉等待您处理
news-asked = { $count } 项查看本单位对比库原文的申请等待您处理
news-answered = 您的 { $count } 项查看原文的申请已有答复
link-until = 只能使用一次，有效期至 { $at }
service-thesis-title = 论文题目
service-reload = 刷新
service-time-left = 预计剩余（分:秒）
service-finished-reload = 已完成，刷新页面即可查看结果。
service-formats-hint = 支持 DOCX、PDF、ODT、DOC、WPS、RTF、TXT、Markdown、HTML、EPUB、TeX，单个文件不超过 100 MB。
service-practice-hint = 自检结果仅您本人可见，自检论文不会与之后提交的论文比对。
service-in-progress = 处理中
service-not-all-checked = 尚未全部检测完毕。
service-finished = 已完成
service-set-up = 设置
service-confirm = 确认
service-turn-off = 关闭
service-remove-factor = 取消双重验证
service-second-factor-on = 登录需要密码和动态码。
service-second-factor-hint = 请在验证器应用（TOTP）中输入此密钥，并用动态码确认。此后登录需同时提供密码和动态码。
service-second-factor = 双重验证
service-code-now = 验证器应用的动态码（如已设置）
service-original = 原文件
service-check-failed = 重新开始所有失败的检测
service-check-again-hint = 对比库可能已更新。新报告将取代旧报告。
service-check-again = 重新检测
service-never-used = 从未使用
service-last-used = 最近使用
service-jobs-wait = 暂时无法完成、等待重试的任务数：
service-help-desk = 帮助
service-end-desk = 退出 copytrace
service-desk-ended = copytrace 已退出，可以关闭此窗口。未完成的检测会在下次启动后继续。
service-removals-wait = 已删除、尚待从索引中移除的文献数：
imported = 已导入 { $people } 人
erased = № { $id } 已删除（{ $at }），审计日志中有记录。
taken = 已处理 { $papers } 篇

## The service: why a request is not done

refusal-bad-request = 无法理解该请求。
refusal-bad-field = 缺少字段，或字段的值不被允许。
refusal-desk-left = 此页面来自上一次启动的 copytrace，或已闲置半天以上。请重新启动程序，页面会重新打开，数据不会丢失。
refusal-desk-full = 磁盘空间不足，暂不接收新文件：至少须保留 500 MB。请清空回收站，删除不再需要的文件或这里以往的检测，然后重试。
refusal-not-signed-in = 请先登录。
refusal-wrong-password = 学工号或密码不正确。
refusal-link-used = 该链接已使用或已过期，请联系管理员重新获取。
refusal-provider-down = 统一认证服务暂时无法访问。请使用密码登录，或稍后再试。
refusal-provider-down-named = “{ $name }”暂时无法访问。请使用密码登录，或稍后再试。
refusal-provider-refused = 未能确认登录身份，请重试；如仍不成功，请联系管理员。
refusal-sign-in-lost = 本次登录已超时，或在另一窗口中开始。请重新登录。
refusal-unknown-person = 您已通过学校的统一认证，但在本系统没有可用的账号，请联系管理员添加。
refusal-identity-conflict = 您的学工号在本系统中已绑定另一认证账号，请联系管理员。
refusal-password-only = 全校管理员请使用密码登录。
refusal-weak-password = 密码至少 10 个字符，且不能与学工号相同。
refusal-not-allowed = 您的角色无权执行此操作。
refusal-not-in-scope = 该令牌的权限范围不允许此操作。
refusal-cross-site = 该请求来自其他网站，已拒绝。
refusal-wrong-host = 服务器不以该主机名提供服务。
refusal-not-found = 页面不存在，或您无权查看。
refusal-wrong-method = 该地址不支持此方法。
refusal-conflict = 该内容已存在，或已被更改。
refusal-not-empty = 其中仍有内容，不能删除。
refusal-round-closed = 该批次当前未开放。
refusal-not-enrolled = 该学生不在此批次中。
refusal-quota-used = 本批次的检测次数已用完。
refusal-too-soon = 两次检测的间隔时间未到。
refusal-still-running = 该学生尚有检测在进行中。
refusal-same-file = 该文件已提交过。
refusal-not-ready = 尚无检测报告。
refusal-not-shown = 本批次的报告不向学生开放，或尚未开放。
refusal-not-final = 只有已通过的终稿才能入库。
refusal-wrong-kind = 不支持此类文件，请使用 .docx .pdf .odt .doc .rtf .txt .md .html .epub 或 .tex。
refusal-empty-file = 文件为空。
refusal-too-large = 文件或请求过大。
refusal-bad-archive = 压缩包已损坏、过大，或含有越界的文件名。
refusal-too-slow = 上传超时。
refusal-too-many = 尝试次数过多，请稍候一分钟。
refusal-key-reused = 该 Idempotency-Key 已用于其他请求。
refusal-no-space = 磁盘空间不足，暂不接收新文件，请通知管理员。
refusal-busy = 服务器繁忙，请重试。
refusal-second-factor-needed = 您的角色需要双重验证，请先设置。
refusal-file-gone = 该文件无法读取，已告知原因并删除。
refusal-decided-on = 已有人对该报告作出决定，因此不再重新检测。请先撤销决定；评定不可撤销。
refusal-told-once = 该请求已处理；其中的密钥只显示一次，不作保存。
refusal-verdict-stands = 已作出评定，姓名已显示：此后仅管理员可更改。
refusal-space-used = 本批次中您的存储空间已用完，请联系学院。
refusal-terms-needed = 请先在批次页面阅读并同意相关条款。
refusal-bad-field-named = “{ $field }”未填写，或填写有误。
refusal-about = { $refusal }（{ $about }）
refusal-too-large-limit = 文件或请求过大，上限为 { $most }。
archive-many = 压缩包内文件过多，最多 { $most } 个。
archive-large = 压缩包解压后过大，上限为 { $most } MiB。
session-ended = 登录已过期，刚才提交的内容未保存。请重新登录，登录后将返回原表单。
signed-out-here = 已退出本系统。
sign-out-there = 同时退出“{ $name }”
audit-add-harvest = 为对比库添加采集来源
audit-add-template = 添加模板
audit-agree = 同意条款
audit-allow-checks = 增加检测次数
audit-appeal = 提出异议
audit-cancel = 取消检测
audit-change-password = 修改密码
audit-change-round = 修改批次
audit-change-unit = 修改单位
audit-check-again = 重新检测
audit-choose-password = 设置密码
audit-correct-student = 修改学生的导师和题目
audit-create-collection = 新建对比库
audit-create-round = 新建批次
audit-create-unit = 新建单位
audit-demo = 填充演示数据
audit-deposit = 存入对比库
audit-end-session = 结束会话
audit-enrol = 添加学生
audit-erase-person = 删除人员
audit-erase-submission = 删除提交
audit-exclude = 排除来源或段落
audit-export-person = 下载个人数据
audit-fetch-file = 下载原文
audit-fetch-sheet = 下载结果表
audit-fill-collection = 向对比库添加文献
audit-first-start = 首次启动
audit-forget-identity = 解除统一认证绑定
audit-give-file = 指定压缩包内文件的学生
audit-give-role = 添加角色
audit-import-people = 导入人员
audit-invite = 生成登录链接
audit-let-in = 恢复访问
audit-make-person = 由统一认证新建人员
audit-make-token = 创建令牌
audit-make-viewer = 生成报告链接
audit-make-webhook = 创建 Webhook
audit-name-reviewer = 指定评审
audit-remove-collection = 删除对比库
audit-remove-documents = 从对比库移除文献
audit-remove-harvest = 删除对比库的采集来源
audit-remove-round = 删除批次
audit-remove-second-factor = 移除双重验证
audit-remove-student = 移出学生
audit-remove-template = 移除模板
audit-remove-unit = 删除单位
audit-remove-webhook = 移除 Webhook
audit-rename-person = 更正姓名
audit-reset-password = 重置密码
audit-review = 提交评审意见
audit-revoke = 撤销决定
audit-revoke-token = 撤销令牌
audit-run-harvest = 手动启动采集
audit-set-mail = 修改邮箱
audit-set-second-factor = 设置双重验证
audit-shut-out = 停止访问
audit-sign-in = 登录
audit-sign-in-failed = 登录失败
audit-submit = 提交论文
audit-take-reviewer-back = 取消评审
audit-take-role = 撤销角色
audit-upload-batch = 上传压缩包
audit-verdict = 提交评定
audit-view-report = 查看报告
audit-write-terms = 修订条款
audit-offer-collection = 向其他单位提供对比库
audit-agree-to-share = 同意共享对比库
audit-end-sharing = 终止共享对比库
audit-ask-wording = 申请查看来源原文
audit-grant-wording = 同意查看来源原文
audit-refuse-wording = 拒绝查看来源原文
audit-revoke-wording = 收回来源原文的查看权限
audit-add-deployment = 添加教学平台的部署标识
audit-invite-platform = 生成教学平台的注册链接
audit-link-round = 为教学平台的作业指定批次
audit-make-platform = 注册教学平台
audit-remove-platform = 移除教学平台
audit-set-score = 更改写入平台成绩的内容
collection-compared = 以下批次正在使用该对比库：{ $rounds }。请先修改这些批次。
collection-busy = 该对比库正在处理中，请待处理完成后再试。
list-gone = 该名单已不再保留，请重新选择文件。
list-summary = 共 { $rows } 行：有更改 { $changing } 行，无变化 { $same } 行，有误 { $refused } 行。
list-new-person = 新增人员
list-new-mail = 邮箱 { $mail }
list-renamed = 姓名 { $before } → { $after }
list-new-role = 添加角色 { $role }
list-new-role-in = 添加角色 { $role }（{ $unit }）
list-new-unit = 新增单位 { $unit }
list-joins = 加入批次
list-new-supervisor = 导师 { $supervisor }
list-new-title = 题目 { $title }
list-heads = 名单须有“学号”（或“工号”）和“姓名”两列。现有各列：{ $found }
list-kind = “{ $file }”不是名单文件，请使用 .csv 或 .xlsx 文件。
list-unread = 无法将“{ $file }”读取为名单：{ $said }
list-line = 第 { $line } 行：{ $problem }
list-more = 另有 { $more } 处错误
list-no-number = 缺少学号或工号
list-no-name = 缺少姓名
list-too-long = 有一项内容过长
list-bad-mail = { $mail } 不是有效的邮箱地址
list-control-character = 有一项含控制字符
list-no-role = “{ $word }”不是有效角色；角色有：管理员、导师、学生、审计员、评审
list-several-supervisors = 有多位导师名为“{ $word }”，请填写工号
list-not-supervisor = “{ $word }”不是导师
list-no-supervisor = 没有导师“{ $word }”；请先添加该导师，或将其列入同一名单
field-url = 地址须为服务器所在网络以外的 https 地址，或 --webhook-host 允许的主机。
field-harvest-source = 此来源无法在此采集：请填写知识库地址，或 --intake 文件夹内文件的完整路径。
field-harvest-contact = 需要告知知识库联系人：请填写邮箱。
field-mail = 邮箱地址无效。
field-closes = “截止”未填写，或早于开始时间。

## The service: why a check failed

worker-died = 读取或检测时进程三次异常终止
same-file = 该学生已提交过同一文件
passed = 该学生的终稿已通过
server-died = 每次检测时服务器均异常终止
nothing-to-compare-with = 没有可以比对的内容：对比库中没有文档，也没有其他文本
reader-not-started = 无法运行读取程序：{ $said }
bad-template = 本批次的模板：{ $reason }
failed = { $said }
check-one-alone = 只有一篇论文，又没有选对比库，没有可以比对的内容。请选择对比库，或再添加论文。

## 单机版：一个人使用的页面

desk-check = 检测论文
desk-drop = 拖到这里：文件、整个文件夹或 zip 压缩包均可。
desk-unread = 以下文件无法读取，未添加。请先在 Word 等程序中关闭，或保存到本机，再重新添加：
desk-files = 选择文件
desk-folder-of = 或选择文件夹
desk-against = 比对范围
desk-among = 这些论文互相比对
desk-libraries-hint = 对比库是论文可能取用过的文本的集合。可用自己的文件建立：
desk-options = 选项
desk-limit = 从该百分比起突出显示
desk-limit-hint = 达到或超过该值的论文会在列表中标出。这只是提示从哪里看起，不是结论。
desk-all-parts = 封面、目录、参考文献和致谢也计入
desk-all-parts-hint = 这些部分各篇论文大多相似，通常不计入。
desk-common = 多少篇文献共有的文字不计入
desk-common-hint = 用于表格和套话。留空则全部计入。
desk-language-hint = 页面和报告使用右上角所选的语言；论文可以是任何语言。
desk-start = 开始检测
desk-local = 数据不离开本机：页面由本机上的程序提供，任何文本都不会发送到别处。
desk-kept-in = 全部数据保存在一个文件夹中
desk-past = 以往的检测
desk-none-past = 还没有检测。
desk-none-found = 没有名称或文件名含有这些字的检测。
desk-theses = 论文数
desk-highest = 最高相似比
desk-when = 时间
desk-in-work = 进行中：
desk-demo = 用演示数据试一试
desk-demo-hint = 第一次使用？演示会建立一个小对比库，并检测三篇虚构的文章。
desk-cancel-all = 取消所有未完成的检测
desk-erase-check = 删除此次检测
desk-erase-check-hint = 其文件、报告以及其他报告中对它们的引用都将永久删除。
desk-reports = 全部报告（zip）
desk-open-packed = 打开同事的对比库
desk-open-packed-hint = 扩展名为 .copytrace 的文件。使用之前会核对其中的每个字节。
desk-save-packed = 保存为一个文件
desk-size = 大小
desk-updated = 最近更新
packed-other-settings = 此对比库使用了不同的设置，不能与这里建立的对比库一起检索。
desk-help = 帮助
desk-help-start = 检测论文
desk-help-start-text = 在首页拖入论文，或选择文件、文件夹；zip 压缩包会自动解压。选好比对范围后点“开始检测”，页面会显示进度。期间可以关闭页面或程序，未完成的检测会在下次启动后继续。
desk-help-library = 对比库
desk-help-library-text = 对比库保存用来查找重复文字的文本。请在“对比库”页新建并命名，再拖入文件、文件夹或 zip 压缩包。其页面列出库中的文献和未能读取的文件，也可以在那里移除文献。只有库中的文本才能被发现，相似比低并不说明与其他文本不重复。对比库可以保存为一个文件（.copytrace）交给同事，由对方在“对比库”页打开。
desk-help-check = 阅读检测结果
desk-help-check-text = 检测页列出各篇论文及其相似比，从高到低排列；点击表头可按该列排序。“无法检测”后面附有原因，不代表论文有问题。彼此有相同文字的论文画成由线相连的圆点。点击连线，或下方表格中的名称，会打开报告并定位到两篇共有的文字。
desk-help-read = 阅读报告
desk-help-read-text = 报告把每处重复与其来源并列显示。相似比是正文中同样出现在来源里的文字所占的比例，包括引文。它衡量的是相似程度；这意味着什么，只能由人判断。不应计入的片段或来源，可以在报告中注明理由后排除。
desk-help-picture-start = 首页：把论文拖进方框，在下方勾选比对范围。
desk-help-picture-check = 一次检测：各篇论文及其相似比，从高到低排列；下方是相似比的分布。
desk-help-picture-report = 报告的首屏：上方是各项比率，下方是正文，标出了也出现在来源中的片段。
desk-help-formats = 无法读取的文件
desk-help-formats-text = 可以读取 .docx、.doc、.wps、.pdf、.odt、.rtf、.txt、.md、.html、.epub 和 .tex。其他程序的文件（如 .pages）请另存为 .docx 或 PDF。有密码的文件请先取消密码再保存。扫描件的页面是图片：本机装有 tesseract 和 poppler 时会自动识别文字，每页需要几秒；否则请用扫描软件或 PDF 软件另存为带文字的文件。添加文件前请先在 Word 中将其关闭。
desk-help-keep = 数据保存在哪里
desk-help-keep-text = 检测、报告和对比库保存在首页所示的文件夹中，直到您删除为止。要换到另一台电脑，请退出程序后复制该文件夹。每次检测的页面上有 XLSX 和 PDF 表格，全部报告可打包为一个 zip 下载。
desk-help-private = 谁能看到
desk-help-private-text = 程序只接受本机浏览器的访问，而且只接受由它自己打开的浏览器：其网址中有密钥，密钥保存在该文件夹中，只有您能读取。程序不向其他电脑发送任何内容。
