<?php
// A part of copytrace, a similarity checker for theses.
/** What the plugin hears of. */

defined('MOODLE_INTERNAL') || die();

$observers = [
    ['eventname' => '\assignsubmission_file\event\assessable_uploaded', 'callback' => '\plagiarism_copytrace\observer::uploaded'],
    ['eventname' => '\core\event\course_module_deleted', 'callback' => '\plagiarism_copytrace\observer::deleted'],
];
