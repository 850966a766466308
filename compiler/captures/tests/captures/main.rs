//! Messages are read from captures as they were sent, whatever the file's format, its packing, and the order of segments.

mod traffic;

use aldis_captures::{Capture, Event, Fault, Filter, Tally};
use etherparse::PacketBuilder;
use flate2::write::GzEncoder;
use proptest::prelude::*;
use ruzstd::encoding::{compress_to_vec, CompressionLevel};
use std::convert::Infallible;
use std::io::{self, Read, Write as _};
use std::ops::ControlFlow;
use traffic::{datagram, pcap, pcapng, segment, Packets};

const PORTS: (u16, u16) = (4000, 5000);

/// Everything that a capture told, as texts and bytes.
#[derive(Debug, PartialEq, Eq)]
enum Told {
    Datagram(u16, Option<u64>, Vec<u8>),
    Bytes(Vec<u8>),
    Gap(u64),
    End,
}

fn read(file: impl Read + Send, filter: Filter) -> (Vec<Told>, Result<Tally, Fault>) {
    let mut told = Vec::new();
    let mut capture = match Capture::new(file, filter) {
        Ok(capture) => capture,
        Err(fault) => return (told, Err(fault)),
    };
    let all = capture.each(|event| -> ControlFlow<Infallible> {
        match (event, told.last_mut()) {
            (Event::Datagram { flow, stamp, bytes, .. }, _) => {
                told.push(Told::Datagram(flow.to.port(), stamp.time, bytes.to_vec()));
            }
            (Event::Bytes { bytes, .. }, Some(Told::Bytes(known))) => known.extend(bytes),
            (Event::Bytes { bytes, .. }, _) => told.push(Told::Bytes(bytes.to_vec())),
            (Event::Gap { lost, .. }, _) => told.push(Told::Gap(lost)),
            (Event::End { .. }, _) => told.push(Told::End),
        }
        ControlFlow::Continue(())
    });
    let tally = all.map(|_| capture.tally().clone());
    (told, tally)
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(bytes).unwrap();
    packed.finish().unwrap()
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    compress_to_vec(bytes, CompressionLevel::Fastest)
}

/// Gives a byte at a time.
struct Dribble<'a>(&'a [u8]);

impl Read for Dribble<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = buffer.len().min(1);
        self.0.read(&mut buffer[..most])
    }
}

/// Gives the same bytes so many times: the place in them, and the times that are left.
struct Repeated<'a>(&'a [u8], usize, usize);

impl Read for Repeated<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.1 == self.0.len() && self.2 > 0 {
            self.1 = 0;
        }
        if self.1 == 0 {
            self.2 = self.2.saturating_sub(1);
        }
        let read = (&self.0[self.1..]).read(buffer)?;
        self.1 += read;
        Ok(read)
    }
}

#[test]
fn every_format_and_packing_gives_the_same() {
    let second = 1_700_000_000_000_000_000;
    let packets: Packets =
        (0..3).map(|i| (second + i * 1_000_001_000, datagram((4000, 5000 + i as u16), &[i as u8; 20]))).collect();
    let expected: Vec<Told> =
        (0..3).map(|i| Told::Datagram(5000 + i as u16, Some(second + i * 1_000_001_000), vec![i as u8; 20])).collect();
    let files = [
        pcap(&packets, false, false),
        pcap(&packets, true, false),
        pcap(&packets, false, true),
        pcapng(&packets, 0),
        pcapng(&packets, 4001),
    ];
    for file in files {
        let half = file.len() / 2;
        let packed = [
            file.clone(),
            gzip(&file),
            zstd(&file),
            [gzip(&file[..half]), gzip(&file[half..])].concat(),
            // With a frame between them that is passed over.
            [zstd(&file[..half]), vec![0x50, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 7, 7], zstd(&file[half..])].concat(),
        ];
        for bytes in packed {
            let (told, tally) = read(Dribble(&bytes), Filter::default());
            assert_eq!(told, expected);
            assert_eq!(tally.unwrap(), Tally { packets: 3, ..Tally::default() });
        }
    }
}

