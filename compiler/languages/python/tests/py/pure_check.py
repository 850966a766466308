"""The pure package says what brings an engine and the command, and needs neither."""

import subprocess
import sys

import aldis
import market

assert market.Trade.decode(market.Trade(sequence=1).encode()).sequence == 1
try:
    aldis.load("market.xml")
    raise SystemExit("there is an engine in the pure package")
except ImportError as error:
    assert "make wheel" in str(error), error
assert not hasattr(aldis, "none")
said = subprocess.run([sys.executable, "-B", "-m", "aldis", "--version"], capture_output=True, text=True)
assert said.returncode == 1 and said.stdout == "" and "make wheel" in said.stderr, said
