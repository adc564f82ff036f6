//! The probabilistic model of ProbDD: the probability of each element to be in the result, the set
//! whose removal promises the greatest gain, and the update after a failed test.

use crate::list::List;
use crate::options::{ProbabilityOptions, Ties};
use crate::random::shuffled;
use crate::ranking::Ranking;
use std::ops::RangeInclusive;

/// The unit of a gain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Weighing {
    /// Gains are counted in elements: ProbDD.
    Equal,
    /// Gains are counted in the weights of elements: W-ProbDD.
    ByWeight,
}

/// The range into which probabilities that the caller gives for elements are brought.
const PRIOR: RangeInclusive<f64> = 0.001..=0.999;

/// The relative difference below which two gains are the same: `s * q^s` is the same for s and s +
/// 1 where q = s / (s + 1), but for rounding.
const SAME: f64 = 1e-9;

/// A failure makes each element of the set at least this much more probable. Bayes' rule changes
/// next to nothing where success was not to be expected; the search would then hardly go on.
const LEAST_FACTOR: f64 = 1.0 + 1.0 / 512.0;

#[derive(Debug)]
pub(crate) struct Model {
    weighing: Weighing,
    weights: Box<[f64]>,
    probabilities: Box<[f64]>,
    /// The ranking of the undecided elements that are left, by which they are removed.
    ranking: Ranking,
    /// The element at each place in the ranking; `places` has the place of each element.
    elements: Box<[usize]>,
    places: Box<[usize]>,
    bound: Bound,
}

/// The change of the model by a failed test: elements with the probabilities that they had.
#[derive(Debug)]
pub(crate) struct Update(Vec<(usize, f64)>);

/// An upper bound of the gain of a set if more elements are added to it, none of which has a
/// probability below some `p`.
///
/// `t` more elements, each with `w * (1 - p)` at most `key`, bring `weight` and a chance of 1 to at
/// most `weight * q^t + key * t * q^(t - 1)`, where `q = 1 - p`.
#[derive(Debug, Clone, Copy)]
struct Bound {
    q: f64,
    /// `-1 / ln(q)`: the `t` of the maximum where `weight` is 0.
    best_t: f64,
}

impl Model {
    pub(crate) fn new(list: &List, weighing: Weighing, options: ProbabilityOptions) -> Self {
        let len = list.len();
        let believed = |probability: f64| probability.clamp(*PRIOR.start(), *PRIOR.end());
        let probabilities: Box<[f64]> = match &list.probabilities {
            Some(given) => given.iter().copied().map(believed).collect(),
            None => vec![believed(options.initial_probability); len].into(),
        };
        let weight = |weight: &u64| match weighing {
            Weighing::Equal => 1.0,
            Weighing::ByWeight => (*weight).max(1) as f64,
        };
        let weights: Box<[f64]> = list.weights.iter().map(weight).collect();
        let elements: Box<[usize]> = match options.ties {
            Ties::FromTheStart => (0..len).collect(),
            Ties::FromTheEnd => (0..len).rev().collect(),
            Ties::Shuffled(seed) => shuffled(len, seed),
        };
        let mut places = vec![0; len].into_boxed_slice();
        for (place, element) in elements.iter().enumerate() {
            places[*element] = place;
        }
        let least = probabilities.iter().copied().fold(1.0, f64::min);
        let key = |element: &usize| key(weighing, weights[*element], probabilities[*element]);
        Self {
            weighing,
            ranking: Ranking::new(elements.iter().map(key)),
            weights,
            probabilities,
            elements,
            places,
            bound: Bound::new(least),
        }
    }

    /// Returns the probabilities of all elements; 0 of those that are gone.
    #[cfg(test)]
    pub(crate) fn probabilities(&self) -> &[f64] {
        &self.probabilities
    }

    /// Returns the set of undecided elements whose removal has the greatest expected gain, in the
    /// order of the ranking: ProbDD, 3.3.2, and `getPartitionToRemove` of WDD, Algorithm 2. Empty
    /// if none is undecided. Takes time in proportion to the set, not to the list.
    ///
    /// The model is then as if the removal has failed.
    pub(crate) fn choose(&mut self) -> (Vec<usize>, Update) {
        let mut taken: Vec<(usize, f64)> = Vec::new();
        let (mut weight, mut chance) = (0.0, 1.0);
        let (mut best, mut best_len) = (0.0, 0);
        while let Some((place, key)) = self.ranking.best()
            && !self.is_enough(weight, chance, -key, best)
        {
            taken.push((place, key));
            self.ranking.set(place, f64::INFINITY);
            let element = self.elements[place];
            weight += self.weights[element];
            chance *= 1.0 - self.probabilities[element];
            let gain = weight * chance;
            if self.is_better(gain, best) {
                (best, best_len) = (gain.max(best), taken.len());
            } else if self.weighing == Weighing::Equal {
                // The gain first grows and then shrinks (ProbDD, 3.3.2).
                break;
            }
        }
        let (chosen, others) = taken.split_at(best_len);
        for &(place, key) in others {
            self.ranking.set(place, key);
        }
        let chosen = chosen.iter().map(|(place, _)| self.elements[*place]);
        let chosen: Vec<usize> = chosen.collect();
        let update = self.learn_failure(&chosen);
        (chosen, update)
    }

    /// Returns whether a gain is better than the best so far. Of ProbDD's sets with the same gain
    /// the largest counts, of W-ProbDD's the smallest.
    fn is_better(&self, gain: f64, best: f64) -> bool {
        match self.weighing {
            Weighing::Equal => gain >= best * (1.0 - SAME),
            Weighing::ByWeight => gain > best * (1.0 + SAME),
        }
    }

