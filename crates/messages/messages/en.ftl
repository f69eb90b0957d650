### What copytrace tells people, in English.
###
### The library's own errors and remarks have their English sentence in the code and are not here; all other files have them too.

language-names = en en-us en-gb english

## Reports: pages and workbooks

report-report = Similarity report
report-batch = Similarity reports
report-skip = Skip to the text
report-back = All submissions
report-overview = Overview
report-all = Overall similarity
report-without-quotes = Excluding cited quotations
report-without-own-work = Excluding author’s own work
report-largest-source = Largest single source
report-at-least = { "≥ " }
report-compared = Compared as language
report-compared-of = of what a reader sees
cause-formulas = Formulas
cause-code = Program code
cause-figures = Tables of figures
cause-other-alphabet = Phonetic or other letters
cause-pictures-with-text = Pictures with text
cause-unresolved-input = Parts not found or not read
cause-unjudged = Text that may be unseen
cause-no-language = Text that is not language
report-in-short-runs = In short runs (not counted)
report-of = of
report-colon = :{" "}
report-comma = ,{" "}
report-semicolon = ;{" "}
report-open = {" "}(
report-close-bracket = )
report-characters = characters
report-all-characters = Characters
report-recomputed = Recalculated for your selection. Left out: { $left-out }.{" "}
report-sources-off = sources: { $count }
report-shorter-than = matches shorter than { $characters } characters
report-list-comma = ,{" "}
report-restore = Count everything again
report-where-matches-lie = Where the matches are, from beginning to end
report-no-match = No passage of this text was found in the texts it was compared with.
report-itself = Left out, because it is this submission itself:{" "}
report-no-heading = Untitled section
report-chapters = Chapters
report-flags = Unusual characters and hidden text
report-flags-short = Flags
report-reveal = Show invisible characters
report-excluded = Not counted
report-details = About this report
report-submission = Submission
report-title = Title
report-author = Author
report-corpus = Compared with
report-documents = documents
report-one-document = document
report-the-others = the other submissions
report-updated = last updated
report-read-for-this-check = read for this check
report-settings = Settings
report-program = Program
report-number = Report number
report-checked = Checked on
report-file-digest = SHA-256 of the file
report-text-digest = SHA-256 of the text
report-remarks = Remarks
report-note = This report measures similarity; only a person who reads the passages can judge what it means. The text was compared with the texts named above and nothing else: not with the internet, and not with pictures, translations or ideas put into new words. A low figure does not prove that a text is original, and a high one does not prove that anything is wrong: quotations, set phrases and common sources are similar too.
report-full-text = Text
report-legend = How passages are marked
report-no-attribution = no attribution
report-quoted-not-cited = quoted, not cited
report-quoted-and-cited = quoted and cited
report-status-excluded = not counted
report-letter-no-attribution = {""}
report-letter-quoted-not-cited = q
report-letter-quoted-and-cited = c
report-letter-excluded = x
report-previous = Previous
report-next = Next
report-close = Close
report-keys = Keys: n next passage, p previous, Esc close
report-shortest = Shortest match counted
report-passages = Passages
report-passage = Passage
report-compare = Side by side
report-in-submission = Submission
report-in-source = Source
report-sources = Sources
report-weak = Too little evidence to count
report-weak-help = A summary, a loose paraphrase, or a stock phrase of the field. Not part of any figure.
report-resemblances = Translated or retold
report-resemblances-help = A second look by a model of language. These passages seem to say the same as a source in another language or in other words. They are in no figure above. Numbers and names that both sides write are marked; words that translate each other by a dictionary are underlined. Read both before you judge: texts of one subject can seem alike.
report-unknown-languages = The model does not know these languages, and looked for nothing where the text is in them
report-translated = translated
report-retold = retold
report-linked-sentences = sentences
report-share = Share
report-credited = Unique to this source
report-counted = Counted
report-attribution = Attribution
report-not-counted-as = Not counted as
report-why = Details
report-kind = Type
report-similarity = Similarity
report-length = Length
report-edits = Different words
report-others = Other sources containing part of it
report-holders = Texts containing it
report-unknown = not compared
report-cut = Only the first 20,000 characters of this passage are shown.
report-no-source-text = The wording of this source is not kept in the index.
report-capped = Only the longest passages are listed on this page. Not listed:{" "}
report-changes = Underlined: only on this side. Framed: moved. Grey and slanted: not in the other text, and not counted.
report-verbatim = verbatim
report-not-shown-to-you = The wording of this source is not shown to you.
report-appeal = Object to this passage
report-appeals = Objections of the student
report-nearly-verbatim = nearly verbatim
report-edited = edited
report-reordered = reordered
report-disguised = disguised characters
report-page = p.{" "}
report-page-after = {""}
report-print-brief = Print summary sheet
report-print-full = Print full report
report-brief-sheet = Summary sheet
report-full-sheet = Full comparison sheet
report-signature-student = Student’s signature
report-signature-supervisor = Supervisor’s signature
report-signature-office = Reviewer’s signature
report-signature-date = Date
report-table-of-passages = Passages and their sources
report-table-help = In the text each passage begins with its number in square brackets.
report-before-count = {""}
report-after-count = {""}
report-submissions = submissions
report-one-submission = submission
report-submission-list = Submissions
report-search = Search
report-threshold = Threshold (%)
report-above-threshold = { $above } of { $all } at or above the threshold
report-at-or-above = At or above the threshold
report-distribution = Distribution
report-logarithmic = logarithmic scale
report-failed = Could not be checked
report-shared = Submissions that share text with each other
report-shared-help = Two submissions are joined when this share of one of them, or more, is also in the other. What both took from one source is shared too.
report-least-share = Smallest share shown
report-not-shared = The submissions were not compared with each other.
report-group = Group
report-none-shared = No two submissions share a passage.
report-none-at-share = No two submissions share this much.
report-less-shared = Other pairs share less: move the slider to the left to see them.
report-shared-capped = Only the 500 pairs with the largest shares are listed. Not listed:{" "}
report-longest = Longest passage
report-common-sources = Sources in common
report-heat-map = Each square is a pair: the darker, the larger the share.
report-see-pair = Compare
report-pair = Two submissions side by side
report-in-other = { $characters } characters are also in the other text
report-top-source = Top source
report-message = Remarks
report-departments = By department
report-supervisors = By supervisor
report-median = Median
report-highest = Highest
report-as-found = As found
report-after-review = after review
report-verdicts = Verdicts
report-decisions = Review decisions
report-revoke = Revoke
report-leave-out = Leave out
report-this-passage = this passage
report-whole-source = all of this source
report-reason = Reason
report-not-counted = not counted
report-see-submission = See the submission
report-claims = The file says of itself