#[test]
fn filters_choose_by_port_host_and_time() {
    let packets: Packets = (0..4).map(|i| (i * 1000, datagram((4000, 5000 + i as u16), &[i as u8]))).collect();
    let file = pcap(&packets, false, true);
    let ports = |filter: Filter| -> Vec<u16> {
        let (told, tally) = read(&file[..], filter);
        let tally = tally.unwrap();
        assert_eq!(tally.filtered + told.len() as u64, 4);
        told.iter().map(|told| if let Told::Datagram(port, ..) = told { *port } else { 0 }).collect()
    };
    assert_eq!(ports(Filter { ports: vec![5001, 5003], ..Filter::default() }), [5001, 5003]);
    assert_eq!(
        ports(Filter { ports: vec![4000], from: Some(1000), until: Some(3000), ..Filter::default() }),
        [5001, 5002]
    );
    assert_eq!(ports(Filter { hosts: vec![traffic::B.into()], ..Filter::default() }).len(), 4);
    assert_eq!(ports(Filter { hosts: vec![[9, 9, 9, 9].into()], ..Filter::default() }), []);
}

#[test]
fn links_and_versions_of_ip_are_understood() {
    let mut six = Vec::new();
    let builder = PacketBuilder::ethernet2([2; 6], [3; 6]).single_vlan(7.try_into().unwrap());
    builder.ipv6([1; 16], [2; 16], 9).udp(1, 2).write(&mut six, b"six").unwrap();
    let four = datagram((1, 2), b"four");
    let ip = four[14..].to_vec();
    let sll = [&[0; 14][..], &[8, 0], &ip].concat();
    let sll2 = [&[8, 0][..], &[0; 18], &ip].concat();
    let null = [&[2, 0, 0, 0][..], &ip].concat();
    let cases = [(1, six, &b"six"[..]), (1, four, b"four"), (101, ip.clone(), b"four"), (113, sll, b"four")];
    for (link, packet, bytes) in cases.into_iter().chain([(276, sll2, &b"four"[..]), (0, null, b"four")]) {
        let mut file = pcap(&vec![(0, packet)], false, true);
        file[20..24].copy_from_slice(&u32::to_le_bytes(link));
        assert_eq!(read(&file[..], Filter::default()).0, [Told::Datagram(2, Some(0), bytes.to_vec())], "{link}");
    }
    let mut file = pcap(&vec![(0, ip)], false, true);
    file[20] = 147;
    let (told, tally) = read(&file[..], Filter::default());
    assert_eq!((told.len(), tally.unwrap().unknown_links.into_iter().collect::<Vec<_>>()), (0, vec![147]));
}

#[test]
fn a_cut_capture_gives_what_is_before_the_cut() {
    let packets: Packets = (0..2).map(|i| (i, datagram(PORTS, &[i as u8; 9]))).collect();
    for file in [pcap(&packets, false, true), pcapng(&packets, 0)] {
        let (told, tally) = read(&file[..file.len() - 3], Filter::default());
        assert_eq!(told, [Told::Datagram(5000, Some(0), vec![0; 9])]);
        assert!(matches!(tally, Err(Fault::Cut { packets: 1 })), "{tally:?}");
    }
    let packed = gzip(&pcap(&packets, false, true));
    assert!(matches!(read(&packed[..packed.len() / 2], Filter::default()).1, Err(Fault::Read(_))));
    for none in [&b""[..], b"x", b"no capture, but a text that is long enough for a head"] {
        assert!(matches!(read(none, Filter::default()).1, Err(Fault::NoCapture)));
    }
}

