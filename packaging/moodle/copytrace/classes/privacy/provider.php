<?php
// A part of copytrace, a similarity checker for theses.
/** What is kept of people, where it goes, and how it is told and deleted. */

namespace plagiarism_copytrace\privacy;

use core_privacy\local\metadata\collection;
use core_privacy\local\request\writer;

defined('MOODLE_INTERNAL') || die();

class provider implements
    \core_plagiarism\privacy\plagiarism_provider,
    \core_plagiarism\privacy\plagiarism_user_provider,
    \core_privacy\local\metadata\provider {

    #[\Override]
    public static function get_metadata(collection $collection): collection {
        $kept = ['userid', 'cm', 'contenthash', 'pathnamehash', 'submission', 'message', 'timecreated'];
        $sent = ['idnumber', 'file', 'filename'];
        $named = fn(string $of, array $fields) => array_combine($fields, array_map(fn($field) => "privacy:$of:$field", $fields));
        $collection->add_database_table('plagiarism_copytrace_file', $named('file', $kept), 'privacy:file');
        $collection->add_external_location_link('copytrace', $named('service', $sent), 'privacy:service');
        return $collection;
    }

    #[\Override]
    public static function export_plagiarism_user_data(int $userid, \context $context, array $subcontext, array $linkarray) {
        global $DB;
        $rows = $DB->get_records('plagiarism_copytrace_file', ['userid' => $userid, 'cm' => $context->instanceid]);
        if ($rows) {
            $path = array_merge($subcontext, [get_string('pluginname', 'plagiarism_copytrace')]);
            writer::with_context($context)->export_data($path, (object) ['files' => array_values($rows)]);
        }
    }

    #[\Override]
    public static function delete_plagiarism_for_context(\context $context) {
        global $DB;
        $DB->delete_records('plagiarism_copytrace_file', ['cm' => $context->instanceid]);
    }

    #[\Override]
    public static function delete_plagiarism_for_user(int $userid, \context $context) {
        global $DB;
        $DB->delete_records('plagiarism_copytrace_file', ['userid' => $userid, 'cm' => $context->instanceid]);
    }

    #[\Override]
    public static function delete_plagiarism_for_users(array $userids, \context $context) {
        foreach ($userids as $userid) {
            self::delete_plagiarism_for_user((int) $userid, $context);
        }
    }
}