## Flags: signs of manipulation

flag-zero-width = Zero-width characters
flag-look-alike = Look-alike letters
flag-mixed-script = Mixed alphabets
flag-replaced-letters = Replaced letters
flag-white-text = Text in the background colour
flag-tiny-text = Tiny text
flag-hidden-text = Hidden text
flag-picture = Pictures
flag-white-space = Unusual spaces
flag-unseen-text = Unseen text
flag-direction = Direction controls
flag-word-length = Unusual word lengths
flag-odd-letters = Signs between letters
flag-text-layer = Unreliable text layer
flag-text-picture = Text shown as a picture
flag-not-judged = Visibility unknown
flag-large-part = Large parts left out
flag-copied-part = Matches in parts left out
flag-left-out = Content outside the text
flag-mosaic = Short runs
flag-same-id = Named like a source
flag-reworded = Reworded

## The program: what it does at the moment

program-error = error
program-notice = notice
program-full-stop = {"."}{" "}
program-left = left
program-reading-meanings = reading for meaning
program-reading-corpus = reading the corpus
program-checking = checking submissions
program-comparing = comparing submissions
program-adding = adding documents
program-printing = printing
program-aligning = aligning
program-reading = reading
program-verifying = verifying pairs
program-fingerprinting = making fingerprints
program-reading-new = reading the new documents
program-writing-corpus = writing the corpus

## The program: checking

nothing-to-check = there is no submission to check
empty-corpus = the corpus holds no readable document
single-submission = a single submission needs something to be compared with: give --corpus PATH or --index DIR
standard-input-alone = standard input is compared with a corpus: give --corpus PATH or --index DIR
no-dates = none of the { $all } documents that --since, --until or --max-age would choose from has a date; give dates with --manifest (column date), or keep the corpus in an index
undated = the filter on dates left out { $undated } of { $all } documents, which have no date
filtered-out = the filters leave none of the { $all } documents to compare with
no-such-reference = { $id }: there is no such document to compare with (--own-work, --exclude)
template-unread = the template { $unread }
output-in-input = { $output }: lies in { $input }, which is read; give a folder outside (-o)
earlier-report = { $path }: holds the report of an earlier check; --overwrite replaces it, -o names another folder
pairs-left-out =
    { $pairs ->
        [one] 1 pair of submissions was not compared: each is aligned with a limited number of others
       *[other] { $pairs } pairs of submissions were not compared: each is aligned with a limited number of others
    }
latex-parts =
    { $files ->
        [one] 1 file is part of a LaTeX document
       *[other] { $files } files are parts of LaTeX documents
    }
unknown-kinds =
    { $more ->
        [0] not read, because files of this kind are not known: { $named }
       *[other] not read, because files of this kind are not known: { $named } and { $more } more
    }
hidden-files =
    { $more ->
        [0] passed over, because their names begin with “.” or “~$”: { $named }
       *[other] passed over, because their names begin with “.” or “~$”: { $named } and { $more } more
    }
checked =
    { $submissions ->
        [one] 1 submission
       *[other] { $submissions } submissions
    } checked against { $documents ->
        [0] each other
        [one] 1 document
       *[other] { $documents } documents
    }{ $failed ->
        [0] {""}
       *[other] , { $failed } could not be
    }{ $passages ->
        [none] {""}
        [0] : no passage found
        [one] : 1 passage found in { $with } of them
       *[other] : { $passages } passages found in { $with } of them
    }
left-out-of = { $id }: left out because it is this submission itself: { $itself }
left-out-themselves = { $submissions } submissions stand in the corpus, too: none was compared with itself
written-with-pages = Written to { $folder }; open { $page }
written = Written to { $folder }

## The program: manifests

not-built-in = { $option }: this program was built without it (`--no-default-features`)
not-a-manifest = { $path }: not a manifest
no-path-column = { $path }: not a manifest: none of its columns is called path (or 文件名); it has: { $columns }
row-too-long = { $path }: row { $row } has more cells than there are columns
row-without-path = { $path }: row { $row } names no path
path-twice = { $path }: it names the path { $of } twice
manifest-row-unused = { $path }: in the manifest, but there is no such document
manifest-row-twice = { $path }: this row of the manifest stands for a submission and for a document of the corpus; give one of them another name
manifest-rows-twice = { $rows } rows of the manifest stand each for a submission and for a document of the corpus, such as { $path }; where these are not the same files, give one of them another name

## The program: printing

no-chromium = no PDF file was written: Chromium is not installed (Debian: apt-get install chromium; looked for { $browsers })
no-sandbox = this process is root's, so Chromium prints the pages without its sandbox
not-printed = { $page }: { $browser } did not print it ({ $status })
printing-too-slow = { $page }: not printed within { $seconds } seconds

## The program: verifying reports

file-unreadable = cannot be read
not-a-report = neither a page nor a JSON file of a report of this version
not-a-page = not a page of a report
page-of-other-version = not a page of a report of this version
not-one-submission = it is not the page of one submission
other-figures = the figures that the page shows are not those of its data
other-script = the page's script is not the program's, so it may show other figures than it holds
nothing-to-verify-with = --submission is checked anew: give --corpus or --index too
other-file = it is the report on another file than { $submission } (SHA-256)
other-corpus =
    it was checked against another state of the corpus: of documents there were { $documents } (last addition { $updated ->
        [none] unknown
       *[other] { $updated }
    }), and are { $documents-now } now (last addition { $updated-now ->
        [none] unknown
       *[other] { $updated-now }
    })
other-result = checked anew it has the number { $number-now } and the overall similarity { $ratio-now }, not { $number } and { $ratio }; were the options the same?
meanings-kept = { $dir }: what { $name } makes of { $documents } documents is kept
model-installed = { $folder }: { $name }
resembling = { $passages ->
        [one] { $id }: 1 passage seems
       *[other] { $id }: { $passages } passages seem
    } translated or retold from a source, outside of all figures: read both
languages-unknown = { $id }: the model does not know a language of this text ({ $languages }); nothing translated or retold was looked for there
sources-in-unknown-languages = { $missing } of { $all } documents are in languages that the model does not know, and are not searched for translated or retold passages
texts-not-kept = { $missing } of { $all } documents are not searched for translated or retold passages, because the index keeps no texts of them
sound-report = { $file }: report { $number } agrees with itself: { $ratio }, computed anew from its passages
confirmed-report = { $file }: report { $number } is what a new check of { $submission } gives: { $ratio }

