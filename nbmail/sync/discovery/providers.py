"""Large mail providers: servers, pages of app passwords, and ways to sign in."""

from typing import NamedTuple

from nbmail.settings import Security


class Provider(NamedTuple):
    """A large mail provider.

    - `password_page`: page that creates passwords for programs, if the normal password is refused.
    - `short_user`: the user name is the part of the address before the @.
    - `bridge`: reached through the provider's own program on this computer.
    - `closed`: accepts no passwords from programs, only its own sign-in page (OAuth2).
    - `exchanger`: domain of the servers that receive mail for other domains hosted there (MX).
    """

    name: str
    host: str
    domains: str
    password_page: str = ""
    port: int = 993
    security: Security = Security.TLS
    short_user: bool = False
    bridge: bool = False
    closed: bool = False
    exchanger: str = ""


PROVIDERS = (
    Provider(
        "Gmail",
        "imap.gmail.com",
        "gmail.com googlemail.com",
        "https://myaccount.google.com/apppasswords",
        exchanger="google.com",
    ),
    Provider(
        "Outlook",
        "outlook.office365.com",
        "outlook.com hotmail.com live.com msn.com outlook.de outlook.fr hotmail.co.uk hotmail.fr",
        closed=True,
    ),
    Provider(
        "Yahoo",
        "imap.mail.yahoo.com",
        "yahoo.com yahoo.de yahoo.fr yahoo.it yahoo.es yahoo.co.uk ymail.com rocketmail.com",
        "https://login.yahoo.com/account/security",
    ),
    Provider("AOL", "imap.aol.com", "aol.com aim.com", "https://login.aol.com/account/security"),
    Provider(
        "iCloud",
        "imap.mail.me.com",
        "icloud.com me.com mac.com",
        "https://account.apple.com/account/manage",
        short_user=True,
    ),
    Provider("GMX", "imap.gmx.net", "gmx.de gmx.net gmx.at gmx.ch", "https://www.gmx.net"),
    Provider("GMX", "imap.gmx.com", "gmx.com gmx.co.uk", "https://www.gmx.com"),
    Provider("WEB.DE", "imap.web.de", "web.de", "https://web.de"),
    Provider("mail.com", "imap.mail.com", "mail.com email.com usa.com", "https://www.mail.com"),
    Provider(
        "T-Online",
        "secureimap.t-online.de",
        "t-online.de magenta.de",
        "https://www.telekom.de/kundencenter",
    ),
    Provider("freenet", "mx.freenet.de", "freenet.de"),
    Provider("Posteo", "posteo.de", "posteo.de posteo.net posteo.org"),
    Provider("mailbox.org", "imap.mailbox.org", "mailbox.org"),
    Provider(
        "Fastmail",
        "imap.fastmail.com",
        "fastmail.com fastmail.fm",
        "https://app.fastmail.com/settings",
        exchanger="messagingengine.com",
    ),
    Provider(
        "Zoho", "imap.zoho.com", "zoho.com zohomail.com", "https://accounts.zoho.com/home#security"
    ),
    Provider(
        "Zoho", "imap.zoho.eu", "zoho.eu zohomail.eu", "https://accounts.zoho.eu/home#security"
    ),
    Provider(
        "Yandex", "imap.yandex.com", "yandex.com yandex.ru ya.ru", "https://id.yandex.com/security"
    ),
    Provider(
        "Mail.ru", "imap.mail.ru", "mail.ru bk.ru inbox.ru list.ru", "https://id.mail.ru/security"
    ),
    Provider("QQ", "imap.qq.com", "qq.com foxmail.com", "https://mail.qq.com"),
    Provider("NetEase", "imap.163.com", "163.com", "https://mail.163.com"),
    Provider("NetEase", "imap.126.com", "126.com", "https://mail.126.com"),
    Provider("Naver", "imap.naver.com", "naver.com", "https://nid.naver.com"),
    Provider("Orange", "imap.orange.fr", "orange.fr wanadoo.fr", short_user=True),
    Provider("Free", "imap.free.fr", "free.fr", short_user=True),
    Provider("La Poste", "imap.laposte.net", "laposte.net"),
    Provider("SFR", "imap.sfr.fr", "sfr.fr neuf.fr"),
    Provider("Libero", "imapmail.libero.it", "libero.it"),
    Provider("Seznam", "imap.seznam.cz", "seznam.cz email.cz"),
    Provider("WP", "imap.wp.pl", "wp.pl"),
    Provider("Bluewin", "imaps.bluewin.ch", "bluewin.ch"),
    Provider("Comcast", "imap.comcast.net", "comcast.net xfinity.com"),
    Provider(
        "AT&T", "imap.mail.att.net", "att.net sbcglobal.net", "https://www.att.com/my/#/profile"
    ),
    Provider("IONOS", "imap.ionos.de", "online.de onlinehome.de"),
    Provider("Runbox", "mail.runbox.com", "runbox.com"),
    Provider("Disroot", "disroot.org", "disroot.org"),
    Provider("Riseup", "mail.riseup.net", "riseup.net", short_user=True),
    Provider(
        "Proton",
        "127.0.0.1",
        "proton.me protonmail.com pm.me",
        "https://proton.me/mail/bridge",
        port=1143,
        security=Security.STARTTLS,
        bridge=True,
        exchanger="protonmail.ch",
    ),
)


def provider_of(domain: str) -> Provider | None:
    """Return the large provider of the mail or MX domain `domain`, if there is one."""
    wanted = domain.lower().rstrip(".")
    if not wanted:
        return None
    for each in PROVIDERS:
        if wanted in (*each.domains.split(), each.exchanger):
            return each
    return None


def password_page(host: str) -> str:
    """Return the page of app passwords of the provider with this server; empty if unknown."""
    for each in PROVIDERS:
        if each.host == host.lower() and not each.bridge:
            return each.password_page
    return ""
