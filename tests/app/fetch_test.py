#!/usr/bin/env python3
"""fetch: from servers that behave, that break off, and that mean no good. All of them are local."""
import base64
import hashlib
import http.server
import io
import json
import os
import shutil
import signal
import ssl
import stat
import subprocess
import threading
import time
import unittest
import zipfile

from program import PROGRAM, ProgramTest, shared_data

SMALL = {"T_A.txt": "1, 2\n2, 1\n3, 4\n4, 3\n", "T_graph_indicator.txt": "1\n1\n2\n2\n",
         "T_graph_labels.txt": "1\n-1\n", "T_node_labels.txt": "0\n1\n0\n1\n", "README.txt": "Said of T.\n"}


def zip_of(files, folder="T/", compression=zipfile.ZIP_STORED):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", compression) as archive:
        for name, text in files.items():
            if isinstance(name, zipfile.ZipInfo):
                archive.writestr(name, text)
            else:
                archive.writestr(folder + name, text)
    return out.getvalue()


class Handler(http.server.BaseHTTPRequestHandler):
    """Answers by what stands in server.pages: bytes, or a function that is given this handler."""

    def log_message(self, *arguments):
        pass

    def do_GET(self):
        self.server.asked.append((self.path, self.headers.get("Range"), self.headers.get("If-Range")))
        page = self.server.pages.get(self.path)
        try:
            if page is None:
                self.send_error(404)
            elif callable(page):
                page(self)
            else:
                self.answer(page)
        except (BrokenPipeError, ConnectionResetError):
            pass

    def answer(self, data, cut=None, tag='"one"', ranges=True, pause=0.0):
        start = 0
        asked = self.headers.get("Range")
        if ranges and asked and self.headers.get("If-Range") == tag:
            start = int(asked.removeprefix("bytes=").rstrip("-"))
            if start >= len(data):
                self.send_response(416)
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            self.send_response(206)
            self.send_header("Content-Range", f"bytes {start}-{len(data) - 1}/{len(data)}")
        else:
            self.send_response(200)
        if tag:
            self.send_header("ETag", tag)
        self.send_header("Content-Length", str(len(data) - start))
        self.end_headers()
        for at in range(start, cut or len(data), 1000):
            self.wfile.write(data[at:min(at + 1000, cut or len(data))])
            time.sleep(pause)


