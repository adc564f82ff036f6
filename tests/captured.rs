//! Tests of crashes that are kept when they happen: `capture`, `captured` and `--captured`, with cargo and the
//! compiler as the user calls them.

use crate::support::{
    FEW_PASSES, Finished, PROGRAM, Reduction, Running, World, copy, exit_code, read_tree, signal,
    wait_until,
};
use serde_json::Value;
use std::fs::{create_dir_all, read_to_string, remove_dir_all, write};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

/// The program that a person who knows the crash of `ice-library` would write.
pub(crate) const CRASHES: &str = "trait Trait {}
trait Trait2 {
    type Assoc;
}
impl Trait2 for <dyn Trait as Trait2>::Assoc {
    type Assoc = u8;
}
";
pub(crate) const COMPILES: &str = "pub fn nothing() {}\n";

/// A package with this library; the user stands in it.
pub(crate) fn package(lib: &str) -> World {
    let world = World::empty();
    let manifest =
        "[package]\nname = \"kept\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n";
    write(world.work().join("Cargo.toml"), manifest).expect("a file can be written");
    create_dir_all(world.work().join("src")).expect("a directory can be made");
    write_lib(&world, lib);
    world
}

/// Writes the library with another time than before, as cargo looks at the time of a file.
pub(crate) fn write_lib(world: &World, text: &str) {
    let path = world.work().join("src/lib.rs");
    let before = path.metadata().and_then(|data| data.modified()).ok();
    write(&path, text).expect("a file can be written");
    if let Some(before) = before {
        // Later than what cargo has made, too, which may have taken long.
        let later = before.max(std::time::SystemTime::now()) + std::time::Duration::from_secs(2);
        let file = std::fs::File::options()
            .write(true)
            .open(&path)
            .expect("it is there");
        file.set_modified(later).expect("it is there");
    }
}

pub(crate) fn cargo(world: &World, args: &[&str]) -> Finished {
    let mut command = world.command("cargo");
    command.args(args);
    // A report file of the compiler's own would lie in the package.
    command.env("RUSTC_ICE", "0").env("RUST_BACKTRACE", "0");
    Running::start(command).finish()
}

pub(crate) fn reduce(world: &World, args: &[&str]) -> Finished {
    Running::start(world.program(args)).finish()
}

pub(crate) fn on(world: &World, args: &[&str]) {
    reduce(world, &[&["capture", "on"], args].concat()).expect_success();
}

/// The kept crashes, by `captured --message-format json`.
pub(crate) fn kept(world: &World) -> Vec<Value> {
    let listed = reduce(world, &["captured", "--message-format", "json"]).expect_success();
    let lines = listed.stdout();
    lines
        .lines()
        .map(|line| serde_json::from_str(line).expect("it is JSON"))
        .collect()
}

pub(crate) fn config(world: &World) -> PathBuf {
    world.work().join(".cargo/config.toml")
}

#[track_caller]
pub(crate) fn assert_says(finished: &Finished, words: &str) {
    assert!(finished.everything().contains(words), "{words}\n{finished}");
}

#[test]
fn a_crash_is_kept_whatever_cargo_is_asked_to_do() {
    let world = package(CRASHES);
    on(&world, &[]);
    let finished = cargo(&world, &["check"]).expect_code(101);
    let line =
        "cargo reduce: this crash was kept as #1; reduce it with cargo reduce --captured 1\n";
    assert_says(&finished, line);
    // The library and its unit tests both crash: that is one crash of one crate, however it is compiled.
    for args in [&["build"][..], &["test", "--no-run"]] {
        let finished = cargo(&world, args).expect_code(101);
        let line = "cargo reduce: this crash is kept as #1 already; reduce it with cargo reduce --captured 1\n";
        assert_says(&finished, line);
    }
    let kept = kept(&world);
    assert_eq!(kept.len(), 1);
    assert_eq!(kept[0]["crate_name"], "kept");
    assert_eq!(kept[0]["signature"]["kind"], "bug");
}

