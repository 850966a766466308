//! The client against a server in this process.

mod fake;
mod tls;

use aldis_transport::{
    push_entry, Client, Code, Config, Durability, Error, Frame, MessageBatch, SchemaId, State, Subscription, Welcome,
    Window,
};
use fake::{connecting, Server, LONG, PLENTY};
use std::io::Write;
use std::sync::mpsc;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

const MS: Duration = Duration::from_millis(1);

fn texts(all: &[&str]) -> Vec<String> {
    all.iter().map(|text| (*text).to_owned()).collect()
}

#[test]
fn messages_are_batched_and_flush_waits_for_their_ack() {
    let server = Server::new();
    let (tell, told) = mpsc::channel();
    let on_ack = Arc::new(move |marks: &aldis_transport::Watermarks| tell.send(*marks).unwrap());
    let config = Config { linger: 30 * MS, on_ack: Some(on_ack), ..server.config() };
    let (client, mut peer) = server.pair(config, PLENTY);
    assert_eq!(["a", "", "c"].map(|text| client.send(text.as_bytes()).unwrap()), [1, 2, 3]);
    assert_eq!(peer.read().batch(), (1, texts(&["a", "", "c"])));
    assert_eq!(client.flush(MS).unwrap_err().code, Code::Deadline);
    peer.send_split(Frame::Ack(aldis_transport::Ack {
        received: 3,
        handled: 3,
        durable: 1,
        duplicates: 5,
        credit: PLENTY,
    }));
    client.flush(LONG).unwrap();
    let marks = told.recv_timeout(LONG).unwrap();
    assert_eq!((marks.acked, marks.received, marks.durable, marks.duplicates), (3, 3, 1, 5));
}

#[test]
fn flush_does_not_wait_for_the_linger_and_big_batches_neither() {
    let server = Server::new();
    let config = Config { linger: Duration::from_secs(3600), batch_bytes: 40, ..server.config() };
    let (client, mut peer) = server.pair(config, PLENTY);
    for _ in 0..5 {
        client.send(b"0123456789").unwrap();
    }
    assert_eq!(peer.read().batch().1.len(), 3);
    thread::scope(|scope| {
        let flushed = scope.spawn(|| client.flush(LONG));
        assert_eq!(peer.read().batch(), (4, texts(&["0123456789"; 2])));
        peer.ack(5);
        flushed.join().unwrap().unwrap();
    });
}

#[test]
fn a_batch_refuses_what_the_server_would_and_can_be_emptied() {
    let server = Server::new();
    let (client, mut peer) = server.pair(server.config(), PLENTY);
    let mut batch = MessageBatch::with_bytes(&client, 4 << 20);
    batch.add(b"forgotten").unwrap();
    batch.clear();
    batch.add(b"kept").unwrap();
    let error = batch.add(&vec![0; client.max_message() + 1]).unwrap_err();
    assert_eq!(error.code, Code::FrameTooLarge);
    batch.add(b"after").unwrap();
    assert_eq!(batch.push().unwrap(), Some(2));
    assert_eq!(peer.read().batch(), (1, texts(&["kept", "after"])));
}

#[test]
fn a_batch_of_one_thread_keeps_its_place_among_single_messages() {
    let server = Server::new();
    let linger = Duration::from_secs(3600);
    let (client, mut peer) = server.pair(Config { linger, ..server.config() }, PLENTY);
    let mut batch = MessageBatch::with_bytes(&client, 16);
    assert_eq!(batch.push().unwrap(), None);
    batch.add(b"b").unwrap();
    client.send(b"a").unwrap();
    batch.add(b"").unwrap();
    assert_eq!(batch.push().unwrap(), Some(3));
    assert_eq!(peer.read().batch(), (1, texts(&["a"])));
    assert_eq!(peer.read().batch(), (2, texts(&["b", ""])));
    batch.add(b"c").unwrap();
    batch.add(b"longer than a batch").unwrap();
    client.send(b"d").unwrap();
    let error = client.flush(Duration::from_millis(10)).unwrap_err();
    assert_eq!(error.text, "6 messages are not acked: the server has not said yet that it has them");
    assert_eq!(peer.read().batch(), (4, texts(&["c"])));
    assert_eq!(peer.read().batch(), (5, texts(&["longer than a batch", "d"])));
    peer.ack(6);
    client.flush(LONG).unwrap();
    let huge = vec![0; 2 << 20];
    assert_eq!(batch.add(&huge).unwrap_err().code, Code::FrameTooLarge);
}

