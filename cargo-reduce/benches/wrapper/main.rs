//! Prints the cost of the wrapper of `capture on` as figures: nothing asserts on them.
//!
//! `cargo bench -p cargo-reduce --bench wrapper -- calls [N]` calls a program that does nothing, by itself and through
//! the wrapper, N times in turn, as a crate of so many files that is compiled incrementally.
//! `.. -- build DIR LEAF [ROUNDS [ARGS..]]` checks a copy of a workspace with cargo, in turn without and with the wrapper: all of it, after a
//! change of a file that nothing depends on (`LEAF`, such as `src/main.rs`), and with nothing to do. In brackets stands the mean CPU time.

#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a benchmark starts programs and prints what it has measured"
)]

use std::fs::{create_dir_all, read_to_string, write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Names another executable to measure.
const VARIABLE: &str = "BENCH_PROGRAM";

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words
        .iter()
        .map(String::as_str)
        .filter(|word| *word != "--bench")
        .collect();
    match words.as_slice() {
        ["calls", rest @ ..] => calls(rest.first().map_or(300, |n| n.parse().unwrap())),
        ["build", directory, leaf, rest @ ..] => {
            let rounds = rest.first().map_or(5, |n| n.parse().unwrap());
            build(
                Path::new(directory),
                leaf,
                rounds,
                rest.get(1..).unwrap_or_default(),
            );
        }
        _ => println!("say `calls [N]` or `build DIR LEAF [ROUNDS]`"),
    }
}

/// A scratch directory with a home, and a package of the workspace's form.
struct Bench {
    scratch: tempfile::TempDir,
}

impl Bench {
    fn new() -> Self {
        let scratch = tempfile::tempdir().unwrap();
        Self { scratch }
    }

    fn path(&self, inner: &str) -> PathBuf {
        self.scratch.path().join(inner)
    }

    fn ours(&self, directory: &Path, words: &[&str]) {
        let own = std::ffi::OsString::from(env!("CARGO_BIN_EXE_cargo-reduce"));
        let mut command = Command::new(std::env::var_os(VARIABLE).unwrap_or(own));
        command.arg("reduce").args(words).current_dir(directory);
        command.env("CARGO_REDUCE_HOME", self.path("home"));
        assert!(command.stderr(Stdio::null()).status().unwrap().success());
    }
}

/// One call of a compiler that does nothing.
fn calls(n_calls: usize) {
    for n_files in [0, 20, 100, 500] {
        let bench = Bench::new();
        let package = bench.path("p");
        create_dir_all(package.join("src")).unwrap();
        write(package.join("Cargo.toml"), "[package]\nname = \"p\"\n").unwrap();
        bench.ours(&package, &["capture", "on"]);
        let config = read_to_string(package.join(".cargo/config.toml")).unwrap();
        let wrapper = config.split('"').nth(1).unwrap();
        let args = compilation(&package, n_files);
        let (mut alone, mut wrapped, mut edited) = (vec![], vec![], vec![]);
        for call in 0..n_calls {
            alone.push(timed(
                Command::new("/bin/true").args(&args).current_dir(&package),
            ));
            let mut command = Command::new(wrapper);
            command.arg("/bin/true").args(&args).current_dir(&package);
            if call % 2 == 1 && n_files > 0 {
                write(
                    package.join("src/0.rs"),
                    format!("// {call}\n{}", "x".repeat(5000)),
                )
                .unwrap();
                // The wrapper keeps nothing that is as young as the call.
                std::thread::sleep(Duration::from_millis(20));
                edited.push(timed(&mut command));
            } else {
                wrapped.push(timed(&mut command));
            }
        }
        let (alone, wrapped) = (median(alone), median(wrapped));
        let edited = if edited.is_empty() {
            wrapped
        } else {
            median(edited)
        };
        println!(
            "{n_files:>4} files: alone {alone:.3} ms, with the wrapper {wrapped:.3} ms (+{:.3}), after an edit {edited:.3} ms (+{:.3})",
            wrapped - alone,
            edited - alone
        );
    }
}

