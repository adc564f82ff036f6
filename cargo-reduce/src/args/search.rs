//! How to search. The names of the choices are the engine's; what they mean to a user is said here.

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use reduce_engine::{
    Algorithm, Closure, PassChoice, Prior, Probability, SearchOptions, Strategy, Width,
};

#[derive(Debug, Args)]
#[command(next_help_heading = "Search")]
pub(crate) struct SearchArgs {
    /// Choose the algorithm that makes a list of parts shorter
    #[arg(long, value_name = "NAME", default_value_t, value_parser = choice::<Algorithm>())]
    algorithm: Algorithm,
    /// Choose which parts of the program are searched, and in which order
    #[arg(long, value_name = "NAME", default_value_t, value_parser = choice::<Strategy>())]
    strategy: Strategy,
    /// With `probdd` and `wprobdd`: order of what is equally probable; 0 is the order of the source
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// With `probdd`, `wprobdd` and `cdd`: how probable it is at first that a part is needed; more
    /// than 0, less than 1 [default: the algorithm's own]
    #[arg(long, value_name = "P")]
    initial_probability: Option<Probability>,
    /// With `probdd` and `wprobdd`: what is known of the parts beforehand
    #[arg(long, value_name = "NAME", default_value_t, value_parser = choice::<Prior>())]
    prior: Prior,
    /// Choose what is deleted together with an item
    #[arg(long, value_name = "NAME", default_value_t, value_parser = choice::<Closure>())]
    closure: Closure,
    /// Only these passes, separated by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = pass_name())]
    #[arg(hide_possible_values = true)]
    passes: Vec<String>,
    /// All passes but this one
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = pass_name())]
    #[arg(hide_possible_values = true)]
    skip_pass: Vec<String>,
    /// Print the passes, with what each does, what it keeps of the program (its behaviour, its
    /// types, or nothing for certain), when it runs, and an example
    #[arg(long)]
    pub(crate) list_passes: bool,
    /// Begin again from this step of the reduction in the output directory, by the number that
    /// `report.html` has for it; 0 is the input. The new result goes to `from-STEP` in that directory
    #[arg(long, value_name = "STEP")]
    pub(crate) from: Option<u64>,
    /// With `--from`: do not accept again what came after that step, so that the search finds another
    /// way
    #[arg(long, requires = "from")]
    pub(crate) forbid: bool,
    /// Put minimal items of the program's own in place of those of the standard library, if the
    /// result then names fewer of them, even if it is larger
    #[arg(long)]
    replace_std: bool,
    /// Make the failing test the `main` of a program that needs no test harness; without it, the result
    /// is a `#[test]` function
    #[arg(long)]
    as_main: bool,
    /// Ask about so many candidates of the same program at once, and combine those that still fail: faster with as many
    /// workers (`--jobs`) and slow queries, at the cost of more of them. The result depends on the width
    #[arg(long, value_name = "N", default_value_t)]
    width: Width,
    /// Try every edit of every pass on the result once more, to prove that nothing more can go
    #[arg(long)]
    verify_minimal: bool,
}

impl SearchArgs {
    pub(crate) fn options(&self) -> SearchOptions {
        SearchOptions {
            algorithm: self.algorithm,
            strategy: self.strategy,
            seed: self.seed,
            initial_probability: self.initial_probability,
            prior: self.prior,
            closure: self.closure,
            passes: self.passes(),
            replace_std: self.replace_std,
            as_main: self.as_main,
            width: self.width,
            verify_minimal: self.verify_minimal,
        }
    }

    fn passes(&self) -> PassChoice {
        let known = "clap lets only the names of passes pass";
        let chosen = match self.passes.as_slice() {
            [] => PassChoice::default(),
            names => PassChoice::only(names.iter().map(String::as_str)).expect(known),
        };
        let without = |choice: PassChoice, name: &String| choice.without(name).expect(known);
        self.skip_pass.iter().fold(chosen, without)
    }
}

fn pass_name() -> PossibleValuesParser {
    PossibleValuesParser::new(PassChoice::names())
}

/// One of a few values, each with a name and a line of help.
trait Choice: Copy + Send + Sync + 'static {
    const ALL: &'static [Self];
    fn name(self) -> &'static str;
    fn help(self) -> &'static str;
}

/// Takes the names of the choices, and says them in the help and where a name is wrong.
fn choice<T: Choice>() -> impl TypedValueParser<Value = T> {
    let values = T::ALL
        .iter()
        .map(|value| PossibleValue::new(value.name()).help(value.help()));
    PossibleValuesParser::new(values).map(|name| {
        let mut all = T::ALL.iter().copied();
        all.find(|value| value.name() == name)
            .expect("clap lets only the names of choices pass")
    })
}

impl Choice for Algorithm {
    const ALL: &'static [Self] = &Self::ALL;

    fn name(self) -> &'static str {
        self.name()
    }

    fn help(self) -> &'static str {
        match self {
            Self::Ddmin => "Runs of the list, halved by number",
            Self::Wddmin => "W-ddmin: runs of the list, halved by tokens",
            Self::Probdd => "ProbDD: sets of parts that are probably not needed",
            Self::Wprobdd => "W-ProbDD: the same by probability and tokens",
            Self::Cdd => "CDD: runs of a length that shrinks by rule",
        }
    }
}

impl Choice for Strategy {
    const ALL: &'static [Self] = &Self::ALL;

    fn name(self) -> &'static str {
        self.name()
    }

    fn help(self) -> &'static str {
        match self {
            Self::Staged => "Passes for what is large, a worklist, all passes to a fixpoint",
            Self::Passes => "By kind of syntax, in the order in which they pay",
            Self::Hdd => "HDD: level by level from the root of the syntax tree",
            Self::Hddr => "HDDr: what is below each node, depth first",
            Self::Hddh => "HDDH: the same, with hoisting on each level",
            Self::HoistHdd => "HOIST* and then HDD*",
            Self::HoistHddh => "HOIST* and then HDDH*",
            Self::Worklist => "The largest node first, as Perses does",
        }
    }
}

impl Choice for Prior {
    const ALL: &'static [Self] = &Self::ALL;

    fn name(self) -> &'static str {
        self.name()
    }

    fn help(self) -> &'static str {
        match self {
            Self::Uniform => "Nothing",
            Self::Reachable => "What is not reachable from the crash is less probably needed",
        }
    }
}

impl Choice for Closure {
    const ALL: &'static [Self] = &Self::ALL;

    fn name(self) -> &'static str {
        self.name()
    }

    fn help(self) -> &'static str {
        match self {
            Self::Alone => "Nothing else",
            Self::WithUsers => "What uses it",
        }
    }
}
