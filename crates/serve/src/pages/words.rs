//! Every word of the service's pages, in the language of whoever reads them.

copytrace_messages::words! {
    /// The words of the pages in one language.
    pub struct Words, "service":
        own_name product internal unknown skip main_menu overview rounds people collections audit account sign_in
        sign_out number name password new_password choose_password welcome save back error administrator supervisor
        student auditor queued running done failed cancelled pass revise fail kind_self kind_draft kind_final
        sees_never sees_ratio sees_after_verdict sees_at_once look_first look_first_none no_rounds no_rounds_admin
        no_rounds_student new_round title unit opens closes open_now not_open quota interval_hours self_checks limit
        student_sees anonymous among keep_days previous none compared_with create submissions no_submissions ratio
        decided_ratio compared passages signs state verdict no_verdict received kind attempt file upload upload_own
        upload_for upload_batch batch_hint batch batch_start batch_none matched_student no_match left_checks
        left_self enrol enrol_hint students templates templates_hint sheet report open_report not_shown figures
        later ratio_since ratio_since_hint sources no_sources characters reason decisions
        revoke revoked comment give_verdict deposit deposit_hint deposited cancel erase erase_hint
        waiting before import import_hint roles invite invite_made more new_collection wording wording_everyone
        wording_staff documents no_collections fill_upload fill_folder folder search find remove jobs unreadable
        added sessions this_one end tokens token_made scopes label expires old_password change_password chain_whole
        chain_broken chain_head at who action object limit_short called times change_round change_hint among_short
        next_check without_final no_students extra_checks deposit_all units new_unit code part_of change find_people
        no_people not_let_in let_in shut_out take_role remove_ticked closed_source measures demo colon in_progress not_all_checked
        finished removals_wait jobs_wait last_used never_used check_again check_again_hint check_failed original code_now second_factor second_factor_hint second_factor_on turn_off confirm set_up remove_factor
        student_of college round checked_on signature_sheet decide_hint earlier sure thesis_title reload time_left finished_reload formats_hint practice_hint
        give_to batch_waits batches_waiting remove_round remove_round_hint remove_collection remove_collection_hint
        preview preview_do preview_refused row row_does row_same row_refused add_person add_student give_role
        with_password forget_identity invite_many invite_many_hint invite_as invite_csv invite_pdf invite_again invite_how
        invite_mail mail letters letters_hint no_letters no_mail letter letter_invitation letter_reset letter_digest letter_sent letter_waiting
        letter_refused send_again lost_password number_or_mail send_link
        webhooks webhooks_hint webhook_made webhook_address try_webhook deliveries no_deliveries event attempts
        reviewer reviewers reviewers_differ differ review_hint to_review draw_reviewers draw_hint reviewers_each name_reviewers name_reviewers_hint
        blind blind_none blind_author blind_reviewer blind_both own_data
        protection protection_hint kept place how_long who_saw terms no_terms terms_hint terms_text version agrees
        harvests harvest_none harvest_new harvest_hint harvest_source harvest_contact harvest_licence harvest_every harvest_daily harvest_weekly
        harvest_monthly harvest_days harvest_by_hand harvest_last_run harvest_stopped harvest_changes harvest_replaced harvest_removed
        harvest_errors harvest_now add_harvest
        shared shared_since offered agree end_sharing share share_hint requests requests_hint no_requests request_waits request_granted
        request_refused request_revoked grant refuse take_back answer withheld ask_wording
        platforms platforms_hint no_platforms register_platform issuer client deployments deployment authorization_url token_url keys_url frame_url
        takes_new register_link register_link_hint register_link_made our_addresses our_login our_launch our_keys
        platform score score_hint score_none score_ratio score_verdict fetch_members errands no_errands what_score what_members
        choose_round choose_round_hint round_there open_window window_hint no_round_yet no_round_yet_hint add_to_course add_to_course_hint registered registered_hint
        end_desk desk_ended help_desk
}

impl Words {
    /// What a word of the database or of a form is called: `supervisor`, `queued`, `pass` and the like.
    pub fn word(&self, word: &str) -> &'static str {
        match word {
            "administrator" => self.administrator,
            "supervisor" => self.supervisor,
            "student" => self.student,
            "auditor" => self.auditor,
            "reviewer" => self.reviewer,
            "queued" => self.queued,
            "running" => self.running,
            "done" => self.done,
            "failed" => self.failed,
            "cancelled" => self.cancelled,
            "pass" => self.pass,
            "revise" => self.revise,
            "fail" => self.fail,
            "self" => self.kind_self,
            "draft" => self.kind_draft,
            "final" => self.kind_final,
            "never" => self.sees_never,
            "ratio" => self.sees_ratio,
            "after_verdict" => self.sees_after_verdict,
            "at_once" => self.sees_at_once,
            _ => self.unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use copytrace_messages::Language;

    #[test]
    fn every_word_is_there_in_every_language() {
        for words in Language::all().map(Words::of) {
            let words = serde_json::to_value(words).unwrap();
            for (name, word) in words.as_object().unwrap() {
                let word = word.as_str().unwrap();
                assert!(!word.is_empty() && !word.starts_with("service-"), "{name}");
            }
        }
        assert_eq!(Words::of(Language::named("zh").unwrap()).word("pass"), "通过");
    }
}
