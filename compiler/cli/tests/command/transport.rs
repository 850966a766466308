//! `send`, `recv` and `bench-tcp` against a server in this process, frame by frame.

use super::{aldis, command, good, Folder, SBE};
use aldis_transport::{push_entry, Ack, Code, Entries, Frame, Inbox, Welcome, Window};
use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Child;
use std::thread;
use std::time::Duration;

const CREDIT: Window = Window { messages: 1_000_000, bytes: 100_000_000 };

/// The server's end of a connection.
struct Peer {
    stream: TcpStream,
    inbox: Inbox,
}

impl Peer {
    /// Takes the next frame; `None` when the client has gone.
    fn read<T>(&mut self, take: impl FnOnce(Frame<'_>) -> T) -> Option<T> {
        loop {
            if let Some((kind, body)) = self.inbox.next_frame().unwrap() {
                return Some(take(Frame::decode(kind, body, false).unwrap()));
            }
            let size = self.stream.read(self.inbox.room()).ok().filter(|size| *size > 0)?;
            self.inbox.came(size);
        }
    }

    fn send(&mut self, frame: Frame<'_>) {
        let mut out = Vec::new();
        frame.encode(&mut out);
        self.stream.write_all(&out).unwrap();
    }

    fn ack(&mut self, upto: u64) {
        self.send(Frame::Ack(Ack { received: upto, handled: upto, durable: upto, duplicates: 0, credit: CREDIT }));
    }
}

struct Server(TcpListener);

impl Server {
    fn new() -> Self {
        Self(TcpListener::bind("127.0.0.1:0").unwrap())
    }

    fn address(&self) -> String {
        self.0.local_addr().unwrap().to_string()
    }

    fn accept(&self, last: u64) -> Peer {
        let (stream, _) = self.0.accept().unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let mut peer = Peer { stream, inbox: Inbox::default() };
        let welcome = peer.read(|frame| match frame {
            Frame::Hello(hello) => Welcome {
                version: 1,
                features: hello.features,
                session: 1,
                last,
                credit: CREDIT,
                max_frame: 1 << 20,
                durability: hello.durability,
            },
            other => panic!("{other:?}"),
        });
        peer.send(Frame::Welcome(welcome.unwrap()));
        peer
    }

