"""The measurements of `make bench-tcp`: loads, and figures made of them.

A load is a run of the load generator against a listener of `cpp`, the plain C++ server, or of `native` or `pure`, two servers
of ours: with native functions, and Erlang alone."""

# Writes of 340 kB at 5 B; at 32 B about what clients put into a batch; and the window that a disk needs, in such batches:
# frames of 720 kB, which the server has to put together from many receives, halve what becomes durable.
TINY = ["--payload", "5", "--window", "400000", "--batch", "20000"]
SMALL = ["--payload", "32", "--window", "40000", "--batch", "2000"]
LARGE = ["--payload", "32", "--window", "400000", "--batch", "20000"]
DURABLE = ["--payload", "32", "--window", "400000", "--batch", "2000", "--durability", "durable"]
WINDOW_4000 = ["--window", "4000", "--batch", "1000", "--payload", "32"]

# name: (server, listener, mode and options of the load generator)
LOADS = {
    "C++, 5 B": ("cpp", "sync_ack", ["sync_ack", *TINY]),
    "sync_ack 5 B, pure": ("pure", "sync_ack", ["sync_ack", *TINY]),
    "sync_ack 5 B, native": ("native", "sync_ack", ["sync_ack", *TINY]),
    "C++, 32 B": ("cpp", "sync_ack", ["sync_ack", *SMALL]),
    "batch handled": ("native", "batch", ["batch", *SMALL]),
    "batch handled, no checksum": ("native", "batch", ["batch", "--checksum", "off", *SMALL]),
    "batch handled, pure": ("pure", "batch", ["batch", *SMALL]),
    "callback a message": ("native", "message", ["batch", *SMALL]),
    "durable": ("native", "durable", ["batch", *DURABLE]),
    "durable, 20,000": ("native", "durable", ["batch", *LARGE, "--durability", "durable"]),
    "C++, window 4,000": ("cpp", "sync_ack", ["sync_ack", *WINDOW_4000]),
    "sync_ack, window 4,000": ("native", "sync_ack", ["sync_ack", *WINDOW_4000]),
    "handled, window 4,000": ("native", "batch", ["batch", *WINDOW_4000]),
    "handled, window 4,000, no checksum": ("native", "batch", ["batch", "--checksum", "off", *WINDOW_4000]),
    "C++, request/reply": ("cpp", "request_reply", ["request_reply", "--payload", "32"]),
    "request_reply": ("native", "request_reply", ["request_reply", "--payload", "32"]),
    "request": ("native", "batch", ["request", "--payload", "32"]),
}

# The same where there are NATS servers.
STREAMED = {
    "jetstream, synced": ("one", "jetstream", ["batch", *LARGE, "--durability", "durable"]),
    "jetstream, replicated": ("three", "jetstream", ["batch", *LARGE, "--durability", "replicated"]),
}

# One message goes to and fro: whether the kernel has both threads on one processor by chance, which makes a round trip
# three times as fast for any server, is decided here instead.
APART = {"C++, request/reply", "request_reply", "request"}

# The tiers, each with its name, its load, the C++ server's load, and the least share of its rate.
RATES = [
    ("sync_ack, 5 B, Erlang alone", "sync_ack 5 B, pure", "C++, 5 B", 0.20),
    ("sync_ack, 5 B, native scanner", "sync_ack 5 B, native", "C++, 5 B", 0.60),
    ("aldis/1, 32 B, batch handled, CRC-32", "batch handled", "C++, 32 B", 0.20),
    ("  the same, Erlang alone", "batch handled, pure", "C++, 32 B", 0.20),
    ("  the same, no checksum", "batch handled, no checksum", "C++, 32 B", 0.30),
    ("aldis/1, 32 B, one callback a message", "callback a message", "C++, 32 B", 0.10),
    ("aldis/1, 32 B, durable, batches of 2,000", "durable", "C++, 32 B", 0.24),
    ("  the same, of 20,000", "durable, 20,000", "C++, 32 B", 0.20),
]

STREAMED_RATES = [
    ("JetStream, synced always, of 20,000", "jetstream, synced", "C++, 32 B", 0.12),
    ("JetStream, three replicas, of 20,000", "jetstream, replicated", "C++, 32 B", 0.07),
]

# Name, load, the C++ server's load, p50 at most so many times its p50, p99 at most so many times the own p50.
LATENCIES = [
    ("C++ server, window 4,000", "C++, window 4,000", "C++, window 4,000", None, None),
    ("sync_ack, window 4,000", "sync_ack, window 4,000", "C++, window 4,000", 1.5, 4),
    ("aldis/1 handled, window 4,000", "handled, window 4,000", "C++, window 4,000", 1.5, 4),
    ("  the same, no checksum", "handled, window 4,000, no checksum", "C++, window 4,000", 1.5, 4),
    ("C++ server, request/reply", "C++, request/reply", "C++, request/reply", None, None),
    ("request_reply", "request_reply", "C++, request/reply", 1.2, None),
    ("aldis/1 request", "request", "C++, request/reply", 1.2, None),
]
