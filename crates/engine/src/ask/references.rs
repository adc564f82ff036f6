//! The references of joint compilations: programs of which it is known whether their outcome in a joint crate is that
//! which they have alone.

use crate::store::Digest;

/// The number of programs with another outcome in a joint crate than alone at which joint
/// compilation is given up, if none had the same.
const MOST_UNLIKE: usize = 3;

/// The programs that were compiled in a joint crate, by whether they had the same outcome there as
/// alone.
#[derive(Debug, Default)]
pub(crate) struct References {
    /// The programs that had another outcome in a joint crate than alone.
    unlike: Vec<Digest>,
    /// The last program that could not be put into a joint crate.
    left_out: Option<Digest>,
    /// The last program that had the same outcome in a joint crate as alone.
    alike: Option<Digest>,
}

impl References {
    /// Whether a program may have the same outcome in a joint crate as alone, as far as is known.
    pub(crate) fn may_be_alike(&self, program: &Digest) -> bool {
        let gives_up = self.alike.is_none() && self.unlike.len() >= MOST_UNLIKE;
        !gives_up && !self.unlike.contains(program) && self.left_out.as_ref() != Some(program)
    }

    /// Whether a program is the last that had the same outcome in a joint crate as alone.
    pub(crate) fn is_alike(&self, program: &Digest) -> bool {
        self.alike.as_ref() == Some(program)
    }

    /// Notes a program that cannot be put into a joint crate. A later one may.
    pub(crate) fn leave_out(&mut self, program: Digest) {
        self.left_out = Some(program);
    }

    /// Notes whether a program had the same outcome in a joint crate as alone.
    pub(crate) fn note(&mut self, program: Digest, is_alike: bool) {
        match is_alike {
            true => self.alike = Some(program),
            false => self.unlike.push(program),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_something_else_is_not_tried_again() {
        let mut references = References::default();
        references.note([1; 32], false);
        assert!(!references.may_be_alike(&[1; 32]) && references.may_be_alike(&[2; 32]));
        references.note([2; 32], true);
        assert!(references.is_alike(&[2; 32]) && !references.is_alike(&[1; 32]));
    }

    #[test]
    fn what_cannot_be_beside_others_says_nothing_of_later_programs() {
        let mut references = References::default();
        (1..=4).for_each(|number| references.leave_out([number; 32]));
        assert!(!references.may_be_alike(&[4; 32]) && references.may_be_alike(&[5; 32]));
    }

    #[test]
    fn where_none_is_the_same_nothing_more_is_tried() {
        let mut references = References::default();
        (1..=3).for_each(|number| references.note([number; 32], false));
        assert!(!references.may_be_alike(&[4; 32]));
        let mut references = References::default();
        references.note([9; 32], true);
        (1..=3).for_each(|number| references.note([number; 32], false));
        assert!(references.may_be_alike(&[4; 32]));
    }
}
