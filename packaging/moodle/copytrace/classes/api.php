<?php
// A part of copytrace, a similarity checker for theses.
/** The service's programming interface: docs/SERVICE.md says what it does, /api/v1/openapi.json how. */

namespace plagiarism_copytrace;

defined('MOODLE_INTERNAL') || die();

class api {
    /**
     * Hands a file in for a student, and gives the id of the submission. Asked again with the same key, it is done once.
     *
     * @param string $round the id of the round
     * @param string $student the student's number in the institution
     * @param string $kind draft or final
     * @param \stored_file $file
     * @param string $key
     * @return string
     */
    public static function hand_in(string $round, string $student, string $kind, \stored_file $file, string $key): string {
        $path = $file->copy_content_to_temp();
        try {
            $content = new \CURLFile($path, 'application/octet-stream', $file->get_filename());
            $fields = ['kind' => $kind, 'student' => $student, 'file' => $content];
            $told = self::post('/rounds/' . rawurlencode($round) . '/submissions', $fields, ['Idempotency-Key: ' . $key]);
        } finally {
            @unlink($path);
        }
        return $told->id;
    }

    /**
     * The address of a report, for some minutes.
     *
     * @param string $submission
     * @return string
     */
    public static function report(string $submission): string {
        $told = self::post('/submissions/' . rawurlencode($submission) . '/viewer', '{}', ['Content-Type: application/json']);
        return get_config('plagiarism_copytrace', 'address') . $told->path;
    }

    /**
     * Sends a request, and gives what answers it.
     *
     * @param string $path
     * @param array|string $body
     * @param string[] $head
     * @return \stdClass
     */
    private static function post(string $path, $body, array $head): \stdClass {
        global $CFG;
        require_once($CFG->libdir . '/filelib.php');
        // The address is one that the administrator has set, also inside the network.
        $curl = new \curl(['ignoresecurity' => true]);
        $head[] = 'Authorization: Bearer ' . get_config('plagiarism_copytrace', 'token');
        $head[] = 'Accept: application/json';
        $curl->setHeader($head);
        $address = get_config('plagiarism_copytrace', 'address') . '/api/v1' . $path;
        $options = ['CURLOPT_TIMEOUT' => 300, 'CURLOPT_CONNECTTIMEOUT' => 10, 'CURLOPT_FOLLOWLOCATION' => 0];
        $answer = $curl->post($address, $body, $options);
        $status = (int) ($curl->get_info()['http_code'] ?? 0);
        $told = json_decode((string) $answer);
        if ($status >= 200 && $status < 300 && $told instanceof \stdClass) {
            return $told;
        }
        $why = $told instanceof \stdClass ? trim(($told->title ?? '') . ' ' . ($told->detail ?? '')) : (string) $curl->error;
        // What is wrong with the request itself stays wrong; all else may pass.
        throw new api_exception($why === '' ? (string) $status : $why, $status >= 400 && $status < 500 && $status != 429 && $status != 408);
    }
}
