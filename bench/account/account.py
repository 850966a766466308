"""Generated Python: `python account.py FOLDER`, where the codecs and the messages are."""
import sys
import time
from pathlib import Path

folder = Path(sys.argv[1])
sys.path[:0] = [str(folder), "runtime/python"]
from proto import Account  # noqa: E402

ROUNDS = 25
ROUND_NS = 10_000_000


def row(operation, form, size, task):
    def run(times):
        start = time.perf_counter_ns()
        for _ in range(times):
            task()
        return time.perf_counter_ns() - start

    run(200)
    times = max(1, round(ROUND_NS / (run(200) / 200)))
    rounds = sorted(run(times) / times for _ in range(ROUNDS))
    print(operation, form, size, f"{rounds[0]:.1f}", f"{rounds[ROUNDS // 2]:.1f}")


for form, suffix in (("standard", ""), ("final", "_final")):
    data = (folder / f"{form}.bin").read_bytes()
    decode, verify = getattr(Account, "decode" + suffix), getattr(Account, "verify" + suffix)
    value = decode(data)
    encode = getattr(value, "encode" + suffix)
    assert encode() == data and verify(data) == len(data), form
    row("serialize", form, len(data), encode)
    row("deserialize", form, len(data), lambda: decode(data))
    row("verify", form, len(data), lambda: verify(data))

text = (folder / "account.json").read_text().strip()
value = Account.from_json(text)
assert value.to_json() == text, "another JSON"
row("serialize", "json", len(text), value.to_json)
row("deserialize", "json", len(text), lambda: Account.from_json(text))
