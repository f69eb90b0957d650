<?php
// A part of copytrace, a similarity checker for theses.
/** Leads a teacher to the report of a file. */

require_once(__DIR__ . '/../../config.php');

$id = required_param('id', PARAM_INT);
$row = $DB->get_record('plagiarism_copytrace_file', ['id' => $id], '*', MUST_EXIST);
[$course, $cm] = get_course_and_cm_from_cmid($row->cm, 'assign');
require_login($course, false, $cm);
require_capability('mod/assign:grade', context_module::instance($cm->id));
$PAGE->set_url('/plagiarism/copytrace/view.php', ['id' => $id]);
if ($row->submission === null) {
    throw new moodle_exception('waiting', 'plagiarism_copytrace');
}
redirect(\plagiarism_copytrace\api::report($row->submission));
