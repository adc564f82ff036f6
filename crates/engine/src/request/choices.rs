//! The options of a search that are a choice between a few: algorithm, strategy, prior and closure.
//! Each has one name, which stands on the command line, in configuration files, in `reduction.json`
//! and on the socket.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The algorithm that shortens a list of edits. The papers are named in `reduce_algorithms`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Algorithm {
    /// Leaves out runs of elements, which are halved by number.
    Ddmin,
    /// Leaves out runs of elements, which are halved by weight.
    #[default]
    Wddmin,
    /// Leaves out sets of elements that are probably not needed.
    Probdd,
    /// Leaves out sets of elements that are chosen by likelihood and weight.
    Wprobdd,
    /// Leaves out runs of elements, of a length that shrinks by rule.
    Cdd,
}

/// The strategy that says which lists and nodes are searched, and in which order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Strategy {
    /// The passes that shorten items and statements, then a worklist, then all passes to a fixpoint:
    /// as small results as the passes alone, with a quarter fewer queries on what was measured.
    #[default]
    #[serde(rename = "staged")]
    Staged,
    /// Searches by kind of syntax, in the order in which the kinds pay: each pass runs the
    /// algorithm level by level, or hoists.
    #[serde(rename = "passes")]
    Passes,
    /// HDD: level by level from the root, whatever the kind (Misherghi and Su 2006).
    #[serde(rename = "hdd")]
    Hdd,
    /// HDDr: among the children of each node, depth first (Kiss, Hodován and Gyimóthy 2018).
    #[serde(rename = "hddr")]
    Hddr,
    /// HDDH: level by level as HDD, but also hoists on each level (Hodován et al. 2021).
    #[serde(rename = "hddh")]
    Hddh,
    /// HOIST* and then HDD*, to a fixpoint.
    #[serde(rename = "hoist+hdd")]
    HoistHdd,
    /// HOIST* and then HDDH*, to a fixpoint.
    #[serde(rename = "hoist+hddh")]
    HoistHddh,
    /// The largest node first, after Perses (Sun et al. 2018).
    #[serde(rename = "worklist")]
    Worklist,
}

/// The prior knowledge of ProbDD and W-ProbDD.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Prior {
    /// All elements begin with the same probability.
    #[default]
    Uniform,
    /// Elements that are not reachable, by name, from the crash begin with a lower probability.
    Reachable,
}

/// The other elements that are left out with an element.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Closure {
    /// The element alone is left out.
    Alone,
    /// The element's users, by name, are left out with it, in the lists that passes shorten; where
    /// nothing more can go in this way, the element alone.
    #[default]
    WithUsers,
}

impl Algorithm {
    /// All algorithms, the simplest first.
    pub const ALL: [Self; 5] = [
        Self::Ddmin,
        Self::Wddmin,
        Self::Probdd,
        Self::Wprobdd,
        Self::Cdd,
    ];

    /// Returns the algorithm's name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Ddmin => "ddmin",
            Self::Wddmin => "wddmin",
            Self::Probdd => "probdd",
            Self::Wprobdd => "wprobdd",
            Self::Cdd => "cdd",
        }
    }
}

impl Strategy {
    /// All strategies, the default first.
    pub const ALL: [Self; 8] = [
        Self::Staged,
        Self::Passes,
        Self::Hdd,
        Self::Hddr,
        Self::Hddh,
        Self::HoistHdd,
        Self::HoistHddh,
        Self::Worklist,
    ];

    /// Returns the strategy's name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Staged => "staged",
            Self::Passes => "passes",
            Self::Hdd => "hdd",
            Self::Hddr => "hddr",
            Self::Hddh => "hddh",
            Self::HoistHdd => "hoist+hdd",
            Self::HoistHddh => "hoist+hddh",
            Self::Worklist => "worklist",
        }
    }
}

impl Prior {
    /// Both priors, the default first.
    pub const ALL: [Self; 2] = [Self::Uniform, Self::Reachable];

    /// Returns the prior's name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Uniform => "uniform",
            Self::Reachable => "reachable",
        }
    }
}

impl Closure {
    /// Both choices of the elements that are left out with an element.
    pub const ALL: [Self; 2] = [Self::Alone, Self::WithUsers];

    /// Returns the closure's name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Alone => "alone",
            Self::WithUsers => "with-users",
        }
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Prior {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Closure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A number between 0 and 1, both excluded.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Probability(f64);

// No probability is NaN, so each is equal to itself.
impl Eq for Probability {}

/// The error of a number that is no [`Probability`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("it must be a number greater than 0 and less than 1, such as 0.1")]
pub struct NotAProbability;

impl Probability {
    /// Returns the probability as a number.
    #[must_use]
    pub fn get(self) -> f64 {
        self.0
    }
}

impl TryFrom<f64> for Probability {
    type Error = NotAProbability;

    fn try_from(number: f64) -> Result<Self, NotAProbability> {
        let is_between = number > 0.0 && number < 1.0;
        is_between.then_some(Self(number)).ok_or(NotAProbability)
    }
}

impl From<Probability> for f64 {
    fn from(probability: Probability) -> Self {
        probability.0
    }
}

impl FromStr for Probability {
    type Err = NotAProbability;

    fn from_str(text: &str) -> Result<Self, NotAProbability> {
        let number: f64 = text.parse().map_err(|_| NotAProbability)?;
        number.try_into()
    }
}

impl fmt::Display for Probability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The number of candidates that are made of the same program before one is accepted: from 1 to
/// [`Width::MOST`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "usize", into = "usize")]
pub struct Width(usize);

/// The error of a number that is no [`Width`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("it must be a whole number from 1 to {}", Width::MOST.0)]
pub struct NotAWidth;

impl Width {
    /// The greatest width.
    pub const MOST: Self = Self(1000);

    /// Returns the width as a number.
    #[must_use]
    pub fn get(self) -> usize {
        self.0
    }
}

impl Default for Width {
    fn default() -> Self {
        Self(1)
    }
}

impl TryFrom<usize> for Width {
    type Error = NotAWidth;

    fn try_from(number: usize) -> Result<Self, NotAWidth> {
        let is_between = (1..=Self::MOST.0).contains(&number);
        is_between.then_some(Self(number)).ok_or(NotAWidth)
    }
}

impl From<Width> for usize {
    fn from(width: Width) -> Self {
        width.0
    }
}

impl FromStr for Width {
    type Err = NotAWidth;

    fn from_str(text: &str) -> Result<Self, NotAWidth> {
        let number: usize = text.parse().map_err(|_| NotAWidth)?;
        number.try_into()
    }
}

impl fmt::Display for Width {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{json, to_value};

    /// Checks that the names in JSON are those of the command line.
    #[track_caller]
    fn check_names<T: Serialize + fmt::Display>(all: &[T]) {
        for value in all {
            assert_eq!(to_value(value).unwrap(), json!(value.to_string()));
        }
    }

    #[test]
    fn a_choice_has_the_same_name_everywhere() {
        check_names(&Algorithm::ALL);
        check_names(&Strategy::ALL);
        check_names(&Prior::ALL);
        check_names(&Closure::ALL);
    }
}
