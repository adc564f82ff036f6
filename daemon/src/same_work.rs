//! Decides whether two requests ask for the same reduction, so that one job is enough. What belongs to the terminal a
//! command was typed in, and not to the program it names, makes no difference; nor do variables that nothing reads, once
//! it is known which are read. As long as it is not, all others count: to join another job is worse than to do the same
//! twice.

use reduce_engine::{ReductionRequest, Surroundings, is_variable_of_tools};
use std::collections::BTreeSet;

/// Variables that differ from one terminal to the next and that no compiler reads.
const OF_THE_TERMINAL: [&str; 15] = [
    "_",
    "COLORTERM",
    "COLUMNS",
    "DBUS_SESSION_BUS_ADDRESS",
    "DISPLAY",
    "LINES",
    "OLDPWD",
    "PWD",
    "SHLVL",
    "STY",
    "TERM",
    "TMUX",
    "TMUX_PANE",
    "WAYLAND_DISPLAY",
    "WINDOWID",
];
/// The beginnings of names of variables that differ from one terminal to the next. Options of ours are fields of the request.
const OF_THE_TERMINAL_PREFIXES: [&str; 7] = [
    "CARGO_REDUCE_",
    "KITTY_",
    "SSH_",
    "TERM_",
    "VSCODE_",
    "VTE_",
    "XDG_SESSION_",
];

/// Returns whether the job of one request has the result that the other one asks for. The number of workers, how the
/// compiler is asked, where that is done, and the priority do not change the result; that the output directory exists is
/// no reason to refuse the one who asks again while it is being written. `read` are the variables that decide the result
/// besides those of the tools; absent where it may be any.
pub(crate) fn is_same_work(
    left: &ReductionRequest,
    right: &ReductionRequest,
    read: Option<&BTreeSet<String>>,
) -> bool {
    let same_surroundings = |left: &Surroundings, right: &Surroundings| {
        left.cwd == right.cwd
            && left.rustc == right.rustc
            && variables(left, read).eq(variables(right, read))
    };
    left.input == right.input
        && left.instead == right.instead
        && left.output == right.output
        && left.property == right.property
        && left.search == right.search
        && left.budget == right.budget
        && left.cache == right.cache
        && left.for_rustc == right.for_rustc
        && same_surroundings(&left.surroundings, &right.surroundings)
}

/// Returns the variables that may make a difference.
fn variables<'s>(
    surroundings: &'s Surroundings,
    read: Option<&BTreeSet<String>>,
) -> impl Iterator<Item = (&'s String, &'s String)> {
    let is_read = move |name: &String| {
        read.is_none_or(|read| read.contains(name) || is_variable_of_tools(name))
    };
    let vars = surroundings.vars.iter();
    vars.filter(move |(name, _)| !is_of_the_terminal(name) && is_read(name))
}

fn is_of_the_terminal(name: &str) -> bool {
    OF_THE_TERMINAL.contains(&name)
        || OF_THE_TERMINAL_PREFIXES
            .iter()
            .any(|prefix| name.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;
    use reduce_engine::{
        Algorithm, CacheUse, CompilerChoice, ExistingOutput, Fidelity, ForRustc, Input,
        PackageInput, PropertyOptions, SearchOptions,
    };

    fn request(vars: &[(&str, &str)]) -> ReductionRequest {
        let vars = vars
            .iter()
            .map(|&(name, value)| (name.to_owned(), value.to_owned()));
        ReductionRequest {
            input: Input::Package(PackageInput::default()),
            instead: None,
            from: None,
            surroundings: Surroundings {
                cwd: "/crate".into(),
                vars: vars.collect(),
                rustc: None,
            },
            output: "/crate/target/reduce/crate".into(),
            existing_output: ExistingOutput::Refuse,
            property: PropertyOptions {
                goal: reduce_engine::Goal::Ice,
                demands: reduce_engine::Demands::default(),
                env: vec![],
                reads: vec![],
                at_least: 1,
                stability_runs: None,
                sandbox: reduce_engine::SandboxMode::Default,
                timeout_seconds: None,
                baseline_timeout_seconds: 600,
                memory_mib: 6144,
                allow_errors: false,
                strict_valid: false,
                ignore_location: false,
                any_message: false,
                fidelity: Fidelity::default(),
                mutate: vec![],
                repeat: reduce_engine::Repeat::ONCE,
            },
            search: SearchOptions::default(),
            compiler: CompilerChoice::Auto,
            jobs: 2,
            remote: None,
            cache: CacheUse::Persistent,
            log: None,
            for_rustc: ForRustc::default(),
            priority: Default::default(),
            launcher: vec![],
            scratch: None,
            budget: Default::default(),
        }
    }

    #[test]
    fn another_terminal_asks_for_the_same() {
        let left = request(&[
            ("PATH", "/bin"),
            ("WINDOWID", "1"),
            ("SSH_TTY", "/dev/pts/1"),
        ]);
        let right = request(&[("PATH", "/bin"), ("SHLVL", "2")]);
        assert!(is_same_work(&left, &right, None));
    }

    #[test]
    fn other_compiler_flags_ask_for_something_else() {
        let left = request(&[("RUSTFLAGS", "-Copt-level=3")]);
        assert!(!is_same_work(&left, &request(&[]), None));
    }

    #[test]
    fn a_variable_that_is_not_read_makes_no_difference_once_that_is_known() {
        let left = request(&[("PATH", "/bin")]);
        let right = request(&[("PATH", "/bin"), ("A", "1")]);
        let read = BTreeSet::from(["SHOP_SKU".to_owned()]);
        assert!(!is_same_work(&left, &right, None));
        assert!(is_same_work(&left, &right, Some(&read)));
        for name in ["SHOP_SKU", "RUSTUP_TOOLCHAIN", "CARGO_HOME"] {
            let right = request(&[("PATH", "/bin"), (name, "1")]);
            assert!(!is_same_work(&left, &right, Some(&read)), "{name}");
        }
    }

    #[test]
    fn another_output_directory_asks_for_something_else() {
        let mut right = request(&[]);
        right.output = "/elsewhere".into();
        assert!(!is_same_work(&request(&[]), &right, None));
    }

    #[test]
    fn another_budget_asks_for_something_else() {
        let mut right = request(&[]);
        right.budget.queries = Some(9);
        assert!(!is_same_work(&request(&[]), &right, None));
    }

    #[test]
    fn another_search_asks_for_something_else() {
        let mut right = request(&[]);
        right.search.algorithm = Algorithm::Probdd;
        assert!(!is_same_work(&request(&[]), &right, None));
    }

    #[test]
    fn workers_the_way_to_the_compiler_and_force_make_no_difference() {
        let mut right = request(&[]);
        right.jobs = 16;
        right.compiler = CompilerChoice::Spawn;
        right.launcher = vec!["srun".to_owned()];
        right.scratch = Some("/shared".into());
        right.existing_output = ExistingOutput::Replace;
        right.priority = reduce_engine::Priority::Low;
        assert!(is_same_work(&request(&[]), &right, None));
    }
}
