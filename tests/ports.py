"""Free ports for servers that bind them later, or again after a restart."""

import socket

# Below the ports that systems give to outgoing connections, which could take the port of a stopped
# server.
PORTS = range(11_000, 32_000)
_reserved = []


def free_port():
    """Return a port that no other test process gets as long as this one runs."""
    for port in PORTS:
        claim = socket.socket(socket.AF_UNIX)
        try:
            # Abstract: no file is left, and the claim ends with the process.
            claim.bind(f"\0nbmail-test-port-{port}")
            with socket.socket() as probe:
                probe.bind(("127.0.0.1", port))
        except OSError:
            claim.close()
            continue
        _reserved.append(claim)
        return port
    raise OSError("no port is free")
