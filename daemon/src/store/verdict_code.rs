//! A verdict as bytes: one byte says which, and JSON follows where it carries something. Most
//! stored verdicts are a single byte.

use reduce_engine::Verdict;

const INTERESTING: u8 = 1;
const ADDS_ERROR: u8 = 2;
const OTHER_CRASH: u8 = 3;
const COMPILES: u8 = 4;
const REJECTED: u8 = 5;
const TIMED_OUT: u8 = 6;

/// Encodes a verdict as bytes, or returns `None` for one that is never kept.
pub(super) fn encode(verdict: &Verdict) -> Option<Vec<u8>> {
    let json = |tag, rest: serde_json::Result<Vec<u8>>| {
        let rest = rest.ok()?;
        Some([vec![tag], rest].concat())
    };
    match verdict {
        Verdict::Interesting => Some(vec![INTERESTING]),
        Verdict::AddsError(error) => json(ADDS_ERROR, serde_json::to_vec(error)),
        Verdict::OtherCrash(signature) => json(OTHER_CRASH, serde_json::to_vec(signature)),
        Verdict::Compiles => Some(vec![COMPILES]),
        Verdict::Rejected => Some(vec![REJECTED]),
        Verdict::TimedOut => Some(vec![TIMED_OUT]),
        Verdict::Cancelled => None,
    }
}

/// Decodes a verdict, or returns `None` if the bytes are none, so that the question is asked again.
pub(super) fn decode(bytes: &[u8]) -> Option<Verdict> {
    let (&tag, rest) = bytes.split_first()?;
    match tag {
        INTERESTING => Some(Verdict::Interesting),
        ADDS_ERROR => serde_json::from_slice(rest).ok().map(Verdict::AddsError),
        OTHER_CRASH => serde_json::from_slice(rest).ok().map(Verdict::OtherCrash),
        COMPILES => Some(Verdict::Compiles),
        REJECTED => Some(Verdict::Rejected),
        TIMED_OUT => Some(Verdict::TimedOut),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reduce_engine::Signature;

    #[test]
    fn every_verdict_that_is_kept_is_read_back() {
        let signature: Signature = serde_json::from_str(
            r#"{"kind":"panic","file":"compiler/a.rs","position":[1,2],"message":"m","query":null}"#,
        )
        .unwrap();
        let kept = [
            Verdict::Interesting,
            Verdict::AddsError("E0308".to_owned()),
            Verdict::OtherCrash(Box::new(signature)),
            Verdict::Compiles,
            Verdict::Rejected,
            Verdict::TimedOut,
        ];
        for verdict in kept {
            assert_eq!(decode(&encode(&verdict).unwrap()), Some(verdict));
        }
    }

    #[test]
    fn what_carries_nothing_is_one_byte() {
        assert_eq!(encode(&Verdict::Rejected).unwrap().len(), 1);
        assert_eq!(encode(&Verdict::Cancelled), None);
    }

    #[test]
    fn unknown_bytes_are_no_verdict() {
        assert_eq!(decode(&[]), None);
        assert_eq!(decode(&[99]), None);
        assert_eq!(decode(&[ADDS_ERROR, b'?']), None);
    }
}