#[test]
fn credit_is_kept_and_send_waits_while_too_much_is_kept() {
    let server = Server::new();
    let linger = Duration::from_secs(3600);
    let config = Config { max_kept_bytes: 100, batch_bytes: 10_000, linger, ..server.config() };
    let credit = Window { messages: 3, bytes: 1000 };
    let (client, mut peer) = server.pair(config, credit);
    thread::scope(|scope| {
        scope.spawn(|| {
            for _ in 0..50 {
                client.send(b"0123456789").unwrap();
            }
            client.flush(LONG).unwrap();
        });
        let (mut seen, mut acked) = (0, 0);
        while seen < 50 {
            let (first, batch) = peer.read().batch();
            assert_eq!(first, seen + 1);
            seen += batch.len() as u64;
            assert!(seen - acked <= 3);
            acked = seen.min(acked + 1 + seen % 3);
            let ack = aldis_transport::Ack { received: seen, handled: acked, durable: 0, duplicates: 0, credit };
            peer.send(Frame::Ack(ack));
        }
        peer.ack(50);
    });
}

/// A server that dies at random, and keeps what a server keeps: nothing is lost, doubled or out of order.
#[test]
fn cuts_lose_nothing() {
    let server = Server::new();
    let client = connecting(Config { batch_bytes: 200, ..server.config() });
    let total = 5000;
    let mut log = Vec::new();
    let mut sending = None;
    let mut client = Some(client);
    for round in 0.. {
        let mut peer = server.accept();
        peer.greet(log.len() as u64, PLENTY);
        if let Some(client) = client.take() {
            let client: Client = client.join().unwrap().unwrap();
            sending = Some(thread::spawn(move || {
                for i in 0..total {
                    client.send(i.to_string().as_bytes()).unwrap();
                }
                client.flush(2 * LONG)
            }));
        }
        for step in 0..round % 13 + 1 {
            if log.len() == total {
                break;
            }
            let (first, batch) = peer.read().batch();
            assert!(first <= log.len() as u64 + 1);
            let known = log.len() + 1 - first as usize;
            log.extend(batch.into_iter().skip(known));
            if step % 3 == 0 {
                peer.ack(log.len() as u64);
            }
        }
        if log.len() == total {
            peer.ack(total as u64);
            sending.take().unwrap().join().unwrap().unwrap();
            break;
        }
    }
    assert!(log.iter().enumerate().all(|(i, text)| *text == i.to_string()));
}

#[test]
fn nacks_are_answered_from_where_they_say() {
    let server = Server::new();
    let (client, mut peer) = server.pair(Config { batch_bytes: 16, ..server.config() }, PLENTY);
    for _ in 0..4 {
        client.send(b"abcd").unwrap();
    }
    assert_eq!((peer.read().batch().0, peer.read().batch().0), (1, 3));
    for code in [Code::BadChecksum, Code::Gap, Code::BadCount] {
        peer.send(Frame::Nack { expected: 2, code, text: "again" });
        assert_eq!((peer.read().batch().0, peer.read().batch().0), (2, 3));
    }
    peer.ack(4);
    client.flush(LONG).unwrap();
}

#[test]
fn what_is_refused_is_tried_again_or_ends_the_client() {
    let server = Server::new();
    let (tell, told) = mpsc::channel();
    let on_refused = Arc::new(move |sequence: u64, text: &str| tell.send((sequence, text.to_owned())).unwrap());
    let config = Config { least_backoff: 20 * MS, on_refused: Some(on_refused), ..server.config() };
    let (client, mut peer) = server.pair(Config { most_backoff: 50 * MS, ..config }, PLENTY);
    client.send(b"a").unwrap();
    peer.read();
    for pause in [20, 40, 50] {
        let begin = Instant::now();
        peer.send(Frame::Nack { expected: 1, code: Code::Refused, text: "not now" });
        assert_eq!(peer.read().batch().0, 1);
        assert!(begin.elapsed() >= pause * MS);
        assert_eq!(told.recv_timeout(LONG).unwrap(), (1, "not now".to_owned()));
    }
    peer.ack(1);
    client.flush(LONG).unwrap();

    let (client, mut peer) = server.pair(Config { retry_refused: false, ..server.config() }, PLENTY);
    client.send(b"a").unwrap();
    peer.read();
    peer.send(Frame::Nack { expected: 1, code: Code::Refused, text: "not today" });
    assert_eq!(client.flush(LONG), Err(Error::new(Code::Refused, "message 1: not today")));
    assert_eq!(client.state(), State::Over);
}

