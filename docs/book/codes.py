#!/usr/bin/env python3
"""A preprocessor of mdBook: the search finds a code by its bare form too (E0027 beside fbe/E0027), which is a word that no page shows."""
import json
import re
import sys


def chapters(items):
    for item in items:
        if "Chapter" in item:
            yield item["Chapter"]
            yield from chapters(item["Chapter"]["sub_items"])


if sys.argv[1:2] != ["supports"]:
    _, book = json.load(sys.stdin)
    for chapter in chapters(book["sections"]):
        if chapter["path"] == "CODES.md":
            chapter["content"] = re.sub(r"(?m)^(## [\w-]+/(\S+))$", r"\1\n<span hidden>\2</span>\n", chapter["content"])
    json.dump(book, sys.stdout)
