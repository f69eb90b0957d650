<?php
// A part of copytrace, a similarity checker for theses.
/** The words in English. */

defined('MOODLE_INTERNAL') || die();

$string['address'] = 'Address of the service';
$string['draft'] = 'draft';
$string['enabled'] = 'Hand files in to copytrace';
$string['failed'] = 'copytrace: {$a}';
$string['final'] = 'final version';
$string['kind'] = 'Files count as';
$string['nonumber'] = 'This student has no ID number in Moodle.';
$string['onlyhttps'] = 'The address begins with https://.';
$string['pluginname'] = 'copytrace';
$string['privacy:file'] = 'Which files were handed in to copytrace.';
$string['privacy:file:cm'] = 'The assignment.';
$string['privacy:file:contenthash'] = 'The hash of the file.';
$string['privacy:file:message'] = 'Why the file could not be handed in.';
$string['privacy:file:pathnamehash'] = 'Where Moodle keeps the file.';
$string['privacy:file:submission'] = 'The id of the submission at the service.';
$string['privacy:file:timecreated'] = 'When the file was uploaded.';
$string['privacy:file:userid'] = 'The student.';
$string['privacy:service'] = 'The institution’s copytrace service compares the file with its collections and keeps it for as long as its round says.';
$string['privacy:service:file'] = 'The file.';
$string['privacy:service:filename'] = 'The name of the file.';
$string['privacy:service:idnumber'] = 'The student’s ID number.';
$string['report'] = 'Similarity report';
$string['round'] = 'Round';
$string['round_help'] = 'The last part of the address of the round’s page in copytrace. Left empty, no file is handed in.';
$string['token'] = 'Token';
$string['tokenhint'] = 'A token with the scopes read and submit, of an administrator of the unit. Left empty, the one that is set stays.';
$string['waiting'] = 'Waits to be handed in.';
