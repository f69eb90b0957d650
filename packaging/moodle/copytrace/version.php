<?php
// A part of copytrace, a similarity checker for theses.
/** Which plugin this is. */

defined('MOODLE_INTERNAL') || die();

$plugin->component = 'plagiarism_copytrace';
$plugin->version = 2026112400;
$plugin->requires = 2024042200; // Moodle 4.4.
$plugin->maturity = MATURITY_ALPHA;
$plugin->release = '0.1.0';
