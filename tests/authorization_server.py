"""A real authorization server for tests, built from authlib.

It has the users alice and bob, public clients, and requires PKCE.

It serves https with a certificate of the test's own authority, and the same over http for Dovecot's
introspection. `browse(address)` is what a person's browser does: agree, and follow the redirect.
"""

import secrets
import ssl
import threading
import time
import urllib.request
from dataclasses import dataclass
from urllib.parse import urlencode, urlsplit

from authlib.integrations.flask_oauth2 import AuthorizationServer as Authlib
from authlib.oauth2.rfc6749 import grants
from authlib.oauth2.rfc6750 import BearerTokenGenerator
from authlib.oauth2.rfc7636 import CodeChallenge
from authlib.oauth2.rfc8628 import (
    DeviceAuthorizationEndpoint,
    DeviceCodeGrant,
    DeviceCredentialDict,
)
from flask import Flask, jsonify, redirect, request
from werkzeug.serving import make_server

SCOPE = "imap offline_access"


class Client:
    """A public client, as RFC 7591 registers it."""

    def __init__(self, client_id, metadata):
        self.client_id = client_id
        self.metadata = metadata

    def get_client_id(self):
        return self.client_id

    def get_allowed_scope(self, scope):
        return scope or SCOPE

    def check_redirect_uri(self, redirect_uri):
        """Any port of the loopback address (RFC 8252, section 7.3)."""
        parts = urlsplit(redirect_uri)
        return f"{parts.scheme}://{parts.hostname}{parts.path}" in self.metadata["redirect_uris"]

    def check_endpoint_auth_method(self, method, endpoint):
        return method == "none"

    def check_response_type(self, response_type):
        return response_type == "code"

    def check_grant_type(self, grant_type):
        return grant_type in self.metadata["grant_types"]


@dataclass
class Code:
    code: str
    client_id: str
    redirect_uri: str
    scope: str
    user: str
    code_challenge: str
    code_challenge_method: str

    def get_redirect_uri(self):
        return self.redirect_uri

    def get_scope(self):
        return self.scope


@dataclass
class Token:
    client_id: str
    user: str
    scope: str
    access_token: str
    refresh_token: str = ""
    expires_at: float = 0.0
    revoked: bool = False

    def check_client(self, client):
        return self.client_id == client.client_id

    def get_scope(self):
        return self.scope


