"""As much TOML as a grid has: tables, and in them numbers, texts, lists and small tables."""
from __future__ import annotations

import json
import math
from typing import Any

from . import _bermuda

UsageError = _bermuda.UsageError


def toml_of(table: dict[str, Any], path: str = "") -> str:
    """Tables of a table become sections, lists of tables as well."""
    lines = [f"{_key(name)} = {_value(value)}" for name, value in table.items() if not _is_section(value)]
    text = "".join(line + "\n" for line in lines)
    for name, value in table.items():
        place = f"{path}.{_key(name)}" if path else _key(name)
        if isinstance(value, dict):
            text += f"\n[{place}]\n{toml_of(value, place)}"
        elif _is_section(value):
            text += "".join(f"\n[[{place}]]\n" + "".join(f"{_key(key)} = {_value(one)}\n" for key, one in entry.items())
                            for entry in value)
    return text


def _is_section(value: Any) -> bool:
    return isinstance(value, dict) or (isinstance(value, list) and bool(value) and isinstance(value[0], dict))


def _key(name: Any) -> str:
    if not isinstance(name, str):
        raise UsageError(f"found {name!r}, expected a name")
    return name if name.replace("-", "").replace("_", "").isalnum() and name.isascii() else _text(name)


def _text(text: str) -> str:
    """As JSON has it, but for what TOML does not allow: halves of a character, and DEL as it is."""
    if any("\ud800" <= c <= "\udfff" for c in text):
        raise UsageError(f"found {text!r}, expected text that can be written as UTF-8")
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _value(value: Any) -> str:
    if hasattr(value, "tolist"):  # numbers and arrays of NumPy
        value = value.tolist()
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_key(name)} = {_value(one)}" for name, one in value.items()) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_value, value)) + "]"
    if isinstance(value, str):
        return _text(value)
    is_number = isinstance(value, (int, float)) and math.isfinite(value)
    if not is_number or (isinstance(value, int) and not -2**63 <= value < 2**63):
        raise UsageError(f"found {value!r}, expected text, a finite number, True or False")
    return json.dumps(value)