## The program: indexes

index-created = { $dir }: an empty index
index-added =
    { $dir }: { $new ->
        [one] 1 document
       *[other] { $new } documents
    } added, { $replaced } replaced, { $unchanged } unchanged; it holds { $holds } now
index-pruned = { $dir }: { $removed } documents removed that are not there any more
index-not-pruned = nothing was removed: something could not be read in whole, so it is not known what went
index-removed = { $dir }: { $removed } documents removed; it holds { $holds } now
index-compacted = { $dir }: compacted
index-sound = { $dir }: sound
index-damaged = { $dir }: damaged in { $places } places
index-merged = { $dir }: { $taken } documents taken in; it holds { $holds } now
in-both = { $id }: in both, and different; the one in { $dir } stays
not-in-index = { $id }: there is no such document in the index
set-aside = { $path }: set aside, for the catalogue does not list it: a change was interrupted, or the catalogue is older than this file

## The program: harvesting

nothing-to-harvest = nothing to harvest: name a source
harvest-needs-place = where the documents go is missing: give --index DIR or -o FILE
harvest-needs-contact = servers are told whom to write to: give --contact ADDRESS
harvest-stopped = { $source }: not read to its end ({ $reason }); the next run goes on from there
harvested = { $source }: { $new } new, { $replaced } replaced, { $unchanged } unchanged, { $removed } removed, { $left } left out, { $failed } with errors
harvest-holds = { $dir }: it holds { $holds } documents now
harvest-part = { $file }: not whole yet; the same command goes on

## The program: other commands

two-documents-needed = two documents are needed, or --list
not-a-list = { $path }: not a list of pairs
empty-list = { $path }: the list holds no pair
not-compared = { $submission } against { $source }: { $unread }
compared =
    { $pairs ->
        [one] 1 pair
       *[other] { $pairs } pairs
    } compared: { $passages ->
        [one] 1 passage
       *[other] { $passages } passages
    } found{ $similarity }{ $output ->
        [none] {""}
       *[other] . Written to { $output }
    }
similarity = ; Jaccard similarity { $jaccard } (estimated { $estimated }), { $first } of the first in the second, { $second } of the second in the first, Hamming distance { $hamming }
no-similarity = {""}
reads-again = --keep, --removed and --against read the corpus a second time, which standard input cannot be
nothing-readable = there is no readable document
more-of-these = { $count } more: { $reason }
more-pairs = THERE ARE MORE PAIRS: only the first { $most } in the order of the ids were written (--max-pairs)
passed-over = { $files } files of unknown kinds were passed over
pairs-found =
    { $documents ->
        [one] 1 document
       *[other] { $documents } documents
    }: { $pairs ->
        [one] 1 pair
       *[other] { $pairs } pairs
    } with a Jaccard similarity of { $threshold } or more ({ $candidates ->
        [one] 1 pair of different texts
       *[other] { $candidates } pairs of different texts
    } compared; equal texts need no comparison)
clusters-found =
    { $documents ->
        [one] 1 document
       *[other] { $documents } documents
    } joined at a Jaccard similarity of { $threshold } or more ({ $candidates ->
        [one] 1 pair of different texts
       *[other] { $candidates } pairs of different texts
    } compared)
kept = Kept: { $kept }, removed: { $removed }
clusters-written =
    Clusters: { $clusters }, of { $documents ->
        [one] 1 document
       *[other] { $documents } documents
    }, written to { $path }
corpus-unwritten = the corpus could not be written
no-two-documents = there are no two readable documents
curve-drawn = The curve is drawn in { $path }
empty-fingerprint = { $id }: no features; its fingerprint tells nothing
featureless-rows =
    { $path }: { $count ->
        [one] 1 fingerprint is 0, that of a text without features, and matches nothing: row
       *[other] { $count } fingerprints are 0, that of texts without features, and match nothing: rows
    } { $rows }
fingerprinted =
    { $documents ->
        [one] 1 document
       *[other] { $documents } documents
    }: { $fingerprints ->
        [one] 1 fingerprint
       *[other] { $fingerprints } fingerprints
    } of { $features }
not-a-fingerprint-file = { $path }: fingerprints are written to a .csv or .u64 file
nothing-to-search = what is searched is missing: --table FILE with --queries FILE, --index DIR, or --follow
filters-need-index = a file of fingerprints has no dates and no authors: filters are for --index and --follow
queries-missing = --table FILE is searched for --queries FILE, or made ready by --build FILE.tables
one-index = --follow adds to one --index only
lines-answered = { $lines } lines answered
line-too-long = the line is too long
line-unread = { $reason }
id-taken = { $id }: another document has this id already
no-shingle = { $id }: too short: the text has not one shingle
line-failed = -:{ $line }: { $reason }
near-index =
    { $queries } fingerprints searched for among { $documents } documents: { $matches } within { $distance } bits{ $output ->
        [none] {""}
       *[other] . Written to { $output }
    }
near-sentences =
    { $pairs } pairs of documents share sentences within { $distance } bits{ $output ->
        [none] {""}
       *[other] . Written to { $output }
    }
near-pairs =
    { $pairs } pairs within { $distance } bits{ $output ->
        [none] {""}
       *[other] . Written to { $output }
    }
not-a-tables-file = { $path }: tables are written to a .tables file
tables-written = Tables for up to { $distance } bits written to { $path }
no-desk-folder = This system names no home folder. Name the folder: copytrace desk FOLDER
no-data-folder = --data names the folder to serve
copied = { $data }: copied to { $target }
restored = { $backup }: restored to { $data }
audit-sound = { $data }: the audit log's { $rows } rows are as they were written
key-lost = { $data }: has a new key, because that of the backup was not given: second factors have ended
audit-sound-since = { $data }: the audit log's { $rows } rows are as they were written, as far as rows up to { $before } can be verified: their key was lost
audit-broken = { $data }: row { $row } of the audit log is not as it was written
no-such-person = { $data }: nobody has the number { $number }
password-link = Choose a new password here, once, within three days: { $link }
audit-noted = { $data }: row { $row } of the audit log is not the one that was noted elsewhere
erased-again = { $data }: { $count } people and submissions that were erased after the backup are erased
step-done = { $step }: { $count } in { $seconds } s
step-read = { $step }: { $bytes } bytes in { $seconds } s
run-took = all in { $seconds } s
no-threads = the threads could not be started