#[test]
fn closes_are_told_or_mended() {
    let server = Server::new();
    let (client, mut peer) = server.pair(server.config(), PLENTY);
    client.send(b"a").unwrap();
    // `error.rs` compares what is fatal with the protocol's table.
    let (over, again): (Vec<Code>, Vec<Code>) = (0..21).map(Code::from_number).partition(|code| code.is_fatal());
    for code in again {
        assert_eq!(peer.read().batch().0, 1, "{code}");
        peer.send(Frame::Close { code, text: "later" });
        peer = server.accept();
        peer.greet(0, PLENTY);
    }
    for code in over {
        let (client, mut peer) = server.pair(server.config(), PLENTY);
        client.send(b"a").unwrap();
        peer.send(Frame::Close { code, text: "for good" });
        assert_eq!(client.flush(LONG), Err(Error::new(code, "for good")));
    }

    let client = connecting(server.config());
    let mut peer = server.accept();
    peer.read();
    peer.send(Frame::Close { code: Code::Unauthorized, text: "no such token" });
    assert_eq!(client.join().unwrap().err(), Some(Error::new(Code::Unauthorized, "no such token")));
}

#[test]
fn what_a_server_must_not_say_ends_the_connection_alone() {
    let ack = aldis_transport::Ack { received: 7, handled: 7, ..Default::default() };
    let wrongs = [
        (Frame::Ack(ack), Code::Protocol),
        (Frame::Nack { expected: 0, code: Code::Gap, text: "" }, Code::Protocol),
        (Frame::Nack { expected: 9, code: Code::Refused, text: "" }, Code::Protocol),
        (Frame::Credit { subscription: 1, consumed: 1, credit: 1 }, Code::Protocol),
        (Frame::Push { subscription: 1, first: 1, count: 2, entries: &[] }, Code::BadCount),
    ];
    let server = Server::new();
    let (client, mut peer) = server.pair(server.config(), PLENTY);
    client.send(b"a").unwrap();
    for (wrong, wanted) in wrongs {
        assert_eq!(peer.read().batch().0, 1);
        peer.send(wrong);
        let got = peer.read();
        assert!(matches!(got.frame(), Frame::Close { code, .. } if code == wanted), "{wrong:?}: {:?}", got.frame());
        peer = server.accept();
        peer.greet(0, PLENTY);
    }
    for (length, wanted) in [(0, Code::Protocol), (u32::MAX, Code::FrameTooLarge)] {
        peer.read().batch();
        peer.0.write_all(&length.to_le_bytes()).unwrap();
        assert!(matches!(peer.read().frame(), Frame::Close { code, .. } if code == wanted));
        peer = server.accept();
        peer.greet(0, PLENTY);
    }
    peer.send(Frame::Close { code: Code::Normal, text: "" });
    let mut early = server.accept();
    early.read();
    early.send(Frame::Ping(1));
    assert!(matches!(early.read().frame(), Frame::Close { code: Code::Protocol, .. }));
    let mut small = server.accept();
    small.greet_with(63, 0, PLENTY);
    assert!(matches!(small.read().frame(), Frame::Close { code: Code::Protocol, .. }));
    let mut peer = server.accept();
    peer.greet(0, PLENTY);
    peer.read();
    peer.ack(1);
    client.flush(LONG).unwrap();
}

#[test]
fn a_welcome_that_is_less_than_wanted_ends_the_client() {
    let plain = Welcome {
        version: 1,
        features: 0,
        session: 1,
        last: 0,
        credit: PLENTY,
        max_frame: 1000,
        durability: Durability::Handled,
    };
    let usual = Server::new().config();
    let cases = [
        (Code::Version, usual.clone(), Welcome { version: 2, ..plain }),
        (Code::Superseded, usual.clone(), Welcome { last: 7, ..plain }),
        (Code::Unsupported, Config { durability: Durability::Durable, ..usual.clone() }, plain),
        (Code::Unsupported, Config { checksum: false, ..usual.clone() }, plain),
        (Code::Unsupported, Config { schema: Some(SchemaId { schema: 1, template: 2 }), ..usual.clone() }, plain),
        (Code::FrameTooLarge, usual, plain),
    ];
    for (code, config, welcome) in cases {
        let server = Server::new();
        let config = Config { address: server.config().address, ..config };
        let (client, mut peer) = server.pair(config, PLENTY);
        client.send(&[0; 1000]).unwrap();
        peer.read();
        drop(peer);
        let mut again = server.accept();
        again.read();
        again.send(Frame::Welcome(welcome));
        let got = again.read();
        assert!(matches!(got.frame(), Frame::Close { code: said, .. } if said == code), "{code}: {:?}", got.frame());
        assert_eq!(client.wait_over(LONG).map(|error| error.code), Some(code));
    }
}

