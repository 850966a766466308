"""How long an import takes: the best of some processes, less that of one which imports nothing."""

import subprocess
import sys
import time


def best(code):
    def once():
        start = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True)
        return time.perf_counter() - start

    return min(once() for _ in range(15))


print(f"{(best(f'import {sys.argv[1]}') - best('pass')) * 1000:.1f}")
