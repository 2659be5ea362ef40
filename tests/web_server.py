"""An https server of fixed answers, with a certificate of the test's own authority, that notes
every request.
"""

import ssl
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple

from nbmail.sync.public_web import PublicWeb
from tests.dovecot import make_certificates


class Request(NamedTuple):
    method: str
    path: str
    headers: dict
    body: bytes


class WebServer:
    """`answers`: status, headers and body by path, or by host and path. A body may be a function
    that gets the connection's file. `names`: further hosts of the certificate.
    """

    def __init__(self, folder, names=()):
        make_certificates(folder, names)
        self.authority = folder / "authority.pem"
        self.answers = {}
        self.requests = []
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(folder / "server.pem", folder / "server.key")
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        self.port = self._server.server_port
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def address(self, path, host="localhost"):
        return f"https://{host}:{self.port}{path}"

    def answer(self, path, body=b"", status=200, **headers):
        self.answers[path] = (
            status,
            {name.replace("_", "-"): value for name, value in headers.items()},
            body,
        )

    def web(self, **more):
        """Return a client that trusts the server's authority and may connect to this computer."""
        context = lambda: ssl.create_default_context(cafile=str(self.authority))  # noqa: E731
        return PublicWeb(context, **{"is_allowed": lambda address: True, **more})

    def close(self):
        self._server.shutdown()
        self._server.server_close()

    def _handler(self):
        server = self

        class Handler(BaseHTTPRequestHandler):
            def answer(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                server.requests.append(Request(self.command, self.path, dict(self.headers), body))
                place = self.headers["Host"].partition(":")[0], self.path
                missing = 404, {}, b""
                status, headers, content = server.answers.get(place) or server.answers.get(
                    self.path, missing
                )
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                if not callable(content):
                    self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                content(self.wfile) if callable(content) else self.wfile.write(content)

            do_GET = do_POST = answer

            def log_message(self, *_):
                pass

        return Handler