#[test]
fn a_server_that_forgot_gets_a_new_epoch_from_one() {
    let server = Server::new();
    let (client, mut peer) = server.pair(Config { batch_bytes: 8, ..server.config() }, PLENTY);
    client.send(b"aaaa").unwrap();
    client.send(b"bbbb").unwrap();
    peer.read();
    peer.read();
    peer.ack(1);
    while client.acked() < 1 {
        thread::sleep(MS);
    }
    drop(peer);
    let mut forgetful = server.accept();
    forgetful.greet(0, PLENTY);
    assert!(matches!(forgetful.read().frame(), Frame::Close { code: Code::Unavailable, .. }));
    let mut again = server.accept();
    let hello = again.greet(0, PLENTY);
    assert!(matches!(hello.frame(), Frame::Hello(hello) if hello.epoch == 2));
    assert_eq!(again.read().batch(), (1, texts(&["bbbb"])));
    again.ack(1);
    client.flush(LONG).unwrap();
    assert_eq!((client.acked(), client.epoch()), (2, 2));
}

#[test]
fn silence_is_asked_about_and_then_left() {
    let server = Server::new();
    let (_client, mut peer) = server.pair(Config { ping_after: 100 * MS, ..server.config() }, PLENTY);
    peer.send(Frame::Ping(77));
    assert_eq!(peer.read().frame(), Frame::Pong(77));
    assert!(matches!(peer.read().frame(), Frame::Ping(_)));
    assert!(matches!(peer.read().frame(), Frame::Close { code: Code::Idle, .. }));
    server.accept().greet(0, PLENTY);
}

#[test]
fn requests_are_answered_refused_late_or_lost() {
    let server = Server::new();
    let on_request = Arc::new(|bytes: &[u8]| Ok(bytes.iter().rev().copied().collect()));
    let (client, mut peer) = server.pair(Config { on_request: Some(on_request), ..server.config() }, PLENTY);
    let asked = |peer: &mut fake::Peer| match peer.read().frame() {
        Frame::Request { correlation, .. } => correlation,
        other => panic!("{other:?}"),
    };
    thread::scope(|scope| {
        let answered = scope.spawn(|| client.request(b"a", LONG));
        let correlation = asked(&mut peer);
        peer.send_split(Frame::Reply { correlation, code: Code::Normal, bytes: b"yes" });
        assert_eq!(answered.join().unwrap().unwrap(), b"yes");
        let refused = scope.spawn(|| client.request(b"b", LONG));
        let correlation = asked(&mut peer);
        peer.send(Frame::Reply { correlation, code: Code::Refused, bytes: b"no" });
        assert_eq!(refused.join().unwrap(), Err(Error::new(Code::Refused, "no")));
        assert_eq!(client.request(b"c", 20 * MS).unwrap_err().code, Code::Deadline);
        asked(&mut peer);
        peer.send(Frame::Request { correlation: 8, deadline: 0, bytes: b"abc" });
        assert_eq!(peer.read().frame(), Frame::Reply { correlation: 8, code: Code::Normal, bytes: b"cba" });
        let lost = scope.spawn(|| client.request(b"d", Duration::ZERO));
        asked(&mut peer);
        drop(peer);
        assert_eq!(lost.join().unwrap().unwrap_err().code, Code::Disconnected);
    });
}

/// An answer that no frame holds, or that is none, is the asker's bad luck: neither the client nor what it keeps pays for it.
#[test]
fn answers_fit_a_frame() {
    let server = Server::new();
    let on_request = Arc::new(|asked: &[u8]| match asked {
        [b'b', size @ ..] => Ok(vec![0; 980 + size.len()]),
        [b't', size @ ..] => Err(Error::new(Code::Unavailable, "x".repeat(980 + size.len()))),
        _ => Err(Error::new(Code::Misused, "no")),
    });
    let client = connecting(Config { on_request: Some(on_request), ..server.config() });
    let mut peer = server.accept();
    peer.greet_with(1000, 0, PLENTY);
    let client = client.join().unwrap().unwrap();
    client.send(b"kept").unwrap();
    peer.read().batch();
    let cases = [
        ("b.......", Code::Normal),
        ("b........", Code::FrameTooLarge),
        ("t.......", Code::Unavailable),
        ("t........", Code::FrameTooLarge),
        ("misused", Code::Handler),
    ];
    for (asked, wanted) in cases {
        peer.send(Frame::Request { correlation: 9, deadline: 0, bytes: asked.as_bytes() });
        let got = peer.read();
        let Frame::Reply { correlation: 9, code, bytes } = got.frame() else { panic!("{asked}: {:?}", got.frame()) };
        assert!(code == wanted && bytes.len() <= 987, "{asked}: {code}");
    }
    peer.ack(1);
    client.flush(LONG).unwrap();
}

