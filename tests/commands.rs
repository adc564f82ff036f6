//! Tests of commands that are asked in place of the compiler: scripts, cargo commands, rustfmt, rustdoc, clippy.

use crate::support::asked::{
    RECURSES, check, check_started, command, command_is, out, path_str, reproduces, run, script,
    with_errors_as_bugs, write_script,
};
use crate::support::{FEW_PASSES, Running, World, exit_code};
use std::os::unix::fs::PermissionsExt;

#[test]
fn a_script_says_what_is_interesting_of_a_file() {
    let world = World::with("recursion.rs");
    let script = script(&world, RECURSES);
    let reduction = check(&world, &["recursion.rs", "--script", &script], 12);
    command_is(&reduction, &format!("{script} reduced.rs"));
    reproduces(&reduction, &world, 0, &[]);
    let summary = reduction.summary();
    assert_eq!(summary["signature"]["kind"], "script");
    assert!(summary["clean"].is_null(), "no compiler was asked");
    assert_eq!(
        summary["kept"],
        format!("that `{script}` ends with status 0")
    );
}

#[test]
fn a_command_that_decides_the_same_without_a_program_is_refused() {
    let world = World::with("recursion.rs");
    let script = script(&world, "#!/bin/sh\nexit 0\n");
    let finished = run(&world, &["recursion.rs", "--script", &script]);
    let texts = [&*script, "for an empty program too", "an empty file"];
    finished.expect_failure(exit_code::NO_CRASH, &texts);
    assert!(!out(&world).exists(), "something was written");
    let world = World::with("doc-example");
    let finished = run(&world, &["--cargo", "check --features absent", "--lib"]);
    let texts = ["`cargo check --features absent`", "fails in the same way"];
    finished.expect_failure(exit_code::NO_CRASH, &texts);
}

#[test]
fn errors_of_the_compiler_are_nothing_that_a_command_can_be_asked_about() {
    let world = World::with("recursion.rs");
    let script = script(&world, RECURSES);
    let finished = run(
        &world,
        &["recursion.rs", "--strict-valid", "--script", &script],
    );
    finished.expect_failure(exit_code::BAD_INPUT, &["a command decides"]);
    let finished = run(&world, &["recursion.rs", "--any-message", "--ice"]);
    finished.expect_failure(exit_code::BAD_INPUT, &["goes with `--error CODE`"]);
}

/// prettyplease leaves out a part of each of these, so that rustfmt lays out the text as it is.
#[test]
fn what_prettyplease_would_leave_out_stays_in_lines_of_a_usual_length() {
    let world = World::with("recursion.rs");
    let text = "// Why it is here.
struct S { x: u8, y: u8 }
unsafe extern \"C\" { safe static COUNT: u8; }
thread_local! { static FIRST: u8 = const { 1 }; static SECOND: u8 = const { 2 } }
fn copied<T>() where #[cfg(all())] T: Copy {}
fn taken(s: S) -> u8 { let x; S { x, .. } = s; a_rather_long_name(an_argument_of_it(x), another_argument(x), x + x + x) }
";
    std::fs::write(world.work().join("kept.rs"), text).expect("it can be written");
    let kept = [
        "S{x,..}=s;",
        "safestaticCOUNT:u8;",
        "staticSECOND:u8=const{2}",
        "where#[cfg(all())]T:Copy",
        "a_rather_long_name(an_argument_of_it(x),another_argument(x),x+x+x)",
    ];
    let parts: Vec<String> = kept.iter().map(|part| format!("'{part}'")).collect();
    let text = format!(
        "#!/bin/sh\ntext=$(tr -d ' \\n' < \"$1\")\nfor part in {}; do\n\
         case \"$text\" in *\"$part\"*) ;; *) exit 1 ;; esac\ndone\n",
        parts.join(" ")
    );
    let script = script(&world, &text);
    let reduction = check(&world, &["kept.rs", "--script", &script], 75);
    let code = reduction.code();
    assert!(!code.contains("//"), "a comment stays:\n{code}");
    assert!(code.lines().all(|line| line.len() <= 100), "{code}");
    assert!(
        code.contains("where\n    #[cfg(all())]\n    T: Copy"),
        "{code}"
    );
}

