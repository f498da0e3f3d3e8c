"""Run the service: sockets, TLS, signals, and a stop that finishes what runs."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

import uvicorn

from plainsight.errors import RunError
from plainsight.run.core_dumps import no_core_dumps
from plainsight.serve.gate import Gate
from plainsight.serve.logs import log, set_up

_CONNECTIONS = 1000
_HEADERS = 32 << 10
_STOP = (signal.SIGINT, signal.SIGTERM)


@dataclass(frozen=True, slots=True, kw_only=True)
class Listen:
    """Where the service listens, and how."""

    host: str = "127.0.0.1"
    port: int = 8765
    certificate: Path | None = None
    certificate_key: Path | None = None
    client_authority: Path | None = None
    stop_seconds: int = 30


class Server(uvicorn.Server):
    """A server that refuses new requests from the first signal on, and finishes those that run."""

    def __init__(self, config: uvicorn.Config, gate: Gate) -> None:
        super().__init__(config)
        self._gate = gate

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop; the second signal stops at once."""
        if not self.should_exit:
            log("stopping", signal=signal.Signals(sig).name)
        self._gate.admission.stopping.set()
        super().handle_exit(sig, frame)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Handle signals as long as the server runs, and do not raise them again afterwards."""
        before = {number: signal.signal(number, self.handle_exit) for number in _STOP}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def serve(gate: Gate, listen: Listen) -> None:
    """Serve until a signal comes."""
    set_up()
    no_core_dumps()
    config = uvicorn.Config(
        gate,
        host=listen.host,
        port=listen.port,
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        ws="none",
        limit_concurrency=_CONNECTIONS,
        h11_max_incomplete_event_size=_HEADERS,
        timeout_keep_alive=15,
        timeout_graceful_shutdown=listen.stop_seconds,
        ssl_certfile=listen.certificate,
        ssl_keyfile=listen.certificate_key,
        ssl_ca_certs=None if listen.client_authority is None else str(listen.client_authority),
        ssl_cert_reqs=2 if listen.client_authority else 0,  # ssl.CERT_REQUIRED, ssl.CERT_NONE
    )
    server = Server(config, gate)
    server.run()
    if not server.started:
        raise RunError("the service could not start: see the log")
