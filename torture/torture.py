"""Kills what the transport is made of, at random, and checks that no acknowledged message is lost, doubled or out of order.

    torture.py --ebin FOLDER --producers COMMAND... [--rounds N] [--seed SEED] [--seconds S] [--nats SERVER]

Each round runs a server with a durable log, a proxy that is bad weather, and producers of every kind; then servers,
producers and proxies die by kill -9 and come back, servers stand still, handlers and disks fail. With --nats it is two servers, whose log
is a stream in JetStream on three NATS servers, which die and stand still too. A round has all faults or one of them, as its seed says, and the
table at the end says what was acknowledged, lost and doubled with each. See README.md."""
import argparse
import os
import random
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
# Seconds that producers get, once nothing dies any more, until everything is acknowledged.
SETTLE = 180
START = 90


# The faults of a round, with the share that some have among them.
ANYWHERE = ["server killed", "producer killed", "connections killed", "server stands still", "handler fails"]
LOG_FAULTS = [*ANYWHERE, "write torn", "disk full", "write EIO", "sync EIO", "disk stalls"]
NATS_FAULTS = [*ANYWHERE, "NATS killed", "NATS stands still"]
WEIGHTS = {"server killed": 2, "producer killed": 4}
# Words of torture_server with milliseconds, which the server is told.
TOLD = {"handler fails": "handler", "disk full": "write enospc {}", "write EIO": "write eio {}", "sync EIO": "datasync eio {}",
        "disk stalls": "stall 700 {}"}
# How many rounds have one kind of fault alone.
SINGLE = 0.5


class Failure(Exception):
    """Something that must not happen."""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Program:
    """A process of its own group, in the session of the test; all that it says goes to a file, where it may say that it is
    ready."""

    def __init__(self, command, log, ready=None):
        with open(log, "ab") as file:
            start = file.tell()
            self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=file, stderr=file, preexec_fn=os.setpgrp)
        if ready:
            self.wait_for(ready, log, start)

    def wait_for(self, ready, log, start):
        deadline = time.monotonic() + START
        with open(log, "rb") as file:
            file.seek(start)
            said = b""
            while ready not in said.splitlines():
                if self.process.poll() is not None or time.monotonic() > deadline:
                    self.kill()
                    raise Failure(f"{self.process.args[0]} did not start; see {log}")
                time.sleep(0.02)
                said += file.read()

    def kill(self):
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()

    def stand_still(self, seconds):
        os.killpg(self.process.pid, signal.SIGSTOP)
        time.sleep(seconds)
        os.killpg(self.process.pid, signal.SIGCONT)

    def tell(self, line):
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()

    def close(self):
        """Ends its standard input, which tells it to finish."""
        self.process.stdin.close()


class Producer:
    """One producer over all its lives: it starts again with the same epoch, as if it had kept its state, or with the next."""

    def __init__(self, number, command, port, folder, chance):
        self.command, self.port, self.folder, self.chance = command, port, folder, chance
        self.name = f"{number:02d}{chance.getrandbits(120):030x}"
        self.epoch = 1
        self.start()

    def journal(self):
        return os.path.join(self.folder, f"{self.name}.{self.epoch}.journal")

    def is_acked(self):
        try:
            with open(self.journal(), encoding="ascii") as file:
                return re.search(r"^acked [1-9]", file.read(), re.MULTILINE) is not None
        except FileNotFoundError:
            return False

    def start(self):
        words = shlex.split(self.command) + [str(self.port), self.name, str(self.epoch), self.journal()]
        self.program = Program(words, os.path.join(self.folder, f"producer-{self.name}.log"))

    def die(self):
        self.program.kill()
        if self.chance.random() < 0.5:
            self.epoch += 1
        self.start()

    def finish(self, deadline):
        try:
            code = self.program.process.wait(max(0.1, deadline - time.monotonic()))
        except subprocess.TimeoutExpired as why:
            raise Failure(f"{self.command} has unacknowledged messages after {SETTLE} s") from why
        if code != 0:
            raise Failure(f"{self.command} ended with {code}; see its log")