    /// Whether no larger set of elements than the one so far can have a greater expected gain.
    /// Algorithm 2 looks at all elements; this ends sooner with the same outcome.
    fn is_enough(&self, weight: f64, chance: f64, key: f64, best: f64) -> bool {
        self.weighing == Weighing::ByWeight && chance * self.bound.of(weight, key) <= best
    }

    /// Updates the probabilities after the removal of `elements` has failed (ProbDD, 3.2, rule 3).
    /// One that fails alone is needed.
    fn learn_failure(&mut self, elements: &[usize]) -> Update {
        let stays = |element: &usize| 1.0 - self.probabilities[*element];
        let factor = 1.0 / (1.0 - elements.iter().map(stays).product::<f64>());
        let before = elements
            .iter()
            .map(|&element| (element, self.probabilities[element]))
            .collect();
        for &element in elements {
            let probability = self.probabilities[element] * factor.max(LEAST_FACTOR);
            let probability = if elements.len() == 1 {
                1.0
            } else {
                probability.min(*PRIOR.end())
            };
            self.set(element, probability);
        }
        Update(before)
    }

    /// Takes back the newest update of the probabilities.
    pub(crate) fn forget(&mut self, update: Update) {
        for (element, probability) in update.0 {
            self.set(element, probability);
        }
    }

    /// Takes an element out of the list (ProbDD, 3.2, rule 2).
    pub(crate) fn remove(&mut self, element: usize) {
        self.probabilities[element] = 0.0;
        self.ranking.set(self.places[element], f64::INFINITY);
    }

    fn set(&mut self, element: usize, probability: f64) {
        self.probabilities[element] = probability;
        let key = key(self.weighing, self.weights[element], probability);
        self.ranking.set(self.places[element], key);
    }
}

/// Returns the key of the ranking, the least first: ProbDD takes the least probable elements first
/// (3.3.2), W-ProbDD those whose removal alone has the greatest expected gain (Algorithm 2, line
/// 10). What is certain to be needed is not in it.
fn key(weighing: Weighing, weight: f64, probability: f64) -> f64 {
    match weighing {
        _ if probability >= 1.0 => f64::INFINITY,
        Weighing::Equal => probability,
        Weighing::ByWeight => -(weight * (1.0 - probability)),
    }
}

impl Bound {
    fn new(least_probability: f64) -> Self {
        let q = 1.0 - least_probability;
        Self {
            q,
            best_t: -1.0 / q.ln(),
        }
    }

    /// Returns the maximum of the bound over all `t` from 1.
    fn of(self, weight: f64, key: f64) -> f64 {
        let t = self.best_t - weight * self.q / key;
        if t <= 1.0 {
            weight * self.q + key
        } else {
            self.q.powf(t - 1.0) * key * self.best_t
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    impl Random {
        /// Small weights are more frequent than large ones.
        fn weight(&mut self) -> u64 {
            let bits = 1 + self.below(9);
            1 + self.below(1 << bits) as u64
        }
    }

    /// `getPartitionToRemove` as Algorithm 2 has it.
    fn most_promising_of_all(model: &Model, left: &[usize]) -> Vec<usize> {
        let value =
            |element: &usize| model.weights[*element] * (1.0 - model.probabilities[*element]);
        let mut sorted: Vec<usize> = left.to_vec();
        sorted.sort_by(|a, b| value(b).total_cmp(&value(a)));
        let (mut best, mut result) = (0.0, Vec::new());
        for len in 1..=sorted.len() {
            let part = &sorted[..len];
            let weight: f64 = part.iter().map(|element| model.weights[*element]).sum();
            let chance: f64 = part
                .iter()
                .map(|element| 1.0 - model.probabilities[*element])
                .product();
            if weight * chance > best * (1.0 + SAME) {
                best = weight * chance;
                result = part.to_vec();
            }
        }
        result
    }

    #[test]
    fn ending_the_look_at_a_bound_changes_nothing() {
        let mut random = Random::new(7);
        for _ in 0..300 {
            let len = 1 + random.below(60);
            let weights: Vec<u64> = (0..len).map(|_| random.weight()).collect();
            let probabilities: Vec<f64> = (0..len).map(|_| random.unit()).collect();
            let list = List::weighted(weights).with_probabilities(probabilities);
            let options = ProbabilityOptions::PUBLISHED;
            let mut model = Model::new(&list, Weighing::ByWeight, options);
            for _ in 0..20 {
                let undecided = |element: &usize| model.probabilities[*element] < 1.0;
                let left: Vec<usize> = (0..len).filter(undecided).collect();
                let expected = most_promising_of_all(&model, &left);
                assert_eq!(model.choose().0, expected);
            }
        }
    }

    #[test]
    fn what_is_forgotten_was_never_learned() {
        let list = List::weighted([3, 1, 4, 1, 5]);
        let mut model = Model::new(&list, Weighing::ByWeight, ProbabilityOptions::PUBLISHED);
        let before = model.probabilities.clone();
        let mut chosen: Vec<(Vec<usize>, Update)> = (0..4).map(|_| model.choose()).collect();
        let first = chosen[0].0.clone();
        while let Some((_, update)) = chosen.pop() {
            model.forget(update);
        }
        assert_eq!(model.probabilities, before);
        assert_eq!(model.choose().0, first);
    }
}
