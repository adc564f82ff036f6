//! Workers with compilers made of shell scripts.

mod auxiliary;
mod companions;
mod executor;
mod joint;
mod launched;
mod repeats;
mod time;

use super::*;
use crate::check::command;
use crate::check::{AnyCheck, Check, CommandCall, Seen, Starts};
use crate::compiler::toolchain::Compiler;
use crate::signature::{CrashKind, Signature};
use crate::system::files;
use crate::system::sandbox::SandboxMode;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;
use std::time::Duration;

/// A program in a tree, and a script that acts as its compiler.
struct Bench {
    _dir: tempfile::TempDir,
    dir: Utf8PathBuf,
    plan: Plan,
}

const CRASH: &str =
    "printf 'thread \\047rustc\\047 (1) panicked at compiler/a.rs:1:2:\\nodd\\n' >&2; exit 101";

impl Bench {
    /// Makes a bench; `script` is run in the directory of the call, with rustc's arguments.
    fn new(script: &str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::from_path_buf(dir.path().canonicalize().unwrap()).unwrap();
        let compiler = path.join("rustc");
        files::write(&compiler, &format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&compiler, fs::Permissions::from_mode(0o755)).unwrap();
        let tree = path.join("snapshot");
        for (name, text) in [
            ("src/lib.rs", "root"),
            ("src/a.rs", "a"),
            ("data.txt", "data"),
        ] {
            files::write(&tree.join(name), text).unwrap();
        }
        let plan = plan(compiler, tree);
        Self {
            _dir: dir,
            dir: path,
            plan,
        }
    }

    fn worker(&self) -> Worker {
        let edited = BTreeSet::from(["src/lib.rs".into(), "src/a.rs".into()]);
        Worker::new(self.dir.join("worker"), &self.plan, &edited).unwrap()
    }

    /// Adds a script beside the compiler, by which it would lay code out.
    fn with_formatter(self, script: &str) -> Self {
        let path = self.dir.join("rustfmt");
        files::write(&path, &format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        self
    }

    fn format(&self, text: &str) -> Option<String> {
        let cancel = Cancel::new().unwrap();
        self.worker().format(&self.plan, text, &cancel).unwrap()
    }

    fn ask(&self, worker: &mut Worker, sources: &Sources) -> Answer {
        worker
            .judge(&self.plan, sources, &property(), &Cancel::new().unwrap())
            .unwrap()
    }
}

/// The mode of the sandbox, where there is one.
const CONFINED: SandboxMode = match cfg!(linux_parts) {
    true => SandboxMode::Default,
    false => SandboxMode::Off,
};

/// A command that is run in the tree.
#[derive(Debug)]
struct Nests(CommandCall);

impl Check for Nests {
    fn run(&self, bench: &mut dyn crate::check::Bench, _: &[String]) -> Result<Seen, OracleError> {
        Ok(command::seen(command::run(&self.0, bench)?, None))
    }

    fn form(&self) -> String {
        String::new()
    }

    fn starts(&self) -> Starts<'_> {
        Starts::Command(&self.0)
    }
}

/// A command may nest directories more deeply than a path can be long.
#[test]
fn what_a_command_has_nested_deeply_goes_before_the_next_candidate() {
    let bench = Bench::new("true");
    let script = bench.dir.join("nest");
    let text = "#!/bin/sh\nlevels=$(printf 'd/%.0s' $(seq 1000))\n\
        for _ in 1 2 3; do mkdir -p $levels && cd -P $levels || exit 1; done\n";
    files::write(&script, text).unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    let call = CommandCall {
        program: script,
        args: vec![],
        env: [("PATH".to_owned(), "/usr/bin:/bin".to_owned())].into(),
        cwd: "".into(),
        meaning: "success-is-interesting",
        shown: "nest".to_owned(),
        identity: None,
        builds: None,
        reads: vec![],
    };
    let plan = bench.plan.clone().checked(AnyCheck::new(Nests(call)));
    let mut worker = Worker::new(bench.dir.join("worker"), &plan, &BTreeSet::new()).unwrap();
    let cancel = Cancel::new().unwrap();
    for _ in 0..2 {
        let (seen, shown) = worker.observe(&plan, &Sources::new(), &cancel).unwrap();
        assert_eq!(seen.ending, Ending::Exited(0), "{}", shown.stderr);
    }
    drop(worker);
    files::remove_all(&bench.dir.join("worker")).unwrap();
    assert!(!bench.dir.join("worker").exists());
}