#[test]
fn subscriptions_deliver_grant_more_and_go_on_after_a_cut() {
    let server = Server::new();
    let (client, mut peer) = server.pair(server.config(), PLENTY);
    let (tell, told) = mpsc::channel();
    let ended = Arc::new(Mutex::new(None));
    let end = Arc::clone(&ended);
    let on_push = move |first: u64, entries: aldis_transport::Entries<'_>| {
        for (sequence, entry) in (first..).zip(entries) {
            tell.send(format!("{sequence}{}", String::from_utf8_lossy(entry))).unwrap();
        }
    };
    let subscription = Subscription {
        topic: "log".into(),
        from: 10,
        credit: 4,
        on_push: Arc::new(on_push),
        on_end: Arc::new(move |why| *end.lock().unwrap() = Some(why.clone())),
    };
    let subscription = client.subscribe(subscription).unwrap();
    assert_eq!(peer.read().frame(), Frame::Subscribe { subscription, from: 10, credit: 4, topic: "log" });
    let mut entries = Vec::new();
    for entry in [&b"a"[..], b"", b"c"] {
        push_entry(&mut entries, entry);
    }
    peer.send_split(Frame::Push { subscription, first: 10, count: 3, entries: &entries });
    let next = || told.recv_timeout(LONG).unwrap();
    assert_eq!([next(), next(), next()], ["10a", "11", "12c"]);
    assert_eq!(peer.read().frame(), Frame::Credit { subscription, consumed: 12, credit: 4 });
    drop(peer);
    let mut again = server.accept();
    again.greet(0, PLENTY);
    assert_eq!(again.read().frame(), Frame::Subscribe { subscription, from: 13, credit: 4, topic: "log" });
    again.send(Frame::Push { subscription, first: 11, count: 3, entries: &entries });
    assert_eq!(next(), "13c", "what came before is not told again");
    again.send(Frame::Unsubscribe { subscription, code: Code::Slow, text: "too slow" });
    while ended.lock().unwrap().is_none() {
        thread::sleep(MS);
    }
    assert_eq!(ended.lock().unwrap().take(), Some(Error::new(Code::Slow, "too slow")));
}

#[test]
fn drain_waits_for_the_end_and_drop_says_goodbye() {
    let server = Server::new();
    let (client, mut peer) = server.pair(server.config(), PLENTY);
    client.send(b"a").unwrap();
    thread::scope(|scope| {
        let drained = scope.spawn(|| client.drain(LONG));
        peer.read().batch();
        peer.ack(1);
        assert!(matches!(peer.read().frame(), Frame::Drain { milliseconds: 1.. }));
        peer.send(Frame::Close { code: Code::Normal, text: "drained" });
        drained.join().unwrap().unwrap();
    });
    assert!(client.send(b"b").is_err());

    let (client, mut peer) = server.pair(server.config(), PLENTY);
    peer.send(Frame::Drain { milliseconds: 700 });
    assert_eq!(peer.read().frame(), Frame::Drain { milliseconds: 700 });
    client.send(b"later").unwrap();
    peer.send(Frame::Close { code: Code::Normal, text: "drained" });
    assert!(peer.maybe_read().is_none(), "nothing but the end");
    let mut peer = server.accept();
    peer.greet(0, PLENTY);
    assert_eq!(peer.read().batch(), (1, texts(&["later"])));
    drop(client);
    assert!(matches!(peer.read().frame(), Frame::Close { code: Code::Normal, .. }));
    assert!(peer.maybe_read().is_none());
}

