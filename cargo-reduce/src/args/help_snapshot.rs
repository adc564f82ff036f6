//! The whole of `cargo reduce --help`, so that a change of it is seen.

use super::parse::{Layer, Variables, command};

#[test]
fn the_help_is_as_it_was() {
    let command = command(&Layer::new(), Variables::Ignore).term_width(100);
    let help = command
        .try_get_matches_from(["cargo", "reduce", "--help"])
        .unwrap_err();
    let help = help.to_string();
    let lines: Vec<&str> = help.lines().map(str::trim_end).collect();
    insta::assert_snapshot!(lines.join("\n"), @r#"
    Shrinks a crate that crashes rustc, or has a failing test, to the smallest program that still fails
    in the same way

    Without FILE the package in the current directory is reduced, as cargo would compile it. If it is
    not said what must stay, what fails is listed, with the command that reduces each. The sources are
    never touched: the result goes to the output directory, and the reduced code, where it is short, to
    standard output.

    Usage: cargo reduce --ice [OPTIONS] [FILE.rs|-] [-- RUSTC_ARGS...]
           cargo reduce --test NAME [OPTIONS] [TEST]
           cargo reduce [--last] [OPTIONS]
           cargo reduce capture on|off|status
           cargo reduce captured [show|export|delete]
           cargo reduce jobs [list|attach|show|pause|resume|cancel|finish|skip|result|log] [ID]
           cargo reduce cache stats|prune|verify
           cargo reduce daemon status|stop|run
           cargo reduce completions SHELL
           cargo reduce man DIR

    Commands:
      daemon       The process in the background that does the work
      capture      Has crashes of the compiler kept when they happen, in ordinary builds
      captured     Lists the crashes that were kept
      jobs         The jobs of the daemon: lists them if no other command is given
      cache        What is kept across jobs: verdicts and compiled dependencies
      completions  Prints a script with which a shell completes `cargo reduce`
      man          Writes the man pages to a directory, which is made if it is not there

    Options:
      -h, --help
              Print help (see a summary with '-h')

      -V, --version
              Print version

    What must stay (if nothing is said, what fails is listed):
          --ice
              Keep a crash of the compiler ("internal compiler error")

          --incremental
              Keep a crash of the compiler that shows in an incremental compilation: the program before
              a change is compiled, and then the program after it

          --before <VERSION>
              With `--incremental`: the program before the change, a directory, a file or a revision of
              git [default: the same program is compiled twice]

          --before-args <RUSTC_ARGS>
              With `--incremental`: more arguments for rustc when the program before the change is
              compiled, such as `-Copt-level=1`

          --after-args <RUSTC_ARGS>
              With `--incremental`: more arguments for rustc when the program after the change is
              compiled

          --run[=<ARGS>]
              Keep the failure of the program when it is run with these arguments: its panic, exit
              status or signal

          --error <CODE|REGEX>
              Keep an error of the compiler: its code and the shape of its message, or a regular
              expression for what it says

          --warning <LINT>
              Keep a warning of this lint, such as `dead_code` or `clippy::needless_return`, and the
              shape of its message

          --hang <SECS>
              Keep that the compiler does not end within so many seconds; with `--run`, that the program
              does not, or a test if `--test`, `--lib` or a test's name is given

          --oom <SIZE>
              Keep that the compiler needs this much memory, such as `800M` or `4G`

          --slow <FACTOR>
              Keep that the compiler takes so many times the CPU time that it takes for an empty program

          --miscompile[=<FLAGS>]
              Keep that a program prints something else, without a panic, if it is compiled with these
              flags too [default: -Copt-level=3 against -Copt-level=0]

          --rustdoc
              Keep a crash of rustdoc

          --clippy
              Keep a crash of clippy

          --rustfmt
              Keep a crash of rustfmt, or that it changes its own output when it formats that again

          --cargo <SUBCOMMAND>
              Keep the failure of a cargo command, such as `'test --doc'`

          --script <PATH>
              Keep that this program ends with status 0. It is called in a copy of the directory, with
              the file's name as its argument

          --last
              Take the last of what fails, where it was not said what must stay or where several tests
              are meant. Without it they are listed, and on a terminal you are asked

    What must hold besides:
          --regression <TOOLCHAIN>
              Demand that the program does not fail with this toolchain. Without another flag, keep a
              crash or the first error

          --good <REV|PATH|VERSION|auto>
              Demand that the program does not fail with this version of the code under test: a revision
              of git, a directory with `/` in its name, `=1.2.3` of the package, `NAME=1.2.3` of a
              dependency, or `auto` for the newest commit that passes. Values may change, as long as the
              two versions differ. With `--whole`, the difference between the versions is reduced too

          --valid-with <FLAGS>
              Demand that the program compiles without error with these flags, or with `+TOOLCHAIN` and
              flags

          --and <REGEX>
              Demand that what is printed matches this regular expression

          --not <REGEX>
              Demand that what is printed does not match this regular expression

          --allow-errors
              Accept candidates with errors that the original does not have

          --strict-valid
              Accept no candidate with any error, even if the original has some

          --ignore-location
              Accept a crash at another line of the same file of the compiler

          --any-message
              With `--error CODE` and `--warning`: accept any message of this code or lint. Otherwise
              its words stay, without names, types and numbers, and the trait or lint that it names

          --same-frames <N>
              Demand that so many functions of the compiler that led to a crash are the same, from the
              innermost one on. Each step then takes another run of the compiler, with a backtrace

          --whole
              Go on into the code under test once the failing test is reduced: the result is one file
              with both, in which the cause of the failure stays

          --mutate <PACKAGE>
              Count this package as code under test too, like the members of the workspace: small
              changes of its code show what the failing test needs

          --free
              Reduce a failing test and the code under test by whatever keeps the failure: the result is
              smaller, and may fail for another reason than the original

          --repeat <N|auto>
              Run each candidate up to N times, for a failure that does not show every time. `auto`
              counts how often the input fails, and chooses N so that at most 5 % of the candidates that
              fail as often are missed

              [default: 1]

          --at-least <K>
              Demand that a candidate fails in so many of these runs: a higher number lets fewer
              candidates pass that fail only seldom

              [default: 1]

          --stability-runs <N>
              Run the input, and the result, at most so often to see whether they fail each time
              [default: 66 times the input, 12 times the result]

          --sandbox <HOW>
              Choose the sandbox in which candidates are compiled and run. They write to their own
              scratch directory alone, and have no network

              Possible values:
              - strict:  All of the sandbox, and no sockets at all; if the system does not allow it, the
                command fails
              - default: All of it that the system allows; programs are run only if files and system
                calls are guarded
              - off:     No sandbox; the limits of time, memory and processes stay

              [default: default]

          --env <NAME>
              Pass this environment variable on to programs that are run

          --read <PATH>
              Let candidates read this file or directory of yours too, such as what a script needs
              beside it; not a home directory

    Program:
          --captured <N|ARCHIVE>
              Reduce a crash that was kept when it happened, by its number or from an archive. Without
              another flag for what must stay, keep the crash

          --exact <NAME>
              The name of a failing test, also where it is that of a command or a file. Of several tests
              that have it in their names, the one that is called so is taken

          --manifest-path <PATH>
              Path of Cargo.toml

      -p, --package <SPEC>
              Package of the workspace

          --lib
              The package's library

          --doc
              Reduce a failing doc test of the library, which is first written as an integration test.
              With `--ice` or `--error`, one for which the compiler crashes or that has the error

          --fuzz <TARGET>
              Reduce a fuzz target of cargo-fuzz, in `fuzz/`, that fails with the input of `--input`. It
              is first written as an integration test

          --input <FILE>
              With `--fuzz`: the file with the input that makes the target fail

          --bin <NAME>
              A binary

          --test <NAME>
              A test target

          --example <NAME>
              An example

          --bench <NAME>
              A benchmark

          --tests
              All test targets, and the unit tests in libraries and binaries (`#[cfg(test)]`): use it
              with `--ice` if `cargo test` crashes and `cargo check` does not

          --benches
              All benchmarks, and what libraries and binaries have for them

          --all-targets
              Library, binaries, tests, examples and benchmarks; one that fails is reduced

      -F, --features <FEATURES>
              Features to activate, separated by commas or spaces

          --all-features
              Activate all features

          --no-default-features
              Do not activate the `default` feature

      -r, --release
              Compile with the release profile

          --target <TRIPLE>
              Compile for this target triple

          --edition <EDITION>
              Edition of FILE.rs

          --revision <NAME>
              Reduce this revision of FILE.rs, which is a test of rustc's own with a line `//@
              revisions: ..` [default: the first that fails]

          --rustc <PATH>
              The compiler, such as one that was built locally

      [FILE.rs|-|TEST]
              A single source file, compiled by rustc without cargo; `-` reads it from standard input.
              Or the name of a failing test, or a part of it, also with its target or as a tool has
              printed it: `api::sums`, `'package::api sums'`, `'test sums ... FAILED'`,
              `tests/api.rs:31`. A word that is a command, such as `jobs`, is the command: `--exact`
              takes any name

      [RUSTC_ARGS]...
              More arguments for rustc. The name of a test may stand here as for `cargo test`: `-- NAME
              --exact`

    Result:
      -o, --output <DIR>
              Where the result goes [default: target/reduce/NAME, where NAME is that of the package or
              file, with what else is asked for, such as the test]

          --bisect-script
              With `--ice`, `--error`, `--warning`, `--run` and failing tests: also write `bisect.sh`, a
              script with which cargo-bisect-rustc finds the nightly since which the program fails like
              this

          --crashes-test <N>
              With `--ice`: also write `N.rs`, a test for `tests/crashes` of rust-lang/rust. N is the
              number of the issue

          --ui-test <NAME>
              With `--ice`: also write `NAME.rs`, a test for `tests/ui` of rust-lang/rust for when the
              crash is mended. Its expected output is left to `--bless`

          --force
              Replace an earlier result in the output directory

          --open
              Open `report.html` when the result is written, with the program that the system has for
              pages

    Search:
          --algorithm <NAME>
              Choose the algorithm that makes a list of parts shorter

              Possible values:
              - ddmin:   Runs of the list, halved by number
              - wddmin:  W-ddmin: runs of the list, halved by tokens
              - probdd:  ProbDD: sets of parts that are probably not needed
              - wprobdd: W-ProbDD: the same by probability and tokens
              - cdd:     CDD: runs of a length that shrinks by rule

              [default: wddmin]

          --strategy <NAME>
              Choose which parts of the program are searched, and in which order

              Possible values:
              - staged:     Passes for what is large, a worklist, all passes to a fixpoint
              - passes:     By kind of syntax, in the order in which they pay
              - hdd:        HDD: level by level from the root of the syntax tree
              - hddr:       HDDr: what is below each node, depth first
              - hddh:       HDDH: the same, with hoisting on each level
              - hoist+hdd:  HOIST* and then HDD*
              - hoist+hddh: HOIST* and then HDDH*
              - worklist:   The largest node first, as Perses does

              [default: staged]

          --seed <N>
              With `probdd` and `wprobdd`: order of what is equally probable; 0 is the order of the
              source

              [default: 0]

          --initial-probability <P>
              With `probdd`, `wprobdd` and `cdd`: how probable it is at first that a part is needed;
              more than 0, less than 1 [default: the algorithm's own]

          --prior <NAME>
              With `probdd` and `wprobdd`: what is known of the parts beforehand

              Possible values:
              - uniform:   Nothing
              - reachable: What is not reachable from the crash is less probably needed

              [default: uniform]

          --closure <NAME>
              Choose what is deleted together with an item

              Possible values:
              - alone:      Nothing else
              - with-users: What uses it

              [default: with-users]

          --passes <NAMES>
              Only these passes, separated by commas

          --skip-pass <NAME>
              All passes but this one

          --list-passes
              Print the passes, with what each does, what it keeps of the program (its behaviour, its
              types, or nothing for certain), and an example

          --from <STEP>
              Begin again from this step of the reduction in the output directory, by the number that
              `report.html` has for it; 0 is the input. The new result goes to `from-STEP` in that
              directory

          --forbid
              With `--from`: do not accept again what came after that step, so that the search finds
              another way

          --replace-std
              Put minimal items of the program's own in place of those of the standard library, if the
              result then names fewer of them, even if it is larger

          --as-main
              Make the failing test the `main` of a program that needs no test harness; without it, the
              result is a `#[test]` function

          --width <N>
              Ask about so many candidates of the same program at once, and combine those that still
              fail: faster with as many workers (`--jobs`) and slow queries, at the cost of more of
              them. The result depends on the width

              [default: 1]

          --verify-minimal
              Try every edit of every pass on the result once more, to prove that nothing more can go

    Run:
      -j, --jobs <N>
              Compiler runs at a time [default: number of cores]

          --compiler <HOW>
              Choose how the compiler is started; this does not change the result

              Possible values:
              - auto:  Load it once and fork it for each run, if that gives the same answers
              - warm:  Load it once and fork it for each run, or fail if that is not possible
              - spawn: Start it for each run

              [default: auto]

          --launcher <COMMAND>
              Start each query of the search with this command, such as `srun --exact -n1 -c1
              --overlap`, on machines that share the file system with this one, as many at a time as
              `--jobs` says; this does not change the result

          --scratch <DIR>
              Write and compile candidates below this directory. With `--launcher` it must be on the
              shared file system [default: memory; with `--launcher`, the directory of the cache]

          --timeout <SECS>
              Seconds of wall time that a run for a candidate may take [default: by the CPU time of the
              first run]

          --baseline-timeout <SECS>
              Seconds that a test, a program or a command may run while the failure is looked for; a
              compiler may always take 10 minutes

              [default: 600]

          --memory <MIB>
              MiB of address space for each process of a run, and of memory for all of them together

              [default: 6144]

          --max-time <TIME>
              End the search after this time, such as `90s`, `10m` or `1h30m`, with the best so far as
              the result. It counts from the start of the job

          --max-queries <N>
              End the search after so many queries, with the best so far as the result

          --priority <SHARE>
              Choose the share of the workers that the job gets beside others; this does not change the
              result

              Possible values:
              - low:    A quarter of a normal share
              - normal: The same share as each other normal job
              - high:   Four times a normal share

              [default: normal]

          --detach
              Hand the job to the daemon, print its number, and end. `cargo reduce jobs` says what
              becomes of it

          --others
              Reduce other crashes of the compiler that are met as well, each into its own directory
              below `others` of the result

          --no-daemon
              Run in this process instead of the daemon

          --no-cache
              Neither use nor keep verdicts of other runs

          --idle-minutes <MINUTES>
              Minutes after which a daemon without work leaves

              [default: 15]

          --disk-limit <MIB>
              MiB that all jobs of a daemon together may need on the disk, which counts when the daemon
              is started; a job that would go past it waits, or is refused

              [default: 20480]

          --log <FILE>
              Write to this file what became of each candidate: who proposed it, what it changes, and
              why it was rejected

          --watch
              Start again when the sources or the toolchain change, or when the crash of `--captured` is
              kept again. Ctrl-C ends with the exit code of the last run

    Remote execution:
          --remote <ADDRESS>
              Also have candidates compiled and run by a server of the Remote Execution API, such as a
              build farm: `grpc://HOST:PORT`, or `grpcs://HOST:PORT` with encryption. An instance's name
              may follow after a `/`. This does not change the result. It needs `cargo-reduce-remote`
              beside this program or on the `PATH`, which `cargo install cargo-reduce-remote` installs

          --remote-jobs <N>
              Give the server so many candidates at a time, besides those of `--jobs`

              [default: 8]

          --remote-header <NAME=VALUE>
              Send this with each call to the server, such as `authorization=Bearer KEY`. Put keys into
              your own configuration file: other users see command lines

          --remote-certificates <FILE>
              Trust servers whose certificates are signed by one of those in this file (PEM), and no
              others

          --remote-platform <NAME=VALUE>
              Ask for workers with this property of the platform, such as `OSFamily=linux`

          --remote-toolchain <FROM>
              Choose where the server's workers have the toolchain from

              Possible values:
              - upload: Upload it with the first candidate
              - worker: It is installed there, the same one at the same path

              [default: upload]

    Display:
      -v, --verbose
              Show each pass and step, and tables of the passes and the queries at the end

          --no-tui
              Show a progress line in place of the live view, which a terminal shows of a job that takes
              longer than a few seconds. With `--verbose` there is no live view either

          --color <WHEN>
              When to use colours

              [default: auto]
              [possible values: auto, always, never]

          --message-format <FORMAT>
              `json` writes one event a line to standard output

              [default: human]
              [possible values: human, json]

    Every flag may also be set
      - as a variable: `CARGO_REDUCE_` and its name, `CARGO_REDUCE_NO_CACHE=1`;
      - in `reduce.toml` beside the package's Cargo.toml or beside FILE.rs;
      - in `config.toml` in the directory of cargo-reduce.
    A file has a line per flag: `no-cache = true`, `jobs = 4`, `features = ["a", "b"]`. The command
    line has precedence over a variable, a variable over `reduce.toml`, and that over `config.toml`.

    The directory of cargo-reduce holds the store of verdicts, compiled dependencies and the daemon's
    log. It is `$CARGO_REDUCE_HOME`, else `$XDG_CACHE_HOME/cargo-reduce`, else `~/.cache/cargo-reduce`.

    The first Ctrl-C asks for the best result so far, the second leaves at once. A command that is typed
    again after an interruption goes on from the last accepted step.

    Exit codes:
        0  the result is written
        1  the surroundings failed: disk full, no permission, no process
        2  the arguments or the input make no sense
        3  the input does not fail as asked
        4  it fails only sometimes, differently each time, or no more at the end
        5  the compiler or cargo cannot be started
        6  the output directory exists, and `--force` was not given
        7  the store of verdicts is in use elsewhere, unreadable or newer
        8  the daemon cannot be used
        9  programs cannot be sandboxed on this system, and `--sandbox off` was not given
       10  the compiler or a dependency was changed; the last confirmed step is written
      130  stopped by Ctrl-C or `daemon stop`; the best so far is written
    "#);
}