/// The longest block that is believed is no bound of the whole.
#[test]
fn captures_may_be_longer_than_any_block() {
    let bytes = vec![5; 60_000];
    let one: Packets = vec![(0, datagram(PORTS, &bytes))];
    for (file, head) in [(pcap(&one, false, true), 24), (pcapng(&one, 0), pcapng(&Vec::new(), 0).len())] {
        let all = file[..head].chain(Repeated(&file[head..], 0, 2500));
        let mut capture = Capture::new(all, Filter::default()).unwrap();
        capture.each(|_| -> ControlFlow<Infallible> { ControlFlow::Continue(()) }).unwrap();
        assert_eq!(capture.tally(), &Tally { packets: 2500, ..Tally::default() });
    }
}

#[test]
fn a_connection_after_another_is_another_stream() {
    let packets = [
        segment(PORTS, 99, b"", (true, false)),
        segment(PORTS, 100, b"ab", (false, true)),
        segment(PORTS, 100, b"ab", (false, true)),
        segment(PORTS, 5, b"", (true, false)),
        segment(PORTS, 6, b"cd", (false, false)),
        segment(PORTS, 9, b"f", (false, true)),
    ];
    let packets: Packets = packets.into_iter().map(|packet| (0, packet)).collect();
    let (told, _) = read(&pcap(&packets, false, true)[..], Filter::default());
    let bytes = |text: &str| Told::Bytes(text.into());
    assert_eq!(told, [bytes("ab"), Told::End, bytes("cd"), Told::Gap(1), bytes("f"), Told::End]);
}

#[test]
fn much_that_waits_stops_waiting() {
    let part = vec![7; 60_000];
    let segments = (1..200).map(|i: u32| (0, segment(PORTS, i * 60_000, &part, (false, false))));
    let first = (0, segment(PORTS, 0, b"x", (false, false)));
    let packets: Packets = std::iter::once(first).chain(segments).collect();
    let (told, _) = read(&pcap(&packets, false, true)[..], Filter::default());
    let bytes = Told::Bytes(vec![7; 199 * 60_000]);
    assert_eq!(told, [Told::Bytes(b"x".to_vec()), Told::Gap(59_999), bytes, Told::End]);
}

#[test]
fn streams_that_wait_for_ever_do_not_keep_others_from_waiting() {
    let part = vec![7; 60_000];
    // 20 streams lack their second byte, so that 3.6 MB of each wait: more than may wait in all of them.
    let quiet = (1..=20u16).flat_map(|port| {
        let begin = std::iter::once((0, segment((port, 1), 0, b"x", (true, false))));
        let part = &part;
        begin.chain((0..60u32).map(move |i| (0, segment((port, 1), 3 + i * 60_000, part, (false, false)))))
    });
    let late = [(1u32, b"ab"), (5, b"ef"), (3, b"cd"), (9, b"ij"), (7, b"gh")];
    let late = late.map(|(at, text)| (0, segment(PORTS, at, text, (false, false))));
    let begin = (0, segment(PORTS, 0, b"", (true, false)));
    let packets: Packets = quiet.chain([begin]).chain(late).collect();
    let (told, _) = read(&pcap(&packets, false, true)[..], Filter::default());
    assert!(told.iter().any(|told| matches!(told, Told::Bytes(bytes) if bytes.ends_with(b"abcdefghij"))));
}

#[test]
fn packets_of_interfaces_that_there_are_not_are_packets_of_unknown_links() {
    let mut file = pcapng(&vec![(0, datagram(PORTS, b"x")), (0, datagram(PORTS, b"y"))], 0);
    // The interface of the first packet, whose block is 32 bytes around it.
    let size = datagram(PORTS, b"x").len().next_multiple_of(4) + 32;
    let at = file.len() - 2 * size + 8;
    file[at] = 9;
    let (told, tally) = read(&file[..], Filter::default());
    assert_eq!(told, [Told::Datagram(5000, Some(0), b"y".to_vec())]);
    assert_eq!(tally.unwrap().unknown_links.into_iter().collect::<Vec<_>>(), [-1]);
}