/// However the connection ends once the server was told that nothing follows: all is acked, and the client is over.
#[test]
fn a_connection_that_ends_behind_the_last_word_is_drained() {
    let ends: [fn(fake::Peer); 4] = [
        drop,
        |mut peer| peer.send(Frame::Close { code: Code::Idle, text: "" }),
        |mut peer| peer.send(Frame::Close { code: Code::Superseded, text: "" }),
        |mut peer| peer.send(Frame::Credit { subscription: 1, consumed: 1, credit: 1 }),
    ];
    for (i, end) in ends.into_iter().enumerate() {
        let server = Server::new();
        let (client, mut peer) = server.pair(server.config(), PLENTY);
        client.send(b"a").unwrap();
        thread::scope(|scope| {
            let drained = scope.spawn(|| client.drain(LONG));
            peer.read().batch();
            peer.ack(1);
            assert!(matches!(peer.read().frame(), Frame::Drain { .. }), "{i}");
            assert!(client.send(b"late").is_err(), "{i}");
            end(peer);
            assert_eq!(drained.join().unwrap(), Ok(()), "{i}");
        });
        assert_eq!(client.state(), State::Over, "{i}");
    }

    let server = Server::new();
    let hour = Duration::from_secs(3600);
    let config = Config { least_backoff: hour, most_backoff: hour, ..server.config() };
    let (client, peer) = server.pair(config, PLENTY);
    drop((server, peer));
    while client.state() == State::Ready {
        thread::sleep(MS);
    }
    client.drain(LONG).unwrap();
    assert!(client.wait_over(LONG).is_some());
}

#[test]
fn a_callback_that_panics_ends_the_client() {
    let server = Server::new();
    let on_ack = Arc::new(|_: &aldis_transport::Watermarks| panic!("a bug of the user's"));
    let (client, mut peer) = server.pair(Config { on_ack: Some(on_ack), ..server.config() }, PLENTY);
    client.send(b"a").unwrap();
    peer.read();
    peer.ack(1);
    assert_eq!(client.wait_over(LONG).map(|error| error.code), Some(Code::Closed));
}

#[test]
fn another_server_is_tried_when_one_cannot_be_reached_or_is_lost() {
    let [gone, first, second] = [Server::new(), Server::new(), Server::new()];
    let address = gone.config().address;
    drop(gone);
    let other_addresses = vec![first.config().address, second.config().address];
    let config = Config { address, other_addresses, durability: Durability::Replicated, ..first.config() };
    let connected = connecting(config);
    let mut peer = first.accept();
    peer.greet(0, PLENTY);
    let client = connected.join().unwrap().unwrap();
    client.send(b"a").unwrap();
    assert_eq!(peer.read().batch(), (1, texts(&["a"])));
    drop(peer);
    let mut peer = second.accept();
    peer.greet(0, PLENTY);
    assert_eq!(peer.read().batch(), (1, texts(&["a"])));
    peer.ack(1);
    client.flush(LONG).unwrap();
}

#[test]
fn a_first_connection_that_fails_says_why() {
    let config = Server::new().config();
    let error = Client::connect(config).err().unwrap();
    assert_eq!(error.code, Code::Disconnected);
    assert!(error.text.contains("refused"), "{error}");
    assert_eq!(Client::connect(Config::new("nowhere")).err().unwrap().code, Code::Misused);
    let server = Server::new();
    let client = connecting(Config { connect_timeout: 30 * MS, ..server.config() });
    let _silent = server.accept();
    assert_eq!(client.join().unwrap().err().unwrap().code, Code::Idle);
}

#[test]
fn what_a_frame_has_no_room_for_is_refused() {
    let server = Server::new();
    let longest = Config { auth_method: vec![b'm'; 255], auth_data: vec![0; 4096 - 43 - 255], ..server.config() };
    for config in [
        Config { auth_data: vec![0; 4096 - 42 - 255], ..longest.clone() },
        Config { auth_method: vec![b'm'; 256], auth_data: Vec::new(), ..longest.clone() },
    ] {
        assert_eq!(Client::connect(config).err().map(|error| error.code), Some(Code::Misused));
    }
    let (client, mut peer) = server.pair(longest, PLENTY);
    let subscription = |topic: String| Subscription {
        topic,
        from: 0,
        credit: 1,
        on_push: Arc::new(|_, _| {}),
        on_end: Arc::new(|_| {}),
    };
    assert_eq!(client.subscribe(subscription("x".repeat(1025))).unwrap_err().code, Code::Misused);
    client.subscribe(subscription("x".repeat(1024))).unwrap();
    assert!(matches!(peer.read().frame(), Frame::Subscribe { topic, .. } if topic.len() == 1024));
}
