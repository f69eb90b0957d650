"""Glewlwyd (Debian), a provider of OpenID Connect that knows nothing of copytrace, set up by its own interface.

glewlwyd.py FOLDER SECRET: where it keeps what it knows, and the secret of its client `copytrace`.
Says its address; then hears that of copytrace; ends with its input.
"""
import http.cookiejar
import json
import pathlib
import shutil
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.error
import urllib.request

FOLDER, SECRET = pathlib.Path(sys.argv[1]), sys.argv[2]
with socket.socket() as one:
    one.bind(("127.0.0.1", 0))
    PORT = one.getsockname()[1]
BASE = f"http://127.0.0.1:{PORT}"
ISSUER = f"{BASE}/api/campus"
SHARE = pathlib.Path("/usr/share/glewlwyd")

# Its pages, with the settings that Debian keeps as a template.
shutil.copytree(SHARE / "webapp", FOLDER / "webapp", ignore=shutil.ignore_patterns("config.json"))
shutil.copy(SHARE / "templates/config.json", FOLDER / "webapp/config.json")
with sqlite3.connect(FOLDER / "glewlwyd.db") as database:
    database.executescript(pathlib.Path("/usr/share/dbconfig-common/data/glewlwyd/install/sqlite3").read_text())
subprocess.run(["openssl", "genrsa", "-out", FOLDER / "key.pem", "2048"], check=True, capture_output=True)
public = subprocess.run(["openssl", "rsa", "-in", FOLDER / "key.pem", "-pubout"], check=True, capture_output=True, text=True).stdout
types = {".html": "text/html", ".css": "text/css", ".js": "application/javascript", ".json": "application/json", ".png": "image/png", "*": "application/octet-stream"}
(FOLDER / "glewlwyd.conf").write_text(f"""
port={PORT}
bind_address="127.0.0.1"
external_url="{BASE}"
login_url="login.html"
api_prefix="api"
log_mode="file"
log_level="WARNING"
log_file="{FOLDER}/log"
cookie_secure=0
session_expiration=3600
session_key="GLEWLWYD2_SESSION_ID"
admin_session_authentication="cookie"
profile_session_authentication="cookie"
login_api_enabled=true
admin_scope="g_admin"
profile_scope="g_profile"
user_module_path="/usr/lib/glewlwyd/user"
client_module_path="/usr/lib/glewlwyd/client"
user_auth_scheme_module_path="/usr/lib/glewlwyd/scheme"
plugin_module_path="/usr/lib/glewlwyd/plugin"
hash_algorithm="SHA512"
static_files_path="{FOLDER}/webapp"
static_files_mime_types=({", ".join(f'{{ extension = "{end}" mime_type = "{kind}" }}' for end, kind in types.items())})
database={{ type = "sqlite3"; path = "{FOLDER}/glewlwyd.db"; }};
""")
program = subprocess.Popen(["glewlwyd", f"--config-file={FOLDER}/glewlwyd.conf"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))


def ask(method, path, content):
    asked = urllib.request.Request(f"{BASE}/api/{path}", json.dumps(content).encode(), {"content-type": "application/json"}, method=method)
    try:
        browser.open(asked, timeout=10).read()
    except urllib.error.HTTPError as error:
        raise SystemExit(f"{method} {path}: {error} {error.read()}")


def wait():
    for _ in range(100):
        try:
            return socket.create_connection(("127.0.0.1", PORT)).close()
        except OSError:
            time.sleep(0.1)
    raise SystemExit("glewlwyd does not start")


try:
    wait()
    ask("POST", "auth/", {"username": "admin", "password": "password"})
    ask("POST", "scope", {"name": "profile", "display_name": "Name and number", "password_required": True, "password_max_age": 0, "scheme": {}})
    ask("POST", "mod/plugin", {"module": "oidc", "name": "campus", "display_name": "Campus", "parameters": {
        "iss": ISSUER, "jwt-type": "rsa", "jwt-key-size": "256", "key": (FOLDER / "key.pem").read_text(), "cert": public,
        "access-token-duration": 3600, "refresh-token-duration": 3600, "code-duration": 600, "refresh-token-rolling": False,
        "allow-non-oidc": False, "auth-type-code-enabled": True, "auth-type-token-enabled": False, "auth-type-id-token-enabled": True,
        "auth-type-none-enabled": False, "auth-type-password-enabled": False, "auth-type-client-enabled": False, "auth-type-device-enabled": False,
        "auth-type-refresh-enabled": False, "jwks-show": True, "pkce-allowed": True, "subject-type": "public", "allowed-scope": ["openid", "profile"],
        "name-claim": "mandatory", "name-claim-scope": [], "email-claim": "no", "scope-claim": "no",
        "claims": [{"name": "student_number", "user-property": "username", "type": "string", "mandatory": True, "on-demand": False, "scope": []}],
        "session-management-allowed": True, "session-cookie-name": "CAMPUS", "session-cookie-expiration": 3600, "back-channel-logout-allowed": True, "front-channel-logout-allowed": False,
        "client-enable-parameter": "", "request-parameter-allow": True,
    }})
    for number in ("s1", "nobody-here"):
        ask("POST", "user", {"username": number, "name": f"Called {number}", "password": f"the password of {number}", "scope": ["openid", "profile"], "enabled": True})
    print(ISSUER, flush=True)
    tool = sys.stdin.readline().strip()
    ask("POST", "client", {
        "client_id": "copytrace", "name": "copytrace", "enabled": True, "confidential": True, "client_secret": SECRET, "password": SECRET,
        "redirect_uri": [f"{tool}/sign-in/campus/back"], "authorization_type": ["code"], "scope": ["openid", "profile"],
        "token_endpoint_auth_method": ["client_secret_basic"], "post_logout_redirect_uri": f"{tool}/login",
        "backchannel_logout_uri": f"{tool}/sign-in/campus/back", "backchannel_logout_session_required": "yes",
    })
    print("ready", flush=True)
    sys.stdin.read()
finally:
    program.kill()
