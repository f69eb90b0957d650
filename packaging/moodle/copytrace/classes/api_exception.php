<?php
// A part of copytrace, a similarity checker for theses.
/** Why the service has not done what it was asked for. */

namespace plagiarism_copytrace;

defined('MOODLE_INTERNAL') || die();

class api_exception extends \moodle_exception {
    /** @var bool whether asking again is of no use */
    public $isfinal;

    /**
     * Makes one.
     *
     * @param string $why
     * @param bool $isfinal
     */
    public function __construct(string $why, bool $isfinal) {
        parent::__construct('failed', 'plagiarism_copytrace', '', $why, $why);
        $this->isfinal = $isfinal;
    }
}
