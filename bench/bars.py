"""A picture of figures beside what was asked for, as the benches in Python write it."""
from html import escape

BAR, LEFT, WIDTH = 22, 300, 860


def svg(title, note, rows, mark="what was asked for"):
    """A bar for each row (name, value, asked, text), with a mark where it should reach, or what `mark` says."""
    scale = (WIDTH - LEFT - 130) / max(1.0, max(value for _, value, _, _ in rows))
    height = 70 + BAR * len(rows)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" '
        'font-family="sans-serif" font-size="12">',
        '<rect width="100%" height="100%" fill="#fff"/>',
        f'<text x="10" y="20" font-size="15" font-weight="bold">{escape(title, quote=False)}</text>',
        f'<text x="10" y="{height - 12}" fill="#555">{escape(note)}; the red mark is {mark}</text>',
    ]
    for row, (name, value, asked, text) in enumerate(rows):
        y = 38 + BAR * row
        parts += [
            f'<text x="{LEFT - 8}" y="{y + 13}" text-anchor="end">{escape(name.strip())}</text>',
            f'<rect x="{LEFT}" y="{y}" width="{value * scale:.1f}" height="{BAR - 5}" fill="#1f6feb"/>',
            f'<line x1="{LEFT + asked * scale:.1f}" x2="{LEFT + asked * scale:.1f}" y1="{y - 2}" y2="{y + BAR - 3}" stroke="#c0392b" stroke-width="2"/>',
            f'<text x="{LEFT + max(value, asked) * scale + 6:.1f}" y="{y + 13}" fill="#333">{escape(text)}</text>',
        ]
    return "\n".join([*parts, "</svg>"])