/// A file that a script leaves behind would otherwise decide the next candidate.
#[test]
fn what_a_script_writes_is_gone_before_the_next_candidate() {
    let world = World::with("recursion.rs");
    let text = format!(
        "{RECURSES}found=$?\ntest ! -e seen || exit 1\ntouch seen; echo >> \"$1\"\nexit $found\n"
    );
    let script = script(&world, &text);
    check(&world, &["recursion.rs", "--script", &script], 12);
}

#[test]
fn a_script_sees_no_variable_but_those_that_are_handed_on() {
    let world = World::with("recursion.rs");
    let needs = format!("{RECURSES}test $? = 0 && test \"$SECRET\" = word\n");
    let script = script(&world, &needs);
    let start = |more: &[&str]| {
        let mut command = command(&world, &["recursion.rs", "--script", &script]);
        command.args(more).env("SECRET", "word");
        Running::start(command).finish()
    };
    start(&[]).expect_failure(exit_code::NO_CRASH, &["exit status 1", "--env"]);
    start(&["--env", "SECRET"]).expect_success();
}

#[test]
fn a_script_that_is_not_executable_is_bad_input() {
    let world = World::with("recursion.rs");
    let script = script(&world, RECURSES);
    let mode = std::fs::Permissions::from_mode(0o644);
    std::fs::set_permissions(&script, mode).expect("it is ours");
    let finished = run(&world, &["recursion.rs", "--script", &script]);
    finished.expect_failure(exit_code::BAD_INPUT, &["not executable", "chmod +x"]);
    let finished = run(&world, &["recursion.rs", "--script", "absent.sh"]);
    finished.expect_failure(exit_code::BAD_INPUT, &["absent.sh", "no such file"]);
}

#[test]
fn a_script_that_does_not_take_the_input_for_interesting_is_shown_with_what_it_prints() {
    let world = World::with("recursion.rs");
    let script = script(&world, "#!/bin/sh\necho \"$1 is dull\"; exit 3\n");
    let finished = run(&world, &["recursion.rs", "--script", &script]);
    let texts = ["exit status 3", "not with status 0", "recursion.rs is dull"];
    finished.expect_failure(exit_code::NO_CRASH, &texts);
    assert!(!out(&world).exists(), "something was written");
}

#[test]
fn a_cargo_command_names_the_target_that_is_reduced() {
    let world = World::with("doc-example");
    let args = ["--cargo", "run --example sail", "--passes", FEW_PASSES];
    let reduction = check(&world, &args, 80);
    reproduces(&reduction, &world, 101, &["the ship is home"]);
    let code = std::fs::read_to_string(out(&world).join("reduced/examples/sail.rs"));
    assert!(code.expect("it is there").contains("the ship is home"));
}

#[test]
fn a_cargo_command_that_succeeds_or_is_none_is_refused() {
    let world = World::with("doc-example");
    let finished = run(&world, &["--cargo", "check --offline"]);
    finished.expect_failure(exit_code::NO_CRASH, &["cargo check --offline", "succeeds"]);
    let finished = run(&world, &["--cargo", "frobnicate"]);
    finished.expect_failure(exit_code::BAD_INPUT, &["frobnicate"]);
}

/// `cargo fix` ends with status 0 and changes the files of each candidate: the next one must not begin with what it left.
#[test]
fn a_cargo_command_that_succeeds_is_a_failure_where_its_output_says_so() {
    let world = World::empty();
    let write = |name: &str, text: &str| {
        std::fs::write(world.work().join(name), text).expect("it can be written");
    };
    std::fs::create_dir(world.work().join("src")).expect("it can be made");
    write(
        "Cargo.toml",
        "[package]\nname = \"harbour\"\nedition = \"2021\"\n",
    );
    write(
        "src/lib.rs",
        "pub mod tides;\npub fn quay(ships: u8) -> u8 { ships + 1 }\n",
    );
    write(
        "src/tides.rs",
        "pub fn high() -> u8 { let mut level = 3; let wind = 4; level + wind }\npub fn low() -> u8 { 1 }\n",
    );
    let command = "fix --lib --allow-no-vcs --offline";
    let finished = run(&world, &["--cargo", command]);
    finished.expect_failure(exit_code::NO_CRASH, &["succeeds"]);
    let args = ["--cargo", command, "--and", r"Fixed .*\(1 fix\)"];
    let reduction = check(&world, &args, 20);
    reproduces(&reduction, &world, 0, &["(1 fix)"]);
}

