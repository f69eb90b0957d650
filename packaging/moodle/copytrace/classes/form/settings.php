<?php
// A part of copytrace, a similarity checker for theses.
/** The form of the settings. */

namespace plagiarism_copytrace\form;

defined('MOODLE_INTERNAL') || die();

require_once($CFG->libdir . '/formslib.php');

class settings extends \moodleform {
    #[\Override]
    protected function definition() {
        $mform = $this->_form;
        $mform->addElement('checkbox', 'enabled', get_string('enabled', 'plagiarism_copytrace'));
        $mform->addElement('text', 'address', get_string('address', 'plagiarism_copytrace'), ['size' => 60]);
        $mform->setType('address', PARAM_URL);
        $mform->addRule('address', null, 'required');
        $mform->addElement('passwordunmask', 'token', get_string('token', 'plagiarism_copytrace'));
        $mform->setType('token', PARAM_ALPHANUMEXT);
        $mform->addElement('static', 'hint', '', get_string('tokenhint', 'plagiarism_copytrace'));
        $this->add_action_buttons(false);
    }

    #[\Override]
    public function validation($data, $files) {
        $errors = parent::validation($data, $files);
        // The token and the students' work would cross the network as they are.
        if (strpos($data['address'], 'https://') !== 0) {
            $errors['address'] = get_string('onlyhttps', 'plagiarism_copytrace');
        }
        return $errors;
    }
}
