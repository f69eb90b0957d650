<?php
// A part of copytrace, a similarity checker for theses.
/** The page of settings: where the service is, and the token by which it knows Moodle. */

require_once(__DIR__ . '/../../config.php');
require_once($CFG->libdir . '/adminlib.php');

require_login();
admin_externalpage_setup('plagiarismcopytrace');

$form = new \plagiarism_copytrace\form\settings();
if ($data = $form->get_data()) {
    set_config('enabled', empty($data->enabled) ? 0 : 1, 'plagiarism_copytrace');
    set_config('address', rtrim($data->address, '/'), 'plagiarism_copytrace');
    if ($data->token !== '') {
        set_config('token', $data->token, 'plagiarism_copytrace');
    }
    \core\notification::success(get_string('changessaved'));
}
$form->set_data([
    'enabled' => get_config('plagiarism_copytrace', 'enabled'),
    'address' => get_config('plagiarism_copytrace', 'address'),
]);

echo $OUTPUT->header();
echo $OUTPUT->heading(get_string('pluginname', 'plagiarism_copytrace'));
$form->display();
echo $OUTPUT->footer();
