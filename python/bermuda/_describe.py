"""Docstrings and signatures that follow from the library's parameters, so that help() says what a function can be
told. Made when the package is imported: a few microseconds per parameter."""
from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

Described = TypeVar("Described", bound="Callable[..., Any]")
Section = tuple[str, str]  # a title, and what _bermuda.*_settings() tells


def described(function: Described, sections: Iterable[Section], signed: Iterable[str] = ()) -> Described:
    """The function with its parameters listed in its docstring, section by section; those in `signed` become
    keywords of its signature. Also for a class."""
    parts = [inspect.cleandoc(function.__doc__ or "")]
    for title, settings in sections:
        parts.append("\n".join([f"{title}:", *map(line_of, json.loads(settings))]))
    function.__doc__ = "\n\n".join(parts)
    signed = list(signed)
    if signed:
        function.__signature__ = _signature(function, signed)  # type: ignore[attr-defined]
    return function


def line_of(entry: dict[str, Any]) -> str:
    """A parameter in a line: name, default, help, range."""
    value = entry["default"]
    text = f"    {entry['name']}={value!r}: {entry['help']}"
    notes = [entry["range"]] if entry["range"] else []
    if value is None and entry.get("when_open"):
        notes.append(f"None: {entry['when_open']}")
    return f"{text} ({'; '.join(notes)})" if notes else text


def _signature(function: Callable[..., Any], settings: list[str]) -> inspect.Signature:
    found = inspect.signature(function)
    *named, others = found.parameters.values()
    taken = {parameter.name for parameter in named}
    for text in settings:
        for entry in json.loads(text):
            if entry["name"] not in taken:
                named.append(inspect.Parameter(entry["name"], inspect.Parameter.KEYWORD_ONLY,
                                               default=entry["default"], annotation=Any))
    # Where other sections have more than the signed ones, they go where they went.
    return found.replace(parameters=[*named, others])