class Nats:
    """Three NATS servers that sync always; what they keep outlives them."""

    def __init__(self, command, folder):
        self.command, self.folder = command, folder
        self.ports = [free_port() for _ in range(3)]
        self.routes = [free_port() for _ in range(3)]
        self.programs = [None] * 3
        for number in range(3):
            self.start(number)

    def start(self, number):
        path = os.path.join(self.folder, f"nats-{number}")
        routes = ", ".join(f'"nats://127.0.0.1:{port}"' for port in self.routes)
        with open(f"{path}.conf", "w", encoding="ascii") as file:
            file.write(f'server_name: n{number}\nlisten: "127.0.0.1:{self.ports[number]}"\n'
                       f'jetstream {{ store_dir: "{path}", sync_interval: always }}\n'
                       f'cluster {{ name: torture, listen: "127.0.0.1:{self.routes[number]}", routes: [{routes}] }}\n')
        self.programs[number] = Program([self.command, "-c", f"{path}.conf"], f"{path}.log")

    def die(self, chance):
        number = chance.randrange(3)
        self.programs[number].kill()
        time.sleep(chance.choice([0, 0.3, 1]))
        self.start(number)

    def kill(self):
        for program in self.programs:
            program.kill()


class Round:
    def __init__(self, options, seed, folder):
        self.options, self.folder = options, folder
        self.chance = random.Random(seed)
        self.log = os.path.join(folder, "log")
        self.nats = Nats(options.nats, folder) if options.nats else None
        if self.nats:
            self.log = "jetstream:" + ",".join(str(port) for port in self.nats.ports)
        self.server_ports = [free_port() for _ in range(2 if self.nats else 1)]
        self.servers = [None] * len(self.server_ports)
        self.proxy_port = free_port()
        self.proxy = None
        self.producers = []
        # Acknowledged, lost and doubled.
        self.counts = [0, 0, 0]
        self.faults = dict.fromkeys(NATS_FAULTS if self.nats else LOG_FAULTS, 0)
        self.only = self.chance.choice(list(self.faults)) if self.chance.random() < SINGLE else None

    def erl(self, module, *words):
        return ["erl", "-noshell", "-pa", self.options.ebin, "-run", module, "main", *words]

    def start_server(self, number):
        """The old one's port may still be taken for a moment."""
        port = str(self.server_ports[number])
        command = self.erl("torture_server", port, self.log, os.path.join(self.folder, "violations"))
        self.servers[number] = Program(command, os.path.join(self.folder, f"server-{number}.log"), ready=b"listening")

    def start_proxy(self):
        command = [sys.executable, f"{HERE}/proxy.py", str(self.proxy_port), ",".join(str(port) for port in self.server_ports), str(self.chance.getrandbits(32))]
        self.proxy = Program(command, os.path.join(self.folder, "proxy.log"), ready=b"ready")

    def run(self):
        try:
            for number in range(len(self.servers)):
                self.start_server(number)
            self.start_proxy()
            for number, command in enumerate(self.options.producers * 2):
                port = self.server_ports[0] if number == 0 else self.proxy_port
                self.producers.append(Producer(number, command, port, self.folder, random.Random(self.chance.getrandbits(64))))
            self.get_under_way()
            self.kill_about()
            self.settle()
        finally:
            # A server that did not start has nothing to end.
            for program in [*self.servers, self.proxy] + [producer.program for producer in self.producers]:
                if program:
                    program.kill()
        return self.check()

    def get_under_way(self):
        """Waits until every producer has an acknowledgement; a stream that is just made takes a while."""
        deadline = time.monotonic() + START
        while not all(producer.is_acked() for producer in self.producers):
            if time.monotonic() > deadline:
                raise Failure(f"not all producers had an acknowledgement within {START} s")
            time.sleep(0.05)

    def kill_about(self):
        end = time.monotonic() + self.options.seconds
        while time.monotonic() < end:
            time.sleep(self.chance.uniform(0.02, 0.4))
            weights = [WEIGHTS.get(fault, 1) for fault in self.faults]
            fault = self.only or self.chance.choices(list(self.faults), weights)[0]
            self.faults[fault] += 1
            self.happen(fault)

    def happen(self, fault):
        if fault in ("server killed", "write torn"):
            self.kill_server(fault == "write torn")
        elif fault == "producer killed":
            self.chance.choice(self.producers).die()
        elif fault == "connections killed":
            self.proxy.kill()
            self.start_proxy()
        elif fault == "NATS killed":
            self.nats.die(self.chance)
        elif fault == "NATS stands still":
            self.chance.choice(self.nats.programs).stand_still(self.chance.choice([0.2, 1, 3]))
        elif fault == "server stands still":
            self.chance.choice(self.servers).stand_still(self.chance.choice([0.2, 1, 3]))
        else:
            self.chance.choice(self.servers).tell(TOLD[fault].format(self.chance.randint(1, 500)))

    def kill_server(self, torn):
        number = self.chance.randrange(len(self.servers))
        self.servers[number].kill()
        if torn:
            self.tear()
        time.sleep(self.chance.choice([0, 0, 0.3]))
        self.start_server(number)

    def tear(self):
        """Puts the beginning of a write that was never finished behind the log: bytes that look like a record, or none."""
        segments = sorted(name for name in os.listdir(self.log) if name.endswith(".log"))
        if not segments:
            return
        path = os.path.join(self.log, segments[-1])
        with open(path, "rb") as segment:
            start = segment.read(4096)
        torn = self.chance.choice([start[: self.chance.randint(0, len(start))], self.chance.randbytes(100), bytes(5000)])
        with open(path, "ab") as segment:
            segment.write(torn)

    def settle(self):
        deadline = time.monotonic() + SETTLE
        for producer in self.producers:
            producer.program.close()
        for producer in self.producers:
            producer.finish(deadline)

    def check(self):
        """The number of messages in the log and the journals, once the checker has found them right."""
        done = subprocess.run(self.erl("torture_check", self.log, self.folder), capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise Failure(done.stdout + done.stderr)
        self.counts = [int(number) for number in re.search(r"(\d+) of them acknowledged, (\d+) lost, (\d+) doubled", done.stdout).groups()]
        violations = os.path.join(self.folder, "violations")
        if os.path.exists(violations):
            with open(violations, encoding="utf-8") as file:
                raise Failure("the handler saw messages twice or out of order:\n" + file.read(2000))
        return done.stdout.strip()

    def sabotage(self):
        """Whether the checker sees damage to this round's log, of every kind: what it says of that; nothing where the log has too little."""
        done = subprocess.run(self.erl("torture_sabotage", self.log, self.folder), capture_output=True, text=True, check=False)
        if done.returncode == 2:
            return None
        if done.returncode != 0:
            raise Failure((done.stdout + done.stderr)[:2000])
        return done.stdout.strip()


def options():
    parser = argparse.ArgumentParser(description="see README.md")
    parser.add_argument("--ebin", required=True, help="folder of compiled Erlang modules")
    parser.add_argument("--producers", nargs="+", required=True, help="commands of producers")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--nats", help="the program nats-server: the log is a stream in JetStream")
    parser.add_argument("--seconds", type=float, default=4, help="how long things die in a round")
    return parser.parse_args()


def table(rounds):
    """What was acknowledged, lost and doubled, by what befell the rounds."""
    lines = [f"  {'fault':22} {'rounds':>6} {'times':>6} {'acked':>12} {'lost':>6} {'doubled':>8}"]
    for fault in [*rounds[0].faults, None]:
        of = [one for one in rounds if one.only == fault]
        if of:
            sums = [sum(one.counts[column] for one in of) for column in range(3)]
            times = sum(sum(one.faults.values()) for one in of)
            lines.append(f"  {fault or 'all of them':22} {len(of):6} {times:6} {sums[0]:12,} {sums[1]:6} {sums[2]:8}")
    return "\n".join(lines)


def main():
    wanted = options()
    rounds, checked = [], None
    first = wanted.seed if wanted.seed is not None else random.SystemRandom().randrange(1 << 32)
    for seed in range(first, first + wanted.rounds):
        folder = tempfile.mkdtemp(prefix="aldis-torture-")
        begin = time.monotonic()
        one = Round(wanted, seed, folder)
        try:
            said = one.run()
            if not checked:
                checked = one.sabotage()
                print(f"  {checked or 'this log has too little to check the check with'}", flush=True)
        except Failure as why:
            print(f"torture: seed {seed} failed: {why}\n  logs and journals are in {folder}; again: make torture ROUNDS=1 SEED={seed}")
            return 1
        finally:
            if one.nats:
                one.nats.kill()
        rounds.append(one)
        faults = ", ".join(f"{what} {count}" for what, count in one.faults.items() if count)
        print(f"  seed {seed}: {said}; {faults}; {time.monotonic() - begin:.1f} s", flush=True)
        shutil.rmtree(folder)
    print(table(rounds))
    return 0


if __name__ == "__main__":
    sys.exit(main())
