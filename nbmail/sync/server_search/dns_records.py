"""DNS records of a mail domain. The library is imported at the first query."""

from nbmail.errors import ErrorCode, KnownError
from nbmail.settings import Security
from nbmail.sync.mailbox_values import MailServer
from nbmail.sync.server_search.autoconfig import is_host

PATIENCE = 4.0
MOST = 3
_SERVICES = (("_imaps._tcp", Security.TLS), ("_imap._tcp", Security.STARTTLS))


def exchangers(domain: str) -> list[str]:
    """Return the hosts that receive the domain's mail (MX), preferred first."""
    found = sorted((int(each[0]), each[-1]) for each in _records(domain, "MX"))
    return [host for _, host in found[:MOST] if is_host(host)]


def services(domain: str) -> list[MailServer]:
    """Return the IMAP servers that the domain announces (SRV, RFC 6186), preferred first."""
    found: list[MailServer] = []
    for service, security in _SERVICES:
        records = sorted(
            (int(rank), -int(weight), int(port), host) for rank, weight, port, host in _srv(service, domain)
        )
        # The target "." says that the service is not offered.
        found += [MailServer(host, port, security) for _, _, port, host in records[:MOST] if is_host(host) and port]
    return found


def _srv(service: str, domain: str) -> list[list[str]]:
    return _records(f"{service}.{domain}", "SRV")


def _records(name: str, kind: str) -> list[list[str]]:
    """Return the fields of each record, host names without the final dot; empty if there is none."""
    import dns.exception
    import dns.resolver

    try:
        answer = dns.resolver.resolve(name, kind, lifetime=PATIENCE, search=False)
    except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer):
        return []
    except (dns.exception.DNSException, OSError, UnicodeError, ValueError) as error:
        raise KnownError(ErrorCode.NO_NETWORK, f"{name}: {error}"[:300]) from error
    return [str(each).lower().rstrip(".").split(" ") for each in answer]
