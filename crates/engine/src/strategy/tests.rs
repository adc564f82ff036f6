//! Whole searches, with closures in place of the compiler.

mod carve;
mod chains;
mod chosen;
mod clean;
mod closed;
mod crates;
mod dead;
mod detour;
mod difference;
mod edits;
mod expand_items;
mod final_checks;
mod fixpoint;
mod halves;
mod inline_calls;
mod keeping;
mod mains;
mod methods;
mod minimality;
mod oracle;
mod put_values;
mod readable;
mod recompute;
mod replace_std;
mod rewrites;
mod skipping;
mod slices;
mod tidy;
mod time;
mod unentered;
mod verify;
mod workers;

use super::course::{run_row, run_to_fixpoint};
use super::flags::delete_flags;
use super::row::{Does, Row};
use super::stages::PHASES;
use crate::ask::Pool;
use crate::candidate::{Candidate, CompileOptions};
use crate::control::Control;
use crate::event::Event;
use crate::failure::Failure;
use crate::figures::PassStatistics;
use crate::output::OutputDirectory;
use crate::propose::Methods;
use crate::request::{Budget, PassChoice, SearchOptions};
use crate::session::{Session, Tools};
use crate::skip::Skip;
use crate::store::{Digest, Kept, Store};
use crate::watch::{Blind, Watch};
use camino::{Utf8Path, Utf8PathBuf};
use oracle::ClosureOracle;
use reduce_model::Seed;
use reduce_oracle::{Cancel, Linkage, Verdict};
use reduce_syntax::{SourceTree, tokens};
use std::sync::Arc;

const JOB: Digest = [7; 32];

/// A program with lists of many kinds.
const PROGRAM: &str = r#"
#![allow(unused, dead_code)]
//! A program.
use std::{collections::{BTreeMap, HashMap}, fmt};

pub mod shapes {
    #[derive(Debug, Clone)]
    pub struct Square<'a, T: Clone + 'a, const N: usize> where T: Copy, Self: Sized {
        pub side: &'a T,
        other: [u8; N],
    }
    pub enum Kind { Round(u8, u16), Flat { a: u8 }, Other = 3 }
    impl<'a, T: Copy, const N: usize> Square<'a, T, N> {
        pub fn area(&self, scale: u8) -> (u8, T) {
            let mut sum = 0;
            for (idx, one) in self.other.iter().enumerate() {
                if idx > 1 && scale < 9 { sum += *one; } else { continue; }
            }
            match sum { 0 => (1, *self.side), n if n > 3 => crash(n, scale), _ => loop {} }
        }
    }
}

trait Named: fmt::Debug { const NAME: &'static str = "none"; fn name(&self) -> String { format!("{:?}", self) } }

macro_rules! twice { ($a:expr) => { $a; $a }; () => {}; }

fn crash<A, B>(a: A, b: B) -> B where A: Clone { twice!(drop(vec![1, 2, 3])); b }

fn main() { let table: HashMap<u8, Vec<u8>> = HashMap::new(); println!("{}", table.len()); }
"#;

/// Token sequences, each of which stands in the program.
const CRASHING: [&str; 3] = ["crash(n", "mod shapes", "where A"];

/// Returns the default methods.
fn methods() -> Methods {
    Methods::new(SearchOptions::default())
}

/// The setting of a search in a test.
struct Setting<'a> {
    files: &'a [(&'a str, &'a str)],
    oracle: &'a ClosureOracle,
    jobs: usize,
    store: Option<&'a dyn Store>,
    /// Sees each event, with what is on disk then.
    watch: &'a (dyn Fn(&Event, &Utf8Path) + Sync),
    /// The watch that tells the search of changes on disk.
    notices: &'a dyn Watch,
    cancel: Cancel,
    skip: Skip,
    search: SearchOptions,
    linkage: Linkage,
}

/// The end of a search in a test.
#[derive(Debug, PartialEq)]
struct Found {
    files: Vec<(String, String)>,
    left_out: Vec<usize>,
    linkage: Linkage,
    forbidden: Vec<String>,
    queries: u64,
    cache_hits: u64,
    steps: u64,
    slippage: u64,
    other_crashes: Vec<String>,
    possible_edits: u64,
    out_of_time: u64,
    passes: Vec<OfPass>,
}

/// The figures of a pass that do not depend on the number of workers.
#[derive(Debug, PartialEq)]
struct OfPass {
    pass: String,
    queries: u64,
    accepted: u64,
    tokens: u64,
}

impl<'a> Setting<'a> {
    fn new(files: &'a [(&'a str, &'a str)], oracle: &'a ClosureOracle) -> Self {
        Self {
            files,
            oracle,
            jobs: 1,
            store: None,
            watch: &|_, _| {},
            notices: &Blind,
            cancel: Cancel::new().expect("a pipe can be made"),
            skip: Skip::default(),
            search: SearchOptions::default(),
            linkage: Linkage::default(),
        }
    }

    /// Links the program with units that it names, by the names that it has for them.
    fn linked_with(self, externs: &[(&str, usize)]) -> Self {
        let externs = externs.iter().map(|(name, idx)| ((*name).to_owned(), *idx));
        let linkage = Linkage {
            externs: externs.collect(),
            ..Linkage::default()
        };
        Self { linkage, ..self }
    }

    fn with_search(self, search: SearchOptions) -> Self {
        Self { search, ..self }
    }

    fn with_jobs(self, jobs: usize) -> Self {
        Self { jobs, ..self }
    }

    fn with_store(self, store: &'a dyn Store) -> Self {
        let store = Some(store);
        Self { store, ..self }
    }

