//! Shrinks a crate while an oracle says that it still fails in the same way.
//!
//! [`reduce`] takes a request to its end: snapshot and baseline (`reduce_oracle`), then passes
//! (`reduce_passes`) driven by the algorithms (`reduce_algorithms`) until nothing more can go, then
//! the written result. The engine never prints, never looks at the environment or the current
//! directory, and never exits.
//!
//! No two files import each other, and none imports the file that declares it. What many files name
//! stands at the bottom; who fills it stands above.
//!
//! A candidate goes through four folders: `propose`, `screen`, `ask`, `accept`. None of them imports a later one. Above
//! them are `session`, which takes a candidate from one to the next, `strategy`, whose table of stages says what is proposed
//! when, `result`, and `reduce`.
//!
//! # At the bottom
//!
//! - `candidate` is a program with the compile options with which it is asked about; `answer` is what comes back, and
//!   `decider` is what decided it: a look at its size, a known verdict, its syntax, its names, or the
//!   compiler.
//! - `store` is the trait of what is kept across runs, with a store in memory; `store/kept` goes on with a job whose store
//!   has failed.
//! - `failure` says why there is no result.
//! - `request` is what the user asks for. `request/reduction` has all of it, `choices` and `options` say
//!   how it is searched, `running` how much it may take, `earlier` with which step of an earlier reduction it begins, `remote` which server is asked too, `stage` names the passes and all
//!   that is done besides them, `passes` is the user's choice among these, `bounds` refuses what cannot be
//!   meant, and `directives` obeys the lines with which files of rustc's own tests say how they are compiled.
//! - `figures`, `summary` and `event` are what comes out. The socket carries them, and the request.
//!   `figures/of_search` says what was done, `rates` how often a failure shows, `goes_to` what a result
//!   goes in place of, and `code_under_test` what is known of the code that a test fails for.
//! - `clock` says how long a reduction takes without its pauses.
//! - `control` is the say of whoever runs the reduction, `skip` ends one pass of it, `live` has what a live view shows of it, and `turns` says when it may call the compiler, where it shares
//!   the machine with others.
//! - `site`, `context` and `thread` are the surroundings of a reduction: directories, what each of its
//!   parts is given, and threads with a deep stack.
//! - `auxiliary` knows the files of crates that are reduced beside the program, and `words` finds words
//!   in text.
//! - `hunks` says where two texts differ.
//! - `hurry` lets work go on for a moment after a person has stopped the search.
//! - `trace` tells what becomes of each candidate: `trace/record` writes the lines, `trace/listener` has them heard, and `changes` says what a
//!   candidate changes.
//! - `unit_test` is a test that is reduced apart from the code of its crate, `test_file` one of a test target,
//!   and `packaged` either of them: the result is shown where it goes in the user's package.
//! - `plain_tests` lets `reduce_gather` write doc tests, failing cases and fuzz targets as plain ones for the oracle.
//! - `output` is the output directory: `output/directory` writes it, `copy` copies a result
//!   that may still change, and `edits` finds what a person made of it.
//! - `watch` notices changes on disk: `watch/files` and `notices` hear of them, `inputs` chooses the files,
//!   `looking` is what a search asks, and `watches` answers.
//!
//! # Propose
//!
//! - `propose/methods` is what the user chose for a search, as the algorithms take it.
//! - `propose/seeds` says where the failure points to in the program; the slices begin there. `single_edits` are all that passes may do to it.
//! - `propose/proposals` says what a proposal is: a candidate of an algorithm that becomes a program. `shortening` are elements of lists that may go, `replacements` and
//!   `changes` are smaller parts and whole changes, `tree_changes` those of the crate as one tree. What a single stage proposes stands in its file.
//! - `propose/attempts` has the edits that failed in earlier rounds, and `moves` the moves of crates that did.
//!
//! # Screen
//!
//! - `screen/check` refuses what does not parse or lacks a name; `rest` knows the names in what is not edited of a crate, where
//!   only a part of it is.
//! - `screen/prefilter` is what a candidate must have to be compiled at all.
//! - `screen/known_verdicts` has the verdicts of this run and of earlier ones; `equivalent_rejections` finds candidates that differ from a rejected one in nothing but names that stand once.
//!
//! # Ask
//!
//! - `ask/oracle` is an oracle as the search sees it, which decides candidates; `ask/job_facts` are the facts about its job, and
//!   `ask/compiler_tools` the questions that decide nothing. `compiler_oracle` is the real oracle; tests put a closure
//!   in its place. `criteria` is what decides a candidate, and `workshop` makes the workers; `questioner` asks about one candidate after the other,
//!   `compiler_oracle/with_options` has the call and its digest, `compiler_oracle/tools` what else is asked of a compiler, and `compiler_oracle/final_checks` checks programs outside
//!   of the search.
//! - `ask/asker` answers a question, and `ask/pool` has the worker threads. `queue` has the questions that wait, and
//!   `remote` the workers that ask a server.
//! - `ask/crates` has the linked crates as text: each in one file, configured, with what it reads in
//!   place.
//! - `ask/loops` is asked about in place of a candidate with a `loop {}` that may run.
//! - `ask/compiler_oracle/joint` compiles several candidates together, and says which of them are not interesting, by the errors
//!   that `joint/deciding` says to decide;
//!   `joint/alone` has the errors of one candidate in all words;
//!   `references` remembers with which programs that tells something.
//! - `ask/right_values` finds the value that a candidate has to expect, with the good version or under mends.
//! - `ask/compiler` chooses between a warm compiler and one that is started anew.
//! - `ask/stability` runs the input again and again beside the search, and the result at its end;
//!   `flaky` counts how often a result fails that need not fail each time.
//!
//! # Accept
//!
//! - `accept/best` is the best candidate so far. To it belong its `size`, its `history` of earlier states, and the `pace` by
//!   which the time of candidates is bounded.
//! - `accept/step_log` has all programs that were the best so far, which `step_log/weave` weaves into one, `step_log/readable` without
//!   comments, and `step_log/kept` keeps beside the result.
//!
//! # The session
//!
//! - `session/state` is the session. It keeps three things: `best`, the best candidate so far with what
//!   belongs to it; `ledger`, what is known of candidates and what was done; `mode`, what is being done.
//! - To the ledger belong the `figures`, the `phases` of the search, and the passes that were `skipped`.
//! - To the mode belongs the `stop`: why a search ends before it is done.
//! - `session/search` is one search: a proposal becomes a candidate, a candidate that passes the screen a question, and its
//!   verdict goes back. `search/window` has the candidates that are compiled together, and `wide` is a search by waves.
//! - What a session does stands in a file for each task: `stages` runs a stage, `verdicts` looks up, asks
//!   and counts, `errors` hears what is wrong with a candidate, `joint` has several compiled together, `steps` makes a candidate the best so far, `trials` works under other rules, `late` asks
//!   again about what ran out of time, `expected` writes anew what candidates expect, and `edits` takes up
//!   what a person made of the result.
//!
//! # The strategy
//!
//! - `strategy/stages` is the table of all that is done, in its order; `course` reads it, `row` is what a row consists of, and
//!   `listing` puts the table into words. `alternatives` and `forms` are small searches for one of a few programs.
//! - `strategy/slices`, `lists`, `choices`, `trees`, `rewrites` and `flags` are the searches that keep a
//!   slice, shorten lists, put something smaller in place of something, take the crate as one tree, make
//!   whole changes, and leave out flags. `slices/chains` are slices of chains of callers, `slices/halves` halves of a
//!   crate of which a crash names nothing, and `slices/merged` those of a program of which a crate has become a part. `neighbours` deletes what can only go together, `recompute` what can
//!   only go when another value is expected, and `difference` leaves out parts of what two versions differ in.
//! - `strategy/crates` leaves out linked crates, makes modules of them (`crates/moving`, with `naming`) or
//!   reduces them beside the program.
//! - `strategy/expand` and `expand_items` (within `expansion_limit`), `replace_std`, `mains` and `merge_files` go on from another form of the
//!   program: macros expanded, local items for those of std, a `main` in place of a test, one file in place of several.
//! - `strategy/clean` removes errors of the baseline, `readable` gives names, order and layout, `tidy` gives them to the result
//!   of a search that was stopped, and `verify` proves by all single edits that a result is 1-minimal.
//! - `strategy/fold_values` and `unroll_loops` write into a test what it was seen to compute; `put_values` writes
//!   down what an error says that a program computes.
//!
//! # The result, and all of it
//!
//! - `result` has the last look at the result, and writes it with all that stands beside it; the list of its files is at the top of `result.rs`.
//! - `reduce` takes a request to its end: `reduce/input` looks at what was given, `attempts` tries the
//!   revisions of a file one after the other, `baseline` finds the failure, `split` takes a unit test out of its crate, `job` tells jobs apart and resumes one, `fidelity` says what
//!   guards a failing test, and which passes that leaves, `setup` is what a search begins with, `earlier` begins with a step of an earlier reduction, `emptied` refuses a command that decides the same without a program, and `search` goes from
//!   there to the result by `strategy/course`.
//! - `look` compiles a file once: whether and how the compiler crashes on it, and which part of the file is enough for that. A triage looks at many files.