fn plan(compiler: Utf8PathBuf, tree: Utf8PathBuf) -> Plan {
    let compiler = Compiler {
        path: compiler,
        command: "rustc".to_owned(),
        verbose_version: String::new(),
        identity: [0; 32],
        sysroot: None,
    };
    let env = [
        ("PATH", "/usr/bin:/bin"),
        ("CARGO_MANIFEST_DIR", tree.as_str()),
    ];
    let env = env.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let args = vec!["src/lib.rs".to_owned(), format!("--remap={tree}/src=x")];
    let files = ["src/lib.rs", "src/a.rs", "data.txt"];
    let mut plan = Plan::of_root(compiler, tree, "src/lib.rs");
    plan.call.args = args;
    plan.call.env = env.into();
    plan.inputs.files = files.map(Utf8PathBuf::from).into();
    plan.run_policy.limits.deadline = Some(Duration::from_secs(60));
    // The scripts leave notes beside the tree.
    plan.access.sandbox = SandboxMode::Off;
    plan
}

fn property() -> Property {
    Property {
        signature: Signature {
            file: Some("compiler/a.rs".to_owned()),
            position: Some((1, 2)),
            ..Signature::of_kind(CrashKind::Panic, "odd")
        },
        allowed_errors: BTreeSet::new(),
        allow_errors: false,
        ignore_location: false,
        patterns: Default::default(),
        ignore_values: false,
        among_others: false,
    }
}

fn sources(files: &[(&str, &str)]) -> Sources {
    files
        .iter()
        .map(|(path, text)| ((*path).into(), Arc::from(*text)))
        .collect()
}

#[test]
fn the_tree_holds_the_candidate_and_the_files_that_are_not_edited() {
    let bench = Bench::new(&format!(
        "cat src/lib.rs src/a.rs data.txt > ../seen 2>&1; {CRASH}"
    ));
    let mut worker = bench.worker();
    let answer = bench.ask(
        &mut worker,
        &sources(&[("src/lib.rs", "new "), ("src/a.rs", "too ")]),
    );
    assert_eq!(answer.verdict, Verdict::Interesting);
    assert_eq!(answer.crash, Some(property().signature));
    assert_eq!(
        files::read(&bench.dir.join("worker/seen")).unwrap(),
        "new too data"
    );
}

#[test]
fn files_that_a_candidate_drops_are_gone() {
    let bench = Bench::new("test -e src/a.rs");
    let mut worker = bench.worker();
    let both = sources(&[("src/lib.rs", ""), ("src/a.rs", "")]);
    assert_eq!(bench.ask(&mut worker, &both).verdict, Verdict::Compiles);
    assert_eq!(
        bench
            .ask(&mut worker, &sources(&[("src/lib.rs", "")]))
            .verdict,
        Verdict::Rejected
    );
    assert_eq!(bench.ask(&mut worker, &both).verdict, Verdict::Compiles);
}

#[test]
fn only_what_differs_is_written() {
    let bench = Bench::new("exit 0");
    let mut worker = bench.worker();
    bench.ask(
        &mut worker,
        &sources(&[("src/lib.rs", "1"), ("src/a.rs", "1")]),
    );
    let age = |worker: &Worker, name| {
        worker
            .tree()
            .join(name)
            .metadata()
            .unwrap()
            .modified()
            .unwrap()
    };
    let (root, other) = (age(&worker, "src/lib.rs"), age(&worker, "src/a.rs"));
    // A clock with coarse steps may give two writes the same time.
    while age(&worker, "src/lib.rs") == root {
        bench.ask(
            &mut worker,
            &sources(&[("src/lib.rs", "2"), ("src/a.rs", "1")]),
        );
        bench.ask(
            &mut worker,
            &sources(&[("src/lib.rs", "3"), ("src/a.rs", "1")]),
        );
    }
    assert_eq!(age(&worker, "src/a.rs"), other);
}

