<?php
// A part of copytrace, a similarity checker for theses.
/** Hears that students have uploaded files. */

namespace plagiarism_copytrace;

defined('MOODLE_INTERNAL') || die();

class observer {
    /**
     * Queues the files of a submission. A task of Moodle hands them in, so that no student waits for the service.
     *
     * @param \assignsubmission_file\event\assessable_uploaded $event
     */
    public static function uploaded(\assignsubmission_file\event\assessable_uploaded $event): void {
        global $DB;
        $cm = $event->contextinstanceid;
        if (!get_config('plagiarism_copytrace', 'enabled') || !$DB->record_exists('plagiarism_copytrace_cm', ['cm' => $cm])) {
            return;
        }
        $storage = get_file_storage();
        foreach ($event->other['pathnamehashes'] ?? [] as $hash) {
            $file = $storage->get_file_by_hash($hash);
            if (!$file || $file->is_directory()) {
                continue;
            }
            $user = $event->relateduserid ?: $event->userid;
            $known = ['cm' => $cm, 'userid' => $user, 'contenthash' => $file->get_contenthash()];
            if ($DB->record_exists('plagiarism_copytrace_file', $known)) {
                continue;
            }
            $row = $known + ['pathnamehash' => $hash, 'message' => '', 'timecreated' => time()];
            $task = new task\hand_in();
            $task->set_custom_data(['id' => $DB->insert_record('plagiarism_copytrace_file', (object) $row)]);
            \core\task\manager::queue_adhoc_task($task);
        }
    }

    /**
     * Forgets an assignment that is gone. What the service has is kept for as long as its round says.
     *
     * @param \core\event\course_module_deleted $event
     */
    public static function deleted(\core\event\course_module_deleted $event): void {
        global $DB;
        $DB->delete_records('plagiarism_copytrace_cm', ['cm' => $event->objectid]);
        $DB->delete_records('plagiarism_copytrace_file', ['cm' => $event->objectid]);
    }
}