/// Pieces of a stream: each with its place, some of them twice, some overlapping, in a random order.
fn pieces() -> impl Strategy<Value = (u32, Vec<u8>, Vec<(usize, usize)>)> {
    let text = proptest::collection::vec(any::<u8>(), 1..400);
    (any::<u32>(), text).prop_flat_map(|(begin, text)| {
        let length = text.len();
        let extra = proptest::collection::vec((0..length, 1..40usize), 0..20);
        let cuts = proptest::collection::btree_set(1..length.max(2), 0..20);
        let all = (extra, cuts).prop_map(move |(extra, cuts)| {
            let edges: Vec<usize> =
                [0].into_iter().chain(cuts.into_iter().filter(|cut| *cut < length)).chain([length]).collect();
            let whole = edges.windows(2).map(|pair| (pair[0], pair[1]));
            whole.chain(extra.into_iter().map(|(from, size)| (from, (from + size).min(length)))).collect::<Vec<_>>()
        });
        (Just(begin), Just(text), all.prop_shuffle())
    })
}

proptest! {
    #[test]
    fn segments_in_any_order_are_one_stream((begin, text, pieces) in pieces()) {
        let first = (0, segment(PORTS, begin.wrapping_sub(1), b"", (true, false)));
        let parts = pieces.iter().map(|&(from, to)| {
            let ends = to == text.len();
            (0, segment(PORTS, begin.wrapping_add(from as u32), &text[from..to], (false, ends)))
        });
        let packets: Packets = std::iter::once(first).chain(parts).collect();
        let (told, _) = read(&pcap(&packets, false, true)[..], Filter::default());
        prop_assert_eq!(told, [Told::Bytes(text), Told::End]);
    }

    #[test]
    fn what_is_lost_is_counted((begin, text, pieces) in pieces(), lost in any::<prop::sample::Index>()) {
        let first = (0, segment(PORTS, begin.wrapping_sub(1), b"", (true, false)));
        let last = (0, segment(PORTS, begin.wrapping_add(text.len() as u32), b"", (false, true)));
        let lost = pieces[lost.index(pieces.len())];
        let kept: Vec<_> = pieces.iter().filter(|piece| **piece != lost).collect();
        let parts = kept.iter().map(|&&(from, to)| {
            (0, segment(PORTS, begin.wrapping_add(from as u32), &text[from..to], (false, false)))
        });
        let packets: Packets = std::iter::once(first).chain(parts).chain([last]).collect();
        let (told, _) = read(&pcap(&packets, false, true)[..], Filter::default());
        let mut place = 0;
        for told in &told {
            match told {
                Told::Bytes(bytes) => {
                    prop_assert_eq!(&bytes[..], &text[place..place + bytes.len()]);
                    place += bytes.len();
                }
                Told::Gap(lost) => {
                    let is_known = |at: usize| kept.iter().any(|(from, to)| (*from..*to).contains(&at));
                    prop_assert!((place..place + *lost as usize).all(|at| !is_known(at)));
                    place += *lost as usize;
                }
                Told::End => {}
                Told::Datagram(..) => prop_assert!(false),
            }
        }
        prop_assert_eq!((place, told.last()), (text.len(), Some(&Told::End)));
    }

    #[test]
    fn damaged_captures_are_refused_or_read(seed in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..30), packed in 0..3u8, ng in any::<bool>()) {
        let packets: Packets = (0..20u32)
            .map(|i| (0, if i % 2 == 0 { datagram(PORTS, &[1; 50]) } else { segment(PORTS, i * 50, &[2; 50], (i == 1, i == 19)) }))
            .collect();
        let mut file = if ng { pcapng(&packets, 9) } else { pcap(&packets, false, true) };
        if packed == 0 {
            file = gzip(&file);
        } else if packed == 1 {
            file = zstd(&file);
        }
        for (at, byte) in seed {
            let at = at.index(file.len());
            file[at] = byte;
        }
        // Reading ends, whatever it gives.
        let _ = read(&file[..], Filter::default());
    }
}
