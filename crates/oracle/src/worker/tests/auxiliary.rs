//! Auxiliary crates, compiled by a script: each call leaves a line in a file.

use super::*;
use crate::plan::auxiliary::AuxiliaryCall;

/// Makes a bench that compiles `auxiliary/a.rs`, and `auxiliary/b.rs`, which links it, to copies of
/// them.
fn bench() -> Bench {
    let mut bench = Bench::new(&format!(
        "log=$(dirname \"$0\")/log; echo \"$1\" >> \"$log\"
        case \"$1\" in auxiliary/*)
            if grep -q broken \"$1\"; then
                echo '{{\"level\":\"error\",\"message\":\"odd\",\"code\":{{\"code\":\"E0001\"}},\"spans\":[]}}' >&2
                exit 1
            fi
            while [ \"$1\" != -o ]; do shift; done; echo compiled > \"$2\"; exit 0;;
        esac
        test -f .auxiliary/liba.rmeta -a -f .auxiliary/libb.rmeta || exit 3
        {CRASH}"
    ));
    let call = |name: &str, links: &[&str]| AuxiliaryCall {
        file: format!("auxiliary/{name}.rs").into(),
        compiled: format!(".auxiliary/lib{name}.rmeta").into(),
        args: vec![
            format!("auxiliary/{name}.rs"),
            "--crate-type=lib".to_owned(),
        ],
        links: links.iter().map(Utf8PathBuf::from).collect(),
    };
    bench.plan.inputs.auxiliaries = vec![call("a", &[]), call("b", &["auxiliary/a.rs"])];
    bench
}

fn program(root: &str, a: &str, b: &str) -> Sources {
    sources(&[
        ("src/lib.rs", root),
        ("auxiliary/a.rs", a),
        ("auxiliary/b.rs", b),
    ])
}

/// Returns the calls since this function was last called.
fn calls(bench: &Bench) -> Vec<String> {
    let log = bench.dir.join("log");
    let text = fs::read_to_string(&log).unwrap_or_default();
    files::write(&log, "").unwrap();
    text.lines().map(str::to_owned).collect()
}

#[test]
fn auxiliary_crates_are_compiled_first_and_again_when_they_change() {
    let bench = bench();
    let mut worker = bench.worker();
    for (candidate, expected) in [
        (
            program("x", "1", "1"),
            vec!["auxiliary/a.rs", "auxiliary/b.rs", "src/lib.rs"],
        ),
        (program("y", "1", "1"), vec!["src/lib.rs"]),
        (program("y", "1", "2"), vec!["auxiliary/b.rs", "src/lib.rs"]),
        (
            program("y", "2", "2"),
            vec!["auxiliary/a.rs", "auxiliary/b.rs", "src/lib.rs"],
        ),
    ] {
        let answer = bench.ask(&mut worker, &candidate);
        assert_eq!(answer.verdict, Verdict::Interesting, "{candidate:?}");
        assert_eq!(calls(&bench), expected, "{candidate:?}");
    }
}

#[test]
fn an_auxiliary_crate_that_does_not_compile_decides() {
    let bench = bench();
    let mut worker = bench.worker();
    let answer = bench.ask(&mut worker, &program("x", "broken", "1"));
    assert_eq!(answer.verdict, Verdict::AddsError("E0001".to_owned()));
    assert_eq!(calls(&bench), ["auxiliary/a.rs"]);
    let answer = bench.ask(&mut worker, &program("x", "1", "1"));
    assert_eq!(answer.verdict, Verdict::Interesting);
}

#[test]
fn the_crash_in_an_auxiliary_crate_is_not_the_one_that_is_looked_for() {
    let mut bench = bench();
    let crashing = Bench::new(CRASH);
    bench.plan.call.compiler = crashing.plan.call.compiler.clone();
    let answer = bench.ask(&mut bench.worker(), &program("x", "1", "1"));
    assert_eq!(answer.verdict, Verdict::Rejected);
}
