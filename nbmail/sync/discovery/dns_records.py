"""Mail servers in the records of a domain (DNS)."""

from nbmail.errors import ErrorCode, KnownError
from nbmail.settings import Security
from nbmail.sync.discovery.autoconfig import is_host
from nbmail.sync.mailbox_values import MailServer

_DNS_PATIENCE = 4.0
_MOST_RECORDS = 3
_SERVICES = (("_imaps._tcp", Security.TLS), ("_imap._tcp", Security.STARTTLS))


def exchangers(domain: str) -> list[str]:
    """Return the hosts that receive the domain's mail (MX), preferred first."""
    found = sorted((int(each[0]), each[-1]) for each in _records(domain, "MX"))
    return [host for _, host in found[:_MOST_RECORDS] if is_host(host)]


def services(domain: str) -> list[MailServer]:
    """Return the IMAP servers that the domain announces (SRV, RFC 6186), preferred first."""
    found: list[MailServer] = []
    for service, security in _SERVICES:
        fields = _records(f"{service}.{domain}", "SRV")
        records = sorted(
            (int(rank), -int(weight), int(port), host) for rank, weight, port, host in fields
        )
        for _, _, port, host in records[:_MOST_RECORDS]:
            # The target "." means that the service is not offered.
            if port and is_host(host):
                found.append(MailServer(host, port, security))
    return found


def _records(name: str, kind: str) -> list[list[str]]:
    """Return the fields of each record, host names without the final dot."""
    import dns.exception
    import dns.resolver

    try:
        answer = dns.resolver.resolve(name, kind, lifetime=_DNS_PATIENCE, search=False)
    except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer):
        return []
    except (dns.exception.DNSException, OSError, UnicodeError, ValueError) as error:
        raise KnownError(ErrorCode.NO_NETWORK, f"{name}: {error}"[:300]) from error
    return [str(each).lower().rstrip(".").split(" ") for each in answer]