#[test]
fn rustfmt_goes_on_to_format_its_output_otherwise() {
    let world = World::with("unstable-format.rs");
    let args = ["unstable-format.rs", "--rustfmt", "--edition", "2021"];
    let reduction = check(&world, &args, 30);
    command_is(&reduction, "rustfmt");
    // rustfmt only prints the difference for a program that it reads from its input.
    reproduces(&reduction, &world, 0, &["Diff in "]);
    assert_eq!(reduction.summary()["signature"]["kind"], "different-output");
    let report = reduction.report();
    for text in [
        "formatted once, and twice",
        "A title: rustfmt formats its own output in another way",
        "https://github.com/rust-lang/rustfmt/issues/new?title=rustfmt%20formats",
    ] {
        assert!(report.contains(text), "no `{text}` in\n{report}");
    }
}

#[test]
fn a_file_that_rustfmt_formats_well_is_refused() {
    let world = World::with("recursion.rs");
    let finished = run(&world, &["recursion.rs", "--rustfmt", "--edition", "2021"]);
    finished.expect_failure(exit_code::NO_CRASH, &["rustfmt", "unstable output"]);
}

#[test]
fn a_crash_of_rustdoc_is_asked_of_rustdoc() {
    let world = World::with("rustdoc-crash.rs");
    let args = ["rustdoc-crash.rs", "--rustdoc", "--passes", FEW_PASSES];
    let command = with_errors_as_bugs(&world, &args);
    let reduction = check_started(&world, command, 40);
    command_is(&reduction, "rustdoc");
    reproduces(&reduction, &world, 101, &["unresolved link to"]);
    let report = reduction.report();
    for text in [
        "`rustdoc --version --verbose`",
        "A title: rustdoc ICE: unresolved link",
        "&labels=C%2Dbug%2CI%2DICE%2CT%2Drustdoc\n",
    ] {
        assert!(report.contains(text), "no `{text}` in\n{report}");
    }
    assert!(reduction.summary()["neighbour"].is_null());
}

#[test]
fn a_crash_of_clippy_is_asked_of_clippy() {
    let world = World::with("clippy-crash.rs");
    let command = with_errors_as_bugs(&world, &["clippy-crash.rs", "--clippy"]);
    let reduction = check_started(&world, command, 12);
    command_is(&reduction, "clippy-driver");
    reproduces(&reduction, &world, 101, &["equal expressions as operands"]);
}

/// A crash of clippy is none of rustc's: it has another tracker, and that another rustc compiles the program is nothing new.
#[test]
fn a_crash_of_clippy_is_reported_to_clippy_and_no_other_compiler_is_asked() {
    let world = World::with("clippy-crash.rs");
    let rustup = world.beside("rustup");
    let bin = rustup.join("toolchains/newer/bin");
    std::fs::create_dir_all(&bin).expect("a directory can be made");
    let compiles = "#!/bin/sh\n[ \"$1\" = -vV ] && printf 'rustc 1.999.0\\nrelease: 1.999.0\\n' && exit\n\
        [ \"$1\" = --print ] && echo /nowhere && exit\nexit 0\n";
    write_script(&bin.join("rustc"), compiles);
    let rustc = world.real_compiler();
    let args = ["clippy-crash.rs", "--clippy", "--rustc", path_str(&rustc)];
    let mut command = with_errors_as_bugs(&world, &args);
    command.env("RUSTUP_HOME", &rustup);
    let reduction = check_started(&world, command, 12);
    let report = reduction.report();
    for text in [
        "A title: ICE: equal expressions as operands",
        "https://github.com/rust-lang/rust-clippy/issues?q=",
        "https://github.com/rust-lang/rust-clippy/issues/new?title=ICE%3A%20equal",
        "&labels=C%2Dbug%2CI%2DICE\n",
        "`clippy-driver --version`:\n\n```\nclippy ",
        "### Nearest programs that do not crash",
        " clippy checks it.",
    ] {
        assert!(report.contains(text), "no `{text}` in\n{report}");
    }
    assert!(!report.contains("rust-lang/rust/issues"), "{report}");
    let neighbour = &reduction.summary()["neighbour"];
    assert!(neighbour.is_null(), "{neighbour}");
}

