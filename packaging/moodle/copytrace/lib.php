<?php
// A part of copytrace, a similarity checker for theses.
/** What Moodle asks of a plagiarism plugin: a link beside each file, and fields in the form of an assignment. */

defined('MOODLE_INTERNAL') || die();

global $CFG;
require_once($CFG->dirroot . '/plagiarism/lib.php');

class plagiarism_plugin_copytrace extends plagiarism_plugin {
    /**
     * What stands beside a file: the link to its report for teachers, or why there is none.
     *
     * @param array $linkarray cmid, userid and file
     * @return string HTML
     */
    public function get_links($linkarray) {
        global $DB;
        if (empty($linkarray['file']) || empty($linkarray['cmid'])) {
            return '';
        }
        $context = context_module::instance($linkarray['cmid'], IGNORE_MISSING);
        if (!$context || !has_capability('mod/assign:grade', $context)) {
            return '';
        }
        $found = $DB->get_record('plagiarism_copytrace_file', [
            'cm' => $linkarray['cmid'],
            'userid' => $linkarray['userid'],
            'contenthash' => $linkarray['file']->get_contenthash(),
        ]);
        if (!$found) {
            return '';
        }
        if ($found->submission === null) {
            $why = $found->message === '' ? get_string('waiting', 'plagiarism_copytrace') : s($found->message);
            return html_writer::div($why, 'plagiarism_copytrace');
        }
        $url = new moodle_url('/plagiarism/copytrace/view.php', ['id' => $found->id]);
        $attributes = ['target' => '_blank', 'rel' => 'noopener'];
        return html_writer::div(html_writer::link($url, get_string('report', 'plagiarism_copytrace'), $attributes), 'plagiarism_copytrace');
    }
}

/**
 * Adds the round and the kind to the form of an assignment.
 *
 * @param moodleform_mod $formwrapper
 * @param MoodleQuickForm $mform
 */
function plagiarism_copytrace_coursemodule_standard_elements($formwrapper, $mform) {
    global $DB;
    if ($formwrapper->get_current()->modulename !== 'assign' || !get_config('plagiarism_copytrace', 'enabled')) {
        return;
    }
    $cm = $formwrapper->get_coursemodule();
    $known = $cm ? $DB->get_record('plagiarism_copytrace_cm', ['cm' => $cm->id]) : false;
    $mform->addElement('header', 'plagiarism_copytrace', get_string('pluginname', 'plagiarism_copytrace'));
    $mform->addElement('text', 'copytrace_round', get_string('round', 'plagiarism_copytrace'), ['size' => 40]);
    $mform->setType('copytrace_round', PARAM_ALPHANUM);
    $mform->addHelpButton('copytrace_round', 'round', 'plagiarism_copytrace');
    $kinds = ['draft' => get_string('draft', 'plagiarism_copytrace'), 'final' => get_string('final', 'plagiarism_copytrace')];
    $mform->addElement('select', 'copytrace_kind', get_string('kind', 'plagiarism_copytrace'), $kinds);
    $mform->setDefault('copytrace_round', $known ? $known->round : '');
    $mform->setDefault('copytrace_kind', $known ? $known->kind : 'draft');
}

/**
 * Keeps what the form of an assignment says.
 *
 * @param stdClass $data
 * @param stdClass $course
 * @return stdClass
 */
function plagiarism_copytrace_coursemodule_edit_post_actions($data, $course) {
    global $DB;
    if (!isset($data->copytrace_round)) {
        return $data;
    }
    $DB->delete_records('plagiarism_copytrace_cm', ['cm' => $data->coursemodule]);
    if ($data->copytrace_round !== '') {
        $row = ['cm' => $data->coursemodule, 'round' => $data->copytrace_round, 'kind' => $data->copytrace_kind];
        $DB->insert_record('plagiarism_copytrace_cm', (object) $row);
    }
    return $data;
}
