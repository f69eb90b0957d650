"""A server of CAS made of django-mama-cas (PyPI), which knows nothing of copytrace. Says its address; ends with its input.

cas.py FOLDER: where it keeps what it knows.
"""
import pathlib
import socketserver
import sys
import threading
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

import django
from django.conf import settings
from django.urls import include, path

FOLDER = pathlib.Path(sys.argv[1])
PEOPLE = {"s1": "a password of Ann", "nobody-here": "a password of somebody else"}


class Quiet(WSGIRequestHandler):
    def log_message(self, *_):
        pass


class Server(socketserver.ThreadingMixIn, WSGIServer):
    daemon_threads = True


settings.configure(
    SECRET_KEY="a key of this test alone",
    ALLOWED_HOSTS=["127.0.0.1"],
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": FOLDER / "cas.sqlite3"}},
    DEFAULT_AUTO_FIELD="django.db.models.AutoField",
    INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions", "django.contrib.messages", "mama_cas"],
    MIDDLEWARE=[
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.middleware.csrf.CsrfViewMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
        "django.contrib.messages.middleware.MessageMiddleware",
    ],
    MAMA_CAS_SERVICES=[{
        "SERVICE": r"^http://127\.0\.0\.1:\d+/sign-in/cas/back",
        "CALLBACKS": ["mama_cas.callbacks.user_name_attributes"],
        "LOGOUT_ALLOW": True,
    }],
    ROOT_URLCONF=sys.modules[__name__],
    TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True, "OPTIONS": {"context_processors": [
        "django.template.context_processors.request", "django.contrib.auth.context_processors.auth", "django.contrib.messages.context_processors.messages"]}}],
    USE_TZ=True,
)
django.setup()
urlpatterns = [path("cas/", include("mama_cas.urls"))]

from django.contrib.auth.models import User
from django.core.management import call_command
from django.core.wsgi import get_wsgi_application

call_command("migrate", verbosity=0)
for name, password in PEOPLE.items():
    User.objects.create_user(name, password=password)
server = make_server("127.0.0.1", 0, get_wsgi_application(), Server, Quiet)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(f"http://127.0.0.1:{server.server_port}/cas", flush=True)
sys.stdin.read()