    /// Runs all passes to the fixpoint.
    fn run(self) -> Result<Found, Failure> {
        let seeds = [Seed::Name("crash".to_owned())];
        let methods = Methods::new(self.search).with_seeds(&tree(self.files), &seeds);
        self.run_with(|session| run_to_fixpoint(session, &methods))
    }

    fn run_with(
        self,
        search: impl FnOnce(&mut Session<'_>) -> Result<(), Failure>,
    ) -> Result<Found, Failure> {
        let control = Control {
            cancel: self.cancel.clone(),
            skip: self.skip.clone(),
            ..Control::alone().expect("a pipe can be made")
        };
        let temporary = tempfile::tempdir().expect("a temporary directory can be made");
        let path = Utf8Path::from_path(temporary.path()).expect("temporary paths are UTF-8");
        let output = OutputDirectory::open(path, &JOB)?;
        let emit = |event| (self.watch)(&event, path);
        let begin = Candidate {
            tree: tree(self.files),
            compile_options: CompileOptions {
                linkage: Arc::new(self.linkage.clone()),
                ..CompileOptions::default()
            },
        };
        std::thread::scope(|scope| {
            let pool = Pool::start(scope, self.oracle, self.jobs, &control.turns)?;
            let tools = Tools {
                oracle: self.oracle,
                kept: Kept::new(self.store, &output, JOB, &emit),
                emit: &emit,
                control: &control,
                cancel: &self.cancel,
                budget: Budget::default(),
                output: &output,
                watch: self.notices,
                jobs: self.jobs,
                width: self.search.width.get(),
                started: crate::clock::Clock::start(&crate::Pauses::default()),
            };
            let tokens = begin.tree.count_tokens();
            let mut session = Session::new(tools, pool, begin, tokens);
            search(&mut session)?;
            Ok(Found::new(&session))
        })
    }
}

impl Found {
    fn new(session: &Session<'_>) -> Self {
        let (best, figures) = (session.best(), session.ledger.figures());
        let files = best.tree.files();
        let crashes = figures.other_crashes.iter();
        Self {
            files: files
                .map(|(_, path, text)| (path.to_string(), text.to_string()))
                .collect(),
            left_out: best.compile_options.left_out.to_vec(),
            linkage: Linkage::clone(&best.compile_options.linkage),
            forbidden: best.compile_options.forbidden.iter().cloned().collect(),
            queries: figures.queries,
            cache_hits: figures.cache_hits,
            steps: figures.steps,
            slippage: figures.slippage,
            other_crashes: crashes.map(|other| other.signature.clone()).collect(),
            possible_edits: session.ledger.possible_edits(),
            out_of_time: session.ledger.out_of_time(),
            passes: session.ledger.passes().iter().map(OfPass::new).collect(),
        }
    }

    /// Returns the figures of a pass that has run.
    #[track_caller]
    fn pass(&self, name: &str) -> &OfPass {
        let pass = self.passes.iter().find(|pass| pass.pass == name);
        pass.unwrap_or_else(|| panic!("no `{name}` in {:?}", self.passes))
    }

    fn tree(&self) -> SourceTree {
        let files = self.files.iter();
        let files = files.map(|(path, text)| (Utf8PathBuf::from(path), Arc::from(text.as_str())));
        SourceTree::from_files(Utf8Path::new("lib.rs"), files).expect("the root is there")
    }

    fn root(&self) -> String {
        let tree = self.tree();
        spaced(tree.text(tree.root()))
    }
}

impl OfPass {
    fn new(statistics: &PassStatistics) -> Self {
        Self {
            pass: statistics.pass.clone(),
            queries: statistics.queries,
            accepted: statistics.accepted,
            tokens: statistics.tokens,
        }
    }
}

/// Returns the default methods with only these passes and stages.
fn methods_of(names: &[&str]) -> Methods {
    Methods::new(search_of(names))
}

/// Does the first row of the table of stages that does this stage.
fn make(session: &mut Session<'_>, methods: &Methods, name: &str) -> Result<u64, Failure> {
    let is_meant = |row: &&Row| match row.does {
        Does::Stage(stage, _) | Does::OwnStage(stage, _) | Does::OnTrial(stage, ..) => {
            stage.name() == name
        }
        _ => false,
    };
    let row = PHASES.iter().flat_map(|phase| phase.rows).find(is_meant);
    run_row(session, methods, row.expect("the table has a row"), 1)
}

fn search_of(names: &[&str]) -> SearchOptions {
    SearchOptions {
        passes: PassChoice::only(names.iter().copied()).expect("these are names of passes"),
        ..SearchOptions::default()
    }
}

fn tree(files: &[(&str, &str)]) -> SourceTree {
    let all = files
        .iter()
        .map(|(path, text)| (Utf8PathBuf::from(*path), Arc::from(*text)));
    SourceTree::from_files(Utf8Path::new("lib.rs"), all).expect("the root is there")
}

/// Writes a text without its layout.
fn spaced(text: &str) -> String {
    let words: Vec<&str> = tokens(text)
        .iter()
        .map(|token| &text[token.range()])
        .collect();
    words.join(" ")
}

/// Whether each of the token sequences stands in some file.
fn has_all(tree: &SourceTree, sequences: &[&str]) -> bool {
    let texts: Vec<String> = tree
        .files()
        .map(|(_, _, text)| format!(" {} ", spaced(text)))
        .collect();
    let stands = |sequence: &&str| {
        let sequence = format!(" {} ", spaced(sequence));
        texts.iter().any(|text| text.contains(&sequence))
    };
    sequences.iter().all(stands)
}

/// Makes an oracle that finds interesting what has all of the token sequences.
fn needing(sequences: &'static [&'static str]) -> ClosureOracle {
    ClosureOracle::new(move |candidate| match has_all(&candidate.tree, sequences) {
        true => Verdict::Interesting,
        false => Verdict::Compiles,
    })
}
