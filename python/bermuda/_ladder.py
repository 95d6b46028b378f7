"""The audit's ladder as an SVG: a bar per probe, its interval, and the majority class."""
from __future__ import annotations

from collections.abc import Sequence
from html import escape

LEFT, WIDTH, ROW, TOP, RIGHT = 110, 420, 22, 26, 60


def ladder_svg(rows: Sequence[tuple[str, float, tuple[float, float]]], majority: float) -> str:
    height = TOP + ROW * len(rows) + 8

    def x(share: float) -> str:
        return f"{LEFT + WIDTH * share:.1f}"

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + RIGHT}" height="{height}" '
             f'font-family="sans-serif" font-size="12" role="img" aria-label="accuracy of each probe">']
    for place, (name, accuracy, (low, high)) in enumerate(rows):
        middle = TOP + ROW * place + ROW // 2
        parts.append(
            f'<text x="{LEFT - 8}" y="{middle + 4}" text-anchor="end">{escape(name)}</text>'
            f'<rect x="{LEFT}" y="{middle - 7}" width="{WIDTH * accuracy:.1f}" height="14" fill="#8fb3d9"/>'
            f'<line x1="{x(low)}" x2="{x(high)}" y1="{middle}" y2="{middle}" stroke="#234" stroke-width="2"/>'
            f'<text x="{LEFT + WIDTH + 8}" y="{middle + 4}">{accuracy * 100:.1f} %</text>')
    parts.append(f'<line x1="{x(majority)}" x2="{x(majority)}" y1="{TOP - 4}" y2="{height - 6}" stroke="#b33" '
                 f'stroke-dasharray="4 3"/><text x="{x(majority)}" y="{TOP - 10}" text-anchor="middle" '
                 f'fill="#b33">majority {majority * 100:.1f} %</text></svg>')
    return "".join(parts)
