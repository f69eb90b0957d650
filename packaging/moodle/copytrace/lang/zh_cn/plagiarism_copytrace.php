<?php
// A part of copytrace, a similarity checker for theses.
/** The words in Chinese. */

defined('MOODLE_INTERNAL') || die();

$string['address'] = '服务地址';
$string['draft'] = '草稿';
$string['enabled'] = '向 copytrace 提交文件';
$string['failed'] = 'copytrace：{$a}';
$string['final'] = '定稿';
$string['kind'] = '文件作为';
$string['nonumber'] = '该学生在 Moodle 中没有学号（ID 号）。';
$string['onlyhttps'] = '地址须以 https:// 开头。';
$string['pluginname'] = 'copytrace';
$string['privacy:file'] = '哪些文件已提交到 copytrace。';
$string['privacy:file:cm'] = '作业。';
$string['privacy:file:contenthash'] = '文件的哈希值。';
$string['privacy:file:message'] = '文件未能提交的原因。';
$string['privacy:file:pathnamehash'] = 'Moodle 保存文件的位置。';
$string['privacy:file:submission'] = '服务中的提交编号。';
$string['privacy:file:timecreated'] = '文件上传的时间。';
$string['privacy:file:userid'] = '学生。';
$string['privacy:service'] = '学校的 copytrace 服务将文件与其文本库比对，并按批次规定的期限保存。';
$string['privacy:service:file'] = '文件。';
$string['privacy:service:filename'] = '文件名。';
$string['privacy:service:idnumber'] = '学生的学号。';
$string['report'] = '相似度报告';
$string['round'] = '批次';
$string['round_help'] = 'copytrace 中批次页面地址的最后一段。留空则不提交文件。';
$string['token'] = '令牌';
$string['tokenhint'] = '单位管理员的令牌，权限为 read 和 submit。留空则保留已设置的令牌。';
$string['waiting'] = '等待提交。';
