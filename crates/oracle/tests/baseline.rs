//! Finds baselines with the real cargo and the real compiler; for rare cases the compiler is a
//! script around the real one.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use camino::{Utf8Path, Utf8PathBuf};
use reduce_oracle::{
    Baseline, BaselineOptions, BaselineSite, Cancel, CrashKind, Demands, ErrorFormat, FileInput,
    Goal, Input, Limits, OracleError, PackageInput, Plan, SandboxMode, Sources, Surroundings,
    TargetSelection, Verdict, Worker, find_baseline,
};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;

#[path = "baseline/test_package.rs"]
mod test_package;
#[path = "baseline/units.rs"]
mod units;

/// A user with files, and a place for ours.
struct Bench {
    dir: tempfile::TempDir,
    vars: BTreeMap<String, String>,
    rustc: Option<Utf8PathBuf>,
    repeat: u32,
}

const MANIFEST: &str = "[package]\nname = \"crashing\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
/// A mistake that is a crash of every version with `-Ztreat-err-as-bug`.
const MISTAKE: &str = "pub fn f() -> u32 { \"text\" }\n";

impl Bench {
    #[expect(clippy::disallowed_methods, reason = "tests hand their environment on")]
    fn with(files: &[(&str, &str)]) -> Self {
        let kept = [
            "PATH",
            "HOME",
            "CARGO_HOME",
            "RUSTUP_HOME",
            "RUSTUP_TOOLCHAIN",
        ];
        let vars = kept
            .iter()
            .filter_map(|name| Some(((*name).to_owned(), std::env::var(name).ok()?)));
        let mut vars: BTreeMap<_, _> = vars.collect();
        vars.insert("RUSTC_BOOTSTRAP".to_owned(), "1".to_owned());
        let bench = Self {
            dir: tempfile::tempdir().unwrap(),
            vars,
            rustc: None,
            repeat: 1,
        };
        for (name, text) in files {
            bench.write(name, text);
        }
        bench
    }

    fn path(&self, name: &str) -> Utf8PathBuf {
        let dir = self.dir.path().canonicalize().unwrap();
        Utf8PathBuf::from_path_buf(dir).unwrap().join(name)
    }

