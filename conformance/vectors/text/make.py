"""Makes the vectors: a message of good text for each place, in whose bytes the text is replaced."""
import json, pathlib, subprocess, sys

ALDIS = sys.argv[1]
MARK = "MarK"
BAD = b"\xc3(\xff\x80"  # a byte that is not followed as it says, a character between, two that are never first
FBE = {
    "plain": MARK, "optional": MARK, "array": ["", MARK], "optionals": [None, MARK], "vector": ["a", MARK],
    "list": ["a", MARK], "set": ["A", MARK], "mapKey": {MARK: 1}, "mapValue": {"1": MARK}, "hashKey": {MARK: 1},
    "hashValue": {"1": MARK}, "inner": {"s": MARK}, "maybe": {"s": MARK}, "records": [{"s": "a"}, {"s": MARK}],
    "recordSet": [{"s": MARK}], "recordKey": [[{"s": MARK}, 1]],
}
FBE_GOOD = {
    "plain": "", "optional": None, "array": ["", ""], "optionals": [None, None], "vector": [], "list": [], "set": [],
    "mapKey": {}, "mapValue": {}, "hashKey": {}, "hashValue": {}, "inner": {"s": ""}, "maybe": None, "records": [],
    "recordSet": [], "recordKey": [],
}
ROW = {"chars": "", "pair": {"first": "", "number": 0}, "data": ""}
SBE = {
    "chars": MARK, "optional": MARK, "pair": {"first": MARK, "number": 1}, "rowChars": [ROW, {**ROW, "chars": MARK}],
    "rowPair": [{**ROW, "pair": {"first": MARK, "number": 1}}], "rowData": [ROW, {**ROW, "data": MARK}],
    "data": MARK, "last": MARK,
}
SBE_GOOD = {"chars": "", "optional": None, "pair": {"first": "", "number": 0}, "rows": [], "data": "", "last": ""}
CAPNP = {
    "plain": MARK, "given": MARK, "list": ["a", MARK], "lists": [["a"], ["", MARK]], "inner": {"text": MARK},
    "records": [{"text": "a"}, {"text": MARK}], "group": {"text": MARK}, "named": {"arm": MARK},
    "namedList": {"arms": ["a", MARK]}, "one": MARK, "many": ["a", MARK], "record": {"text": MARK},
    "generic": {"value": MARK},
}
HOLDERS = {"rowChars": "rows", "rowPair": "rows", "rowData": "rows", "namedList": "named"}


def make(folder, schema, message, places, good, forms):
    rows = []
    for place, value in places.items():
        text = json.dumps({**good, HOLDERS.get(place, place): value}).encode()
        for form, ending in forms.items():
            command = [ALDIS, "encode", f"{folder}/{schema}", "--form", form, "--message", message]
            made = subprocess.run(command, input=text, capture_output=True, check=True).stdout
            assert made.count(MARK.encode()) == 1, (place, form)
            pathlib.Path(folder, f"{place}.{ending}").write_bytes(made.replace(MARK.encode(), BAD))
        pathlib.Path(folder, f"{place}.code").write_text("bad-text\n")
        rows.append(f"| {place} | {message} | {schema} |")
    head = "# Text that is not UTF-8\n\nOne place a message; made by `../make.py`.\n\n"
    head += "| name | message | schema |\n| --- | --- | --- |\n"
    pathlib.Path(folder, "INDEX.md").write_text(head + "\n".join(rows) + "\n")


make("fbe", "text.fbe", "text.Texts", FBE, FBE_GOOD, {"fbe": "std.bin", "fbe-final": "final.bin"})
make("sbe", "text.xml", "text.Texts", SBE, SBE_GOOD, {"sbe": "bin"})
make("capnp", "text.capnp", "Texts", CAPNP, {}, {"capnp": "bin", "capnp-packed": "packed", "capnp-canonical": "canon"})