mod accept;
mod answer;
mod ask;
mod auxiliary;
mod candidate;
mod clock;
mod context;
mod control;
mod decider;
mod event;
mod failure;
mod figures;
mod hunks;
mod hurry;
mod live;
mod look;
mod output;
mod packaged;
mod plain_tests;
mod propose;
mod reduce;
mod request;
mod result;
mod screen;
mod session;
mod site;
mod skip;
mod store;
mod strategy;
mod summary;
mod test_file;
mod thread;
mod trace;
mod turns;
mod unit_test;
mod watch;
mod words;

pub use ask::{SimulatedFigures, Simulation};
pub use clock::Pauses;
pub use control::Control;
pub use decider::Decider;
pub use event::{EVENT_VERSION, Event, Progress};
pub use failure::{Failure, FailureKind};
pub use figures::{
    CodeUnderTest, CompiledCrate, DeciderStatistics, Ended, FlakyFigures, Function, GoesTo, Guess,
    KindStatistics, LineChange, LinkedCrates, NearestProgram, OtherCrash, PassStatistics, Phase,
    PlainError, Rate, RemoteFigures, SkippedPass, Success, SuspiciousLine, TextChange,
    VariableValue, Verification,
};
pub use live::{Live, LiveFigures, LiveFile, LivePart, LiveState, Size};
pub use look::{Core, Crash, Look, LookEnd, digest_of_look, look};
pub use output::{OTHERS, copy_best, directory_from};
pub use reduce::{check_input, reduce};
pub use reduce_guard::{Fidelity, NotAPackage, PackageSpec};
pub use reduce_oracle::{
    Address, Cancel, CapturedInput, CrashKind, Demands, DirectoryWord, FileInput, FlagsOfOneCall,
    Goal, Header, Input, Linkage, LinkedFile, Looker, Member, Needed, Neighbour, NotAPattern,
    NotARepeat, NotAVersion, Offer, OtherProgram, PackageInput, Pattern, Patterns,
    PlatformProperty, REMOTE_CLIENT, RemoteSettings, RemoteToolchain, Repeat, Sample, SandboxMode,
    Signature, Stability, Surroundings, TargetSelection, TestName, UndefinedBehaviour, Verdict,
    Version, capture, captured, cargo_config, edit_in_terminal, escape,
    how_to_install_remote_client, is_variable_of_tools, keeper, launched, list_members,
    list_toolchains, remove_tree, warm_compilers,
};
pub use reduce_passes::Keeps;
pub use reduce_syntax::{CargoScript, digest_of_tokens};
pub use request::{
    Algorithm, Budget, CacheUse, Closure, CompilerChoice, EarlierStep, ExistingOutput, ForRustc,
    MOST_JOBS, NotAProbability, NotAWidth, PassChoice, Prior, Priority, Probability,
    PropertyOptions, ReductionRequest, RemoteRequest, SearchOptions, Strategy, UnknownPass,
    Unreasonable, Width,
};
pub use result::html_page;
pub use site::Site;
pub use skip::Skip;
pub use store::{Checkpoint, Digest, MemoryStore, Store, StoreError};
pub use strategy::{ListedPhase, listed_phases};
pub use summary::{
    Breakdown, DeliveredResult, ReductionCosts, ResultBehaviour, SUMMARY_VERSION, SearchCounts,
    Sizes, Summary, but_for_late, but_for_skipped,
};
pub use thread::thread;
pub use trace::traced;
pub use turns::{AlwaysItsTurn, Turns, Work, WorkerPermit};
pub use watch::{FileWatch, watch_inputs};