    fn user(&self) -> Utf8PathBuf {
        self.path("user")
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.user().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn script(&self, name: &str, text: &str) -> Utf8PathBuf {
        self.write(name, &format!("#!/bin/sh\n{text}\n"));
        let path = self.user().join(name);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    fn find(&self, input: Input) -> Result<Baseline, OracleError> {
        self.find_in(
            input,
            &self.user(),
            &self.path("scratch"),
            &Cancel::new().unwrap(),
        )
    }

    fn find_in(
        &self,
        input: Input,
        cwd: &Utf8Path,
        scratch: &Utf8Path,
        cancel: &Cancel,
    ) -> Result<Baseline, OracleError> {
        let surroundings = self.surroundings(cwd);
        let builds = self.path("builds");
        let program = capture_program();
        let site = BaselineSite {
            scratch,
            builds: &builds,
            capture_program: &program,
            plain_tests: &(),
        };
        find_baseline(
            &Goal::Ice,
            &input,
            &surroundings,
            &site,
            &self.options(),
            &|_| {},
            cancel,
        )
    }

    fn surroundings(&self, cwd: &Utf8Path) -> Surroundings {
        Surroundings {
            cwd: cwd.to_owned(),
            vars: self.vars.clone(),
            rustc: self.rustc.clone(),
        }
    }

    fn options(&self) -> BaselineOptions {
        BaselineOptions {
            demands: Demands::default(),
            env: vec![],
            reads: vec![],
            at_least: 1,
            // Compilers made of scripts count their runs beside the program.
            sandbox: SandboxMode::Off,
            limits: Limits::default(),
            repeat: reduce_oracle::Repeat::Times(self.repeat),
            allow_errors: false,
            ignore_location: false,
            any_message: false,
            instead: None,
        }
    }

    /// Returns all files of the user with their contents.
    fn files(&self) -> BTreeMap<Utf8PathBuf, Vec<u8>> {
        let mut found = BTreeMap::new();
        let mut dirs = vec![self.user()];
        while let Some(dir) = dirs.pop() {
            for entry in dir.read_dir_utf8().unwrap().map(Result::unwrap) {
                if entry.file_type().unwrap().is_dir() {
                    dirs.push(entry.into_path());
                } else {
                    found.insert(entry.path().to_owned(), fs::read(entry.path()).unwrap());
                }
            }
        }
        found
    }
}

/// Returns the example, which acts as compiler wrapper. `cargo test` builds it together with this
/// test.
fn capture_program() -> Utf8PathBuf {
    let own = Utf8PathBuf::from_path_buf(std::env::current_exe().unwrap()).unwrap();
    let path = own
        .parent()
        .and_then(Utf8Path::parent)
        .unwrap()
        .join("examples/baseline");
    assert!(
        path.is_file(),
        "build the example first: cargo build -p reduce-oracle --examples"
    );
    path
}

fn as_bug() -> Vec<String> {
    vec!["-Ztreat-err-as-bug".to_owned()]
}

fn package() -> PackageInput {
    PackageInput {
        rustc_args: as_bug(),
        ..PackageInput::default()
    }
}

fn file(bench: &Bench, name: &str) -> FileInput {
    FileInput {
        path: bench.user().join(name),
        text: None,
        edition: Some("2021".to_owned()),
        target_triple: None,
        rustc_args: as_bug(),
        ..FileInput::default()
    }
}

fn signature(baseline: &Baseline) -> String {
    let text = baseline.property.signature.to_string();
    let (_, message) = text.split_once(": ").unwrap();
    message.to_owned()
}

const MISMATCH: &str = "[E0308] mismatched types [query: typeck]";

#[test]
fn a_file_that_crashes_has_a_simple_plan() {
    let bench = Bench::with(&[("bad.rs", MISTAKE)]);
    let input = FileInput {
        rustc_args: [as_bug(), vec!["--crate-type=lib".into()]].concat(),
        ..file(&bench, "bad.rs")
    };
    let baseline = bench.find(Input::File(input)).unwrap();
    assert_eq!(signature(&baseline), MISMATCH);
    let args = [
        "--emit=metadata",
        "--edition=2021",
        "-Ztreat-err-as-bug",
        "--crate-type=lib",
        "bad.rs",
        "--cap-lints=allow",
    ];
    assert_eq!(baseline.plan.call.args, args);
    assert_eq!((baseline.crashed, baseline.runs), (2, 2));
    assert_eq!(baseline.plan.call.error_format, ErrorFormat::Json);
    assert!(baseline.shown.stderr.contains("query stack during panic"));
    assert_eq!(baseline.plan.call.crate_name, "bad");
}

#[test]
fn a_binary_that_crashes_as_a_library_too_is_compiled_as_one() {
    let bench = Bench::with(&[("bad.rs", "fn main() { let _: u32 = \"text\"; }\n")]);
    let plan = bench
        .find(Input::File(file(&bench, "bad.rs")))
        .unwrap()
        .plan;
    let is_library = |arg: &String| arg == "--crate-type=lib";
    assert!(
        plan.call.args.iter().any(is_library),
        "{:?}",
        plan.call.args
    );
}

#[test]
fn a_binary_of_a_package_becomes_a_library_with_one_crate_type() {
    let text = "fn main() { let _: u32 = \"text\"; }\n";
    let bench = Bench::with(&[("Cargo.toml", MANIFEST), ("src/main.rs", text)]);
    let plan = bench.find(Input::Package(package())).unwrap().plan;
    let of_types = |arg: &&String| arg.starts_with("--crate-type") || *arg == "bin";
    let types: Vec<_> = plan.call.args.iter().filter(of_types).collect();
    assert_eq!(types, ["--crate-type=lib"]);
}

#[test]
fn a_binary_that_crashes_only_as_one_stays_one() {
    let bench = Bench::with(&[("bad.rs", "fn f() {}\n")]);
    let Baseline { plan, property, .. } = bench.find(Input::File(file(&bench, "bad.rs"))).unwrap();
    let text = property.signature.to_string();
    assert!(text.contains("E0601"), "there is no `main`: {text}");
    let is_typed = |arg: &String| arg.contains("crate-type");
    assert!(!plan.call.args.iter().any(is_typed), "{:?}", plan.call.args);
}

/// Makes a plan for `bad.rs`, and a worker for it.
fn worker(bench: &Bench) -> (Plan, Worker) {
    let plan = bench.find(Input::File(file(bench, "bad.rs"))).unwrap().plan;
    let edited = BTreeSet::from([Utf8PathBuf::from("bad.rs")]);
    let worker = Worker::new(bench.path("worker"), &plan, &edited).unwrap();
    (plan, worker)
}

#[test]
fn macro_calls_and_derives_are_expanded() {
    let bench = Bench::with(&[("bad.rs", MISTAKE)]);
    let (plan, mut worker) = worker(&bench);
    let mut expand = |text: &str| {
        let sources = Sources::from([("bad.rs".into(), Arc::from(text))]);
        let cancel = Cancel::new().unwrap();
        worker.expand(&plan, &sources, &cancel).unwrap()
    };
    let text = "macro_rules! make { ($name:ident) => { fn $name() {} } }\n\
                make!(made); #[derive(Clone)] struct S;";
    let expanded = expand(text).unwrap();
    for part in [
        "fn made() {",
        "impl ::core::clone::Clone for S",
        "macro_rules! make",
    ] {
        assert!(expanded.contains(part), "no `{part}` in\n{expanded}");
    }
    assert!(!expanded.contains("make!(made)") && !expanded.contains("derive("));
    assert_eq!(expand("fn fn"), None);
    assert_eq!(expand("make!(made);"), None, "there is no such macro");
}

#[test]
fn the_toolchains_formatter_lays_code_out() {
    let bench = Bench::with(&[("bad.rs", MISTAKE)]);
    // rustfmt would take it from any directory above.
    let configured = bench.path("worker").join("rustfmt.toml");
    let (plan, mut worker) = worker(&bench);
    fs::write(configured, "max_width = 20\n").unwrap();
    let mut format = |text: &str| {
        let cancel = Cancel::new().unwrap();
        worker.format(&plan, text, &cancel).unwrap()
    };
    let text = "fn  f( count:u8 )->Option<u8>{None}";
    let expected = "fn f(count: u8) -> Option<u8> {\n    None\n}\n";
    assert_eq!(format(text).as_deref(), Some(expected));
    assert!(format("async fn f() {}").is_some(), "the edition is 2021");
    assert_eq!(format("fn fn"), None);
}

#[test]
fn modules_and_included_files_of_a_file_are_found_wherever_they_are() {
    let root =
        "mod inner;\nconst _: &str = include_str!(\"../data/text\");\nfn main() { inner::f(); }\n";
    let bench = Bench::with(&[
        ("src/main.rs", root),
        ("src/inner.rs", MISTAKE),
        ("data/text", "x"),
        ("other.rs", ""),
    ]);
    let plan = bench
        .find(Input::File(file(&bench, "src/main.rs")))
        .unwrap()
        .plan;
    let files: Vec<_> = plan.inputs.files.iter().map(|path| path.as_str()).collect();
    assert_eq!(files, ["data/text", "src/inner.rs", "src/main.rs"]);
    assert_eq!(plan.call.root, "src/main.rs");
}

#[test]
fn a_package_is_reduced_to_one_compiler_call_and_the_user_keeps_every_file() {
    let manifest = format!("{MANIFEST}[features]\nextra = []\n");
    let bench = Bench::with(&[
        ("Cargo.toml", &manifest),
        ("src/lib.rs", MISTAKE),
        ("README.md", ""),
    ]);
    let before = bench.files();
    let input = PackageInput {
        features: vec!["extra".to_owned()],
        ..package()
    };
    let baseline = bench.find(Input::Package(input)).unwrap();
    assert_eq!(signature(&baseline), MISMATCH);
    let args = [
        "--crate-name",
        "crashing",
        "--edition=2021",
        "src/lib.rs",
        "--crate-type",
        "lib",
        "--emit=metadata",
        "--cfg",
        "feature=\"extra\"",
    ];
    let args: Vec<_> = args
        .map(str::to_owned)
        .into_iter()
        .chain(dependency_dir(&baseline.plan))
        .chain(as_bug())
        .chain(["--cap-lints=allow".to_owned()])
        .collect();
    assert_eq!(baseline.plan.call.args, args);
    assert_eq!(
        baseline.plan.inputs.files,
        BTreeSet::from(["src/lib.rs".into()])
    );
    assert_eq!(bench.files(), before);
}

/// Returns the `-L dependency=..` of a plan, wherever it is.
fn dependency_dir(plan: &Plan) -> [String; 2] {
    let dir = plan
        .call
        .args
        .iter()
        .find(|arg| arg.starts_with("dependency="))
        .unwrap();
    ["-L".to_owned(), dir.clone()]
}

#[test]
fn a_candidate_is_judged_by_the_baseline() {
    let bench = Bench::with(&[("bad.rs", MISTAKE)]);
    let Baseline { plan, property, .. } = bench.find(Input::File(file(&bench, "bad.rs"))).unwrap();
    let root: Utf8PathBuf = "bad.rs".into();
    let mut worker =
        Worker::new(bench.path("worker"), &plan, &BTreeSet::from([root.clone()])).unwrap();
    let mut ask = |text: &str| {
        let sources = Sources::from([(root.clone(), Arc::from(text))]);
        worker
            .judge(&plan, &sources, &property, &Cancel::new().unwrap())
            .unwrap()
            .verdict
    };
    assert_eq!(ask("fn g() -> bool { 1 }"), Verdict::Interesting);
    assert_eq!(ask("fn main() {}"), Verdict::Compiles);
    assert!(matches!(ask("fn main() { x }"), Verdict::OtherCrash(_)));
}

#[test]
fn a_member_that_needs_its_dependencies_is_found_again_with_the_same_digest() {
    let root = "[workspace]\nmembers = [\"a\", \"b\"]\nresolver = \"2\"\n";
    let a = MANIFEST.replace("crashing", "a");
    let b = MANIFEST.replace("crashing", "b") + "[dependencies]\na = { path = \"../a\" }\n";
    let bench = Bench::with(&[
        ("Cargo.toml", root),
        ("a/Cargo.toml", &a),
        ("a/src/lib.rs", "pub struct A;"),
        ("b/Cargo.toml", &b),
        ("b/src/lib.rs", "pub fn f() -> a::A { 1 }"),
    ]);
    let input = PackageInput {
        package: Some("b".to_owned()),
        ..package()
    };
    let edited = BTreeSet::from(["b/src/lib.rs".into()]);
    let digest = |scratch: &str| {
        let cancel = Cancel::new().unwrap();
        let found = bench.find_in(
            Input::Package(input.clone()),
            &bench.user().join("b"),
            &bench.path(scratch),
            &cancel,
        );
        let baseline = found.unwrap();
        assert_eq!(baseline.plan.call.root, "b/src/lib.rs");
        (baseline.plan.digest(&edited), baseline.other_runs)
    };
    let ((first, first_runs), (second, second_runs)) = (digest("one"), digest("two"));
    assert_eq!(first, second);
    assert!(
        second_runs < first_runs,
        "`a` is compiled once: {second_runs} of {first_runs}"
    );
}

#[test]
fn a_dependency_outside_the_workspace_can_be_what_crashes() {
    let manifest = format!("{MANIFEST}[dependencies]\ndep = {{ path = \"../dep\" }}\n");
    let dep = MANIFEST.replace("crashing", "dep");
    let bench = Bench::with(&[
        ("ws/Cargo.toml", &manifest),
        ("ws/src/lib.rs", ""),
        ("dep/Cargo.toml", &dep),
        (
            "dep/src/lib.rs",
            "pub mod m; pub const D: &str = env!(\"CARGO_MANIFEST_DIR\");",
        ),
        ("dep/src/m.rs", MISTAKE),
    ]);
    let mut bench = bench;
    bench.vars.insert("RUSTFLAGS".to_owned(), as_bug().concat());
    let input = Input::Package(PackageInput::default());
    let found = bench.find_in(
        input,
        &bench.user().join("ws"),
        &bench.path("scratch"),
        &Cancel::new().unwrap(),
    );
    let plan = found.unwrap().plan;
    assert_eq!(
        (plan.call.crate_name.as_str(), plan.call.root.as_str()),
        ("dep", "src/lib.rs")
    );
    assert_eq!(
        plan.inputs.files,
        BTreeSet::from(["src/lib.rs".into(), "src/m.rs".into()])
    );
    assert_eq!(
        plan.call.env["CARGO_MANIFEST_DIR"],
        plan.inputs.tree.as_str()
    );
}

#[test]
fn flags_of_the_user_and_of_configurations_above_the_workspace_are_carried() {
    let bench = Bench::with(&[
        (
            ".cargo/config.toml",
            "[build]\nrustflags = [\"-Ztreat-err-as-bug\"]\n",
        ),
        ("ws/Cargo.toml", MANIFEST),
        ("ws/src/lib.rs", MISTAKE),
    ]);
    let input = Input::Package(PackageInput::default());
    let found = bench.find_in(
        input,
        &bench.user().join("ws"),
        &bench.path("scratch"),
        &Cancel::new().unwrap(),
    );
    let plan = found.unwrap().plan;
    assert!(
        plan.removable_args()
            .iter()
            .any(|group| group.value == "treat-err-as-bug")
    );
}

#[test]
fn configurations_count_in_the_copy_as_they_do_for_cargo_with_what_they_include() {
    let bench = Bench::with(&[
        (
            ".cargo/config.toml",
            "include = [\"above.toml\"]\n[env]\nLEVEL = \"above\"\nABOVE = \"yes\"\n",
        ),
        (
            ".cargo/above.toml",
            "[build]\nrustflags = [\"--cfg\", \"above\"]\n",
        ),
        (
            "ws/.cargo/config.toml",
            "include = [\"../../shared/deep/one.toml\", { path = \"gone.toml\", optional = true }]\n\
             [build]\nrustflags = [\"-Ztreat-err-as-bug\"]\n[env]\nLEVEL = \"own\"\n",
        ),
        (
            "shared/deep/one.toml",
            "[build]\nrustflags = [\"--cfg\", \"included\"]\n[env]\nLEVEL = \"included\"\n\
             PLACE = { value = \"data\", relative = true }\n",
        ),
        ("ws/Cargo.toml", MANIFEST),
        ("ws/src/lib.rs", MISTAKE),
    ]);
    let input = Input::Package(PackageInput::default());
    let cwd = bench.user().join("ws");
    let found = bench.find_in(input, &cwd, &bench.path("scratch"), &Cancel::new().unwrap());
    let call = found.unwrap().plan.call;
    let cfgs = call.args.iter().filter(|arg| {
        let flags = ["above", "included", "treat-err-as-bug"];
        flags.iter().any(|flag| arg.ends_with(flag))
    });
    let cfgs: Vec<&str> = cfgs.map(String::as_str).collect();
    assert_eq!(cfgs, ["above", "included", "-Ztreat-err-as-bug"]);
    assert_eq!(call.env["LEVEL"], "own");
    assert_eq!(call.env["ABOVE"], "yes");
    let place = bench.user().join("shared/data");
    assert_eq!(call.env["PLACE"], place.as_str());
}

#[test]
fn the_call_that_a_wrapper_of_an_included_file_makes_of_it_is_replayed() {
    let bench = Bench::with(&[
        (
            "ws/.cargo/config.toml",
            "include = [\"../../shared/deep/one.toml\"]\n",
        ),
        (
            "shared/deep/one.toml",
            "[build]\nrustc-wrapper = \"tools/flags\"\n",
        ),
        ("ws/Cargo.toml", MANIFEST),
        ("ws/src/lib.rs", MISTAKE),
    ]);
    bench.script("shared/tools/flags", "exec \"$@\" -Ztreat-err-as-bug");
    let input = Input::Package(PackageInput::default());
    let cwd = bench.user().join("ws");
    let found = bench.find_in(input, &cwd, &bench.path("scratch"), &Cancel::new().unwrap());
    let call = found.unwrap().plan.call;
    assert!(call.args.contains(&"-Ztreat-err-as-bug".to_owned()));
    assert!(call.compiler.command.starts_with("rustc"));
}

#[test]
fn a_wrapper_that_crashes_in_place_of_the_compiler_is_what_is_asked() {
    let bench = Bench::with(&[
        (
            ".cargo/config.toml",
            "[build]\nrustc-workspace-wrapper = \"tools/lints\"\nrustc-wrapper = \"tools/sccache\"\n",
        ),
        ("Cargo.toml", MANIFEST),
        ("src/lib.rs", "pub fn f() {}"),
    ]);
    let lints = "case \"$*\" in *'--crate-name crashing'*) echo 'LLVM ERROR: odd' >&2; exit 101 ;; esac\nexec \"$@\"";
    bench.script("tools/lints", lints);
    // A wrapper that keeps compiled crates is left out.
    bench.script("tools/sccache", "exit 1");
    let baseline = bench.find(Input::Package(package())).unwrap();
    assert_eq!(baseline.property.signature.kind, CrashKind::LlvmError);
    let command = &baseline.plan.call.compiler.command;
    let wrapper = bench.user().join("tools/lints");
    assert_eq!(*command, format!("{wrapper} rustc"));
}

#[test]
fn the_compiler_that_a_configuration_names_is_the_one_that_is_asked() {
    let bench = Bench::with(&[
        (
            ".cargo/config.toml",
            "[build]\nrustc = \"tools/compiler\"\n",
        ),
        ("Cargo.toml", MANIFEST),
        ("src/lib.rs", MISTAKE),
    ]);
    bench.script("tools/compiler", "exec rustc \"$@\"");
    let plan = bench.find(Input::Package(package())).unwrap().plan;
    assert!(
        plan.call.compiler.path.ends_with("tools/compiler"),
        "{}",
        plan.call.compiler.path
    );
    assert!(
        plan.call.compiler.version().starts_with("rustc 1."),
        "{}",
        plan.call.compiler.version()
    );
}

#[test]
fn a_crash_in_code_generation_only_is_found_by_a_build() {
    let script = "case \"$*\" in *--emit=*link*|*--emit=obj*) ;; *) exec rustc \"$@\" ;; esac\n\
                  case \"$*\" in *'--crate-name crashing'*) echo 'LLVM ERROR: odd' >&2; exit 101 ;; esac\n\
                  exec rustc \"$@\"";
    let bench = with_real_compiler(
        script,
        &[("Cargo.toml", MANIFEST), ("src/lib.rs", "pub fn f() {}")],
    );
    let baseline = bench.find(Input::Package(PackageInput::default())).unwrap();
    assert_eq!(baseline.property.signature.kind, CrashKind::LlvmError);
    assert!(
        baseline.plan.call.args.contains(&"--emit=obj".to_owned()),
        "{:?}",
        baseline.plan.call.args
    );
}

/// Makes a bench whose compiler is a script that can hand over to the real one.
fn with_real_compiler(script: &str, files: &[(&str, &str)]) -> Bench {
    let mut bench = Bench::with(files);
    bench.rustc = Some(bench.script("compiler", script));
    bench
}

#[test]
fn what_cargo_adds_stays_where_the_crash_needs_it() {
    let script = "case \"$*\" in *metadata=*) ;; *) exec rustc \"$@\" ;; esac\n\
                  case \"$*\" in *'--crate-name crashing'*) echo 'LLVM ERROR: odd' >&2; exit 101 ;; esac\n\
                  exec rustc \"$@\"";
    let bench = with_real_compiler(
        script,
        &[("Cargo.toml", MANIFEST), ("src/lib.rs", "pub fn f() {}")],
    );
    let args = bench
        .find(Input::Package(PackageInput::default()))
        .unwrap()
        .plan
        .call
        .args;
    assert!(
        args.iter().any(|arg| arg.starts_with("metadata=")),
        "{args:?}"
    );
    assert!(
        !args.iter().any(|arg| arg.starts_with("extra-filename=")),
        "{args:?}"
    );
}

#[test]
fn a_crash_by_abort_keeps_the_lint_level_under_which_the_compiler_aborts() {
    let script = "case \"$*\" in *dep-info*|-vV) exec rustc \"$@\" ;; esac\n\
                  printf \"thread 'rustc' panicked at compiler/rustc_x/src/y.rs:1:2:\\nodd\\n\" >&2\n\
                  case \"$*\" in *cap-lints*) exit 101 ;; esac\nkill -s ABRT $$";
    let bench = with_real_compiler(script, &[("bad.rs", "")]);
    let input = FileInput {
        rustc_args: vec![],
        ..file(&bench, "bad.rs")
    };
    let baseline = bench.find(Input::File(input)).unwrap();
    assert_eq!(baseline.property.signature.signal, Some(6));
    assert_eq!(signature(&baseline), "odd [signal: 6]");
    assert!(!caps_lints(&baseline.plan), "{:?}", baseline.plan.call.args);
}

fn caps_lints(plan: &Plan) -> bool {
    let mut args = plan.call.args.iter();
    args.any(|arg| arg.starts_with("--cap-lints"))
}

#[test]
fn a_crash_at_a_lint_is_asked_about_under_the_programs_own_level() {
    let levels = [
        ("#![deny(unused_variables)]", "fn f() { let x = 1; }", ""),
        (
            "",
            "pub const fn f() -> u8 { 255_u8 << 9 }",
            "#![allow(arithmetic_overflow)]",
        ),
    ];
    for (own, item, none) in levels {
        let bench = Bench::with(&[("bad.rs", &format!("{own} pub mod m {{}} {item}"))]);
        let input = FileInput {
            rustc_args: [as_bug(), vec!["--crate-type=lib".into()]].concat(),
            ..file(&bench, "bad.rs")
        };
        let Baseline { plan, property, .. } = bench.find(Input::File(input)).unwrap();
        assert!(!caps_lints(&plan), "{:?}", plan.call.args);
        let edited = BTreeSet::from([Utf8PathBuf::from("bad.rs")]);
        let mut worker = Worker::new(bench.path("worker"), &plan, &edited).unwrap();
        let mut ask = |text: &str| {
            let sources = Sources::from([("bad.rs".into(), Arc::from(text))]);
            let cancel = Cancel::new().unwrap();
            let answer = worker.judge(&plan, &sources, &property, &cancel).unwrap();
            answer.verdict
        };
        assert_eq!(ask(&format!("{own} {item}")), Verdict::Interesting);
        assert_eq!(ask(&format!("{none} {item}")), Verdict::Compiles);
    }
}

const COUNT: &str =
    "n=0; test -e \"$COUNTER\" && read n < \"$COUNTER\"; n=$((n + 1)); echo $n > \"$COUNTER\"";

/// Makes a bench whose compiler crashes on every second run.
fn unstable(repeat: u32) -> (Bench, FileInput) {
    let mut bench = Bench::with(&[("bad.rs", "")]);
    let counter = bench.path("counter");
    let script = format!(
        "case \"$*\" in *dep-info*|-vV) echo rustc; exit 0 ;; esac\nCOUNTER={counter}\n{COUNT}\n\
         test $((n % 2)) -eq 0 || exit 0\necho 'LLVM ERROR: odd' >&2; exit 101"
    );
    bench.rustc = Some(bench.script("compiler", &script));
    bench.repeat = repeat;
    let input = FileInput {
        rustc_args: vec![],
        ..file(&bench, "bad.rs")
    };
    (bench, input)
}

#[test]
fn a_crash_on_every_second_run_is_refused_with_how_often_it_crashed() {
    let (bench, input) = unstable(1);
    let error = bench.find(Input::File(input)).unwrap_err();
    let OracleError::Unstable {
        crashed,
        runs,
        signatures,
        ..
    } = error
    else {
        panic!("{error}")
    };
    assert_eq!((crashed, runs), (3, 6));
    assert_eq!(signatures.len(), 1);
}

#[test]
fn a_crash_on_every_second_run_is_worked_with_where_repetition_is_asked_for() {
    let (bench, input) = unstable(4);
    let baseline = bench.find(Input::File(input)).unwrap();
    assert_eq!(
        (
            baseline.crashed,
            baseline.runs,
            baseline.plan.run_policy.repeat
        ),
        (3, 6, 4)
    );
}

#[test]
fn an_input_that_does_not_crash_is_told_from_one_with_errors() {
    let bench = Bench::with(&[("good.rs", "fn main() {}"), ("bad.rs", MISTAKE)]);
    for (name, expected) in [("good.rs", true), ("bad.rs", false)] {
        let input = FileInput {
            rustc_args: vec![],
            ..file(&bench, name)
        };
        let error = bench.find(Input::File(input)).unwrap_err();
        let OracleError::NoFailure {
            compiles, output, ..
        } = error
        else {
            panic!("{error}")
        };
        assert_eq!(compiles, expected);
        assert_eq!(output.contains("E0308"), !expected, "{output}");
    }
}

#[test]
fn a_package_that_does_not_crash_is_told_even_when_all_is_compiled_already() {
    let bench = Bench::with(&[("Cargo.toml", MANIFEST), ("src/lib.rs", "pub fn f() {}")]);
    for _ in 0..2 {
        let error = bench.find(Input::Package(package())).unwrap_err();
        let OracleError::NoFailure {
            compiles,
            command,
            output,
            ..
        } = error
        else {
            panic!("{error}")
        };
        assert!(compiles);
        let own = bench.path("scratch");
        assert!(!output.contains(own.as_str()), "{output}");
        assert_eq!(command, "cargo build");
    }
}

#[test]
fn what_cargo_refuses_is_told_in_its_own_words() {
    let bench = Bench::with(&[("Cargo.toml", "[package]\nname = 3\n"), ("src/lib.rs", "")]);
    let error = bench.find(Input::Package(package())).unwrap_err();
    let OracleError::CargoRejected { stderr, status, .. } = error else {
        panic!("{error}")
    };
    assert_eq!(status, "exit status 101");
    assert!(stderr.contains("invalid type: integer"), "{stderr}");
}

#[test]
fn a_package_that_is_not_there_is_told_in_cargos_words() {
    let bench = Bench::with(&[("Cargo.toml", MANIFEST), ("src/lib.rs", "")]);
    let input = PackageInput {
        package: Some("other".to_owned()),
        ..package()
    };
    let error = bench.find(Input::Package(input)).unwrap_err();
    let OracleError::CargoRejected {
        command, stderr, ..
    } = error
    else {
        panic!("{error}")
    };
    assert_eq!(command, "cargo check -p other");
    assert!(stderr.contains("other"), "{stderr}");
}

#[test]
fn without_a_manifest_the_directory_is_named() {
    let bench = Bench::with(&[("a.rs", "")]);
    let input = PackageInput {
        manifest_path: Some(bench.user().join("Cargo.toml")),
        ..package()
    };
    let error = bench.find(Input::Package(input)).unwrap_err();
    assert!(matches!(error, OracleError::NoManifest { .. }), "{error}");
}

#[test]
fn a_test_target_can_be_what_crashes() {
    let bench = Bench::with(&[
        ("Cargo.toml", MANIFEST),
        ("src/lib.rs", "pub fn f() {}"),
        (
            "tests/t.rs",
            "#[test]\nfn t() { let _: u32 = \"a\"; crashing::f() }",
        ),
    ]);
    let input = PackageInput {
        target: TargetSelection::Test("t".to_owned()),
        ..package()
    };
    let plan = bench.find(Input::Package(input)).unwrap().plan;
    assert_eq!(
        (plan.call.crate_name.as_str(), plan.call.root.as_str()),
        ("t", "tests/t.rs")
    );
    assert!(plan.call.args.contains(&"--test".to_owned()));
}

#[test]
fn a_cancelled_search_ends_with_that() {
    let bench = Bench::with(&[("Cargo.toml", MANIFEST), ("src/lib.rs", MISTAKE)]);
    let cancel = Cancel::new().unwrap();
    cancel.cancel();
    let found = bench.find_in(
        Input::Package(package()),
        &bench.user(),
        &bench.path("scratch"),
        &cancel,
    );
    assert!(matches!(found, Err(OracleError::Cancelled)));
}