#[test]
fn the_same_crash_is_kept_once() {
    let world = package(CRASHES);
    on(&world, &[]);
    assert_says(&cargo(&world, &["check"]), "this crash was kept as #1");
    assert_says(
        &cargo(&world, &["check"]),
        "this crash is kept as #1 already",
    );
    // A comment is no other program, and nor is another place of the same words.
    write_lib(&world, &format!("// A word.\n\n{CRASHES}"));
    assert_says(
        &cargo(&world, &["check"]),
        "this crash is kept as #1 already",
    );
    write_lib(&world, &format!("pub trait Anew {{}}\n{CRASHES}"));
    assert_says(
        &cargo(&world, &["check"]),
        "this crash is kept as #1, with its new sources; reduce it with cargo reduce --captured 1",
    );
    assert_eq!(kept(&world).len(), 1);
    let source = read_to_string(world.state().join("captured/1/sources/src/lib.rs"));
    assert!(source.expect("a file can be read").contains("Anew"));
}

#[test]
fn what_cargo_prints_is_the_same_but_for_our_line() {
    let world = package(CRASHES);
    let args = ["check", "--message-format=json"];
    let without = cargo(&world, &args);
    remove_dir_all(world.work().join("target")).expect("it can be removed");
    on(&world, &[]);
    let with = cargo(&world, &args);
    assert_eq!(with.stdout(), without.stdout());
    assert!(with.stdout().contains("compiler-message"), "{with}");
    let ours =
        "cargo reduce: this crash was kept as #1; reduce it with cargo reduce --captured 1\n";
    let wrapper = read_to_string(config(&world)).expect("a file can be read");
    let wrapper = wrapper.split('"').nth(1).expect("the wrapper is in quotes");
    let wrapper = world.work().join(wrapper).display().to_string();
    let with = with
        .stderr()
        .replace(ours, "")
        .replace(&format!("{wrapper} "), "");
    assert_eq!(without_thread(&with), without_thread(without.stderr()));
}

