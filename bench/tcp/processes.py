"""Processes of servers: where they run, what they took, and their end."""
import contextlib
import os


def keep_to(pid, processors):
    """Lets all threads of a process run on these processors alone."""
    for thread in os.listdir(f"/proc/{pid}/task"):
        with contextlib.suppress(ProcessLookupError):
            os.sched_setaffinity(int(thread), processors)


def processor_seconds(pids):
    """Processor time that processes have taken, with the kernel's part."""
    ticks = 0
    for pid in pids:
        with open(f"/proc/{pid}/stat", encoding="ascii") as stat:
            ticks += sum(int(word) for word in stat.read().rsplit(")", 1)[1].split()[11:13])
    return ticks / os.sysconf("SC_CLK_TCK")


class Processes:
    """Servers that run side by side and end together."""

    def __init__(self):
        self.processes = []

    def keep_to(self, processors):
        for process in self.processes:
            keep_to(process.pid, processors)

    def pids(self):
        return [process.pid for process in self.processes]

    def close(self):
        for process in self.processes:
            process.kill()
            process.wait()
