"""Table of known authorization servers.

No other program's client ID is in the table. An empty `client_id` means that nbmail has none at
this provider yet: the user can sign in with a client ID of their own.
"""

from nbmail.sync.mailbox_values import Issuer

_MICROSOFT = "https://login.microsoftonline.com/common/oauth2/v2.0"
KNOWN = {
    "outlook.office365.com": Issuer(
        "Microsoft",
        "https://login.microsoftonline.com/common/v2.0",
        f"{_MICROSOFT}/authorize",
        f"{_MICROSOFT}/token",
        device=f"{_MICROSOFT}/devicecode",
        scope="https://outlook.office.com/IMAP.AccessAsUser.All offline_access",
        register_page="https://entra.microsoft.com",
        loopback="localhost",
    ),
    "imap.gmail.com": Issuer(
        "Google",
        "https://accounts.google.com",
        "https://accounts.google.com/o/oauth2/v2/auth",
        "https://oauth2.googleapis.com/token",
        scope="https://mail.google.com/",
        extra=(("access_type", "offline"), ("prompt", "consent")),
        register_page="https://console.cloud.google.com/auth/clients",
    ),
    "imap.mail.yahoo.com": Issuer(
        "Yahoo",
        "https://api.login.yahoo.com",
        "https://api.login.yahoo.com/oauth2/request_auth",
        "https://api.login.yahoo.com/oauth2/get_token",
        scope="mail-w",
        register_page="https://developer.yahoo.com/apps/",
    ),
    "imap.fastmail.com": Issuer(
        "Fastmail",
        "https://www.fastmail.com",
        "https://api.fastmail.com/oauth/authorize",
        "https://api.fastmail.com/oauth/refresh",
        scope="https://www.fastmail.com/dev/protocol-imap offline_access",
        register_page="https://www.fastmail.com/developer/oauth/",
    ),
}
"""Authorization servers by the IMAP server that takes their tokens."""