#[test]
fn the_programs_own_paths_lead_into_the_workers_tree() {
    let bench = Bench::new(r#"echo "$CARGO_MANIFEST_DIR $TMPDIR $*" > ../seen"#);
    let mut worker = bench.worker();
    bench.ask(&mut worker, &sources(&[("src/lib.rs", "")]));
    let own = bench.dir.join("worker");
    let expected = format!(
        "{own}/tree {own}/tmp src/lib.rs --remap={own}/tree/src=x --out-dir {own}/deps --error-format=json\n"
    );
    assert_eq!(files::read(&own.join("seen")).unwrap(), expected);
}

#[test]
fn what_a_query_leaves_behind_is_removed() {
    let bench = Bench::new(
        "touch ../deps/lib.rmeta $TMPDIR/x; mkdir ../deps/rmetaX; touch ../deps/rmetaX/y",
    );
    let mut worker = bench.worker();
    bench.ask(&mut worker, &sources(&[("src/lib.rs", "")]));
    for dir in ["worker/deps", "worker/tmp"] {
        assert!(files::entries(&bench.dir.join(dir)).unwrap().is_empty());
    }
}

#[test]
fn an_unstable_crash_is_asked_for_again_until_it_shows() {
    let count = "n=0; test -e ../n && read n < ../n; n=$((n + 1)); echo $n > ../n";
    let mut bench = Bench::new(&format!("{count}; test $n -eq 3 || exit 0; {CRASH}"));
    bench.plan.run_policy.repeat = 5;
    let answer = bench.ask(&mut bench.worker(), &sources(&[("src/lib.rs", "")]));
    assert_eq!((answer.verdict, answer.runs), (Verdict::Interesting, 3));
    bench.plan.run_policy.repeat = 2;
    let answer = bench.ask(&mut bench.worker(), &sources(&[("src/lib.rs", "")]));
    assert_eq!((answer.verdict, answer.runs), (Verdict::Compiles, 2));
}

#[test]
fn a_candidate_that_does_not_end_has_a_verdict() {
    let mut bench = Bench::new("exec sleep 1000");
    bench.plan.run_policy.limits.deadline = Some(Duration::from_millis(200));
    let answer = bench.ask(&mut bench.worker(), &sources(&[("src/lib.rs", "")]));
    assert_eq!(answer.verdict, Verdict::TimedOut);
}

#[test]
fn a_compiler_is_stopped_at_the_first_error_that_is_new() {
    let error = r#"{"$message_type":"diagnostic","message":"m","code":{"code":"E0001"},"level":"error","spans":[],"children":[],"rendered":"error"}"#;
    let bench = Bench::new(&format!("echo '{error}' >&2; exec sleep 1000"));
    let answer = bench.ask(&mut bench.worker(), &sources(&[("src/lib.rs", "root")]));
    assert_eq!(answer.verdict, Verdict::AddsError("E0001".to_owned()));
    assert_eq!(answer.ending, Ending::Decided);
}

#[test]
fn what_crashes_in_a_cheaper_call_is_asked_again_with_the_plans_own() {
    let script = format!(
        "echo \"$*\" >> ../calls; grep -q both src/lib.rs || case \"$*\" in *dep-info*) ;; *) exit 0 ;; esac; {CRASH}"
    );
    let mut bench = Bench::new(&script);
    bench.plan.run_policy.cheapest_call = Some(crate::plan::CheapestCall::Resolve);
    let mut worker = bench.worker();
    let both = bench.ask(&mut worker, &sources(&[("src/lib.rs", "both")]));
    assert_eq!((both.verdict, both.runs), (Verdict::Interesting, 2));
    let cheaper = bench.ask(&mut worker, &sources(&[("src/lib.rs", "cheaper")]));
    assert_eq!((cheaper.verdict, cheaper.runs), (Verdict::Compiles, 2));
    let calls = fs::read_to_string(worker.tree().join("../calls")).unwrap();
    let is_cheap: Vec<_> = calls
        .lines()
        .map(|call| call.contains("dep-info"))
        .collect();
    assert_eq!(is_cheap, [true, false, true, false]);
}

#[test]
fn a_cancelled_query_has_no_verdict_to_keep() {
    let bench = Bench::new("exec sleep 1000");
    let cancel = Cancel::new().unwrap();
    cancel.cancel();
    let sources = sources(&[("src/lib.rs", "")]);
    let answer = bench
        .worker()
        .judge(&bench.plan, &sources, &property(), &cancel)
        .unwrap();
    assert_eq!(answer.verdict, Verdict::Cancelled);
    assert!(matches!(
        bench
            .worker()
            .show(&bench.plan, &sources, &|_| false, &cancel),
        Err(OracleError::Cancelled)
    ));
}

#[test]
fn people_are_shown_human_diagnostics_and_the_whole_query_stack() {
    let script = "echo \"$RUST_BACKTRACE $*\" > ../seen; printf 'query stack during panic:\\n#0 [typeck] a\\n#1 [analysis] b\\nend of query stack\\n' >&2; exit 101";
    let bench = Bench::new(script);
    let mut worker = bench.worker();
    let sources = sources(&[("src/lib.rs", "")]);
    let shown = worker
        .show(&bench.plan, &sources, &|_| true, &Cancel::new().unwrap())
        .unwrap();
    assert_eq!(shown.query_stack, ["#0 [typeck] a", "#1 [analysis] b"]);
    assert_eq!(shown.ending, Ending::Exited(101));
    let seen = files::read(&bench.dir.join("worker/seen")).unwrap();
    assert!(seen.starts_with("1 ") && !seen.contains("json"), "{seen}");
}

#[test]
fn without_a_formatter_beside_the_compiler_no_text_is_laid_out() {
    assert_eq!(Bench::new("exit 0").format("fn  f(){}"), None);
}

#[test]
fn a_formatter_gets_the_edition_and_no_configuration_of_the_user() {
    let script = r#"echo "$*" > ../seen; for file; do :; done; echo laid out > "$file""#;
    let bench = Bench::new("exit 0").with_formatter(script);
    assert_eq!(bench.format("fn  f(){}").as_deref(), Some("laid out\n"));
    let own = bench.dir.join("worker");
    let edition = &bench.plan.call.edition;
    let expected = format!(
        "--edition {edition} --quiet --config-path {own}/tmp/rustfmt.toml {own}/deps/text.rs\n"
    );
    assert_eq!(files::read(&own.join("seen")).unwrap(), expected);
    assert!(files::entries(&own.join("deps")).unwrap().is_empty());
}

#[test]
fn what_a_formatter_does_not_understand_is_not_laid_out() {
    let bench = Bench::new("exit 0").with_formatter("exit 1");
    assert_eq!(bench.format("fn fn"), None);
}

#[test]
fn an_expansion_is_asked_for_as_an_unstable_option_for_this_run_alone() {
    let script = r#"echo "$RUSTC_BOOTSTRAP $*" >> ../calls"#;
    let bench = Bench::new(&format!("{script}; {PRINTS_TO}; echo expanded > $to"));
    let (mut worker, cancel) = (bench.worker(), Cancel::new().unwrap());
    let sources = sources(&[("src/lib.rs", "root")]);
    let expanded = worker.expand(&bench.plan, &sources, &cancel).unwrap();
    assert_eq!(expanded.as_deref(), Some("expanded\n"));
    bench.ask(&mut worker, &sources);
    let calls = fs::read_to_string(worker.tree().join("../calls")).unwrap();
    let calls: Vec<_> = calls.lines().collect();
    assert!(calls[0].starts_with("1 ") && calls[0].contains("-Zunpretty=expanded"));
    assert!(!calls[1].starts_with("1 ") && !calls[1].contains("unpretty"));
}

/// The lines of a shell that find the file which a compiler is told to write.
const PRINTS_TO: &str =
    r#"to=/dev/null; for arg; do case "$arg" in -o*) to="${arg#-o}";; esac; done"#;

#[test]
fn an_expansion_is_not_what_macros_print() {
    let script = format!("{PRINTS_TO}; echo noise; echo expanded > $to; echo more noise");
    let bench = Bench::new(&script);
    let (cancel, sources) = (Cancel::new().unwrap(), sources(&[("src/lib.rs", "root")]));
    let expanded = bench.worker().expand(&bench.plan, &sources, &cancel);
    assert_eq!(expanded.unwrap().as_deref(), Some("expanded\n"));
}

#[test]
fn an_expansion_that_fails_or_is_too_long_is_none() {
    let sources = sources(&[("src/lib.rs", "root")]);
    let expand = |bench: &Bench| {
        let cancel = Cancel::new().unwrap();
        let mut worker = bench.worker();
        worker.expand(&bench.plan, &sources, &cancel).unwrap()
    };
    let printing = |what: &str| Bench::new(&format!("{PRINTS_TO}; {what}"));
    assert_eq!(expand(&printing("echo half of it > $to; exit 1")), None);
    assert_eq!(expand(&printing("echo all of it")), None);
    let mut bench = printing("head -c 5000 /dev/zero > $to");
    bench.plan.run_policy.limits.output_bytes = 4999;
    assert_eq!(expand(&bench), None);
    bench.plan.run_policy.limits.output_bytes = 5000;
    assert_eq!(expand(&bench).map(|text| text.len()), Some(5000));
}

#[test]
fn names_are_read_up_to_a_bound_and_not_at_all_beyond() {
    let sources = sources(&[("src/lib.rs", "root")]);
    let bench = Bench::new(&format!("{PRINTS_TO}; printf 'one\\ntwo\\n' > $to"));
    let read = |most_bytes: u64| {
        let (cancel, mut lines) = (Cancel::new().unwrap(), Vec::new());
        let mut each = |line: &str| lines.push(line.to_owned());
        let asked = (Printout::Definitions, most_bytes);
        let mut worker = bench.worker();
        let paths = worker.print_names(&bench.plan, &sources, &cancel, asked, &mut each);
        (paths.unwrap().is_some(), lines)
    };
    assert_eq!(read(8), (true, vec!["one".to_owned(), "two".to_owned()]));
    assert_eq!(read(7), (false, Vec::new()));
}
