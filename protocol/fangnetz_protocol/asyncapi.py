"""The AsyncAPI 3.0 document: which messages go which way on which path."""

from collections.abc import Iterable
from typing import Any, Final

from fangnetz_protocol.codec import FROM_BOT, TO_BOT
from fangnetz_protocol.codes import CloseCode
from fangnetz_protocol.messages import Error, Frame, MatchEnd, Matches, Notice, Tournaments, WatchStart
from fangnetz_protocol.model import Model
from fangnetz_protocol.version import PROTOCOL_VERSION, SUBPROTOCOL

__all__ = ["asyncapi"]

JsonObject = dict[str, Any]
Models = Iterable[type[Model]]

_LOBBY: Final = (Matches, Tournaments, Error, Notice)
_MATCH: Final = (WatchStart, Frame, MatchEnd, Error, Notice)


def asyncapi() -> JsonObject:
    """Return the document; the payloads are the JSON Schemas beside it."""
    return {
        "asyncapi": "3.0.0",
        "info": _info(),
        "servers": {
            "local": {
                "host": "127.0.0.1:7474",
                "protocol": "ws",
                "description": "`fangnetz serve` on the same machine.",
            }
        },
        "channels": {
            "play": _channel("/play", "Bots: one connection, any number of matches.", _bot_messages()),
            "lobby": _channel("/watch", "Spectators: all matches.", _spectator_messages(_LOBBY)),
            "watch": _channel("/watch/{match}", "Spectators: one match.", _spectator_messages(_MATCH))
            | {"parameters": {"match": {"description": "The match, as the lobby names it."}}},
        },
        "operations": {
            "fromBot": _operation("receive", "play", FROM_BOT.models, "bot-to-server"),
            "toBot": _operation("send", "play", TO_BOT.models, "server-to-bot"),
            "toLobby": _operation("send", "lobby", _LOBBY, "server-to-spectator"),
            "toSpectator": _operation("send", "watch", _MATCH, "server-to-spectator"),
        },
    }


def _info() -> JsonObject:
    closes = "\n".join(f"- {int(code)}: {code.sentence}" for code in CloseCode)
    return {
        "title": "Fangnetz",
        "version": PROTOCOL_VERSION,
        "license": {"name": "Apache-2.0"},
        "description": (
            f"JSON text messages over WebSocket, subprotocol {SUBPROTOCOL}. The parts of the games are "
            f"in right2live.schema.json and spaceballs.schema.json.\n\nClose codes:\n{closes}"
        ),
    }


def _bot_messages() -> JsonObject:
    return _messages(FROM_BOT.models, "bot-to-server") | _messages(TO_BOT.models, "server-to-bot")


def _spectator_messages(models: Models) -> JsonObject:
    return _messages(models, "server-to-spectator")


def _messages(models: Models, direction: str) -> JsonObject:
    return {model.__name__: _message(model, direction) for model in models}


def _message(model: type[Model], direction: str) -> JsonObject:
    return {
        "name": model.model_fields["type"].default,
        "summary": (model.__doc__ or "").partition("\n")[0],
        "contentType": "application/json",
        "payload": {"$ref": f"{direction}.schema.json#/$defs/{model.__name__}"},
    }


def _channel(address: str, description: str, messages: JsonObject) -> JsonObject:
    return {"address": address, "description": description, "messages": messages}


def _operation(action: str, channel: str, models: Models, direction: str) -> JsonObject:
    return {
        "action": action,
        "channel": {"$ref": f"#/channels/{channel}"},
        "summary": f"Messages of {direction}.schema.json.",
        "messages": [{"$ref": f"#/channels/{channel}/messages/{model.__name__}"} for model in models],
    }
