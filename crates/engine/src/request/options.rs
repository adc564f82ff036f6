//! The options of a search, as a user chooses them.

use super::choices::{Algorithm, Closure, Prior, Probability, Strategy, Width};
use super::passes::PassChoice;
use serde::{Deserialize, Serialize};

/// The options of a search. All of it decides the result, so all of it is part of the job.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchOptions {
    /// `--algorithm`: the algorithm that shortens a list of edits.
    pub algorithm: Algorithm,
    /// `--strategy`: the order in which lists and nodes are searched.
    pub strategy: Strategy,
    /// `--seed`: the seed that decides between equally probable elements in ProbDD and W-ProbDD; 0
    /// keeps the order of the source. The other algorithms leave nothing to chance.
    pub seed: u64,
    /// `--initial-probability`: the probability at first that an element is needed, for ProbDD,
    /// W-ProbDD and CDD; the algorithm's own where absent.
    pub initial_probability: Option<Probability>,
    /// `--prior`: the prior knowledge of ProbDD and W-ProbDD.
    pub prior: Prior,
    /// `--closure`: the other elements that are left out with an element.
    pub closure: Closure,
    /// `--passes`, `--skip-pass`: the passes that may change the program.
    pub passes: PassChoice,
    /// `--replace-std`: whether local items stand in for those of the standard library, where that
    /// makes the result name fewer of them, even if it is larger.
    pub replace_std: bool,
    /// `--as-main`: whether a test becomes the `main` of a program that needs no test harness.
    #[serde(default)]
    pub as_main: bool,
    /// `--width`: how many candidates are made of the same program before one is accepted.
    #[serde(default)]
    pub width: Width,
    /// `--verify-minimal`: whether all passes try every edit of the finished result once more.
    pub verify_minimal: bool,
}

#[cfg(test)]
mod tests {
    use super::super::choices::{NotAProbability, NotAWidth};
    use super::*;
    use serde_json::{json, to_value};

    #[test]
    fn the_default_is_weighted_ddmin_in_stages() {
        let expected = json!({
            "algorithm": "wddmin", "strategy": "staged", "seed": 0, "initial_probability": null,
            "prior": "uniform", "closure": "with-users", "passes": [], "replace_std": false,
            "as_main": false, "width": 1, "verify_minimal": false,
        });
        assert_eq!(to_value(SearchOptions::default()).unwrap(), expected);
    }

    #[test]
    fn the_options_survive_the_way() {
        let options = SearchOptions {
            algorithm: Algorithm::Wprobdd,
            strategy: Strategy::HoistHddh,
            seed: u64::MAX,
            initial_probability: Some("0.15".parse().unwrap()),
            prior: Prior::Reachable,
            closure: Closure::WithUsers,
            passes: PassChoice::default().without("print").unwrap(),
            replace_std: true,
            as_main: true,
            width: "16".parse().unwrap(),
            verify_minimal: true,
        };
        let text = serde_json::to_string(&options).unwrap();
        let read: SearchOptions = serde_json::from_str(&text).unwrap();
        assert_eq!(read, options);
    }

    #[test]
    fn a_request_from_before_as_main_and_width_asks_for_none() {
        let mut options = to_value(SearchOptions::default()).unwrap();
        options.as_object_mut().unwrap().remove("as_main");
        options.as_object_mut().unwrap().remove("width");
        let read: SearchOptions = serde_json::from_value(options).unwrap();
        assert_eq!(read, SearchOptions::default());
    }

    #[test]
    fn a_width_lies_between_1_and_1000() {
        assert_eq!(Width::default().get(), 1);
        assert_eq!("1000".parse(), Ok(Width::MOST));
        for bad in ["0", "1001", "-1", "1.5", "many", ""] {
            assert_eq!(bad.parse::<Width>(), Err(NotAWidth), "{bad}");
        }
        assert!(serde_json::from_value::<Width>(json!(0)).is_err());
    }

    #[test]
    fn a_probability_lies_between_0_and_1() {
        let probability: Probability = "0.25".parse().unwrap();
        assert_eq!(
            (probability.get(), probability.to_string()),
            (0.25, "0.25".to_owned())
        );
        for bad in ["0", "1", "-0.1", "1.5", "NaN", "inf", "often", ""] {
            assert_eq!(bad.parse::<Probability>(), Err(NotAProbability), "{bad}");
        }
        assert!(serde_json::from_value::<Probability>(json!(2.0)).is_err());
    }
}
