"""A mail server made of aiosmtpd (PyPI), with a certificate of its own authority; it takes letters over TLS alone.

mail_server.py FOLDER: where the authority's certificate is written (authority.pem; of another one other.pem), and each letter as it came.
Says its ports: one where encryption is asked for (STARTTLS), one that begins with it, and one whose certificate is for another name.
"""
import pathlib
import socket
import ssl
import sys

import trustme
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult

FOLDER = pathlib.Path(sys.argv[1])


def context(name):
    made = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    AUTHORITY.issue_cert(name).configure_cert(made)
    return made


def free():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Letters:
    count = 0

    async def handle_DATA(self, server, session, envelope):
        Letters.count += 1
        (FOLDER / f"{Letters.count}.part").write_bytes(envelope.content)
        (FOLDER / f"{Letters.count}.part").rename(FOLDER / f"{Letters.count}-{envelope.rcpt_tos[0]}.eml")
        return "250 taken"


def known(server, session, envelope, mechanism, given):
    return AuthResult(success=(given.login, given.password) == (b"office", b"right"))


AUTHORITY = trustme.CA()
AUTHORITY.cert_pem.write_to_path(FOLDER / "authority.pem")
trustme.CA().cert_pem.write_to_path(FOLDER / "other.pem")
rules = {"authenticator": known, "auth_required": True}
servers = [
    Controller(Letters(), "127.0.0.1", free(), tls_context=context("127.0.0.1"), require_starttls=True, **rules),
    Controller(Letters(), "127.0.0.1", free(), ssl_context=context("127.0.0.1"), auth_require_tls=False, **rules),
    Controller(Letters(), "127.0.0.1", free(), tls_context=context("mail.example.edu"), require_starttls=True, **rules),
]
for server in servers:
    server.start()
print(*(server.port for server in servers), flush=True)
sys.stdin.read()
for server in servers:
    server.stop()
