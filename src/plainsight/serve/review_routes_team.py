"""The routes for the team: people and their roles, and deciding between readers."""

from __future__ import annotations

from typing import Any, Literal

from fastapi import APIRouter, Depends
from pydantic import Field

from plainsight.review.users import User
from plainsight.serve.review_routes import Strict
from plainsight.serve.sessions import Admin, The, admin

people = APIRouter(prefix="/api/users", dependencies=[Depends(admin)])
ROUTERS = (people,)

Role = Literal["reviewer", "adjudicator", "admin"]


class NewUser(Strict):
    """A person to add."""

    name: str = Field(max_length=200)
    role: Role
    password: str = Field(max_length=2000)


class ChangedUser(Strict):
    """What to change of a person."""

    role: Role | None = None
    password: str | None = Field(default=None, max_length=2000)
    disabled: bool | None = None


@people.get("")
def all_users(project: The) -> dict[str, Any]:
    """Return everybody."""
    return {"users": [_shown(user) for user in project.users.all()]}


@people.post("")
def add_user(body: NewUser, asking: Admin, project: The) -> dict[str, Any]:
    """Add a person."""
    return _shown(project.users.add(body.name, body.role, body.password, by=asking.name))


@people.patch("/{number}")
def change_user(number: int, body: ChangedUser, asking: Admin, project: The) -> dict[str, Any]:
    """Change a person; their sessions end."""
    changed = project.users.change(
        number, by=asking.name, role=body.role, password=body.password, disabled=body.disabled
    )
    return _shown(changed)


def _shown(user: User) -> dict[str, Any]:
    return {"id": user.id, "name": user.name, "role": user.role, "disabled": user.disabled}
