//! From words to [`ReduceArgs`], with variables and configuration files below them. A value from a
//! file becomes clap's default, so that clap itself gives a flag precedence over a variable and a
//! variable over a file.

use super::{Cargo, ReduceArgs};
use clap::builder::BoolishValueParser;
use clap::parser::ValueSource;
use clap::{ArgAction, ArgMatches, Command, CommandFactory, FromArgMatches};
use std::collections::BTreeMap;
use std::ffi::OsString;

/// Values from configuration files, by long flag name.
pub(crate) type Layer = BTreeMap<String, Vec<String>>;

/// A command line that was understood.
#[derive(Debug)]
pub(crate) struct Parsed {
    pub(crate) args: ReduceArgs,
    matches: ArgMatches,
}

/// The source of an argument's value, such as a configuration file; the greatest one wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rank {
    File,
    Variable,
    CommandLine,
}

impl Parsed {
    /// Returns the source of an argument's value; `None` if the user has given none.
    pub(crate) fn rank(&self, id: &str) -> Option<Rank> {
        // Everything but a switch is absent, or has the default that a file gave.
        match self.matches.value_source(id)? {
            ValueSource::CommandLine => Some(Rank::CommandLine),
            ValueSource::EnvVariable => Some(Rank::Variable),
            _ => Some(Rank::File),
        }
    }
}

/// Parses the process's arguments.
///
/// # Errors
/// clap's, which also stand for `--help` and `--version`.
pub(crate) fn parse(
    words: impl IntoIterator<Item = OsString>,
    files: &Layer,
) -> Result<Parsed, clap::Error> {
    let mut matches = command(files, Variables::Read).try_get_matches_from(words)?;
    let kept = matches
        .subcommand_matches("reduce")
        .cloned()
        .unwrap_or_default();
    let mut command = Cargo::command();
    let Cargo::Reduce(args) =
        Cargo::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut command))?;
    Ok(Parsed {
        args: *args,
        matches: kept,
    })
}

/// The long names of all flags that may stand in a configuration file.
pub(crate) fn flag_names() -> Vec<String> {
    let command = Cargo::command();
    let reduce = command.find_subcommand("reduce").into_iter();
    let flags = reduce
        .flat_map(Command::get_arguments)
        .filter(|arg| is_configurable(arg));
    flags
        .filter_map(|arg| arg.get_long().map(str::to_owned))
        .collect()
}

/// The variables of all flags.
pub(crate) fn variable_names() -> Vec<String> {
    let flags = flag_names().into_iter();
    flags.map(|flag| variable_name(&flag)).collect()
}