    /// Serves one connection as a log would, until the client goes or `limit` messages are in the log.
    fn keep(&self, log: &mut Vec<Vec<u8>>, limit: usize) {
        let mut peer = self.accept(log.len() as u64);
        while log.len() < limit {
            enum Then {
                Ack,
                Close,
                Nothing,
                Reply(u64, Vec<u8>),
            }
            let then = peer.read(|frame| match frame {
                Frame::Batch(batch) => {
                    assert_eq!(batch.crc, batch.checksum());
                    assert!(batch.first <= log.len() as u64 + 1);
                    let known = log.len() + 1 - batch.first as usize;
                    let entries = Entries::check(batch.entries, batch.count).unwrap();
                    log.extend(entries.skip(known).map(<[u8]>::to_vec));
                    Then::Ack
                }
                Frame::Drain { .. } => Then::Close,
                Frame::Request { correlation, bytes, .. } => Then::Reply(correlation, bytes.to_vec()),
                Frame::Close { .. } => Then::Nothing,
                other => panic!("{other:?}"),
            });
            match then {
                None => break,
                Some(Then::Ack) if log.len() < limit => peer.ack(log.len() as u64),
                Some(Then::Close) => peer.send(Frame::Close { code: Code::Normal, text: "drained" }),
                Some(Then::Reply(correlation, bytes)) => {
                    peer.send(Frame::Reply { correlation, code: Code::Normal, bytes: &bytes });
                }
                Some(Then::Ack | Then::Nothing) => {}
            }
        }
    }
}

fn start(arguments: &[&str]) -> Child {
    let mut child = command(arguments).spawn().unwrap();
    drop(child.stdin.take());
    child
}

fn finish(child: Child) -> (i32, String, String) {
    let done = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (done.status.code().unwrap(), text(done.stdout), text(done.stderr))
}

/// A framed stream of a thousand market messages, in a file, and the messages.
fn feed(folder: &Folder) -> (String, Vec<Vec<u8>>) {
    let stream = good(&["random", SBE, "--count", "1000", "--to", "bytes", "--framing", "u32le"], b"");
    let path = folder.path("feed");
    fs::write(&path, &stream).unwrap();
    let mut messages = Vec::new();
    let mut left = &stream[..];
    while let Some((head, rest)) = left.split_first_chunk::<4>() {
        let (message, rest) = rest.split_at(u32::from_le_bytes(*head) as usize);
        messages.push(message.to_vec());
        left = rest;
    }
    (path, messages)
}

#[test]
fn send_sends_all_over_lost_connections() {
    let folder = Folder::new("send");
    let (path, messages) = feed(&folder);
    let server = Server::new();
    let child = start(&["send", &server.address(), &path, "--framing", "u32le", "--durability", "durable"]);
    let mut log = Vec::new();
    server.keep(&mut log, 100);
    server.keep(&mut log, 600);
    server.keep(&mut log, usize::MAX);
    let (code, out, err) = finish(child);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(
        out.starts_with("1000 messages, ") && out.ends_with("all acked durable, after 2 connections lost\n"),
        "{out}"
    );
    assert_eq!(log, messages);
}

#[test]
fn send_goes_on_behind_what_the_server_has_of_its_producer() {
    let folder = Folder::new("resume");
    let (path, messages) = feed(&folder);
    let server = Server::new();
    let producer = "000102030405060708090a0b0c0d0e0f";
    let child = start(&["send", &server.address(), &path, "--framing", "u32le", "--producer", producer]);
    let mut log = messages[..990].to_vec();
    server.keep(&mut log, usize::MAX);
    let (code, out, err) = finish(child);
    assert_eq!((code, err.as_str()), (0, "the server has 990 messages of this producer\n"));
    assert!(out.starts_with("10 messages, "), "{out}");
    assert_eq!(log, messages);
}

#[test]
fn send_says_what_is_wrong() {
    let server = Server::new();
    let address = server.address();
    let child = start(&["send", &address, "-"]);
    let mut peer = server.accept(0);
    peer.read(|frame| assert!(matches!(frame, Frame::Batch(_)))).unwrap();
    peer.send(Frame::Nack { expected: 1, code: Code::Refused, text: "not on Sundays" });
    let (code, _, err) = finish(child);
    assert_eq!((code, err), (1, format!("error: {address}: refused: message 1: not on Sundays\n")));
    drop(server);

    let refused = aldis(&["send", &address, "-"]);
    assert_eq!(refused.code, 1);
    assert!(refused.err.starts_with(&format!("error: {address}: ")), "{}", refused.err);
    let usage = aldis(&["send", &address, "-", "--framing", "sofh"]);
    assert_eq!((usage.code, usage.err.contains("--schema")), (2, true));
    assert_eq!(aldis(&["send", "nowhere", "-"]).code, 2);
}

/// Pushes what is asked for, twenty messages at a time, and cuts the first connection.
fn push_all(server: &Server, messages: &[Vec<u8>]) {
    for round in 0..2 {
        let mut peer = server.accept(0);
        let subscribed = peer.read(|frame| match frame {
            Frame::Subscribe { subscription, from, topic: "log", .. } => (subscription, from),
            other => panic!("{other:?}"),
        });
        let (subscription, from) = subscribed.unwrap();
        let here = &messages[from as usize - 1..];
        let here = if round == 0 { &here[..here.len() / 2] } else { here };
        for (index, chunk) in here.chunks(20).enumerate() {
            let mut entries = Vec::new();
            chunk.iter().for_each(|message| push_entry(&mut entries, message));
            let (first, count) = (from + 20 * index as u64, chunk.len() as u32);
            peer.send(Frame::Push { subscription, first, count, entries: &entries });
        }
        if round == 0 {
            thread::sleep(Duration::from_millis(100));
            continue;
        }
        while peer.read(|_| ()).is_some() {}
    }
}

fn received(messages: &[Vec<u8>], arguments: &[&str]) -> String {
    let server = Server::new();
    let address = server.address();
    let mut all = vec!["recv", &address, "log"];
    all.extend(arguments);
    let child = start(&all);
    let reader = thread::spawn(move || finish(child));
    push_all(&server, messages);
    let (code, out, err) = reader.join().unwrap();
    assert_eq!((code, err.as_str()), (0, ""));
    out
}

#[test]
fn recv_writes_hex_and_json_over_a_lost_connection() {
    let folder = Folder::new("recv");
    let (path, messages) = feed(&folder);
    let hex = received(&messages, &["--from", "11", "--count", "990"]);
    let lines: Vec<&str> = hex.lines().collect();
    assert_eq!(lines.len(), 990);
    for (line, (index, message)) in lines.iter().zip(messages.iter().enumerate().skip(10)) {
        let digits: String = message.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(*line, format!("{} {digits}", index + 1));
    }
    let json = received(&messages, &["--from", "1", "--count", "1000", "--to", "json", "--schema", SBE]);
    assert_eq!(json.into_bytes(), good(&["decode", SBE, &path, "--framing", "u32le"], b""));
}

#[test]
fn recv_writes_streams_until_it_is_quiet() {
    let messages: Vec<Vec<u8>> = (0..100).map(|i| format!("message {i}").into_bytes()).collect();
    let arguments = ["--from", "1", "--quiet-after", "0.5", "--to", "bytes", "--framing", "u16be"];
    let stream = received(&messages, &arguments);
    let mut wanted = Vec::new();
    for message in &messages {
        wanted.extend_from_slice(&(message.len() as u16).to_be_bytes());
        wanted.extend_from_slice(message);
    }
    assert_eq!(stream.into_bytes(), wanted);
}

#[test]
fn recv_says_what_is_wrong() {
    let server = Server::new();
    let address = server.address();
    let child = start(&["recv", &address, "nothing"]);
    let mut peer = server.accept(0);
    peer.read(|frame| assert!(matches!(frame, Frame::Subscribe { from: 0, .. }))).unwrap();
    peer.send(Frame::Unsubscribe { subscription: 1, code: Code::Refused, text: "no topic nothing" });
    let (code, _, err) = finish(child);
    assert_eq!((code, err), (1, format!("error: {address}: refused: no topic nothing\n")));
    assert_eq!(aldis(&["recv", &address, "log", "--to", "json"]).code, 2);
    assert_eq!(aldis(&["recv", &address, "log", "--to", "bytes"]).code, 2);
}

#[test]
fn bench_tcp_draws_latencies_and_prints_json() {
    let server = Server::new();
    let child = start(&["bench-tcp", &server.address(), "--seconds", "0.3", "--window", "1000"]);
    server.keep(&mut Vec::new(), usize::MAX);
    let (code, out, err) = finish(child);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.contains("messages/s") && out.contains("█") && out.contains("p99 "), "{out}");

    let child = start(&["bench-tcp", &server.address(), "--seconds", "2", "--requests", "--json"]);
    server.keep(&mut Vec::new(), usize::MAX);
    let (code, out, _) = finish(child);
    assert_eq!(code, 0);
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(json["mode"], "requests");
    assert!(json["messages"].as_u64().unwrap() > 10);
    assert!(json["latency_ns"]["p50"].as_u64().unwrap() <= json["latency_ns"]["p99_9"].as_u64().unwrap());
}