## The service

service-own-name = English
service-product = copytrace
service-internal = Something went wrong on the server. The reason is in its log; nothing was lost.
service-unknown = –
service-skip = Skip to the content
service-main-menu = Main menu
service-overview = Overview
service-rounds = Rounds
service-people = People
service-collections = Collections
service-audit = Audit log
service-account = My account
service-sign-in = Sign in
service-sign-out = Sign out
service-number = Number
service-name = Name
service-password = Password
service-new-password = New password (at least 10 characters)
service-choose-password = Choose a password
service-welcome = Welcome
service-save = Save
service-back = Back
service-error = The request failed
service-administrator = administrator
service-supervisor = supervisor
service-student = student
service-auditor = auditor
service-queued = waiting
service-running = checking
service-done = checked
service-failed = could not be checked
service-cancelled = cancelled
service-pass = pass
service-revise = revise
service-fail = fail
service-kind-self = practice check
service-kind-draft = draft
service-kind-final = final version
service-sees-never = nothing
service-sees-ratio = the overall similarity
service-sees-after-verdict = the report, after the verdict
service-sees-at-once = the report, immediately
service-look-first = Look at these first
service-look-first-none = Nothing waits for you: no submission without a verdict is above its round’s limit or has flags.
service-no-rounds = There is no round yet.
service-no-rounds-admin = There is no round yet. Create a collection of reference documents first, then a round.
service-no-rounds-student = You are in no round yet. Your college enrols you.
service-new-round = New round
service-title = Title
service-unit = Unit
service-opens = Opens
service-closes = Closes
service-open-now = open
service-not-open = closed
service-quota = Checks for each student
service-interval-hours = Hours between two checks
service-self-checks = Practice checks for each student
service-limit = Highlight from (%)
service-student-sees = Students see
service-anonymous = Supervisors see no names before the verdict
service-among = Compare final versions with each other
service-keep-days = Delete submissions … days after closing (empty: never)
service-previous = Also compare with finals of
service-none = none
service-compared-with = Compared with
service-create = Create
service-submissions = Submissions
service-no-submissions = No submissions yet.
service-ratio = Overall similarity
service-decided-ratio = Similarity after review
service-compared = Compared as language
service-passages = Passages
service-signs = Flags
service-state = State
service-verdict = Verdict
service-no-verdict = none yet
service-received = Received
service-kind = Kind
service-attempt = No.
service-file = File
service-upload = Upload
service-upload-own = Hand in
service-upload-for = Upload for a student
service-upload-batch = Upload many in a zip archive
service-batch-hint = File names begin with the student’s number, as in 2022010101_张三_题目.docx. Files that match no student are listed before anything is checked.
service-batch = Files of the archive
service-batch-start = Check the matched files
service-batch-none = No file matches a student of the round.
service-matched-student = Student
service-no-match = no student of the round
service-left-checks = Checks left
service-left-self = Practice checks left
service-enrol = Enrol students
service-enrol-hint = A CSV file or workbook with the columns number,name,role,unit,supervisor,title; rows without a role are students.
service-students = Students
service-templates = Templates
service-templates-hint = Template text is not counted: the university’s form, the assignment.
service-sheet = Result sheet
service-report = Report
service-open-report = Open the report
service-not-shown = Your college shows the report later, or not at all.
service-figures = Figures
service-later = Later submissions that share text with this one
service-ratio-since = Overall similarity with later finals
service-ratio-since-hint = The report and its overall similarity stay as they were when this was checked.
service-sources = Sources
service-no-sources = No passage of this text was found in the collections.
service-characters = characters
service-reason = Reason
service-decisions = Review decisions
service-revoke = Revoke
service-revoked = revoked
service-comment = Comment
service-give-verdict = Submit the verdict
service-deposit = Deposit
service-deposit-hint = After the defence: later submissions are compared with it.
service-deposited = Deposited
service-cancel = Cancel the check
service-erase = Delete
service-erase-hint = File, report, index entry and every quotation of it in other reports are deleted for good.
service-waiting = The check is under way. This page updates automatically; without scripts, reload it.
service-before = ahead of it in the queue
service-import = Import
service-import-hint = A CSV file or workbook with the columns number,name,role,unit,supervisor. Roles are administrator, supervisor, student, auditor.
service-roles = Roles
service-invite = Create sign-in link
service-invite-made = This link works once, within three days. Give it to the person; it is not shown again.
service-more = More
service-new-collection = New collection
service-wording = Who may read its text
service-wording-everyone = everyone
service-wording-staff = staff only
service-documents = Documents
service-no-collections = There is no collection yet. Create one, then fill it with reference documents.
service-fill-upload = Add files, or zip archives of them
service-fill-folder = Add a folder of the server
service-folder = Folder
service-search = Search
service-find = Find
service-remove = Remove
service-jobs = Activity
service-unreadable = could not be read
service-added = added
service-sessions = Signed-in browsers
service-this-one = this one
service-end = End
service-tokens = Access tokens
service-token-made = Copy the new token now; it is not shown again.
service-scopes = Scopes
service-label = Label
service-expires = Expires
service-old-password = Old password
service-change-password = Change the password
service-chain-whole = The chain is intact. Rows:
service-chain-broken = The chain is broken. First altered row:
service-chain-head = Latest hash, record it elsewhere:
service-at = When
service-who = Who
service-action = Action
service-object = Object
service-limit-short = Limit
service-called = Name
service-times = Times are those of the server:
service-change-round = Edit the round
service-change-hint = Existing reports do not change.
service-among-short = the round's other final versions
service-next-check = Next check from
service-without-final = without a final version
service-no-students = Nobody is in this round yet. Enrol students from a list.
service-extra-checks = Extra checks
service-deposit-all = Deposit all finals that have passed
service-units = Units
service-new-unit = New unit
service-code = Unit code
service-part-of = Part of
service-change = Edit
service-find-people = Find people by number or name
service-no-people = Nobody has this number or name.
service-not-let-in = deactivated
service-let-in = Reactivate
service-shut-out = Deactivate
service-take-role = Remove the role
service-remove-ticked = Remove the selected documents
service-closed-source = Source not shown
service-measures = A program measures similarity. Whether something is plagiarism, only a person decides.
service-demo = This is the demo: its people and texts were made up.
service-colon = :{" "}
service-student-of = Student
service-college = College
service-round = Round
service-checked-on = Checked on
service-signature-sheet = Sheet to sign (PDF)
service-decide-hint = Sources and passages are left out in the report, beside their text.
service-earlier = Earlier verdict
service-sure = I am sure. This cannot be undone.
service-give-to = Give to a student
service-batch-waits = You can come back to this page: it is linked from the round until you start the checks.
service-batches-waiting = Archives that wait for you
service-remove-round = Remove the round
service-remove-round-hint = A round can be removed only while nothing has been handed in. Its list of students and its templates are removed with it.
service-harvests = Harvesting
service-harvest-none = This collection is not harvested from anywhere yet.
service-harvest-new = New source
service-harvest-hint = A source is the address of a repository (OAI-PMH, such as https://repository.example.org/oai?set=theses), or the whole path of a file on the server below the folder of --intake: a dump of a MediaWiki, a WARC or WET file, a package of JATS or of arXiv, a Parquet file. It is harvested at once and then on schedule: what is new or changed is taken, what went is removed.
service-harvest-source = Source
service-harvest-contact = Contact (mail), which the repository is told
service-harvest-licence = Licence, where a document names none
service-harvest-every = How often
service-harvest-daily = Every day
service-harvest-weekly = Every week
service-harvest-monthly = Every 30 days
service-harvest-days = days
service-harvest-by-hand = Only when started here
service-harvest-last-run = Last run
service-harvest-stopped = Ended early; the next run goes on from there
service-harvest-changes = Changes of the last run
service-harvest-replaced = replaced
service-harvest-removed = removed
service-harvest-errors = What was wrong
service-harvest-now = Run now
service-add-harvest = Add and harvest
service-remove-collection = Remove the collection
service-remove-collection-hint = A collection can be removed only while no round compares with it. Its index is removed with it. Finals deposited in it are no longer deposited, so they are deleted when their round’s time is over. Reports stay as they are.
service-preview = Preview
service-preview-do = Apply these changes
service-preview-refused = Some rows have errors, so the list cannot be applied. Correct it and choose it again.
service-row = Row
service-row-does = Result
service-row-same = no change
service-row-refused = error
service-add-person = Add a person
service-add-student = Add a student
service-give-role = Add role
service-with-password = With a password
service-forget-identity = Forget sign-in provider link
service-invite-many = Sign-in links for many
service-invite-many-hint = For all who have no password yet and have not signed in by the institution. Each link is good once, for 14 days. Whoever has a role in a unit that you do not administer is left out.
service-invite-as = As
service-invite-csv = List (CSV), for a mail merge
service-invite-pdf = Sheets to print, with QR codes
service-invite-again = Also those who have a link already (it ends)
service-invite-how = Scan the code or open the address, and choose a password:
service-invite-mail = Mail, to all who have an address
service-mail = Mail address
service-letters = Mail sent
service-letters-hint = What the mail server has taken or refused. What comes back later goes to the sender’s mailbox.
service-no-letters = No mail was sent yet.
service-no-mail = No mail server is configured.
service-letter = Mail
service-letter-invitation = invitation
service-letter-reset = link for a lost password
service-letter-digest = digest of the day
service-letter-sent = sent
service-letter-waiting = waiting
service-letter-refused = refused
service-send-again = Send again
service-lost-password = Password lost?
service-number-or-mail = Number or mail address
service-send-link = Send a link
service-webhooks = Webhooks
service-shared = Shared collections
service-shared-since = shared since
service-offered = offered, not agreed to yet
service-agree = Agree
service-end-sharing = End sharing
service-share = Share with another unit
service-share-hint = Once an administrator of the other unit agrees, its rounds can be compared with this collection. They see how long a match is and whose the collection is. They see which text it is, and its wording, only where you grant it. Either side can end this.
service-requests = Requests for wording
service-requests-hint = Other units ask to read a source of your collections. What you grant is shown to the staff of that one submission, and you can take it back.
service-no-requests = Nobody has asked.
service-request-waits = waits for an answer
service-request-granted = granted
service-request-refused = refused
service-request-revoked = taken back
service-grant = Grant
service-refuse = Refuse
service-take-back = Take back
service-answer = Answer
service-withheld = The wording belongs to this unit.
service-ask-wording = Ask for the wording
service-webhooks-hint = Other systems are told when something is handed in, a report is there, a check has failed or a verdict is given: ids, no names. Requests are signed. The address is one of https, outside your network.
service-webhook-made = The other side verifies signatures by this secret. It is not shown again.
service-webhook-address = Address
service-try-webhook = Try
service-deliveries = Deliveries
service-no-deliveries = Nothing was told yet.
service-platforms = Learning platforms
service-platforms-hint = A platform that is registered by hand is given these addresses there. One that registers itself needs none of them.
service-no-platforms = No learning platform is registered.
service-register-platform = Register by hand
service-issuer = Platform ID (issuer)
service-client = Client ID
service-deployments = Deployment IDs
service-deployment = Add a deployment ID
service-authorization-url = Authentication request URL
service-token-url = Access token URL
service-keys-url = Public keyset URL
service-frame-url = Address of the site that shows our pages
service-takes-new = people who are not known become students of this unit
service-register-link = Make a registration link
service-register-link-hint = The platform registers itself by this link, as LTI Dynamic Registration says. In Moodle it goes into the field “Tool URL” of “Manage tools”. The link is good once, for a day.
service-register-link-made = Give this link to the platform. It is good once, for a day, and is not shown again.
service-our-addresses = Addresses of this service
service-our-login = Initiate login URL
service-our-launch = Tool URL and redirection URI
service-our-keys = Public keyset
service-platform = Learning platform
service-score = Goes into the platform’s grades
service-score-hint = Students see their grades there. The ratio goes there only when the round shows it to them.
service-score-none = nothing
service-score-ratio = the ratio, in per cent
service-score-verdict = the verdict: 100 for a pass, 0 for a fail
service-fetch-members = Fetch the students of the course
service-errands = Sent to the platform
service-no-errands = Nothing was sent yet.
service-what-score = score
service-what-members = list of students
service-choose-round = Choose a round
service-choose-round-hint = The assignment leads students to this round. There they hand in their work.
service-round-there = Round of this course
service-open-window = Open in a new window
service-window-hint = This browser keeps no sign-in for pages inside other pages. In a window of its own it does.
service-no-round-yet = Not ready yet
service-no-round-yet-hint = Your teacher has not chosen a round for this assignment. Please come back later.
service-add-to-course = Add to the course
service-add-to-course-hint = The assignment is being added to your course. If nothing happens, press the button.
service-registered = The platform is registered
service-registered-hint = You can close this window and activate the tool.
service-event = Event
service-attempts = Attempts
service-reviewer = Reviewer
service-reviewers = Reviewers
service-reviewers-differ = The reviewers differ: you decide.
service-differ = they differ
service-review-hint = You give your verdict once. What other reviewers say is not shown to you.
service-to-review = Finals to review
service-draw-reviewers = Draw reviewers
service-draw-hint = Among the reviewers of the unit and its parts, evenly, until each student has as many. Supervisors of a student and administrators and auditors of the round are left out.
service-reviewers-each = Reviewers for each student
service-name-reviewers = Name reviewers
service-name-reviewers-hint = A list with the columns student and reviewer, numbers of both; a row for each reviewer.
service-blind = Names in reviews
service-blind-none = shown on both sides
service-blind-author = reviewers see no author
service-blind-reviewer = authors see no reviewer
service-blind-both = hidden on both sides
service-own-data = All data kept of this person (ZIP)
service-protection = Data protection
service-protection-hint = What this service keeps, where in its data folder, and how long. Backups are the institution’s to rotate.
service-kept = What
service-place = Where
service-how-long = How long
service-who-saw = Who saw which report
service-terms = What students agree to
service-no-terms = Nothing: students hand in without agreeing to a text.
service-terms-hint = Students agree to the latest version before they hand in. Each version is kept, with who agreed to it and when.
service-terms-text = Text
service-version = Version
service-agrees = I have read this and agree
nobody-to-invite = Nobody here needs a link: all have a password, a link, or a role in a unit that you do not administer.
reviewer-no-role = { $who } is not a reviewer, or not active
reviewer-too-near = { $who } supervises this student, or is the student
reviewer-reads-names = { $who } administers or audits the round and reads all names
reviewer-no-student = { $who } is not in the round
reviewer-nobody = there is nobody with the number { $who }
reviewer-heads = The list needs the columns student and reviewer.
reviewers-too-few = There are too few reviewers in this unit for { $count } each: supervisors of a student and administrators and auditors of the round are left out.
letters-put =
    { $sent ->
        [one] One mail is on its way.
       *[other] { $sent } mails are on their way.
    } { $without ->
        [0] {""}
        [one] One person has no mail address.
       *[other] { $without } people have no mail address.
    }
letters-wait = The mail server took nothing when it was last tried, and letters wait: { $why }
lost-password-taken = If there is an account with this number or mail address that mail reaches, a link is on its way to it. It works once, within an hour.
kept-files = Files that were handed in
kept-reports = Reports, with the text of submissions
kept-finals = Finals that others of the round are compared with
kept-deposits = Deposited finals
kept-people = People: number, name, mail address
kept-sessions = Sign-ins that are open
kept-letters = Mail that was sent: to whom and when
kept-deliveries = What webhooks were told: ids
kept-agreements = Agreements to a text
kept-requests = Requests for the wording of shared collections
kept-audit = Audit log: ids, no names
keeps-round = as the round says, below
keeps-erased = until deleted
keeps-sessions = 7 days, or 12 hours unused
keeps-letters = 90 days
keeps-deliveries = 30 days
keeps-for-good = for good
letter-greeting = Hello { $name },
letter-invitation-subject = Your account for checking theses
letter-invitation =
    you can check and hand in theses here. Choose a password for your number { $number } by this link. It works once, within 14 days:

    { $link }
letter-reset-subject = A new password
letter-reset =
    somebody, most likely you, asked for a new password for the number { $number }. This link works once, within an hour:

    { $link }

    If it was not you, there is nothing to do: your password stays as it is.
letter-digest-subject = News about theses
letter-digest =
    there is something for you:

    { $news }

    { $link }

    You get this at most once a day.
news-report =
    { $count ->
        [one] one new report
       *[other] { $count } new reports
    }
news-verdict =
    { $count ->
        [one] one new verdict
       *[other] { $count } new verdicts
    }
news-to-judge =
    { $count ->
        [one] one final waits for your verdict
       *[other] { $count } finals wait for your verdict
    }
news-objection =
    { $count ->
        [one] objections to one report wait for your decision
       *[other] objections to { $count } reports wait for your decision
    }
news-asked =
    { $count ->
        [one] One request for the wording of your unit’s collection waits for an answer
       *[other] { $count } requests for the wording of your unit’s collections wait for an answer
    }
news-answered =
    { $count ->
        [one] Your request for the wording of a source was answered
       *[other] { $count } of your requests for the wording of sources were answered
    }
link-until = Good once, until { $at }
service-thesis-title = Title of the thesis
service-reload = Reload
service-time-left = Time left (min:s)
service-finished-reload = Finished. Reload the page to see the results.
service-formats-hint = DOCX, PDF, ODT, DOC, WPS, RTF, TXT, Markdown, HTML, EPUB or TeX, at most 100 MB.
service-practice-hint = A practice check is shown to you alone, and nothing is compared with it later.
service-in-progress = in progress
service-not-all-checked = Not all of them are checked yet.
service-finished = finished
service-set-up = Set up
service-confirm = Confirm
service-turn-off = Turn off
service-remove-factor = Remove the second factor
service-second-factor-on = Signing in needs your password and a code.
service-second-factor-hint = Enter this key in an authenticator app (TOTP), then confirm with a code. From then on, signing in needs both.
service-second-factor = Second factor
service-code-now = Code of the authenticator app (if you set one up)
service-original = Original file
service-check-failed = Check all failed ones again
service-check-again-hint = The collections may have grown since. The new report replaces the old one.
service-check-again = Check again
service-never-used = never used
service-last-used = last used
service-jobs-wait = Checks and other work that could not be done yet and will be tried again:
service-help-desk = Help
service-end-desk = End copytrace
service-desk-ended = copytrace has ended, and this window can be closed. What was being checked goes on at the next start.
service-removals-wait = Deleted documents that still wait to be removed from an index:
imported =
    { $people ->
        [one] 1 person imported
       *[other] { $people } people imported
    }
erased = № { $id } was deleted ({ $at }). The audit log has the record.
taken =
    { $papers ->
        [one] 1 paper taken over
       *[other] { $papers } papers taken over
    }

## The service: why a request is not done

refusal-bad-request = The request cannot be understood.
refusal-bad-field = A field is missing or has a value that is not allowed.
refusal-desk-left = This page is from an earlier start of copytrace, or was left for half a day. Start the program again: it opens the page anew, and nothing is lost.
refusal-desk-full = The disk is nearly full, so nothing new is accepted: 500 MB must stay free. Empty the recycle bin, delete files that you no longer need or past checks here, and try again.
refusal-not-signed-in = Please sign in.
refusal-wrong-password = Number or password is wrong.
refusal-link-used = This link was already used or has expired. Ask an administrator for a new one.
refusal-provider-down = The sign-in service does not answer. Sign in with a password, or try again later.
refusal-provider-down-named = { $name } does not answer. Sign in with a password, or try again later.
refusal-provider-refused = The sign-in could not be confirmed. Try again; if this happens again, tell the office.
refusal-sign-in-lost = This sign-in took too long, or was begun in another window. Sign in again.
refusal-unknown-person = You are signed in at your institution, but have no active account here. Ask the office to add you.
refusal-identity-conflict = Your number belongs to another account of your institution. Ask the office.
refusal-password-only = Administrators of the whole institution sign in with their password.
refusal-weak-password = A password needs at least 10 characters, and must not be the number.
refusal-not-allowed = Your role does not allow this.
refusal-not-in-scope = The token's scopes do not allow this.
refusal-cross-site = The request came from another website.
refusal-wrong-host = This server is not known by that name.
refusal-not-found = There is no such page, or you have no access.
refusal-wrong-method = This address does not accept this method.
refusal-conflict = This already exists, or was changed meanwhile.
refusal-not-empty = It is not empty, so it cannot be removed.
refusal-round-closed = The round is not open.
refusal-not-enrolled = This student is not in the round.
refusal-quota-used = No checks are left in this round.
refusal-too-soon = The interval between two checks is not over yet.
refusal-still-running = A check of this student is still under way.
refusal-same-file = This file has already been handed in.
refusal-not-ready = There is no report yet.
refusal-not-shown = This round does not show its reports to students, or not yet.
refusal-not-final = Only a final version that has passed can be deposited.
refusal-wrong-kind = Files of this kind cannot be checked: use .docx .pdf .odt .doc .rtf .txt .md .html .epub or .tex.
refusal-empty-file = The file is empty.
refusal-too-large = The file or the request is too large.
refusal-bad-archive = The archive is damaged, too large, or holds file names that lead out of it.
refusal-too-slow = The upload took too long.
refusal-too-many = Too many attempts. Wait a minute.
refusal-key-reused = The Idempotency-Key was used for another request.
refusal-no-space = The disk is nearly full, so nothing new is accepted. Tell an administrator.
refusal-busy = The server is busy. Try again.
refusal-second-factor-needed = Your role needs a second factor. Set it up first.
refusal-file-gone = The file was deleted because it could not be read.
refusal-decided-on = This report has been reviewed, so it cannot be made again. Revoke the decisions first. A verdict cannot be revoked.
refusal-told-once = This has already been created. Its secret is shown once and not kept.
refusal-verdict-stands = A verdict has been given and the names have been shown, so only an administrator can change it.
refusal-space-used = Your file space in this round is used up. Ask your college.
refusal-terms-needed = You have to agree to the text on the page of the round first.
refusal-bad-field-named = “{ $field }” is missing or has a value that is not allowed.
refusal-about = { $refusal } ({ $about })
refusal-too-large-limit = The file or the request is too large: at most { $most }.
archive-many = The archive holds too many files: at most { $most }.
archive-large = The files of the archive are too large together: at most { $most } MiB.
session-ended = You were signed out in the meantime, and what you sent was not saved. Sign in to return to the form.
signed-out-here = You have signed out here.
sign-out-there = Sign out of { $name } too
audit-add-harvest = added a source to a collection
audit-add-template = added a template
audit-agree = agreed to the text for students
audit-allow-checks = allowed more checks
audit-appeal = objected to a passage
audit-cancel = cancelled a check
audit-change-password = changed the password
audit-change-round = changed a round
audit-change-unit = changed a unit
audit-check-again = checked again
audit-choose-password = chose a password
audit-correct-student = corrected a student’s supervisor and title
audit-create-collection = created a collection
audit-create-round = created a round
audit-create-unit = created a unit
audit-demo = filled the demonstration
audit-deposit = deposited a final
audit-end-session = ended a session
audit-enrol = enrolled students
audit-erase-person = deleted a person
audit-erase-submission = deleted a submission
audit-exclude = left a source or passage out
audit-export-person = downloaded the data of a person
audit-fetch-file = downloaded a file
audit-fetch-sheet = downloaded the result sheet
audit-fill-collection = added documents to a collection
audit-first-start = first start
audit-forget-identity = removed the link to sign-in providers
audit-give-file = gave a file of an archive to a student
audit-give-role = added a role
audit-import-people = imported people
audit-invite = created a sign-in link
audit-let-in = reactivated a person
audit-make-person = new person by a sign-in provider
audit-make-token = created a token
audit-make-viewer = created a link to a report
audit-make-webhook = created a webhook
audit-name-reviewer = named a reviewer
audit-remove-collection = removed a collection
audit-remove-documents = removed documents
audit-remove-harvest = removed a source of a collection
audit-remove-round = removed a round
audit-remove-second-factor = removed a second factor
audit-remove-student = removed a student from a round
audit-remove-template = removed a template
audit-remove-unit = removed a unit
audit-remove-webhook = removed a webhook
audit-rename-person = corrected a name
audit-reset-password = reset the password
audit-review = gave a reviewer’s verdict
audit-revoke = revoked a decision
audit-revoke-token = revoked a token
audit-run-harvest = started a harvest
audit-set-mail = changed a mail address
audit-set-second-factor = set up a second factor
audit-shut-out = deactivated a person
audit-sign-in = signed in
audit-sign-in-failed = failed to sign in
audit-submit = handed in a file
audit-take-reviewer-back = removed a reviewer
audit-take-role = removed a role
audit-upload-batch = uploaded an archive
audit-verdict = gave a verdict
audit-view-report = viewed a report
audit-write-terms = wrote a version of the text for students
audit-offer-collection = offered a collection to a unit
audit-agree-to-share = agreed to share a collection
audit-end-sharing = ended the sharing of a collection
audit-ask-wording = asked for the wording of a source
audit-grant-wording = granted the wording of a source
audit-refuse-wording = refused the wording of a source
audit-revoke-wording = took back the wording of a source
audit-add-deployment = added a deployment of a learning platform
audit-invite-platform = made a registration link for a learning platform
audit-link-round = gave an assignment of a learning platform its round
audit-make-platform = registered a learning platform
audit-remove-platform = removed a learning platform
audit-set-score = changed what goes into a platform’s grades
collection-compared = These rounds compare with it: { $rounds }. Change them first.
collection-busy = It is being changed at the moment. Try again when that is finished.
list-gone = The list is no longer kept. Choose its file again.
list-summary = Rows: { $rows }. Changes: { $changing }. No change: { $same }. Errors: { $refused }.
list-new-person = new person
list-new-mail = mail address { $mail }
list-renamed = name { $before } → { $after }
list-new-role = role { $role }
list-new-role-in = role { $role } in { $unit }
list-new-unit = new unit { $unit }
list-joins = joins the round
list-new-supervisor = supervisor { $supervisor }
list-new-title = title { $title }
list-heads = The list needs the columns number and name. It has: { $found }
list-kind = “{ $file }” is not a list: use a .csv or .xlsx file.
list-unread = “{ $file }” cannot be read as a list: { $said }
list-line = line { $line }: { $problem }
list-more = and { $more } more
list-no-number = the number is missing
list-no-name = the name is missing
list-too-long = a field is too long
list-bad-mail = { $mail } is not a mail address
list-control-character = a field holds a control character
list-no-role = { $word } is not a role; roles are administrator, supervisor, student, auditor, reviewer
list-several-supervisors = { $word } is the name of several supervisors; give the number
list-not-supervisor = { $word } is not a supervisor
list-no-supervisor = there is no supervisor { $word }; supervisors must be on the list, or added before
field-url = The address is one of https outside the network of the server, or a host that --webhook-host allows.
field-harvest-source = This is no source that can be harvested here: an address of a repository, or the whole path of a file below the folder of --intake.
field-harvest-contact = A repository is told whom its keeper may write to: give an address.
field-mail = This is not a mail address.
field-closes = “Closes” is missing, or is before “Opens”.
check-one-alone = One thesis alone has nothing to be compared with. Choose a collection, or add more theses.

## The desk: one person's own pages

desk-check = Check theses
desk-drop = Drop them here: files, whole folders or zip archives.
desk-unread = These cannot be read, and were left out. Close them in other programs, such as Word, or save them on this machine, and add them again:
desk-files = Choose files
desk-folder-of = Or choose a folder
desk-against = Compare with
desk-among = These theses with each other
desk-libraries-hint = A collection is a set of texts that theses may have drawn on. Make one of your own files:
desk-options = Options
desk-limit = Highlight from this share on, in %
desk-limit-hint = Theses at or above it are marked in the lists. It is a place to begin looking, and no verdict.
desk-all-parts = Count title page, contents, references and acknowledgements too
desk-all-parts-hint = They are usually left out, because they are alike in all theses.
desk-common = Leave out wording that this many documents share
desk-common-hint = For forms and set phrases. Left empty, all of it counts.
desk-language-hint = Pages and reports are in the language chosen at the top. Theses may be in any language.
desk-start = Check
desk-local = Nothing leaves this machine: these pages come from the program on it, and no text is sent anywhere.
desk-kept-in = Everything is kept in one folder
desk-past = Past checks
desk-none-past = There is no check yet.
desk-none-found = No check has this in its name or in the names of its files.
desk-theses = Theses
desk-highest = Highest ratio
desk-when = When
desk-in-work = under way:
desk-demo = Show me with the demo
desk-demo-hint = New here? The demo makes a small collection and checks three made-up texts.
desk-cancel-all = Cancel all that is not finished
desk-erase-check = Delete this check
desk-erase-check-hint = Its files, reports and every quotation of them in other reports are deleted for good.
desk-reports = All reports (zip)
desk-open-packed = Open a colleague's collection
desk-open-packed-hint = A file that ends in .copytrace. Every byte of it is looked at before it is used.
desk-save-packed = Save as one file
desk-size = Size
desk-updated = Last change
packed-other-settings = This collection was made with other settings, and cannot be searched together with those made here.
desk-help = Help
desk-help-start = Checking theses
desk-help-start-text = Drop theses on the first page, or choose files or a folder; archives (.zip) are unpacked. Choose what they are compared with, and press Check. The page shows how far it is. You may close the page or the program meanwhile: what is not finished goes on at the next start.
desk-help-library = Collections
desk-help-library-text = A collection holds the texts that are searched for copied wording. Make one on the page Collections, give it a name, and drop files, folders or zip archives there. Its page lists what it holds and what could not be read, and there you can remove documents again. Only what a collection holds can be found, so a low ratio says nothing of other texts. A collection can be saved as one file (.copytrace) for a colleague, who opens it on the page Collections.
desk-help-check = Reading a check
desk-help-check-text = A check lists its theses with their ratios, the highest first. Press the head of a column to sort by it. “Could not be checked” comes with a reason, and says nothing about the thesis. Theses that share text with each other are drawn as dots joined by lines. A line, and a name in the table below, opens the report at what the two have in common.
desk-help-read = Reading a report
desk-help-read-text = A report shows each passage beside its source. The copy ratio is the share of the text that stands in sources too, quotations included. It measures similarity, and only a person can judge what that means. A passage or source that should not count can be left out in the report, with a reason.
desk-help-picture-start = The first page: theses are dropped into the box, and what they are compared with is ticked below it.
desk-help-picture-check = A check: each thesis with its ratio, the highest first, and below them how the ratios are distributed.
desk-help-picture-report = The first screen of a report: its ratios, and below them the text with the passages that stand in sources.
desk-help-formats = Files that cannot be read
desk-help-formats-text = Read are .docx, .doc, .wps, .pdf, .odt, .rtf, .txt, .md, .html, .epub and .tex. Save files of other programs, such as .pages, as .docx or PDF. Take the password off a protected file and save it again. A scan, whose pages are pictures, is read if tesseract and poppler are installed on this machine, which takes some seconds a page. Otherwise have your scanner or PDF program save it with text. Close a file in Word before you add it.
desk-help-keep = What is kept
desk-help-keep-text = Checks, reports and collections stay in the folder that the first page names, until you delete them. To take everything to another machine, end the program and copy the folder. Tables of a check are on its page as XLSX and PDF, and all its reports in one zip archive.
desk-help-private = Who can see it
desk-help-private-text = The program answers browsers on this machine alone, and only those that it opened itself: its address has a secret that is kept in the folder, for you alone. It sends nothing to other machines.