/// Checks that clap takes this value for the flag.
///
/// # Errors
/// Clap's error for a value that it does not accept.
pub(crate) fn value_is_accepted(name: &str, value: &str) -> Result<(), clap::Error> {
    let layer = Layer::from([(name.to_owned(), vec![value.to_owned()])]);
    let words = ["cargo", "reduce"];
    command(&layer, Variables::Ignore)
        .try_get_matches_from(words)
        .map(drop)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Variables {
    Read,
    Ignore,
}

pub(super) fn command(files: &Layer, variables: Variables) -> Command {
    Cargo::command().mut_subcommand("reduce", |reduce| {
        reduce.mut_args(|mut arg| {
            if !is_configurable(&arg) {
                return arg;
            }
            let Some(long) = arg.get_long().map(str::to_owned) else {
                return arg;
            };
            if matches!(arg.get_action(), ArgAction::SetTrue) {
                arg = arg.value_parser(BoolishValueParser::new());
            }
            if variables == Variables::Read {
                arg = arg.env(variable_name(&long)).hide_env(true);
            }
            match files.get(&long) {
                Some(values) => arg.default_values(values.clone()),
                None => arg,
            }
        })
    })
}

fn is_configurable(arg: &clap::Arg) -> bool {
    let is_help = matches!(
        arg.get_action(),
        ArgAction::Help | ArgAction::HelpShort | ArgAction::HelpLong | ArgAction::Version
    );
    !is_help && arg.get_long().is_some()
}

fn variable_name(long: &str) -> String {
    format!("CARGO_REDUCE_{}", long.to_uppercase().replace('-', "_"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::MessageFormat;
    use reduce_engine::{Algorithm, Closure, PassChoice, Prior, SearchOptions, Strategy};

    fn parsed(words: &[&str], files: &[(&str, &[&str])]) -> Parsed {
        let words = ["cargo", "reduce"].iter().chain(words).map(OsString::from);
        let files = files.iter().map(|(name, values)| {
            (
                (*name).to_owned(),
                values.iter().map(|&value| value.to_owned()).collect(),
            )
        });
        parse(words, &files.collect()).unwrap()
    }

    #[test]
    fn the_command_is_well_formed() {
        command(&Layer::new(), Variables::Read).debug_assert();
    }

    #[test]
    fn a_file_sets_what_the_command_line_leaves_out() {
        let files: &[(&str, &[&str])] = &[
            ("ice", &["true"]),
            ("jobs", &["3"]),
            ("features", &["a", "b"]),
        ];
        let args = parsed(&[], files).args;
        assert!(args.goal.ice);
        assert_eq!(args.run.jobs.unwrap().get(), 3);
        assert_eq!(args.program.build.features, ["a", "b"]);
    }

    #[test]
    fn the_command_line_has_precedence_over_a_file() {
        let files: &[(&str, &[&str])] = &[("jobs", &["3"]), ("message-format", &["json"])];
        let args = parsed(&["--jobs", "5", "--message-format", "human"], files).args;
        assert_eq!(args.run.jobs.unwrap().get(), 5);
        assert_eq!(args.display.message_format, MessageFormat::Human);
    }

    #[test]
    fn every_flag_has_a_variable() {
        let command = command(&Layer::new(), Variables::Read);
        let reduce = command.find_subcommand("reduce").unwrap();
        for name in flag_names() {
            let arg = reduce
                .get_arguments()
                .find(|arg| arg.get_long() == Some(&name))
                .unwrap();
            assert_eq!(
                arg.get_env(),
                Some(OsString::from(variable_name(&name)).as_ref())
            );
        }
        assert_eq!(
            variable_name("no-default-features"),
            "CARGO_REDUCE_NO_DEFAULT_FEATURES"
        );
    }

    #[test]
    fn both_ways_to_call_the_program_say_its_version() {
        for words in [
            &["cargo-reduce", "--version"][..],
            &["cargo", "reduce", "-V"],
        ] {
            let words = words.iter().map(OsString::from);
            let said = parse(words, &Layer::new()).unwrap_err();
            assert_eq!(said.kind(), clap::error::ErrorKind::DisplayVersion);
            let expected = format!("cargo-reduce {}\n", env!("CARGO_PKG_VERSION"));
            assert_eq!(said.to_string(), expected);
        }
    }

    #[test]
    fn the_rank_says_where_a_value_comes_from() {
        let parsed = parsed(&["--lib"], &[("bin", &["tool"])]);
        assert_eq!(parsed.rank("lib"), Some(Rank::CommandLine));
        assert_eq!(parsed.rank("bin"), Some(Rank::File));
        assert_eq!(parsed.rank("test"), None);
    }

    #[test]
    fn the_search_is_chosen_by_name() {
        let words = [
            "--algorithm",
            "wprobdd",
            "--strategy",
            "hoist+hddh",
            "--seed",
            "7",
            "--initial-probability",
            "0.15",
            "--prior",
            "reachable",
            "--closure",
            "with-users",
            "--passes",
            "delete_items,print",
            "--skip-pass",
            "print",
            "--replace-std",
            "--as-main",
            "--width",
            "16",
            "--verify-minimal",
        ];
        let expected = SearchOptions {
            algorithm: Algorithm::Wprobdd,
            strategy: Strategy::HoistHddh,
            seed: 7,
            initial_probability: Some("0.15".parse().unwrap()),
            prior: Prior::Reachable,
            closure: Closure::WithUsers,
            passes: PassChoice::only(["delete_items"]).unwrap(),
            replace_std: true,
            as_main: true,
            width: "16".parse().unwrap(),
            verify_minimal: true,
        };
        assert_eq!(parsed(&words, &[]).args.search.options(), expected);
        let default = parsed(&[], &[]).args.search.options();
        assert_eq!(default, SearchOptions::default());
    }

    #[test]
    fn every_name_of_a_choice_is_taken() {
        for algorithm in Algorithm::ALL {
            let args = parsed(&["--algorithm", algorithm.name()], &[]).args;
            assert_eq!(args.search.options().algorithm, algorithm);
        }
        for strategy in Strategy::ALL {
            let args = parsed(&["--strategy", strategy.name()], &[]).args;
            assert_eq!(args.search.options().strategy, strategy);
        }
    }

    #[test]
    fn the_search_may_stand_in_a_file() {
        let files: &[(&str, &[&str])] = &[
            ("algorithm", &["cdd"]),
            ("strategy", &["worklist"]),
            ("initial-probability", &["0.2"]),
        ];
        let options = parsed(&["--strategy", "hdd"], files).args.search.options();
        assert_eq!(options.algorithm, Algorithm::Cdd);
        assert_eq!(options.strategy, Strategy::Hdd);
        assert_eq!(options.initial_probability.unwrap().get(), 0.2);
    }

    #[track_caller]
    fn check_refused(words: &[&str], expected: &str) {
        let words = ["cargo", "reduce"].iter().chain(words).map(OsString::from);
        let error = parse(words, &Layer::new()).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }

    #[test]
    fn a_wrong_choice_is_refused_with_the_right_ones() {
        check_refused(
            &["--algorithm", "quick"],
            "[possible values: ddmin, wddmin, probdd, wprobdd, cdd]",
        );
        check_refused(
            &["--strategy", "hoist"],
            "[possible values: staged, passes, hdd, hddr, hddh, hoist+hdd, hoist+hddh, worklist]",
        );
        check_refused(&["--prior", "no"], "[possible values: uniform, reachable]");
        check_refused(
            &["--closure", "all"],
            "[possible values: alone, with-users]",
        );
        check_refused(
            &["--initial-probability", "1"],
            "it must be a number greater than 0 and less than 1",
        );
        check_refused(&["--seed", "any"], "invalid value 'any' for '--seed <N>'");
    }

    #[test]
    fn values_are_checked_as_clap_would() {
        assert!(value_is_accepted("jobs", "4").is_ok());
        assert!(value_is_accepted("jobs", "many").is_err());
        assert!(value_is_accepted("ice", "yes").is_ok());
    }
}
