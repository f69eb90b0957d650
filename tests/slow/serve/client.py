"""What a program does by a client that was generated from the service's description: hand in, wait, fetch the report, deposit."""

import io
import sys
import time

# The package that was generated is meant by `client`, not this file.
del sys.path[0]

from client import AuthenticatedClient
from client.api.default import (
    get_submissions_id,
    get_submissions_id_report,
    post_rounds_id_submissions,
    post_submissions_id_deposit,
    post_submissions_id_verdict,
)
from client.models import DepositInto, HandedIn, Kind, NewVerdict, PostRoundsIdSubmissionsBody, State, Verdict
from client.types import File

base, token, round_id, path, collection = sys.argv[1:]
with AuthenticatedClient(base_url=base, token=token, raise_on_unexpected_status=True) as client:
    with open(path, "rb") as thesis:
        file = File(payload=io.BytesIO(thesis.read()), file_name="thesis.txt", mime_type="text/plain")
    body = PostRoundsIdSubmissionsBody(kind=Kind.FINAL, student="s1", file=file)
    handed_in = post_rounds_id_submissions.sync(round_id, client=client, body=body, idempotency_key="one")
    assert isinstance(handed_in, HandedIn), handed_in
    again = get_submissions_id.sync(handed_in.id, client=client)
    for _ in range(600):
        if again.status.state not in (State.QUEUED, State.RUNNING):
            break
        time.sleep(0.2)
        again = get_submissions_id.sync(handed_in.id, client=client)
    assert again.status.state == State.DONE, again
    assert again.figures.copy_ratio > 0.1, again
    report = get_submissions_id_report.sync_detailed(handed_in.id, client=client)
    assert report.status_code == 200 and b"tidal-marsh" in report.content, report
    verdict = NewVerdict(verdict=Verdict.PASS, comment="by a program")
    assert post_submissions_id_verdict.sync_detailed(handed_in.id, client=client, body=verdict).status_code == 204
    into = DepositInto(collection=int(collection))
    assert post_submissions_id_deposit.sync_detailed(handed_in.id, client=client, body=into).status_code == 202
    print(handed_in.id)
