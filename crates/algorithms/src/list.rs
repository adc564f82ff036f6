//! The input of a list algorithm: the number of its elements, their weights, and what is known about
//! them beforehand.

use crate::closure::Closure;

/// A list to be reduced.
///
/// The whole of it is interesting by assumption; the caller has tested that.
#[derive(Debug, Clone)]
pub struct List {
    pub(crate) weights: Vec<u64>,
    pub(crate) probabilities: Option<Vec<f64>>,
    pub(crate) closure: Option<Closure>,
}

impl List {
    /// Makes a list of `len` elements that weigh the same.
    #[must_use]
    pub fn new(len: usize) -> Self {
        Self::weighted(vec![1; len])
    }

    /// Makes a list whose elements have these weights, in tokens or any other unit of size. A
    /// weight of 0 counts as 1.
    #[must_use]
    pub fn weighted(weights: impl Into<Vec<u64>>) -> Self {
        Self {
            weights: weights.into(),
            probabilities: None,
            closure: None,
        }
    }

    /// Adds prior knowledge: for each element the probability, from 0 to 1, that it is in the result.
    /// ProbDD and W-ProbDD begin with it instead of the same probability for all; the other algorithms
    /// do not look at it. Values outside of 0.001 to 0.999 are moved there: no element is given up, or
    /// spared a test, on a guess.
    ///
    /// # Panics
    /// If there are more or fewer of them than elements, or one is not a number.
    #[must_use]
    pub fn with_probabilities(self, probabilities: impl Into<Vec<f64>>) -> Self {
        let probabilities = probabilities.into();
        assert_eq!(probabilities.len(), self.weights.len(), "one for each");
        assert!(!probabilities.iter().any(|one| one.is_nan()), "numbers");
        Self {
            probabilities: Some(probabilities),
            ..self
        }
    }

    /// Adds a closure, which says which elements of the list have to go together.
    ///
    /// # Panics
    /// If the closure is that of a longer or shorter list.
    #[must_use]
    pub fn with_closure(self, closure: Closure) -> Self {
        assert_eq!(closure.len(), self.weights.len(), "of this list");
        Self {
            closure: Some(closure),
            ..self
        }
    }

    /// Returns the number of elements of the list.
    #[must_use]
    pub fn len(&self) -> usize {
        self.weights.len()
    }

    /// Returns whether the list has no elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.weights.is_empty()
    }
}
