"""One request to a model's server and its reply, with limits on time and size; every failure has a kind.

Redirects are not followed: the address that the user configured is the only one that is ever sent anything.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any

from sctx_tui import __version__
from sctx_tui.sanitize import clean
from sctx_tui.summaries.endpoints import is_local

if TYPE_CHECKING:
    import httpx

LARGEST_REPLY = 2 << 20  # bytes
CONNECT_SECONDS = 10.0
QUOTED = 200  # characters of a server's own words in a message

# Answers that may be another the next time.
_PASSING = frozenset((408, 409, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529))


class ModelError(Exception):
    """Asking the model failed, and asking again will not help; the message says what to do."""


class Unreachable(ModelError):
    """No connection: there may be no server."""


class Passing(ModelError):
    """An error that may pass; `wait` is how many seconds the server asks for, None where it doesn't say."""

    def __init__(self, message: str, wait: float | None = None) -> None:
        super().__init__(message)
        self.wait = wait


class BadRequest(ModelError):
    """The server doesn't take this request: too long, or with a field that it doesn't know."""


class TooSlow(ModelError):
    """No reply in time: a smaller question may have one."""


class BrokenReply(ModelError):
    """What came back isn't a reply of this API at all."""


class BadReply(ModelError):
    """What the model wrote isn't what was asked for; another question may do better."""


class Transport:
    """A connection to one server. May be shared by threads."""

    def __init__(self, url: str, headers: Mapping[str, str], *, timeout: float, secret: str = "") -> None:
        import httpx

        self.url = url
        self._timeout = timeout
        self._secret = secret
        self._client = httpx.Client(
            headers={
                **headers,
                "User-Agent": f"sctx-tui/{__version__}",
                "Accept-Encoding": "identity",  # a size that can be seen before it is unpacked
            },
            timeout=httpx.Timeout(timeout, connect=min(CONNECT_SECONDS, timeout)),
            follow_redirects=False,
            trust_env=not is_local(url),  # a proxy has no business between us and this machine
        )

    def close(self) -> None:
        """Close the connection."""
        self._client.close()

    def post(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Send JSON; the JSON object of the reply. Raises ModelError of one kind or another."""
        import httpx

        try:
            with self._client.stream("POST", self.url, json=body) as response:
                text = self._read(response)
        except (httpx.ConnectError, httpx.ConnectTimeout) as error:
            raise Unreachable(f"no connection to {self.url}: {self._quoted(str(error))}") from error
        except httpx.TimeoutException as error:
            raise TooSlow(self._too_slow()) from error
        except httpx.TransportError as error:
            raise Passing(f"{self.url}: the connection broke: {self._quoted(str(error))}") from error
        if response.is_success:
            return self._object(text)
        raise self._refusal(response, text)

    def _read(self, response: httpx.Response) -> bytes:
        """The reply, as far as it stays within size and time: a server may drip for ever."""
        deadline = time.monotonic() + self._timeout
        parts: list[bytes] = []
        size = 0
        for part in response.iter_raw():
            size += len(part)
            if size > LARGEST_REPLY:
                raise BrokenReply(f"{self.url}: the reply is larger than {LARGEST_REPLY >> 20} MiB")
            if time.monotonic() > deadline:
                raise TooSlow(self._too_slow())
            parts.append(part)
        return b"".join(parts)

    def _too_slow(self) -> str:
        return f"{self.url}: no reply within {self._timeout:.0f} seconds (summaries.timeout)"

    def _object(self, text: bytes) -> dict[str, Any]:
        try:
            reply = json.loads(text)
        except (ValueError, RecursionError):
            reply = None
        if not isinstance(reply, dict):
            raise BrokenReply(f"{self.url}: the reply isn't a JSON object: {self._quoted(_decoded(text))}")
        return reply

    def _refusal(self, response: httpx.Response, text: bytes) -> ModelError:
        status = response.status_code
        said = self._quoted(_message(text))
        answer = f"{self.url} answered {status}" + (f": {said}" if said else "")
        if status in _PASSING:
            return Passing(answer, _retry_after(response.headers.get("Retry-After", "")))
        if response.is_redirect:
            target = self._quoted(response.headers.get("Location", ""))
            return ModelError(f"{self.url} redirects to {target}; if you trust it, set summaries.url to it")
        if status in (401, 403):
            return ModelError(f"{answer}; check the key (summaries.key_variable or summaries.keyring)")
        if status == 404:
            return ModelError(f"{answer}; check summaries.url and summaries.model")
        if status in (400, 413, 422):
            return BadRequest(answer)
        return ModelError(answer)

    def _quoted(self, text: str) -> str:
        """A few of somebody else's words, safe to show, and never the key."""
        if self._secret:
            text = text.replace(self._secret, "(key)")
        text = clean(" ".join(text.split()))
        return text if len(text) <= QUOTED else text[: QUOTED - 1] + "…"


def _decoded(text: bytes) -> str:
    return text[: 4 * QUOTED].decode("utf-8", "replace")


def _message(text: bytes) -> str:
    """The message in an error's JSON, as the known servers put it; else the beginning of what came."""
    try:
        said: Any = json.loads(text)
        for name in ("error", "message"):
            if isinstance(said, dict) and name in said:
                said = said[name]
        if isinstance(said, str):
            return said
    except (ValueError, RecursionError):
        pass
    return _decoded(text)


def _retry_after(value: str) -> float | None:
    """Seconds to wait: the header has a number, or a date."""
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        date = parsedate_to_datetime(value)
    except (ValueError, OverflowError):
        return None
    if date.tzinfo is None:
        date = date.replace(tzinfo=UTC)
    return max(0.0, (date - datetime.now(UTC)).total_seconds())