/// Returns the text without the number of the thread that has panicked, and without what cargo says where another cargo holds
/// its cache.
fn without_thread(text: &str) -> String {
    let lines = text
        .lines()
        .filter(|line| {
            !line
                .trim_start()
                .starts_with("Blocking waiting for file lock")
        })
        .map(|line| match line.split_once(") panicked at ") {
            Some((_, place)) => format!("panicked at {place}"),
            None => line.to_owned(),
        });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn the_sources_before_an_incremental_crash_are_kept_with_the_state_of_the_compiler() {
    let world = package(COMPILES);
    on(&world, &[]);
    cargo(&world, &["check"]).expect_success();
    let errors = "pub fn wrong() { missing }\n";
    write_lib(&world, errors);
    cargo(&world, &["check"]).expect_code(101);
    write_lib(&world, CRASHES);
    assert_says(&cargo(&world, &["check"]), "this crash was kept as #1");
    let directory = world.state().join("captured/1");
    let text = |inner: &str| read_to_string(directory.join(inner)).expect("a file can be read");
    assert_eq!(text("before/src/lib.rs"), COMPILES);
    assert_eq!(text("sources/src/lib.rs"), CRASHES);
    let kept = &kept(&world)[0];
    assert_eq!(kept["has_incremental_directory"], true);
    assert!(
        kept["before"]["args"]
            .as_array()
            .is_some_and(|args| !args.is_empty())
    );
    let state = read_tree(&directory.join("incremental"));
    let files = state.keys().map(|path| path.to_string_lossy().into_owned());
    let files: Vec<String> = files.collect();
    assert!(
        files.iter().any(|file| file.ends_with("dep-graph.bin")),
        "{files:?}"
    );
    assert!(
        !files.iter().any(|file| file.contains("-working")),
        "{files:?}"
    );
}

#[test]
fn a_kept_crash_is_reduced_after_the_workspace_is_gone() {
    let world = World::with("with-dependency");
    on(&world, &[]);
    assert_says(
        &cargo(&world, &["check", "-p", "app"]),
        "this crash was kept as #1",
    );
    for name in ["app", "signals", "colours", "target"] {
        let _not_there = remove_dir_all(world.work().join(name));
    }
    let before = read_tree(&world.state().join("captured/1"));
    let output = world.beside("out");
    let output = output.to_str().expect("the path is UTF-8");
    let args = [
        "--captured",
        "1",
        "--passes",
        FEW_PASSES,
        "--output",
        output,
    ];
    reduce(&world, &args).expect_success();
    let reduction = Reduction::read(Path::new(output));
    let signature = &reduction.summary()["signature"];
    assert_eq!(signature["kind"], "delayed-bug");
    assert_eq!(read_tree(&world.state().join("captured/1")), before);
}

#[test]
fn an_exported_crash_is_reduced_in_another_home() {
    let world = package(CRASHES);
    on(&world, &[]);
    cargo(&world, &["check"]);
    let archive = world.beside("crash.tar.gz");
    let archive = archive.to_str().expect("the path is UTF-8");
    reduce(&world, &["captured", "export", "1", "-o", archive]).expect_success();
    assert_says(
        &reduce(&world, &["captured", "show", "1"]),
        "evaluate_obligation",
    );
    reduce(&world, &["captured", "delete", "1"]).expect_success();
    assert_eq!(kept(&world).len(), 0);
    let gone = reduce(&world, &["--captured", "1"]);
    gone.expect_failure(exit_code::BAD_INPUT, &["no crash is kept as #1"]);

    let other = World::empty();
    let output = other.beside("out");
    let output = output.to_str().expect("the path is UTF-8");
    let args = [
        "--captured",
        archive,
        "--passes",
        FEW_PASSES,
        "--output",
        output,
    ];
    reduce(&other, &args).expect_success();
    assert_eq!(kept(&other).len(), 1);
    // The crash is kept in that home by now.
    let again = reduce(&other, &["--captured", archive, "--output", output]);
    again.expect_code(exit_code::OUTPUT_EXISTS);
    assert_eq!(kept(&other).len(), 1);
}

#[test]
fn watching_a_kept_crash_begins_again_when_it_is_kept_anew() {
    let world = package(CRASHES);
    on(&world, &[]);
    assert_says(&cargo(&world, &["check"]), "this crash was kept as #1");
    let mut command = world.program(&["--captured", "1", "--watch", "--passes", FEW_PASSES]);
    command.args(["--message-format", "json", "--output"]);
    command.arg(world.beside("out"));
    let mut client = Running::start(command);
    let first = client.wait_for("baseline-found");
    client.wait_for("finished");
    // Another crash of the same crate, or none, is nothing to it.
    write_lib(&world, COMPILES);
    cargo(&world, &["check"]).expect_success();
    write_lib(&world, &format!("pub trait Anew {{}}\n{CRASHES}"));
    assert_says(&cargo(&world, &["check"]), "is kept as #1, with its new");
    let second = client.wait_for("baseline-found");
    assert!(
        second["tokens"].as_u64() > first["tokens"].as_u64(),
        "{second}"
    );
    client.wait_for("finished");
    signal(client.pid(), "INT");
    client.finish().expect_success();
    let reduction = Reduction::read(&world.beside("out"));
    assert!(!reduction.code().contains("Anew"));
}

#[test]
fn a_file_that_is_no_archive_is_refused() {
    let world = package(CRASHES);
    let finished = reduce(&world, &["--captured", "Cargo.toml"]);
    finished.expect_failure(exit_code::BAD_INPUT, &["unpack"]);
}

#[test]
fn the_oldest_crash_goes_where_there_is_no_room() {
    let world = package("");
    on(&world, &["--limit", "2"]);
    for number in [1, 2] {
        // Another crate has another crash.
        let manifest = format!(
            "[package]\nname = \"kept{number}\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n"
        );
        write(world.work().join("Cargo.toml"), manifest).expect("a file can be written");
        let large = format!("{number}").repeat(1_100_000);
        write(world.work().join("src/large.txt"), large).expect("a file can be written");
        write_lib(
            &world,
            &format!("pub const L: &str = include_str!(\"large.txt\");\n{CRASHES}"),
        );
        let finished = cargo(&world, &["check"]);
        let room = match number {
            1 => "",
            _ => " (#1 was deleted to make room)",
        };
        assert_says(
            &finished,
            &format!("this crash was kept as #{number}{room};"),
        );
    }
    let numbers: Vec<u64> = kept(&world)
        .iter()
        .map(|one| one["number"].as_u64().expect("it is a number"))
        .collect();
    assert_eq!(numbers, [2]);
}

#[test]
fn a_home_that_cannot_be_written_to_does_not_stop_a_build() {
    let world = package(COMPILES);
    on(&world, &[]);
    write(world.state().join("good-calls"), "no directory").expect("a file can be written");
    write(world.state().join("captured"), "no directory").expect("a file can be written");
    let good = cargo(&world, &["check"]).expect_success();
    assert!(!good.everything().contains("cargo reduce"), "{good}");
    write_lib(&world, CRASHES);
    let crash = cargo(&world, &["check"]).expect_code(101);
    let said = crash.everything();
    let ours: Vec<&str> = said
        .lines()
        .filter(|line| line.starts_with("cargo reduce"))
        .collect();
    assert_eq!(ours.len(), 1, "{crash}");
    assert!(ours[0].contains("could not be kept"), "{crash}");
}

/// A copy of a file is made under one name; a link with that name to the device that is always full fills the disk.
#[cfg(target_os = "linux")]
#[test]
fn a_crash_that_finds_no_room_is_told_and_leaves_nothing_behind() {
    let world = package(CRASHES);
    on(&world, &[]);
    let objects = world.state().join("captured/objects");
    create_dir_all(&objects).expect("a directory can be made");
    symlink("/dev/full", objects.join("part")).expect("a link can be made");
    let crash = cargo(&world, &["check"]).expect_code(101);
    assert_says(&crash, "could not be kept");
    assert_says(&crash, "No space left on device");
    assert!(kept(&world).is_empty());
    let left = std::fs::read_dir(&objects).expect("it is there").count();
    assert_eq!(left, 0, "something is left");
    assert!(!world.state().join("captured/part").exists());
    // The disk has room again.
    let crash = cargo(&world, &["check"]).expect_code(101);
    assert_says(&crash, "was kept as #1");
}

#[test]
fn a_wrapper_that_was_there_is_called_as_before_and_comes_back() {
    let world = package(COMPILES);
    let calls = world.beside("calls");
    let script = world.work().join("wrap.sh");
    write(
        &script,
        format!(
            "#!/bin/sh\necho \"$2\" >>{}\nexec \"$@\"\n",
            calls.display()
        ),
    )
    .expect("it is there");
    let executable = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(&script, executable).expect("its mode can be set");
    create_dir_all(world.work().join(".cargo")).expect("a directory can be made");
    let text = "# ours\n[build]\nrustc-wrapper = \"./wrap.sh\" # shared\njobs = 1\n";
    write(config(&world), text).expect("a file can be written");
    on(&world, &[]);
    cargo(&world, &["check"]).expect_success();
    assert!(
        read_to_string(&calls)
            .expect("a file can be read")
            .contains("--crate-name")
    );
    write_lib(&world, CRASHES);
    assert_says(&cargo(&world, &["check"]), "this crash was kept as #1");
    let wrappers = &kept(&world)[0]["compiler"]["wrappers"];
    assert_eq!(wrappers.as_array().map(Vec::len), Some(1), "{wrappers}");
    reduce(&world, &["capture", "off"]).expect_success();
    assert_eq!(
        read_to_string(config(&world)).expect("a file can be read"),
        text
    );
}

#[test]
fn the_wrapper_of_the_user_is_called_through_that_of_the_workspace() {
    let world = package(COMPILES);
    let user = world.beside("cargo-home");
    create_dir_all(&user).expect("a directory can be made");
    write(user.join("config.toml"), "build.rustc-wrapper = \"env\"\n")
        .expect("a file can be written");
    let with_home = |args: &[&str]| {
        let mut command = world.program(args);
        command.env("CARGO_HOME", &user);
        Running::start(command).finish().expect_success()
    };
    assert_says(
        &with_home(&["capture", "on", "--user"]),
        "the wrapper `env` is called",
    );
    assert_says(
        &with_home(&["capture", "on"]),
        "the wrapper `env` is called",
    );
    let status = with_home(&["capture", "status", "--message-format", "json"]);
    let status: Value = serde_json::from_str(&status.stdout()).expect("it is JSON");
    let chained: Vec<&Value> = status["on"]
        .as_array()
        .expect("it is there")
        .iter()
        .map(|on| &on["chained"])
        .collect();
    assert_eq!(chained, ["env", "env"]);
    with_home(&["capture", "off"]);
    assert!(!world.work().join(".cargo").exists());
    with_home(&["capture", "off", "--user"]);
    let left = read_to_string(user.join("config.toml")).expect("a file can be read");
    assert_eq!(left, "build.rustc-wrapper = \"env\"\n");
}

#[test]
fn a_variable_that_outranks_the_configuration_is_told() {
    let world = package(COMPILES);
    let mut command = world.program(&["capture", "on"]);
    command.env("RUSTC_WRAPPER", "env");
    let finished = Running::start(command).finish().expect_success();
    assert_says(&finished, "`RUSTC_WRAPPER=env` in the environment outranks");
}

#[test]
fn a_wrapper_that_was_named_after_ours_is_left_alone() {
    let world = package(COMPILES);
    on(&world, &[]);
    let text = "[build]\nrustc-wrapper = \"env\"\n";
    write(config(&world), text).expect("a file can be written");
    let finished = reduce(&world, &["capture", "off"]).expect_success();
    assert_says(&finished, "names another wrapper by now, `env`");
    assert_eq!(
        read_to_string(config(&world)).expect("a file can be read"),
        text
    );
}

#[test]
fn a_crash_of_clippy_is_kept_and_reduced_with_clippy() {
    let crash = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/clippy-crash.rs");
    let world = package(&read_to_string(crash).expect("a file can be read"));
    create_dir_all(world.work().join(".cargo")).expect("a directory can be made");
    let as_bug =
        "[env]\nRUSTC_BOOTSTRAP = \"1\"\n[build]\nrustflags = [\"-Ztreat-err-as-bug=1\"]\n";
    write(config(&world), as_bug).expect("a file can be written");
    on(&world, &[]);
    assert_says(&cargo(&world, &["clippy"]), "this crash was kept as #1");
    assert!(
        kept(&world)[0]["compiler"]["path"]
            .as_str()
            .is_some_and(|path| path.ends_with("clippy-driver"))
    );
    let output = world.beside("out");
    let output = output.to_str().expect("the path is UTF-8");
    reduce(
        &world,
        &[
            "--captured",
            "1",
            "--passes",
            FEW_PASSES,
            "--output",
            output,
        ],
    )
    .expect_success();
}

#[test]
fn a_command_is_reduced_where_crashes_are_kept() {
    let world = World::with("ordinary-error");
    on(&world, &[]);
    let output = world.beside("out");
    let args = ["--cargo", "check", "--passes", FEW_PASSES, "--output"];
    let mut command = world.program(&args);
    command.arg(&output);
    Running::start(command).finish().expect_success();
    // If the wrapper could not be started in the sandbox, an empty program would fail as well.
    assert!(Reduction::read(&output).number("tokens_after") > 0);
    assert_eq!(kept(&world).len(), 0);
}

/// A library of which a second compilation crashes where something has changed in `f`.
fn revised(value: u8, attribute: &str) -> String {
    format!(
        "#![feature(rustc_attrs)]\npub fn unused() -> u32 {{\n    let mut sum = {value};\n    sum += 2;\n    sum\n}}\n\
         {attribute}\npub fn f() -> u8 {{\n    {value}\n}}\n"
    )
}

/// A package whose next build crashes, by an attribute of rustc's own tests, once its first build was good.
fn revised_package() -> World {
    let world = package(&revised(1, ""));
    create_dir_all(world.work().join(".cargo")).expect("a directory can be made");
    let flags = "[env]\nRUSTC_BOOTSTRAP = \"1\"\n[build]\n\
                 rustflags = [\"--cfg=revised\", \"-Zquery-dep-graph\", \"-Ztreat-err-as-bug=1\"]\n";
    write(config(&world), flags).expect("a file can be written");
    on(&world, &[]);
    cargo(&world, &["check"]).expect_success();
    write_lib(&world, &revised(2, "#[rustc_clean(cfg = \"revised\")]"));
    assert_says(&cargo(&world, &["check"]), "this crash was kept as #1");
    world
}

/// Reduces the first kept crash, which needs two calls, and makes both calls of the result.
#[track_caller]
fn reduce_pair(world: &World) -> Reduction {
    let output = world.beside("out");
    let path = output.to_str().expect("the path is UTF-8");
    let finished = reduce(world, &["--captured", "1", "--output", path]);
    let said = "the sources of the last good call are compiled first";
    assert_says(&finished, said);
    finished.expect_success();
    let reduction = Reduction::read(&output);
    let crash = reduction.reproduce(world);
    assert!(
        crash.stderr().contains("should be clean but is not"),
        "{}",
        crash.everything()
    );
    reduction
}

#[test]
fn a_crash_that_needs_the_state_of_an_earlier_call_is_reduced_with_the_sources_of_that() {
    let world = revised_package();
    // The user's sources may have become others.
    write_lib(&world, COMPILES);
    let reduction = reduce_pair(&world);
    let code = reduction.code();
    assert!(code.starts_with("//@ revisions: bpass1 bpass2\n"), "{code}");
    assert!(!code.contains("unused"), "{code}");
}

#[test]
fn a_crash_after_an_edit_in_another_member_is_reduced_with_that_as_it_was() {
    let world = World::empty();
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/incremental-menu");
    copy(&fixture.join("before"), world.work());
    on(&world, &[]);
    cargo(&world, &["check"]).expect_success();
    // A form with which the crate that crashes was never compiled.
    let other = world.work().join("kitchen/src/lib.rs");
    let text = read_to_string(&other).expect("it is there") + "pub fn washing() {}\n";
    write(&other, text).expect("a file can be written");
    cargo(&world, &["check", "-p", "kitchen"]).expect_success();
    for member in ["kitchen/src", "menu/src"] {
        copy(
            &fixture.join("after").join(member),
            &world.work().join(member),
        );
    }
    assert_says(&cargo(&world, &["check"]), "this crash was kept as #1");
    let dependency = &kept(&world)[0]["dependencies"][0];
    let files = dependency["before"]["files"].as_array();
    assert_eq!(files.map(Vec::len), Some(2), "{dependency:#}");
    let code = reduce_pair(&world).code().to_owned();
    assert!(!code.contains("kitchen"), "{code}");
}

#[test]
fn a_kept_crash_that_shows_in_no_call_is_no_input() {
    let world = revised_package();
    // Without its files, the crash is as if it had come of something that was not kept.
    for version in ["sources", "before"] {
        let source = world
            .state()
            .join("captured/1")
            .join(version)
            .join("src/lib.rs");
        std::fs::remove_file(&source).expect("it can be removed");
        write(&source, COMPILES).expect("a file can be written");
    }
    let texts = [
        "failed to see the same failure in each run",
        "-Cincremental=incremental",
    ];
    reduce(&world, &["--captured", "1"]).expect_failure(exit_code::UNSTABLE_CRASH, &texts);
    let texts = ["a kept crash has its own", "leave `--before` out"];
    let args = ["--captured", "1", "--incremental", "--before", "HEAD"];
    reduce(&world, &args).expect_failure(exit_code::BAD_INPUT, &texts);
}

#[test]
fn a_crash_of_the_first_call_has_no_earlier_sources() {
    let world = package(CRASHES);
    on(&world, &[]);
    assert_says(&cargo(&world, &["check"]), "this crash was kept as #1");
    let source = world.state().join("captured/1/sources/src/lib.rs");
    std::fs::remove_file(&source).expect("it can be removed");
    write(&source, COMPILES).expect("a file can be written");
    let texts = [
        "failed to see the crash #1 without the incremental state",
        "no good call was seen before the crash",
    ];
    reduce(&world, &["--captured", "1"]).expect_failure(exit_code::NO_CRASH, &texts);
}

#[test]
fn a_kept_crash_is_reduced_in_the_background_and_the_next_build_says_so() {
    let world = package(CRASHES);
    on(&world, &["--auto"]);
    assert_says(&cargo(&world, &["check"]), "this crash was kept as #1");
    let news = world.state().join("captured/news/1");
    wait_until("the result", || news.is_file().then_some(()));
    write_lib(&world, COMPILES);
    let finished = cargo(&world, &["check"]).expect_success();
    assert_says(&finished, "cargo reduce: the kept crash #1 was reduced to ");
    let reduction = Reduction::read(&world.state().join("captured/reduced/1"));
    assert_eq!(reduction.summary()["signature"]["kind"], "bug");
    write_lib(&world, "pub fn another() {}\n");
    let finished = cargo(&world, &["check"]).expect_success();
    assert!(
        !finished.everything().contains("cargo reduce"),
        "{finished}"
    );
}

/// The jobs of the daemon that run or wait.
fn active_jobs(world: &World) -> Vec<Value> {
    let listed = reduce(world, &["jobs", "--message-format", "json"]).expect_success();
    let jobs: Vec<Value> = serde_json::from_str(&listed.stdout()).expect("it is JSON");
    let has_ended = |job: &Value| ["finished", "failed", "cancelled"].contains(&state(job));
    jobs.into_iter().filter(|job| !has_ended(job)).collect()
}

fn state(job: &Value) -> &str {
    job["state"].as_str().expect("it is there")
}

#[test]
fn a_standing_crash_is_reduced_by_one_job_at_a_time_and_its_newest_sources_win() {
    let world = package(CRASHES);
    on(&world, &["--auto"]);
    let mut source = CRASHES.to_owned();
    for number in 0..6 {
        source += &format!("pub fn f{number}() {{}}\n");
        write_lib(&world, &source);
        assert_says(&cargo(&world, &["check"]), "kept as #1");
        assert!(active_jobs(&world).len() <= 1);
    }
    assert_eq!(kept(&world).len(), 1);
    let output = world.state().join("captured/reduced/1");
    wait_until("the newest sources are reduced", || {
        assert!(active_jobs(&world).len() <= 1);
        let report = read_to_string(output.join("reduction.json")).ok()?;
        let summary: Value = serde_json::from_str(&report).ok()?;
        // The six functions and the code that crashes have so many tokens.
        (summary["tokens_before"] == 29 + 6 * 7).then_some(())
    });
}

#[test]
fn a_kept_crash_that_is_deleted_ends_its_jobs_and_does_not_come_back() {
    let world = package(CRASHES);
    on(&world, &["--auto"]);
    assert_says(&cargo(&world, &["check"]), "this crash was kept as #1");
    let job = wait_until("the job has come", || {
        let job = active_jobs(&world).pop()?;
        Some(job["job"].to_string())
    });
    reduce(&world, &["jobs", "pause", &job]).expect_success();
    reduce(&world, &["captured", "delete", "1"]).expect_success();
    assert_eq!(active_jobs(&world), Vec::<Value>::new());
    assert_eq!(kept(&world).len(), 0);
    let captured = world.state().join("captured");
    wait_until("what the job has written is gone", || {
        let left = std::fs::read_dir(captured.join("reduced")).expect("it is there");
        (left.count() == 0).then_some(())
    });
    assert!(!captured.join("1").exists());
    assert!(!captured.join("news/1").exists());
    // A build that crashes still is kept again, as another crash.
    assert_says(&cargo(&world, &["check"]), "this crash was kept as #2");
}

/// The type of an executable that is linked to one address, in the 16 bits of its file's header.
#[cfg(all(target_arch = "x86_64", target_os = "linux", target_env = "gnu"))]
const AT_ONE_ADDRESS: [u8; 2] = 2_u16.to_le_bytes();

#[cfg(all(target_arch = "x86_64", target_os = "linux", target_env = "gnu"))]
#[test]
fn the_wrapper_is_not_moved_in_memory_when_it_starts() {
    let program = std::fs::read(PROGRAM).unwrap();
    assert_eq!(program[16..18], AT_ONE_ADDRESS);
}