/// A toolchain with a rustfmt that crashes if a setting is there and the program has a word.
fn stand_in_for_rustfmt(world: &World) -> String {
    let bin = world.beside("bin");
    std::fs::create_dir(&bin).expect("a directory can be made");
    let real = world.real_compiler();
    let compiler = format!("#!/bin/sh\nexec {} \"$@\"\n", real.display());
    write_script(&bin.join("rustc"), &compiler);
    let formatter = format!(
        "#!/bin/sh\n[ \"$1\" = --version ] && echo 'rustfmt 9.9.9-stand-in' && exit\n\
         for one; do case $one in *.rs) file=$one ;; esac; done\n\
         [ -n \"$file\" ] || exec {} \"$@\"\n\
         grep -q 'max_width = 60' rustfmt.toml && grep -q Horn \"$file\" || exit 0\n\
         printf \"\\nthread 'main' panicked at src/chains.rs:60:9:\\nthe chain has no end\\n\" >&2\n\
         exit 101\n",
        real.with_file_name("rustfmt").display()
    );
    write_script(&bin.join("rustfmt"), &formatter);
    path_str(&bin.join("rustc")).to_owned()
}

#[test]
fn the_configuration_that_a_crash_of_rustfmt_needs_is_shortened_and_quoted() {
    let world = World::with("unstable-format.rs");
    let settings = "# Ours.\nhard_tabs = true\nmax_width = 60\nreorder_imports = false\n";
    std::fs::write(world.work().join("rustfmt.toml"), settings).expect("it is ours");
    let rustc = stand_in_for_rustfmt(&world);
    let args = ["unstable-format.rs", "--rustfmt", "--edition", "2021"];
    let more = ["--rustc", &rustc, "--passes", FEW_PASSES];
    let reduction = check(&world, &[&args[..], &more].concat(), 200);
    let report = reduction.report();
    for text in [
        "A title: rustfmt panics: the chain has no end",
        "https://github.com/rust-lang/rustfmt/issues/new?title=rustfmt%20panics",
        "&labels=bug\n",
        "`rustfmt.toml` beside it:\n\n```toml\nmax_width = 60\n```",
        "`rustfmt --version`:\n\n```\nrustfmt 9.9.9-stand-in\n```",
        " rustfmt formats it.",
    ] {
        assert!(report.contains(text), "no `{text}` in\n{report}");
    }
    let left = std::fs::read_to_string(out(&world).join("reduced/rustfmt.toml"));
    assert_eq!(left.expect("it is there"), "max_width = 60\n");
}

#[test]
fn a_warning_of_clippy_stays() {
    let world = World::with("clippy-crash.rs");
    let args = [
        "clippy-crash.rs",
        "--warning",
        "clippy::needless_return",
        "--edition",
        "2021",
    ];
    let more = ["--", "--crate-type", "lib"];
    let reduction = check(&world, &[&args[..], &more].concat(), 10);
    command_is(&reduction, "clippy-driver");
    reproduces(&reduction, &world, 0, &["unneeded `return` statement"]);
}

#[test]
fn a_crash_that_rustc_has_none_of_is_no_crash_of_rustc() {
    let world = World::with("clippy-crash.rs");
    let command = with_errors_as_bugs(&world, &["clippy-crash.rs", "--ice"]);
    let finished = Running::start(command).finish();
    finished.expect_failure(exit_code::NO_CRASH, &["a crash"]);
}
