"""Who asks: the token of a request, and the login of people in a browser."""

from typing import Annotated

from fastapi import APIRouter, Depends, HTTPException, Request, Response
from pydantic import BaseModel, ConfigDict, Field
from starlette.requests import HTTPConnection

from fangnetz_server.gateway.doorman import is_own_origin
from fangnetz_server.gateway.routes import LOGIN_COOKIE
from fangnetz_server.host.host import Host

__all__ = ["HostOnly", "Token", "login_router", "token_of"]

_BEARER = "bearer "
_UNSAFE = frozenset({"POST", "PUT", "PATCH", "DELETE"})


def token_of(request: HTTPConnection) -> str | None:
    """Return the token of the `Authorization: Bearer` header, or of the browser's login."""
    given = request.headers.get("Authorization", "")
    if given[: len(_BEARER)].lower() == _BEARER:
        return given[len(_BEARER) :].strip() or None
    return request.cookies.get(LOGIN_COOKIE)


Token = Annotated[str | None, Depends(token_of)]
"""The token of the `Authorization: Bearer` header, or of the browser's login."""


class HostOnly:
    """A dependency that lets the role `host` through and nobody else.

    Returns:
        The name of who asks, for the audit log.
    """

    def __init__(self, host: Host) -> None:
        self._host = host

    def __call__(self, request: Request, token: Token) -> str:
        keys = self._host.keys
        if token is None:
            raise HTTPException(401, "this is for the host: send its token", {"WWW-Authenticate": "Bearer"})
        if keys is None or not keys.is_host(token):
            raise HTTPException(403, "this is for the host, and the token is not the host's")
        if request.method in _UNSAFE and not self._is_own_page(request):
            raise HTTPException(403, "a page of another site may not give commands here")
        address = request.client.host if request.client else "unknown"
        return f"host@{address}"

    def _is_own_page(self, request: Request) -> bool:
        origin = request.headers.get("Origin")
        return origin is None or is_own_origin(origin, request.headers.get("Host"), ())


class Login(BaseModel):
    """A token to keep in the browser."""

    token: Annotated[str, Field(max_length=256, pattern="^[!-~]+$")]


class Identity(BaseModel):
    """What the token of this browser is good for."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    role: str
    """`host`, or `guest`: a guest may hold the watch token of something private."""


def login_router(host: Host, *, tls: bool) -> APIRouter:
    """Return the routes that keep a token in a cookie that scripts and other sites cannot use."""
    router = APIRouter(prefix="/api", tags=["login"])

    @router.post("/login", summary="Keep a token in this browser")
    async def login(given: Login, response: Response) -> Identity:
        response.set_cookie(
            LOGIN_COOKIE, given.token, httponly=True, samesite="strict", secure=tls, max_age=30 * 86_400
        )
        return _identity(host, given.token)

    @router.post("/logout", summary="Forget the token of this browser")
    async def logout(response: Response) -> Identity:
        response.delete_cookie(LOGIN_COOKIE, httponly=True, samesite="strict", secure=tls)
        return _identity(host, None)

    @router.get("/me", summary="What is my token good for?")
    async def me(token: Token) -> Identity:
        return _identity(host, token)

    return router


def _identity(host: Host, token: str | None) -> Identity:
    is_host = host.keys is not None and host.keys.is_host(token)
    return Identity(role="host" if is_host else "guest")
