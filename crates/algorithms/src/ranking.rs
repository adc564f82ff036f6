//! Finds the best element while the keys of the elements change, by a tournament tree. Linear
//! memory, and logarithmic time for a change.

/// Elements by key: the least key is the best, and of equal ones the first.
#[derive(Debug)]
pub(crate) struct Ranking {
    keys: Box<[f64]>,
    /// A complete binary tree: node `i` has the better of nodes `2i` and `2i + 1`; the leaves, from
    /// `n_leaves` on, are the elements.
    winners: Box<[u32]>,
    n_leaves: usize,
}

/// The number that stands for a leaf beyond the elements.
const NOBODY: u32 = u32::MAX;

impl Ranking {
    /// Ranks elements with these keys, none of which is NaN. One whose key is infinite is never the
    /// best.
    pub(crate) fn new(keys: impl Iterator<Item = f64>) -> Self {
        let keys: Box<[f64]> = keys.collect();
        let n_leaves = keys.len().next_power_of_two();
        let mut winners = vec![NOBODY; 2 * n_leaves].into_boxed_slice();
        for element in 0..keys.len() {
            winners[n_leaves + element] =
                u32::try_from(element).expect("lists have fewer than 2^32 elements");
        }
        let mut ranking = Self {
            keys,
            winners,
            n_leaves,
        };
        for node in (1..n_leaves).rev() {
            ranking.winners[node] = ranking.better_child(node);
        }
        ranking
    }

    /// Returns the best element with its key, unless all keys are infinite.
    pub(crate) fn best(&self) -> Option<(usize, f64)> {
        let best = self.winners[1];
        let key = self.key_of(best);
        (key < f64::INFINITY).then_some((best as usize, key))
    }

    /// Gives an element another key, which is not NaN.
    pub(crate) fn set(&mut self, element: usize, key: f64) {
        self.keys[element] = key;
        let mut node = (self.n_leaves + element) / 2;
        while node > 0 {
            let before = self.winners[node];
            self.winners[node] = self.better_child(node);
            // If it neither was the winner here nor is it now, it is not above either.
            if before as usize != element && self.winners[node] == before {
                return;
            }
            node /= 2;
        }
    }

    fn better_child(&self, node: usize) -> u32 {
        let [left, right] = [self.winners[2 * node], self.winners[2 * node + 1]];
        if self.key_of(right) < self.key_of(left) {
            right
        } else {
            left
        }
    }

    fn key_of(&self, element: u32) -> f64 {
        self.keys
            .get(element as usize)
            .copied()
            .unwrap_or(f64::INFINITY)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_best_is_the_first_of_the_least(
            keys in prop::collection::vec(0_u8..5, 0..40),
            changes in prop::collection::vec((0_usize..40, 0_u8..6), 0..60),
        ) {
            let mut keys: Vec<f64> = keys.into_iter().map(f64::from).collect();
            let mut ranking = Ranking::new(keys.iter().copied());
            let len = keys.len();
            for (element, key) in changes.into_iter().filter(|(element, _)| *element < len) {
                let key = if key == 5 { f64::INFINITY } else { f64::from(key) };
                keys[element] = key;
                ranking.set(element, key);
                let least = keys.iter().copied().fold(f64::INFINITY, f64::min);
                let first = keys.iter().position(|key| *key == least && least.is_finite());
                prop_assert_eq!(ranking.best(), first.map(|first| (first, least)));
            }
        }
    }

    #[test]
    fn nobody_is_the_best_of_nobody() {
        assert_eq!(Ranking::new(std::iter::empty()).best(), None);
    }
}
