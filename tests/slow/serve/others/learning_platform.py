"""A learning platform made of lti1p3platform (PyPI), which knows nothing of copytrace. Says its address; ends with its input.

learning_platform.py TOOL CLIENT AUTHORITY: TOOL is the address of copytrace, CLIENT what it is called here, AUTHORITY the file of who signed its
certificate, if it has one.
"""
import html
import json
import os
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from lti1p3platform.ltiplatform import LTI1P3PlatformConfAbstract
from lti1p3platform.message_launch import LTIAdvantageMessageLaunchAbstract
from lti1p3platform.oidc_login import OIDCLoginAbstract
from lti1p3platform.registration import Registration
from lti1p3platform.request import Request
from lti1p3platform.score import UpdateScoreStatus
from lti1p3platform.membership import Context
from lti1p3platform.service_connector import AssignmentsGradesService, NamesRoleProvisioningService

TOOL, CLIENT, AUTHORITY = sys.argv[1:4]
if AUTHORITY:
    os.environ["REQUESTS_CA_BUNDLE"] = AUTHORITY
ROLE = "http://purl.imsglobal.org/vocab/lis/v2/membership#"
scores = []


def key():
    private = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    pem = private.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    public = private.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    return pem.decode(), public.decode()


PRIVATE, PUBLIC = key()


class Platform(LTI1P3PlatformConfAbstract):
    def init_platform_config(self, **kwargs):
        registration = Registration()
        registration.set_iss(BASE).set_client_id(CLIENT).set_deployment_id("d").set_launch_url(f"{TOOL}/lti/launch")
        registration.set_deeplink_launch_url(f"{TOOL}/lti/launch").set_oidc_login_url(f"{TOOL}/lti/login")
        registration.set_platform_public_key(PUBLIC).set_platform_private_key(PRIVATE).set_tool_key_set_url(f"{TOOL}/lti/keys")
        self._registration = registration

    def get_registration_by_params(self, **kwargs):
        return self._registration


class Login(OIDCLoginAbstract):
    def set_lti_message_hint(self, **kwargs):
        self._lti_message_hint = kwargs["hint"]

    def get_redirect(self, url):
        return url


class Launch(LTIAdvantageMessageLaunchAbstract):
    def render_launch_form(self, launch_data, **kwargs):
        return launch_data


class Asked(Request):
    def build_metadata(self, request):
        return request


class Grades(AssignmentsGradesService):
    def find_lineitems(self, *args, **kwargs):
        raise NotImplementedError

    find_lineitem = update_lineitem = delete_lineitem = get_results = find_lineitems

    def create_lineitem(self, line_item):
        return {**line_item, "id": f"{BASE}/items/1"}

    def update_score(self, line_item_id, score):
        scores.append(score)
        return UpdateScoreStatus.SUCCESS


class Members(NamesRoleProvisioningService):
    def get_context_by_id(self):
        return Context("course", "C", "Seminar")

    def get_member_data_page(self, **kwargs):
        people = [("kim", "Learner"), ("lee", "Learner"), ("teacher", "Instructor")]
        content = [{"user_id": user, "name": f"Name of {user}", "roles": [ROLE + role]} for user, role in people]
        return {"content": content, "has_next": False}


def page(launch):
    """The page that sends a launch from the frame, and the page of a course with a frame."""
    if "place" in launch:
        return f"<!doctype html><title>Seminar</title><h1>Seminar</h1><iframe width=1200 height=1600 src='{html.escape(launch['place'])}'></iframe>"
    fields = "".join(f"<input type=hidden name={name} value='{html.escape(launch[name])}'>" for name in ("state", "id_token"))
    return f"<!doctype html><form method=post action='{html.escape(launch['launch_url'])}'>{fields}</form><script>document.forms[0].submit()</script>"


def answer(asked):
    path, query, form = urlsplit(asked["path"]).path, asked["get_data"], asked["form_data"]
    platform, request = Platform(), Asked(asked)
    if path == "/open":
        # Who opens what: the hint brings it back.
        login = Login(request, platform)
        login.set_lti_message_hint(hint=f"{query['what']} {query['round']}")
        return 200, {"place": login.initiate_login(query["user"])}
    if path == "/auth":
        what, chosen = (query["lti_message_hint"] + " ").split(" ")[:2]
        launch, user = Launch(request, platform), query["login_hint"]
        launch.set_user_data(user, [ROLE + ("Instructor" if user == "teacher" else "Learner")], full_name=f"Name of {user}")
        launch.set_launch_context_claim("course", context_title="Seminar")
        launch.set_resource_link_claim("assignment", title="Thesis")
        launch.set_custom_parameters_claim({"round": chosen})
        launch.set_ags(lineitems_url=f"{BASE}/items")
        launch.set_nrps(f"{BASE}/members")
        if what == "choose":
            launch.set_dl(f"{BASE}/chosen")
        return 200, launch.lti_launch()
    if path == "/jwks":
        return 200, platform.get_jwks()
    if path == "/token":
        return 200, platform.get_access_token(form)
    if path == "/chosen":
        return 200, {"items": platform.validate_deeplinking_resp(form)}
    if path == "/scores":
        return 200, {"scores": scores}
    if path == "/members":
        members = Members(request, platform, f"{BASE}/members")
        told = members.handle_resp(members.handle_get_members)
        return told.code, told.result
    grades = Grades(request, platform, f"{BASE}/items")
    if path == "/items":
        told = grades.handle_resp(grades.handle_create_lineitem)
    else:
        told = grades.handle_resp(grades.handle_update_score, line_item_id="1")
    return told.code, told.result


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        kind = self.headers.get("content-type", "")
        asked = {
            "method": self.command, "path": self.path, "headers": self.headers, "content_type": kind,
            "get_data": dict(parse_qsl(urlsplit(self.path).query, keep_blank_values=True)),
            "form_data": dict(parse_qsl(body.decode())) if "form" in kind else {},
            "json": json.loads(body) if "json" in kind else None,
        }
        try:
            code, told = answer(asked)
        except Exception as error:
            code, told = 400, {"error": repr(error)}
        is_page = "text/html" in self.headers.get("accept", "") and told and ("place" in told or "launch_url" in told)
        content = (page(told) if is_page else json.dumps(told)).encode()
        self.send_response(code)
        self.send_header("content-type", "text/html; charset=utf-8" if is_page else "application/json")
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_POST = do_GET

    def log_message(self, *args):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
BASE = f"http://127.0.0.1:{server.server_port}"
print(BASE, flush=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
sys.stdin.read()
