"""Which addresses may be sent anything."""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import SplitResult, urlsplit


def endpoint_problem(url: str) -> str | None:
    """Why nothing can be sent to `url`, or None.

    Unencrypted only to this machine; and nothing secret in the address, for it stands in a file.
    """
    advice = "use an address such as https://host/v1 or http://127.0.0.1:11434/v1"
    if not url.isascii() or not url.isprintable() or " " in url:
        return advice
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return advice
    if parts.scheme not in ("http", "https") or not parts.hostname or port == 0:
        return advice
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        return f"no user, password, ? or # in the address; {advice}"
    if parts.scheme == "http" and not _is_loopback(parts):
        return "http:// is for this machine only (127.0.0.1, localhost, [::1]); use https://, or a tunnel"
    return None


def is_local(url: str) -> bool:
    """Whether requests to `url` stay on this machine."""
    return _is_loopback(urlsplit(url))


def _is_loopback(parts: SplitResult) -> bool:
    host = parts.hostname or ""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