class FetchTest(ProgramTest):
    def setUp(self):
        super().setUp()
        for name in ("http_proxy", "https_proxy", "all_proxy", "HTTPS_PROXY", "ALL_PROXY"):
            if name in os.environ:
                self.addCleanup(os.environ.__setitem__, name, os.environ.pop(name))
        self.server, self.url = self.serve()

    def serve(self, context=None):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.pages, server.asked, server.daemon_threads = {}, [], True
        if context:
            server.socket = context.wrap_socket(server.socket, server_side=True)
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return server, f"{'https' if context else 'http'}://127.0.0.1:{server.server_port}"

    def fetch(self, name, *options, **keywords):
        return self.run_program("fetch", name, "--from", self.url, *options, **keywords)

    def refused(self, says, name="T", code=2, options=(), left=()):
        """One line, no output; what may stay is a partial download."""
        done = self.fetch(name, "--quiet", *options, code=code)
        self.assertEqual(done.stdout, "")
        self.assertIn(says, done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertEqual(sorted(os.listdir(self.folder)), sorted(left))
        return done.stderr


class GoodServer(FetchTest):
    def test_a_data_set_that_every_command_reads(self):
        data = zip_of(SMALL)
        self.server.pages["/T.zip"] = data
        told = json.loads(self.fetch("T", "--json").stdout)
        self.assertEqual((told["graphs"], told["classes"], told["bytes"]), (2, 2, len(data)))
        self.assertEqual(told["sha256"], hashlib.sha256(data).hexdigest())
        self.assertFalse(told["known_content"])
        self.assertEqual(sorted(os.listdir(self.folder)), ["T"])
        self.assertEqual(sorted(os.listdir(self.folder / "T")), sorted([*SMALL, "fetched.json"]))
        for name, text in SMALL.items():
            self.assertEqual((self.folder / "T" / name).read_text(), text)
        self.assertEqual(self.run_json("info", "T")["graphs"], 2)
        self.run_program("convert", "T", "-o", "native", "--to", "native")

    def test_output_force_and_the_environment(self):
        self.server.pages["/sub/T.zip"] = zip_of(SMALL)
        environment = {**os.environ, "BERMUDA_FETCH_FROM": self.url + "/sub/"}
        done = self.run_program("fetch", "T", "-o", "here", env=environment)
        self.assertIn("no checksum is known of T; --sha256 ", done.stderr)
        self.assertIn("exists already", self.run_program("fetch", "T", "-o", "here", env=environment, code=2).stderr)
        self.assertEqual(len(self.server.asked), 1, "refused before anything is asked for")
        self.run_program("fetch", "T", "-o", "here", "--force", env=environment)
        (self.folder / "here" / "notes.txt").write_text("mine")
        again = self.run_program("fetch", "T", "-o", "here", "--force", env=environment, code=2)
        self.assertIn("holds 'notes.txt'", again.stderr)

    def test_checksums(self):
        data = zip_of(SMALL)
        self.server.pages["/T.zip"] = data
        digits = hashlib.sha256(data).hexdigest()
        self.refused("an archive with checksum " + digits, options=("--sha256", "0" * 64))
        self.refused("--sha256: found 'abc', expected 64", options=("--sha256", "abc"))
        self.fetch("T", "--sha256", digits.upper())

    def test_mutag_is_known_whatever_its_line_ends(self):
        shared = shared_data()
        if shared is None:
            self.skipTest("no shared data: set BERMUDA_SHARED_DATA to its folder")
        files = {p.name: p.read_bytes() for p in (shared / "TU" / "MUTAG").iterdir()}
        self.server.pages["/MUTAG.zip"] = zip_of(files, "MUTAG/")
        self.assertIn("188 graphs of 2 classes, the content that is known of it", self.fetch("MUTAG").stdout)
        plain = {name: text.replace(b"\r", b"") for name, text in files.items()}
        self.server.pages["/MUTAG.zip"] = zip_of(plain, "")
        self.assertTrue(json.loads(self.fetch("MUTAG", "-o", "unix", "--json").stdout)["known_content"])
        plain["MUTAG_node_labels.txt"] = plain["MUTAG_node_labels.txt"].replace(b"0", b"1", 1)
        self.server.pages["/MUTAG.zip"] = zip_of(plain, "")
        done = self.fetch("MUTAG", "-o", "changed", code=2)
        self.assertIn("found another content of MUTAG_node_labels.txt", done.stderr)
        self.assertEqual(sorted(os.listdir(self.folder)), ["MUTAG", "unix"])
        self.fetch("MUTAG", "-o", "changed", "--unchecked")

    def test_redirections(self):
        def to(place):
            def page(handler):
                handler.send_response(302)
                handler.send_header("Location", place)
                handler.end_headers()
            return page
        self.server.pages.update({"/T.zip": to("/there.zip"), "/there.zip": zip_of(SMALL)})
        self.fetch("T")
        (self.folder / "secret.zip").write_bytes(zip_of(SMALL))
        self.server.pages["/S.zip"] = to(f"file://{self.folder}/secret.zip")
        self.server.pages["/R.zip"] = to("/R.zip")
        for name, says in (("S", "file"), ("R", "redirect")):
            with self.subTest(name):
                self.refused(says, name, code=1, left=["T", "secret.zip"])


class Passwords(FetchTest):
    """They go to the server, and nowhere else."""

    def setUp(self):
        super().setUp()
        self.plain_url, self.url = self.url, self.url.replace("://", "://me:opensesame@")
        self.heard = []

    def page(self, data, **how):
        def answer(handler):
            self.heard.append(handler.headers.get("Authorization"))
            handler.answer(data, **how)
        return answer

    def test_not_in_what_is_made(self):
        self.server.pages["/T.zip"] = self.page(zip_of(SMALL))
        done = self.fetch("T", "--json")
        self.assertEqual(self.heard, ["Basic " + base64.b64encode(b"me:opensesame").decode()])
        self.assertNotIn("opensesame", done.stdout + done.stderr)
        self.assertEqual(json.loads(done.stdout)["url"], self.plain_url + "/T.zip")
        record = (self.folder / "T" / "fetched.json").read_text()
        self.assertEqual(json.loads(record)["url"], self.plain_url + "/T.zip")
        self.assertNotIn("opensesame", record)

    def test_not_in_parts_and_errors(self):
        data = zip_of(SMALL | {"README.txt": "long " * 10000})
        self.server.pages["/T.zip"] = self.page(data, cut=30000)
        self.assertNotIn("opensesame", self.refused("bytes are kept", code=1, left=["T.zip.part"]))
        self.assertNotIn(b"opensesame", (self.folder / "T.zip.part").read_bytes())
        self.server.pages["/T.zip"] = self.page(data)
        self.assertEqual(json.loads(self.fetch("T", "--json").stdout)["resumed_bytes"], 30000)
        shutil.rmtree(self.folder / "T")
        for page, code in ((None, 2), (b"<html>", 2), (b"PK broken", 2), (lambda h: h.send_error(503), 1)):
            self.server.pages["/T.zip"] = page
            self.assertNotIn("opensesame", self.refused("T.zip", code=code))
        self.url = self.url.replace("http:", "ftp:")
        self.assertNotIn("opensesame", self.refused("--from: found 'ftp://127.0.0.1:"))


class BrokenServer(FetchTest):
    def big(self):
        labels = "\n".join(str(i % 5) for i in range(20000))
        indicator = "\n".join(str(1 + i // 10000) for i in range(20000))
        return zip_of(SMALL | {"T_graph_indicator.txt": indicator, "T_node_labels.txt": labels})

    def test_what_broke_off_is_gone_on_with(self):
        data = self.big()
        self.server.pages["/T.zip"] = lambda handler: handler.answer(data, cut=30000)
        self.refused("30000 bytes are kept, the same command goes on", code=1, left=["T.zip.part"])
        self.server.pages["/T.zip"] = data
        told = json.loads(self.fetch("T", "--json").stdout)
        self.assertEqual((told["resumed_bytes"], told["bytes"]), (30000, len(data)))
        self.assertEqual(told["sha256"], hashlib.sha256(data).hexdigest())
        self.assertEqual(self.server.asked[-1], ("/T.zip", "bytes=30000-", '"one"'))
        self.assertEqual(os.listdir(self.folder), ["T"])

    def test_it_starts_anew_where_the_rest_would_not_fit(self):
        data = self.big()
        for change, again in (({"tag": '"two"'}, 0), ({"ranges": False}, 0), ({"tag": ""}, 0)):
            with self.subTest(change):
                first = {"tag": ""} if change.get("tag") == "" else {}
                self.server.pages["/T.zip"] = lambda handler: handler.answer(data, cut=30000, **first)
                self.fetch("T", code=1)
                self.server.pages["/T.zip"] = lambda handler: handler.answer(data, **change)
                told = json.loads(self.fetch("T", "--json").stdout)
                self.assertEqual((told["resumed_bytes"], told["bytes"]), (again, len(data)))
                shutil.rmtree(self.folder / "T")

    def test_a_part_that_is_longer_than_the_file(self):
        self.server.pages["/T.zip"] = lambda handler: handler.answer(self.big(), cut=30000)
        self.fetch("T", code=1)
        self.server.pages["/T.zip"] = zip_of(SMALL)  # under the same tag: 416 is the answer
        self.assertEqual(json.loads(self.fetch("T", "--json").stdout)["resumed_bytes"], 0)

    def test_another_part_than_asked_for(self):
        data = self.big()
        self.server.pages["/T.zip"] = lambda handler: handler.answer(data, cut=30000)
        self.fetch("T", code=1)

        def wrong(handler):
            handler.send_response(206)
            handler.send_header("Content-Range", f"bytes 7-{len(data)}/{len(data)}")
            handler.end_headers()
            handler.wfile.write(data[7:])
        self.server.pages["/T.zip"] = wrong
        self.refused("another part than it was asked for", code=1)

    def test_ctrl_c_keeps_what_came(self):
        data = self.big()
        self.server.pages["/T.zip"] = lambda handler: handler.answer(data, pause=0.05)
        process = subprocess.Popen([PROGRAM, "fetch", "T", "--from", self.url, "--quiet"], cwd=self.folder,
                                   stderr=subprocess.PIPE, text=True)
        part = self.folder / "T.zip.part"
        for _ in range(500):
            if part.exists() and part.stat().st_size > 5000:
                break
            time.sleep(0.01)
        other = self.fetch("T", code=2)
        self.assertIn("another process downloads it", other.stderr)
        process.send_signal(signal.SIGINT)
        start = time.monotonic()
        self.assertEqual(process.wait(timeout=30), 1)
        self.assertLess(time.monotonic() - start, 3)
        said = process.stderr.read()
        process.stderr.close()
        self.assertRegex(said, r"^bermuda: interrupted: \d+ bytes are kept in T.zip.part, the same command")
        self.assertEqual(os.listdir(self.folder), ["T.zip.part"])
        self.server.pages["/T.zip"] = data
        self.assertGreater(json.loads(self.fetch("T", "--json").stdout)["resumed_bytes"], 1000)

    def test_silence_and_drips_end(self):
        def silent(handler):
            time.sleep(20)

        def dripping(handler):
            handler.send_response(200)
            handler.end_headers()
            for i in range(200):
                handler.wfile.write(b"PK"[i % 2:i % 2 + 1])
                handler.wfile.flush()
                time.sleep(0.1)
        for page in (silent, dripping):
            with self.subTest(page.__name__):
                self.server.pages["/T.zip"] = page
                start = time.monotonic()
                self.assertIn("nothing came for 2 s", self.fetch("T", "--patience", 2, code=1).stderr)
                self.assertLess(time.monotonic() - start, 12)

    def test_no_server_and_no_such_data_set(self):
        self.assertIn("answers 404, it has no such data set; did you mean MUTAG?", self.refused("404", "MUTGA"))
        self.server.pages["/T.zip"] = lambda handler: handler.send_error(503)
        self.refused("the server answers 503", code=1)
        self.server.shutdown()
        self.server.server_close()
        self.refused("onnect", code=1)

    def test_names_and_addresses_that_cannot_be(self):
        for name in ("../T", "a/b", "", ".", ".T", "T?x", "T T", "x" * 200):
            with self.subTest(name):
                self.refused("expected the name of a TU data set", name)
        for address in ("file:///etc", "ftp://x/y", "mirror", "https://", "http://a b"):
            with self.subTest(address):
                done = self.run_program("fetch", "T", "--from", address, code=2)
                self.assertIn("--from: found", done.stderr)
        self.assertEqual(self.server.asked, [])
        (self.folder / "T.zip.part").write_text("my own")
        self.refused("is no download of ours", left=["T.zip.part"])


class MaliciousServer(FetchTest):
    def test_archives(self):
        link = zipfile.ZipInfo("T/T_link.txt")
        link.create_system, link.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
        bomb = zip_of(SMALL | {"T_node_labels.txt": "0\n" * 100_000_000}, compression=zipfile.ZIP_DEFLATED)
        whole = zip_of(SMALL)
        cases = {
            "an outside path": (zip_of(SMALL | {"../../evil.txt": "x"}), "a path inside the archive"),
            "an absolute path": (zip_of({"/etc/T_A.txt": "1, 2"}, ""), "a path inside the archive"),
            "a link": (zip_of(SMALL | {link: "/etc/passwd"}), "the link"),
            "a bomb": (bomb, "bytes unpacked from"),
            "half of one": (whole[:len(whole) // 2], "damaged archive"),
            "a web page": (b"<!doctype html><p>Not here", "found no zip archive"),
            "nothing": (b"", "found nothing"),
            "another data set": (zip_of({"README.txt": "no data"}), "no *_A.txt"),
            "one of another name": (zip_of({name.replace("T_", "t_"): text for name, text in SMALL.items()}),
                                    "T.zip: found data set 't', expected 'T'"),
            "wrong numbers": (zip_of(SMALL | {"T_A.txt": "1, 99\n"}), "T_A.txt:1"),
        }
        for name, (data, says) in cases.items():
            with self.subTest(name):
                self.server.pages["/T.zip"] = data
                self.refused(says)

    def test_bodies_without_end(self):
        def endless(handler):
            handler.send_response(200)
            handler.end_headers()
            while True:
                handler.wfile.write(b"PK" * 50000)
        self.server.pages["/T.zip"] = endless
        self.refused("more than 1048576 bytes", options=("--max-megabytes", "1"))

        def claims(handler):
            handler.send_response(200)
            handler.send_header("Content-Length", str(1 << 40))
            handler.end_headers()
            handler.wfile.write(b"PK" * 1000)
        self.server.pages["/T.zip"] = claims
        self.refused("found 1099511627776 bytes, expected 1073741824 at most")

    @unittest.skipUnless(shutil.which("openssl"), "no openssl")
    def test_certificates_are_verified(self):
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
                        "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", "key.pem",
                        "-out", "cert.pem"], cwd=self.folder, check=True, capture_output=True)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.folder / "cert.pem", self.folder / "key.pem")
        plain, plain_url = self.server, self.url
        self.server, self.url = self.serve(context)
        self.server.pages["/T.zip"] = zip_of(SMALL)
        left = ["cert.pem", "key.pem"]
        self.refused("certificate", code=1, left=left)
        self.assertEqual(self.server.asked, [])
        self.refused("absent.pem", code=1, options=("--ca-file", "absent.pem"), left=left)

        def to_plain(handler):
            handler.send_response(302)
            handler.send_header("Location", plain_url + "/T.zip")
            handler.end_headers()
        plain.pages["/T.zip"] = zip_of(SMALL)
        self.server.pages["/D.zip"] = to_plain
        self.refused("http", "D", code=1, options=("--ca-file", "cert.pem"), left=left)
        self.assertEqual(plain.asked, [], "never from https to http")
        self.fetch("T", "--ca-file", "cert.pem")


if __name__ == "__main__":
    unittest.main()
