//! Lists of revoked certificates in DER: a company issues certificates for its machines, and gives their
//! serial numbers away in blocks.

extern crate num_bigint;

use num_bigint::{BigInt, Sign};
use std::collections::BTreeMap;
use std::fmt;

const INTEGER: u8 = 0x02;
const UTF8: u8 = 0x0c;
const SEQUENCE: u8 = 0x30;

#[derive(Debug, PartialEq, Eq)]
enum Malformed {
    Ends,
    Tag { expected: u8, found: u8 },
    Length,
    Text,
    Negative(BigInt),
    Rest(usize),
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match *self {
            Malformed::Ends => write!(f, "ends too early"),
            Malformed::Tag { expected, found } => write!(f, "{:#04x} for {:#04x}", found, expected),
            Malformed::Length => write!(f, "length of a length"),
            Malformed::Text => write!(f, "no text"),
            Malformed::Negative(ref number) => write!(f, "negative: {}", number),
            Malformed::Rest(bytes) => write!(f, "{} bytes too many", bytes),
        }
    }
}

#[derive(Default)]
struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    fn element(&mut self, tag: u8, content: &[u8]) {
        self.bytes.push(tag);
        match content.len() {
            short if short < 0x80 => self.bytes.push(short as u8),
            long if long < 0x100 => self.bytes.extend_from_slice(&[0x81, long as u8]),
            long => {
                let length = [0x82, (long >> 8) as u8, long as u8];
                self.bytes.extend_from_slice(&length);
            }
        }
        self.bytes.extend_from_slice(content);
    }

    fn integer(&mut self, number: &BigInt) {
        self.element(INTEGER, &number.to_signed_bytes_be());
    }

    fn text(&mut self, text: &str) {
        self.element(UTF8, text.as_bytes());
    }

    fn sequence(&mut self, fill: impl FnOnce(&mut Writer)) {
        let mut inner = Writer::default();
        fill(&mut inner);
        self.element(SEQUENCE, &inner.bytes);
    }
}

struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    fn take(&mut self, length: usize) -> Result<&'a [u8], Malformed> {
        if self.rest.len() < length {
            return Err(Malformed::Ends);
        }
        let (taken, rest) = self.rest.split_at(length);
        self.rest = rest;
        Ok(taken)
    }

    fn element(&mut self, expected: u8) -> Result<&'a [u8], Malformed> {
        let head = self.take(2)?;
        if head[0] != expected {
            return Err(Malformed::Tag { expected, found: head[0] });
        }
        let length = match head[1] {
            short if short < 0x80 => usize::from(short),
            0x81 => usize::from(self.take(1)?[0]),
            0x82 => {
                let bytes = self.take(2)?;
                usize::from(bytes[0]) << 8 | usize::from(bytes[1])
            }
            _ => return Err(Malformed::Length),
        };
        self.take(length)
    }

    fn serial(&mut self) -> Result<BigInt, Malformed> {
        let number = BigInt::from_signed_bytes_be(self.element(INTEGER)?);
        match number.sign() {
            Sign::Minus => Err(Malformed::Negative(number)),
            _ => Ok(number),
        }
    }

    fn text(&mut self) -> Result<String, Malformed> {
        let bytes = self.element(UTF8)?.to_vec();
        String::from_utf8(bytes).map_err(|_| Malformed::Text)
    }

    fn sequence(&mut self) -> Result<Reader<'a>, Malformed> {
        Ok(Reader { rest: self.element(SEQUENCE)? })
    }
}

#[derive(Debug, Default, Clone, PartialEq, Eq)]
struct Revoked {
    issuer: String,
    reasons: BTreeMap<BigInt, String>,
}

impl Revoked {
    fn by(issuer: &str) -> Self {
        Revoked { issuer: issuer.to_string(), ..Revoked::default() }
    }

    /// Each `step`th serial of a block.
    fn block(mut self, first: &str, count: usize, step: u32, reason: &str) -> Self {
        let mut serial: BigInt = first.parse().unwrap();
        for _ in 0..count {
            self.reasons.insert(serial.clone(), reason.to_string());
            serial += step;
        }
        self
    }

    fn write(&self) -> Vec<u8> {
        let mut writer = Writer::default();
        writer.sequence(|list| {
            list.text(&self.issuer);
            for (serial, reason) in &self.reasons {
                list.sequence(|entry| {
                    entry.integer(serial);
                    entry.text(reason);
                });
            }
        });
        writer.bytes
    }

    fn read(bytes: &[u8]) -> Result<Self, Malformed> {
        let mut reader = Reader { rest: bytes };
        let mut list = reader.sequence()?;
        if !reader.rest.is_empty() {
            return Err(Malformed::Rest(reader.rest.len()));
        }
        let mut revoked = Revoked::by(&list.text()?);
        while !list.rest.is_empty() {
            let mut entry = list.sequence()?;
            let serial = entry.serial()?;
            revoked.reasons.insert(serial, entry.text()?);
        }
        Ok(revoked)
    }
}

#[test]
fn small_serials_take_one_byte() {
    let bytes = Revoked::by("A").block("5", 1, 1, "lost").write();
    let expected = b"\x30\x0e\x0c\x01A\x30\x09\x02\x01\x05\x0c\x04lost";
    assert_eq!(bytes, &expected[..]);
}

#[test]
fn broken_lists_are_refused() {
    let mut bytes = Revoked::by("Works").write();
    bytes.push(0);
    assert_eq!(Revoked::read(&bytes), Err(Malformed::Rest(1)));
    assert_eq!(Revoked::read(&bytes[..4]), Err(Malformed::Ends));
    bytes[2] = SEQUENCE;
    let said = Revoked::read(&bytes[..9]).unwrap_err().to_string();
    assert_eq!(said, "0x30 for 0x0c");
}

#[test]
fn serials_may_be_long() {
    let revoked = Revoked::by("Works").block("340282366920938463463374607431768211455", 3, 7, "");
    assert_eq!(Revoked::read(&revoked.write()), Ok(revoked));
}

#[test]
fn a_list_of_revoked_certificates_comes_back() {
    let revoked = Revoked::by("Works 3")
        .block("1000", 4, 1, "machine was sold")
        .block("20480", 5, 4096, "key was lost")
        .block("9223372036854775000", 2, 9, "replaced");
    assert_eq!(revoked.reasons.len(), 11);
    let bytes = revoked.write();
    assert_eq!(bytes[..2], [SEQUENCE, 0x81]);
    assert_eq!(Revoked::read(&bytes), Ok(revoked));
}
