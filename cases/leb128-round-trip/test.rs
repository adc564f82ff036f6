//! Packets with fields of variable length: a header, then so many samples, each as the difference
//! from the one before.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use std::convert::TryFrom;
use std::io::{self, Read, Write};

#[derive(Debug, Clone, PartialEq, Eq)]
struct Packet {
    channel: u16,
    start: u64,
    samples: Vec<i32>,
}

fn invalid(reason: impl ToString) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, reason.to_string())
}

impl Packet {
    fn write_to(&self, out: &mut impl Write) -> io::Result<usize> {
        let mut written = leb128::write::unsigned(out, u64::from(self.channel))?;
        written += leb128::write::unsigned(out, self.start)?;
        written += leb128::write::unsigned(out, self.samples.len() as u64)?;
        let mut last = 0_i64;
        for &sample in &self.samples {
            let sample = i64::from(sample);
            written += leb128::write::signed(out, sample - last)?;
            last = sample;
        }
        Ok(written)
    }

    fn read_from(input: &mut impl Read) -> io::Result<Self> {
        let unsigned = |input: &mut _| leb128::read::unsigned(input).map_err(invalid);
        let channel = u16::try_from(unsigned(input)?).map_err(invalid)?;
        let start = unsigned(input)?;
        let count = unsigned(input)?;
        let mut samples = Vec::new();
        let mut last = 0_i64;
        for _ in 0..count {
            last += leb128::read::signed(input).map_err(invalid)?;
            samples.push(i32::try_from(last).map_err(invalid)?);
        }
        Ok(Packet {
            channel,
            start,
            samples,
        })
    }

    fn len(&self) -> usize {
        let mut sink = io::sink();
        self.write_to(&mut sink).unwrap_or(0)
    }
}

fn packets() -> impl Strategy<Value = Packet> {
    (any::<u16>(), any::<u64>(), vec(-5_000..5_000, 0..12)).prop_map(|(channel, start, samples)| {
        Packet {
            channel,
            start,
            samples,
        }
    })
}

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 48,
        rng_seed: RngSeed::Fixed(1710),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn small_numbers_take_one_byte(number in 0_u64..128) {
        let mut bytes = Vec::new();
        leb128::write::unsigned(&mut bytes, number).unwrap();
        prop_assert_eq!(bytes, vec![number as u8]);
    }

    #[test]
    fn the_length_is_what_is_written(packet in packets()) {
        let mut bytes = Vec::new();
        let written = packet.write_to(&mut bytes).unwrap();
        prop_assert_eq!(written, bytes.len());
        prop_assert_eq!(packet.len(), bytes.len());
    }

    #[test]
    fn packets_survive_the_wire(sent in vec(packets(), 1..4)) {
        let mut wire = Vec::new();
        for packet in &sent {
            packet.write_to(&mut wire).unwrap();
        }
        let mut input = wire.as_slice();
        for packet in sent {
            let received = Packet::read_from(&mut input).unwrap();
            prop_assert_eq!(received, packet);
        }
        prop_assert!(input.is_empty());
    }
}

#[test]
fn a_packet_that_ends_early_is_refused() {
    let packet = Packet {
        channel: 3,
        start: 77,
        samples: vec![1, -2, 3],
    };
    let mut bytes = Vec::new();
    packet.write_to(&mut bytes).unwrap();
    bytes.pop();
    assert!(Packet::read_from(&mut bytes.as_slice()).is_err());
}
