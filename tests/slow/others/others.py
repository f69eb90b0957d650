"""Programs of others that `copytrace harvest` is measured by: a repository, WARC files, and what they read of the same texts.

others.py oai NUMBER CHANGED PORT a repository (PyPI oai-repo) of NUMBER records with files, of which the first CHANGED have changed;
                                prints its address; at port 0 at any
others.py warc FOLDER FILE       the pages of a folder, served here and fetched into a WARC file (PyPI warcio)
others.py pages FOLDER           what trafilatura reads of each page of a folder, as JSON
others.py wikitext               what mwparserfromhell reads of each text of a JSON list on standard input, as JSON
"""

import functools
import http.server
import json
import pathlib
import sys
import threading
import urllib.parse


def serve(handler, port=0):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", int(port)), handler)
    return server, f"http://127.0.0.1:{server.server_port}"


def oai(number, changed, port):
    import datetime

    import oai_repo
    from lxml import etree

    number, changed = int(number), int(changed)
    base = [""]
    today = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
    day = lambda n: today if n < changed else datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc)

    class Data(oai_repo.DataInterface):
        limit = 100

        def get_identify(self):
            return oai_repo.Identify(
                base_url=base[0] + "/oai", admin_email=["keeper@example.org"], repository_name="Theses",
                deleted_record="no", granularity="YYYY-MM-DD", earliest_datestamp="2026-01-01")

        def is_valid_identifier(self, identifier):
            return identifier.startswith("oai:theses:")

        def get_metadata_formats(self, identifier=None):
            return [oai_repo.MetadataFormat(
                metadata_prefix="oai_dc", schema="http://www.openarchives.org/OAI/2.0/oai_dc.xsd",
                metadata_namespace="http://www.openarchives.org/OAI/2.0/oai_dc/")]

        def get_record_header(self, identifier):
            return oai_repo.RecordHeader(identifier=identifier, datestamp=day(int(identifier.split(":")[-1])), setspecs=[])

        def get_record_metadata(self, identifier, metadataprefix):
            n = identifier.split(":")[-1]
            return etree.fromstring(
                '<oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/" xmlns:dc="http://purl.org/dc/elements/1.1/">'
                f"<dc:title>Thesis {n}</dc:title><dc:creator>Writer {n}</dc:creator><dc:rights>CC BY 4.0</dc:rights>"
                f"<dc:identifier>{base[0]}/file/{n}.txt</dc:identifier></oai_dc:dc>")

        def get_record_abouts(self, identifier):
            return []

        def list_set_specs(self, identifier=None, cursor=0):
            return None, None, None

        def list_identifiers(self, metadataprefix, filter_from=None, filter_until=None, filter_set=None, cursor=0):
            all = [n for n in range(number) if not filter_from or day(n) >= filter_from]
            return [f"oai:theses:{n}" for n in all[cursor:cursor + self.limit]], len(all), None

    repository = oai_repo.OAIRepository(Data())

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            address = urllib.parse.urlsplit(self.path)
            if address.path == "/oai":
                body, kind = bytes(repository.process(dict(urllib.parse.parse_qsl(address.query)))), "text/xml"
            elif address.path.startswith("/file/"):
                n = int(address.path.split("/")[-1].split(".")[0])
                version = "again " if n < changed else ""
                words = " ".join(f"word{(n * 7919 + at * (at + n)) % 9973}" for at in range(200))
                body, kind = f"Thesis {n} {version}says {words}.".encode(), "text/plain"
            else:
                self.send_error(404)
                return
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server, base[0] = serve(Handler, port)
    print(base[0] + "/oai", flush=True)
    server.serve_forever()


def warc(folder, file):
    from warcio.capture_http import capture_http
    import requests  # behind capture_http, so that what it fetches is captured

    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=folder)
    handler.log_message = lambda *_: None
    http.server.SimpleHTTPRequestHandler.log_message = lambda *_: None
    server, base = serve(handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with capture_http(file):
        for page in sorted(pathlib.Path(folder).iterdir()):
            requests.get(f"{base}/{page.name}")


def pages(folder):
    import trafilatura

    read = lambda page: trafilatura.extract(page.read_text(encoding="utf-8"), include_comments=False) or ""
    json.dump({page.name: read(page) for page in sorted(pathlib.Path(folder).iterdir())}, sys.stdout)


def wikitext():
    import mwparserfromhell

    texts = json.load(sys.stdin)
    json.dump([str(mwparserfromhell.parse(text).strip_code()) for text in texts], sys.stdout)


if __name__ == "__main__":
    {"oai": oai, "warc": warc, "pages": pages, "wikitext": wikitext}[sys.argv[1]](*sys.argv[2:])
