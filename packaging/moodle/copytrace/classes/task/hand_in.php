<?php
// A part of copytrace, a similarity checker for theses.
/** Hands one file in; Moodle asks again later when it fails. */

namespace plagiarism_copytrace\task;

use plagiarism_copytrace\api;
use plagiarism_copytrace\api_exception;

defined('MOODLE_INTERNAL') || die();

class hand_in extends \core\task\adhoc_task {
    #[\Override]
    public function execute() {
        global $DB;
        $row = $DB->get_record('plagiarism_copytrace_file', ['id' => $this->get_custom_data()->id]);
        $into = $row ? $DB->get_record('plagiarism_copytrace_cm', ['cm' => $row->cm]) : false;
        $file = $row ? get_file_storage()->get_file_by_hash($row->pathnamehash) : false;
        // The student or the teacher has taken it back, or has put another file in its place.
        if (!$row || !$into || !$file || $row->submission !== null || $file->get_contenthash() !== $row->contenthash) {
            return;
        }
        $number = trim((string) $DB->get_field('user', 'idnumber', ['id' => $row->userid]));
        try {
            if ($number === '') {
                throw new api_exception(get_string('nonumber', 'plagiarism_copytrace'), true);
            }
            $key = sha1(implode(' ', [$into->round, $into->kind, $number, $row->contenthash]));
            $row->submission = api::hand_in($into->round, $number, $into->kind, $file, $key);
            $row->message = '';
        } catch (api_exception $error) {
            $row->message = \core_text::substr($error->debuginfo, 0, 255);
            if (!$error->isfinal) {
                $DB->update_record('plagiarism_copytrace_file', $row);
                throw $error;
            }
        }
        $DB->update_record('plagiarism_copytrace_file', $row);
    }
}