class AuthorizationServer:
    """The running server. Tests change `user`, who agrees, `metadata`, and `elsewhere`, where each
    request is sent.
    """

    def __init__(self, certificate, key):
        self.user = "alice"
        self.metadata = {}
        self.clients = {}
        self.codes = {}
        self.tokens = []
        self.devices = {}
        self.granted = {}
        self.requests = []
        self.refusal = self.elsewhere = ""
        self.app = self._app()
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        self._servers = [
            make_server("127.0.0.1", 0, self.app, threaded=True, ssl_context=context),
            make_server("127.0.0.1", 0, self.app, threaded=True),
        ]
        self.port, self.plain_port = (server.port for server in self._servers)
        self.issuer = f"https://localhost:{self.port}"
        for server in self._servers:
            threading.Thread(target=server.serve_forever, daemon=True).start()

    def close(self):
        for server in self._servers:
            server.shutdown()
            server.server_close()

    # -------------------------------------------------------------------------------------------
    # what people do

    def browse(self, address, authority, agree=True):
        """Open the page, agree, and follow the redirect. Return the text of the last page."""
        body = urlencode({"agree": "yes" if agree else ""}).encode()
        context = ssl.create_default_context(cafile=str(authority))
        with urllib.request.urlopen(
            urllib.request.Request(address, data=body), context=context, timeout=60
        ) as page:
            return page.read().decode()

    def agree_on_device(self, code, agree=True):
        """Type the code of another device."""
        self.granted[code] = agree

    def revoke(self, user):
        """Take back everything the user allowed."""
        for token in self.tokens:
            token.revoked = token.revoked or token.user == user

    def find(self, **wanted):
        """The token with these attributes, None without one."""
        return next(
            (one for one in self.tokens if all(getattr(one, k) == v for k, v in wanted.items())),
            None,
        )

    # ----------------------------------------------------------------------------------------------
    # the server

    def _app(self):
        app = Flask("authorization")
        app.config["OAUTH2_REFRESH_TOKEN_GENERATOR"] = True
        server = Authlib(app, query_client=self.clients.get, save_token=self._save_token)
        server.book = self
        made = (lambda *_, size=size, **__: secrets.token_urlsafe(size) for size in (48, 1200))
        server.register_token_generator("default", BearerTokenGenerator(*made, lambda *_: 3600))
        server.register_grant(CodeGrant, [CodeChallenge(required=True)])
        server.register_grant(RefreshGrant)
        server.register_grant(DeviceGrant)
        server.register_endpoint(DeviceEndpoint)

        @app.before_request
        def note():
            self.requests.append((request.path, request.form.to_dict()))
            return redirect(self.elsewhere) if self.elsewhere else None

        @app.get("/.well-known/oauth-authorization-server")
        def metadata():
            return jsonify(self._metadata() | self.metadata)

        @app.post("/register")
        def register():
            client = Client(secrets.token_hex(8), request.get_json())
            self.clients[client.client_id] = client
            return jsonify({"client_id": client.client_id, **client.metadata}), 201

        @app.post("/authorize")
        def authorize():
            grant = server.get_consent_grant(end_user=self.user)
            user = self.user if request.form.get("agree") else None
            return server.create_authorization_response(request, user, grant)

        @app.post("/token")
        def token():
            if self.refusal:
                return jsonify(
                    {"error": self.refusal, "error_description": "as the test wishes"}
                ), 400
            return server.create_token_response()

        @app.post("/device")
        def device():
            return server.create_endpoint_response("device_authorization")

        @app.post("/introspect")
        def introspect():
            found = self.find(access_token=request.form.get("token", ""), revoked=False)
            if (
                found is None
                or time.time() >= found.expires_at
                or "imap" not in found.scope.split()
            ):
                return jsonify({"active": False})
            return jsonify({"active": True, "username": found.user, "scope": found.scope})

        return app

    def _metadata(self):
        return {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "device_authorization_endpoint": f"{self.issuer}/device",
            "registration_endpoint": f"{self.issuer}/register",
            "scopes_supported": ["imap", "offline_access"],
            "code_challenge_methods_supported": ["S256"],
        }

    def _save_token(self, token, request):
        self.tokens.append(
            Token(
                request.client.client_id,
                request.user,
                token.get("scope", SCOPE),
                token["access_token"],
                token.get("refresh_token", ""),
                time.time() + token["expires_in"],
            )
        )


class CodeGrant(grants.AuthorizationCodeGrant):
    """The grants know what their server remembers as `self.server.book`."""

    TOKEN_ENDPOINT_AUTH_METHODS = ("none",)

    def save_authorization_code(self, code, request):
        asked = request.payload
        challenge = (asked.data[key] for key in ("code_challenge", "code_challenge_method"))
        given = request.client.client_id, asked.redirect_uri, asked.scope or SCOPE, request.user
        self.server.book.codes[code] = Code(code, *given, *challenge)

    def query_authorization_code(self, code, client):
        found = self.server.book.codes.get(code)
        return found if found and found.client_id == client.client_id else None

    def delete_authorization_code(self, authorization_code):
        del self.server.book.codes[authorization_code.code]

    def authenticate_user(self, authorization_code):
        return authorization_code.user


class RefreshGrant(grants.RefreshTokenGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ("none",)
    INCLUDE_NEW_REFRESH_TOKEN = True

    def authenticate_refresh_token(self, refresh_token):
        return self.server.book.find(refresh_token=refresh_token, revoked=False)

    def authenticate_user(self, refresh_token):
        return refresh_token.user

    def revoke_old_credential(self, refresh_token):
        refresh_token.revoked = True


class DeviceGrant(DeviceCodeGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ("none",)

    def query_device_credential(self, device_code):
        return self.server.book.devices.get(device_code)

    def query_user_grant(self, user_code):
        agreed = self.server.book.granted.get(user_code)
        return None if agreed is None else ("alice", agreed)

    def should_slow_down(self, credential):
        return False


class DeviceEndpoint(DeviceAuthorizationEndpoint):
    CLIENT_AUTH_METHODS = ("none",)
    EXPIRES_IN = 300
    INTERVAL = 1

    def get_verification_uri(self):
        return f"{self.server.book.issuer}/activate"

    def save_device_credential(self, client_id, scope, data):
        self.server.book.devices[data["device_code"]] = DeviceCredentialDict(
            client_id=client_id, scope=scope, expires_at=int(time.time()) + 300, **data
        )
