"""The HTTP service as an ASGI application: its state, its routes, and how it answers what goes wrong."""

from __future__ import annotations

import asyncio
import logging
import math
import os
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from pydantic import ValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from plainsight.document import Address, Document, Patient, SetAside
from plainsight.errors import PlainsightError
from plainsight.pipeline import Item, Pipeline
from plainsight.replace.surrogate.keyed import fingerprint
from plainsight.run.processes import LIMITS, Limits
from plainsight.serve.batching import Batcher
from plainsight.serve.gate import Gate
from plainsight.serve.limits import LIMITS_OF_REQUESTS, Admission, RefusedError, RequestLimits, answer
from plainsight.serve.logs import log
from plainsight.serve.metrics import Metrics
from plainsight.serve.policies import Method, Policies
from plainsight.serve.presidio import AnalyzeRequest, AnalyzerResult, AnonymizeRequest, Operator
from plainsight.serve.shapes import DeidentifyRequest, DetectRequest, Note
from plainsight.serve.tokens import Tokens
from plainsight.version import __version__


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What a service needs to know. ``key`` None draws a random key that lives as long as the service."""

    policies: Mapping[str, Pipeline]
    key: bytes | None = field(default=None, repr=False)
    tokens: Tokens | None = None
    processes: int = 1
    limits: RequestLimits = LIMITS_OF_REQUESTS
    note_limits: Limits = LIMITS


class Service:
    """What the routes of one service share."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.metrics = Metrics()
        self.admission = Admission(settings.limits)
        secret = settings.key or os.urandom(32)
        # All policies draw from one key, so that a patient is the same person under each of them.
        self.pipelines = {name: each.with_key(secret) for name, each in settings.policies.items()}
        self.key = f"fingerprint {fingerprint(secret)}" if settings.key else "random, until the service stops"
        self.batcher = Batcher(
            Policies(self.pipelines),
            processes=settings.processes,
            limits=settings.note_limits,
            metrics=self.metrics,
        )

    @property
    def default_policy(self) -> str:
        """The policy of requests that name none."""
        return next(iter(self.pipelines))

    def policy(self, name: str | None) -> str:
        """Return the name of a policy of this service."""
        if name is None:
            return self.default_policy
        if name not in self.pipelines:
            raise RefusedError(422, "no such policy here: see /v1/policies")
        return name

    def retry_after(self) -> int:
        """Return after how many seconds there will be room again, by the speed so far."""
        return max(1, min(60, math.ceil(self.batcher.seconds_waiting)))

    async def run(
        self, request: Request, method: Method, policy: str, notes: Iterable[Document]
    ) -> list[Item]:
        """Return the results of the notes of a request, within the limit of time."""
        notes = list(notes)
        limits = self.settings.limits
        if len(notes) > limits.notes:
            raise RefusedError(413, f"a request has at most {limits.notes} notes; a stream may have more")
        try:
            async with asyncio.timeout(limits.seconds):
                items = await self.batcher.run(method, policy, notes)
        except TimeoutError:
            raise RefusedError(
                503, f"not done within {limits.seconds:g} seconds", retry_after=self.retry_after()
            ) from None
        except PlainsightError as error:
            log("workers", level=logging.ERROR, error=error)
            raise RefusedError(500, "internal error") from None
        self.count(request, method, policy, notes, items)
        return items

    def count(
        self, request: Request, method: Method, policy: str, notes: Sequence[Document], items: Sequence[Item]
    ) -> None:
        """Count notes for metrics and for the line in the log."""
        characters = sum(len(note.text) for note in notes)
        aside = sum(isinstance(item, SetAside) for item in items)
        self.metrics.notes.labels(policy, method, "done").inc(len(items) - aside)
        self.metrics.notes.labels(policy, method, "set aside").inc(aside)
        self.metrics.characters.labels(policy, method).inc(characters)
        fields = request.state.log
        fields["policy"] = policy
        for name, number in {"notes": len(items), "set_aside": aside, "characters": characters}.items():
            fields[name] = fields.get(name, 0) + number


def service_of(request: Request) -> Service:
    """Return the service that a request came to."""
    service: Service = request.app.state.service
    return service


def create_app(settings: Settings) -> Gate:
    """Return the service as an ASGI application."""
    from plainsight.serve import fhir_routes, presidio_routes, stream_routes, v1_routes

    service = Service(settings)

    @asynccontextmanager
    async def life(_: FastAPI) -> AsyncIterator[None]:
        await service.batcher.start()
        log("ready", policies=list(service.pipelines), processes=settings.processes, key=service.key)
        yield
        await service.batcher.stop()
        log("stopped")

    api = FastAPI(
        title="plainsight",
        version=__version__,
        summary="De-identify clinical notes over HTTP.",
        description="Offsets are code points of the text as it was sent. Errors never hold text of a note.",
        lifespan=life,
        docs_url=None,  # its page would load scripts from elsewhere
        redoc_url=None,
        openapi_url="/openapi.json",
        redirect_slashes=False,
    )
    api.state.service = service
    for module in (v1_routes, stream_routes, fhir_routes, presidio_routes):
        api.include_router(module.router)
    api.add_exception_handler(RequestValidationError, _invalid)
    api.add_exception_handler(RefusedError, _refused)
    api.add_exception_handler(HTTPException, _http_error)
    api.add_exception_handler(Exception, _defect)
    _describe_tokens(api, needed=settings.tokens is not None)
    return Gate(
        api,
        tokens=settings.tokens,
        limits=settings.limits,
        admission=service.admission,
        metrics=service.metrics,
        retry_after=service.retry_after,
    )


def problems_of(error: ValidationError | RequestValidationError) -> list[dict[str, Any]]:
    """Return what is wrong with a request: where and which rule, never what it holds.

    A key of the request may be text of a note as well, so only places that its sender did not name are given.
    """
    found = []
    for one in error.errors():
        where = [part for part in one["loc"] if isinstance(part, int) or part in _PLACES]
        told = str(one["type"]) if one["type"] != "value_error" else str(one["msg"])
        found.append({"where": where, "problem": told})
    return found[:20]


_MODELS = (Note, DetectRequest, DeidentifyRequest, AnalyzeRequest, AnonymizeRequest, AnalyzerResult, Operator)
_PLACES = {"body", "query", *Patient.__slots__, *Address.__slots__}.union(
    *(model.model_fields for model in _MODELS)
)


async def _invalid(_: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    return answer({"error": "the request is not as it should be", "problems": problems_of(error)}, 422)


async def _refused(_: Request, error: Exception) -> Response:
    assert isinstance(error, RefusedError)
    return error.response()


async def _http_error(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return answer({"error": str(error.detail)}, error.status_code, dict(error.headers or {}))


async def _defect(_: Request, error: Exception) -> Response:
    return answer({"error": "internal error"}, 500)  # the gate logs its type and place


def _describe_tokens(api: FastAPI, *, needed: bool) -> None:
    """Say in the OpenAPI that a token is needed."""
    made = api.openapi

    def described() -> dict[str, Any]:
        if api.openapi_schema is None and needed:
            schema = made()
            schema.setdefault("components", {})["securitySchemes"] = {
                "token": {"type": "http", "scheme": "bearer"}
            }
            for path, operations in schema["paths"].items():
                for operation in operations.values():
                    operation["security"] = [] if path in ("/v1/health", "/health") else [{"token": []}]
            api.openapi_schema = schema
        return made()

    api.openapi = described  # type: ignore[method-assign]
