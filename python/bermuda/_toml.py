"""As much TOML as a grid has: tables, and in them numbers, texts, lists and small tables."""
from __future__ import annotations

import json
from typing import Any


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


def _key(name: str) -> str:
    return name if name.replace("-", "").replace("_", "").isalnum() and name.isascii() else json.dumps(name)


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_key(name)} = {_value(one)}" for name, one in value.items()) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_value, value)) + "]"
    return json.dumps(value)
