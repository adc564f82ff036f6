//! Random yes/no tests of three kinds, and lists for them.

use crate::harness::Random;
use reduce_algorithms::Subset;

/// A predicate that makes a subset of a list interesting.
#[derive(Debug, Clone)]
pub(crate) enum Predicate {
    /// These elements are all there. Monotone: more elements never harm.
    Needs(Vec<usize>),
    /// These elements are all there, and with each element the earlier one that it depends on.
    Closed {
        needed: Vec<usize>,
        depends_on: Vec<Option<usize>>,
    },
    /// These elements are all there, and otherwise chance decides, the same way each time.
    Chaotic {
        needed: Vec<usize>,
        salt: u64,
        one_in: u64,
    },
}

impl Predicate {
    /// A predicate for lists of `len` elements. All hold for the whole list, none for the empty one.
    pub(crate) fn random(kind: usize, len: usize, density: f64, random: &mut Random) -> Self {
        let mut needed: Vec<usize> = (0..len).filter(|_| random.unit() < density).collect();
        if needed.is_empty() {
            needed.push(random.below(len));
        }
        match kind {
            0 => Self::Needs(needed),
            1 => {
                let mut dependency = |element: usize| {
                    (element > 0 && random.unit() < 0.6).then(|| random.below(element))
                };
                Self::Closed {
                    needed,
                    depends_on: (0..len).map(&mut dependency).collect(),
                }
            }
            _ => Self::Chaotic {
                needed,
                salt: random.next(),
                one_in: 2 + random.next() % 6,
            },
        }
    }

    /// Returns which element needs which, as `(needed, user)`, if the predicate is about that.
    pub(crate) fn dependencies(&self) -> Option<Vec<(usize, usize)>> {
        let Self::Closed { depends_on, .. } = self else {
            return None;
        };
        let users = depends_on.iter().enumerate();
        Some(
            users
                .filter_map(|(user, on)| Some(((*on)?, user)))
                .collect(),
        )
    }

    pub(crate) fn holds(&self, subset: &Subset) -> bool {
        let has_all = |needed: &[usize]| needed.iter().all(|element| subset.keeps(*element));
        match self {
            Self::Needs(needed) => has_all(needed),
            Self::Closed { needed, depends_on } => {
                let is_closed =
                    |element: usize| depends_on[element].is_none_or(|on| subset.keeps(on));
                has_all(needed) && subset.kept().all(is_closed)
            }
            Self::Chaotic {
                needed,
                salt,
                one_in,
            } => {
                let state = subset
                    .kept()
                    .fold(*salt, |state, one| Random(state ^ one as u64).next());
                has_all(needed)
                    && (subset.len() == subset.original_len() || state.is_multiple_of(*one_in))
            }
        }
    }
}

/// Weights for a list: most are light, a few heavy, some 0.
pub(crate) fn random_weights(len: usize, random: &mut Random) -> Vec<u64> {
    (0..len)
        .map(|_| match random.below(10) {
            0 => 0,
            1 => random.next() % 1000,
            _ => random.next() % 10,
        })
        .collect()
}

/// Draws pairs of which one element needs the other, as `(needed, user)`: some cycles among them.
pub(crate) fn random_pairs(len: usize, random: &mut Random) -> Vec<(usize, usize)> {
    let n_pairs = random.below(len + 1);
    (0..n_pairs)
        .map(|_| (random.below(len), random.below(len)))
        .collect()
}