/// The arguments of a crate with so many files, of which there is a list.
fn compilation(package: &Path, n_files: usize) -> Vec<String> {
    let out = package.join("out");
    create_dir_all(&out).unwrap();
    let files: Vec<String> = (0..n_files).map(|file| format!("src/{file}.rs")).collect();
    for file in &files {
        write(package.join(file), "x".repeat(5000)).unwrap();
    }
    std::thread::sleep(Duration::from_millis(50));
    let list: String = files.iter().map(|file| format!("{file}:\n")).collect();
    write(
        out.join("p-1.d"),
        format!("out: {}\n\n{list}", files.join(" ")),
    )
    .unwrap();
    let out = out.to_str().unwrap();
    let line = format!(
        "--crate-name p --edition=2024 src/lib.rs --crate-type lib --emit=dep-info,metadata -C metadata=1 \
         -C extra-filename=-1 --out-dir {out} -C incremental={out}"
    );
    line.split(' ').map(str::to_owned).collect()
}

fn timed(command: &mut Command) -> Duration {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let began = Instant::now();
    let output = command.output().unwrap();
    let took = began.elapsed();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    took
}

/// In milliseconds.
fn median(mut times: Vec<Duration>) -> f64 {
    times.sort();
    times[times.len() / 2].as_secs_f64() * 1000.0
}

/// A real workspace, each time in the same directory of the same name.
fn build(directory: &Path, leaf: &str, rounds: usize, args: &[&str]) {
    let bench = Bench::new();
    let work = bench.path("work");
    let copied = Command::new("cp")
        .arg("-r")
        .arg(directory)
        .arg(&work)
        .status();
    assert!(copied.unwrap().success());
    let check = |target: &str| {
        let mut command = Command::new("cargo");
        command
            .args(["check", "--offline"])
            .args(args)
            .current_dir(&work);
        command.env("CARGO_TARGET_DIR", bench.path(target));
        let before = cpu_of_children();
        let wall = timed(&mut command);
        Took {
            wall,
            cpu: cpu_of_children() - before,
        }
    };
    let mut times: [[Vec<Took>; 3]; 2] = Default::default();
    for round in 0..=rounds {
        for (with, target) in [(0, "without"), (1, "with")] {
            if with == 1 {
                bench.ours(&work, &["capture", "on"]);
            }
            let _nothing = std::fs::remove_dir_all(bench.path(target));
            let mut took = [vec![check(target)], vec![], vec![]];
            for _ in 0..SHORT_BUILDS {
                let text = read_to_string(work.join(leaf)).unwrap();
                write(work.join(leaf), format!("{text}\n")).unwrap();
                took[1].push(check(target));
                took[2].push(check(target));
            }
            if with == 1 {
                bench.ours(&work, &["capture", "off"]);
            }
            // The first round fills the caches of the system.
            if round > 0 {
                for (step, took) in took.into_iter().enumerate() {
                    times[with][step].extend(took);
                }
            }
        }
    }
    for (step, name) in ["cold", "one leaf", "nothing"].iter().enumerate() {
        let figures = [0, 1].map(|with| {
            let took = &times[with][step];
            let cpu: u64 = took.iter().map(|took| took.cpu).sum();
            let wall = took.iter().map(|took| took.wall).collect();
            (
                median(wall),
                cpu as f64 * MILLISECONDS_OF_TICK / took.len() as f64,
            )
        });
        let [without, with] = figures;
        println!(
            "{name:<9} without {:.1} ms ({:.1} of CPU), with {:.1} ms ({:.1}): {:.3} ({:.3})",
            without.0,
            without.1,
            with.0,
            with.1,
            with.0 / without.0,
            with.1 / without.1,
        );
    }
}

/// The time that a build took, and the CPU time of it in ticks.
struct Took {
    wall: Duration,
    cpu: u64,
}

/// A build after a change, and one with nothing to do, so often in each round.
const SHORT_BUILDS: usize = 10;
/// The kernel tells CPU time in hundredths of a second.
const MILLISECONDS_OF_TICK: f64 = 10.0;

/// The CPU time of all processes that have ended and were waited for, in ticks. Unlike the time of day, it hardly depends on what else
/// runs.
fn cpu_of_children() -> u64 {
    let stat = read_to_string("/proc/self/stat").unwrap();
    let (_, after_name) = stat.rsplit_once(')').unwrap();
    let fields = after_name.split_whitespace().skip(13).take(2);
    fields.map(|ticks| ticks.parse::<u64>().unwrap()).sum()
}
