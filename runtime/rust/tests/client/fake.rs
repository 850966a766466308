//! A server in this process that does what a test says, frame by frame.

use aldis_transport::{Client, Config, Entries, Error, Frame, Welcome, Window, LENGTH};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread::{self, JoinHandle};
use std::time::Duration;

pub const LONG: Duration = Duration::from_secs(60);
pub const PLENTY: Window = Window { messages: 1_000_000, bytes: 100_000_000 };

/// One frame that owns its bytes.
#[derive(Debug)]
pub struct Got {
    kind: u8,
    body: Vec<u8>,
}

impl Got {
    pub fn frame(&self) -> Frame<'_> {
        Frame::decode(self.kind, &self.body, false).unwrap()
    }

    /// First sequence and texts of a batch whose checksum is right.
    pub fn batch(&self) -> (u64, Vec<String>) {
        let Frame::Batch(batch) = self.frame() else { panic!("no BATCH but {:?}", self.frame()) };
        assert_eq!(batch.crc, batch.checksum());
        let entries = Entries::check(batch.entries, batch.count).unwrap();
        (batch.first, entries.map(|entry| String::from_utf8_lossy(entry).into_owned()).collect())
    }
}

/// The server's end of a connection.
pub struct Peer<S = TcpStream>(pub S);

impl<S: Read + Write> Peer<S> {
    /// The next frame; none when the connection ends or nothing comes for 5 s.
    pub fn maybe_read(&mut self) -> Option<Got> {
        let mut head = [0; LENGTH + 1];
        self.0.read_exact(&mut head).ok()?;
        let length = u32::from_le_bytes(head[..LENGTH].try_into().unwrap()) as usize;
        let mut body = vec![0; length - 1];
        self.0.read_exact(&mut body).ok()?;
        Some(Got { kind: head[LENGTH], body })
    }

    pub fn read(&mut self) -> Got {
        self.maybe_read().expect("a frame")
    }

    pub fn send(&mut self, frame: Frame<'_>) {
        let mut out = Vec::new();
        frame.encode(&mut out);
        self.0.write_all(&out).unwrap();
        self.0.flush().unwrap();
    }

    /// Byte for byte.
    pub fn send_split(&mut self, frame: Frame<'_>) {
        let mut out = Vec::new();
        frame.encode(&mut out);
        for byte in out {
            self.0.write_all(&[byte]).unwrap();
            thread::sleep(Duration::from_micros(200));
        }
    }

    /// HELLO comes, WELCOME goes.
    pub fn greet(&mut self, last: u64, credit: Window) -> Got {
        self.greet_with(1 << 20, last, credit)
    }

    pub fn greet_with(&mut self, max_frame: u32, last: u64, credit: Window) -> Got {
        let got = self.read();
        let Frame::Hello(hello) = got.frame() else { panic!("no HELLO but {:?}", got.frame()) };
        let (features, durability) = (hello.features, hello.durability);
        let welcome = Welcome { version: 1, features, session: 1, last, credit, max_frame, durability };
        self.send(Frame::Welcome(welcome));
        got
    }

    pub fn ack(&mut self, upto: u64) {
        let ack = aldis_transport::Ack { received: upto, handled: upto, durable: upto, duplicates: 0, credit: PLENTY };
        self.send(Frame::Ack(ack));
    }
}

pub struct Server(pub TcpListener);

impl Server {
    pub fn new() -> Self {
        Self(TcpListener::bind("127.0.0.1:0").unwrap())
    }

    pub fn accept(&self) -> Peer {
        let (stream, _) = self.0.accept().unwrap();
        stream.set_read_timeout(Some(LONG)).unwrap();
        stream.set_nodelay(true).unwrap();
        Peer(stream)
    }

    /// The settings of a test's client, which is patient with nothing.
    pub fn config(&self) -> Config {
        Config {
            least_backoff: Duration::from_millis(1),
            most_backoff: Duration::from_millis(10),
            ..Config::new(self.0.local_addr().unwrap().to_string())
        }
    }

    /// A client that has shaken hands.
    pub fn pair(&self, config: Config, credit: Window) -> (Client, Peer) {
        let client = connecting(config);
        let mut peer = self.accept();
        peer.greet(0, credit);
        (client.join().unwrap().unwrap(), peer)
    }
}

pub fn connecting(config: Config) -> JoinHandle<Result<Client, Error>> {
    thread::spawn(move || Client::connect(config))
}
