//! A server that cannot be reached is left alone for some time, so that each question does not have to find out anew.

use reduce_remote_protocol::ErrorKind;
use std::time::{Duration, Instant};

/// The first pause in which a server that could not be reached is left alone; each later one is twice as long as the one before.
const SHORTEST: Duration = Duration::from_secs(15);
/// The longest pause in which a server that could not be reached is left alone.
const LONGEST: Duration = Duration::from_secs(600);

/// The state of a server that may be away.
#[derive(Debug, Default)]
pub(super) struct Absence {
    /// The time until which the server is not asked.
    until: Option<Instant>,
    pause: Option<Duration>,
    /// Whether the server will never be of use again.
    is_final: bool,
}

impl Absence {
    /// Whether the server is asked at this time.
    pub(super) fn is_over(&self, now: Instant) -> bool {
        !self.is_final && self.until.is_none_or(|until| now >= until)
    }

    /// Notes how a question to the server ended at this time.
    pub(super) fn note(&mut self, ended: Result<(), ErrorKind>, now: Instant) {
        match ended {
            Err(ErrorKind::Refused) => self.is_final = true,
            // Of several that find out at once, one counts.
            Err(ErrorKind::Away) if self.is_over(now) => {
                let pause = self
                    .pause
                    .map_or(SHORTEST, |pause| (pause * 2).min(LONGEST));
                self.pause = Some(pause);
                self.until = Some(now + pause);
            }
            Ok(()) if !self.is_final => *self = Self::default(),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_cannot_be_reached_is_left_alone_for_longer_and_longer() {
        let (mut absence, mut now) = (Absence::default(), Instant::now());
        let mut pauses = Vec::new();
        for _ in 0..8 {
            assert!(absence.is_over(now));
            // Two that find out at once are one.
            absence.note(Err(ErrorKind::Away), now);
            absence.note(Err(ErrorKind::Away), now);
            let begun = now;
            while !absence.is_over(now) {
                now += Duration::from_secs(1);
            }
            pauses.push((now - begun).as_secs());
        }
        assert_eq!(pauses, [15, 30, 60, 120, 240, 480, 600, 600]);
        absence.note(Ok(()), now);
        absence.note(Err(ErrorKind::Away), now);
        assert!(absence.is_over(now + SHORTEST));
    }

    #[test]
    fn a_command_that_has_no_answer_says_nothing_of_the_server() {
        let (mut absence, now) = (Absence::default(), Instant::now());
        for kind in [ErrorKind::Command, ErrorKind::Cancelled] {
            absence.note(Err(kind), now);
            assert!(absence.is_over(now));
        }
    }

    #[test]
    fn a_server_that_refuses_is_not_asked_again() {
        let (mut absence, now) = (Absence::default(), Instant::now());
        absence.note(Err(ErrorKind::Refused), now);
        absence.note(Ok(()), now);
        assert!(!absence.is_over(now + LONGEST));
    }
}
