//! Finds the files that a process reads, and their places below the root of a command on a server.

use super::RemoteToolchain;
use crate::compiler::args;
use crate::plan::is_compiled;
use crate::plan::programs::{DEPS, EXAMPLES};
use crate::text::paths::relocate;
use crate::worker::confined::ProcessSort;
use crate::worker::executor::Order;
use crate::worker::place::TARGET_TEMPORARY;
use camino::{Utf8Path, Utf8PathBuf};
use reduce_remote_protocol::{Command, InputError, Inputs};
use std::collections::BTreeSet;

/// The name of the worker's directory, below the root of a command on the server. The name must not stand for
/// anything else in what is printed.
const WORKER: &str = "reduce-worker";
/// The beginning of the names of inputs that have no place of their own below the root; a number follows.
const INPUT: &str = "reduce-input";
/// The directories of the system, which each worker has of its own. A compiler that is there belongs to the worker.
const OF_SYSTEM: [&str; 8] = [
    "/usr", "/lib", "/lib64", "/bin", "/sbin", "/etc", "/proc", "/sys",
];

/// A map from paths on this machine to paths below the root of a command on the server.
#[derive(Debug)]
pub(super) struct Mapping {
    /// The pairs of a path here and its place below the root, the inner ones first.
    pairs: Vec<(Utf8PathBuf, Utf8PathBuf)>,
    inputs: Vec<Input>,
    /// The toolchains that the server's workers have, so that they are not uploaded.
    on_worker: Vec<Utf8PathBuf>,
}

#[derive(Debug)]
struct Input {
    path: Utf8PathBuf,
    at: Utf8PathBuf,
    part: Part,
}

/// The part of a directory that is uploaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    All,
    /// The compiled crates in the directory.
    Crates,
    /// The files of a toolchain that a compiler reads.
    ForCompiler,
    /// The files of a toolchain with which a compiled program is linked.
    ForProgram,
}

impl Mapping {
    /// Makes the map of paths for a process, whose program decides which toolchain it needs.
    pub(super) fn of(
        order: &Order<'_>,
        toolchain: RemoteToolchain,
        common: &[Utf8PathBuf],
    ) -> Self {
        let places = &order.rights.places;
        let worker = worker(order);
        let all = readable(order, &worker, common);
        let mut sysroots: Vec<&Utf8PathBuf> = all.iter().filter(|path| is_sysroot(path)).collect();
        let is_uploaded = |path: &&Utf8PathBuf| {
            toolchain == RemoteToolchain::Upload && !is_of_system(path) && names(order, path)
        };
        let uploaded: Vec<&Utf8PathBuf> = sysroots.iter().copied().filter(is_uploaded).collect();
        sysroots.retain(|path| !uploaded.contains(path));
        let is_left = |path: &Utf8PathBuf| {
            let is_below = |outer: &&Utf8PathBuf| path.starts_with(outer);
            is_of_system(path) || sysroots.iter().any(is_below)
        };
        let mut outermost: Vec<&Utf8PathBuf> = Vec::new();
        for path in all.iter().filter(|path| !is_left(path)) {
            // A directory stands before what is in it.
            if !outermost.iter().any(|outer| path.starts_with(outer)) {
                outermost.push(path);
            }
        }
        let crates = args::dependency_directories(order.invocation.args);
        let inputs = outermost.iter().enumerate().map(|(number, path)| {
            let at = Utf8PathBuf::from(format!("{INPUT}-{number}"));
            let is_file = path.is_file();
            Input {
                path: (*path).clone(),
                at: match path.file_name().filter(|_| is_file) {
                    Some(name) => at.join(name),
                    None => at,
                },
                part: match (is_sysroot(path), order.rights.sort) {
                    (false, _) if crates.contains(path) => Part::Crates,
                    (false, _) => Part::All,
                    (true, ProcessSort::Compiler) => Part::ForCompiler,
                    (true, ProcessSort::Program) => Part::ForProgram,
                },
            }
        });
        let inputs: Vec<Input> = inputs.collect();
        let mut pairs: Vec<(Utf8PathBuf, Utf8PathBuf)> = inputs
            .iter()
            .map(|input| (input.path.clone(), input.at.clone()))
            .collect();
        pairs.push((worker, WORKER.into()));
        pairs.sort_by_key(|(path, _)| std::cmp::Reverse(path.as_str().len()));
        let on_worker = sysroots.into_iter().filter(|path| names(order, path));
        let on_worker = on_worker.cloned().collect();
        debug_assert!(!places.writes.is_empty(), "a worker has a directory");
        Self {
            pairs,
            inputs,
            on_worker,
        }
    }

    /// Returns the place of a path below the root of a command on the server; `None` where the path is not there.
    pub(super) fn place(&self, path: &Utf8Path) -> Option<Utf8PathBuf> {
        let mut pairs = self.pairs.iter();
        pairs.find_map(|(here, there)| Some(there.join(path.strip_prefix(here).ok()?)))
    }

    /// Replaces the paths of this machine in a text by those that the command on the server sees.
    pub(super) fn there(&self, text: &str) -> String {
        let moved = |text: String, (here, there): &(Utf8PathBuf, Utf8PathBuf)| {
            relocate(&text, here, &format!("{}/{there}", Command::ROOT))
        };
        self.pairs.iter().fold(text.to_owned(), moved)
    }

    /// Replaces the server's paths in the output of a command by those of this machine.
    pub(super) fn here(&self, text: &str, root: &str) -> String {
        let moved = |text: String, (here, there): &(Utf8PathBuf, Utf8PathBuf)| {
            let place = Utf8PathBuf::from(format!("{root}/{there}"));
            relocate(&text, &place, here.as_str())
        };
        self.pairs.iter().fold(text.to_owned(), moved)
    }

    /// Returns the files that a command on the server gets as its inputs.
    pub(super) fn inputs(&self, order: &Order<'_>) -> Result<Inputs, InputError> {
        let mut inputs = Inputs::default();
        let closed = &order.rights.places.closed;
        let worker = worker(order);
        for dir in [DEPS, "tmp", TARGET_TEMPORARY] {
            inputs.add_directory(&Utf8Path::new(WORKER).join(dir));
        }
        let tree = worker.join("tree");
        for (name, program) in programs_in(&worker) {
            let at = Utf8Path::new(WORKER).join(name);
            inputs.add(&at, &program, &|_| false)?;
        }
        let is_closed = |path: &Utf8Path| closed.iter().any(|closed| path == closed);
        inputs.add(&Utf8Path::new(WORKER).join("tree"), &tree, &is_closed)?;
        for input in &self.inputs {
            let is_left_out = |path: &Utf8Path| {
                let inner = path.strip_prefix(&input.path).unwrap_or(path);
                is_closed(path) || !input.part.has(inner, order.invocation.program)
            };
            inputs.add(&input.at, &input.path, &is_left_out)?;
        }
        Ok(inputs)
    }

    /// Returns the files whose contents tell apart the toolchains of workers: their libraries.
    pub(super) fn identified_by(&self, order: &Order<'_>) -> Vec<Utf8PathBuf> {
        let of_sysroot = |sysroot: &Utf8PathBuf| {
            let program = order.invocation.program;
            let program = program.starts_with(sysroot).then(|| program.to_owned());
            program.into_iter().chain(libraries(sysroot))
        };
        self.on_worker.iter().flat_map(of_sysroot).collect()
    }
}

impl Part {
    /// Whether this part of a directory has the file of the path `inner`.
    fn has(self, inner: &Utf8Path, program: &Utf8Path) -> bool {
        let mut parts = inner.components().map(|part| part.as_str());
        let (first, second, third) = (parts.next(), parts.next(), parts.next());
        let fourth = parts.next();
        match (self, first, second) {
            (Self::Crates, _, _) => is_compiled(inner),
            (Self::All, _, _) | (_, Some("bin" | "lib"), None) => true,
            (Self::ForCompiler, Some("bin"), Some(name)) => program.file_name() == Some(name),
            // Its sources and what debuggers read are of no use to it.
            (Self::ForCompiler, Some("lib"), Some("rustlib")) => {
                !matches!(third, Some("src" | "etc")) && !is_of_installer(third)
            }
            (Self::ForCompiler, Some("lib"), Some(name)) => third.is_none() && name.contains(".so"),
            (Self::ForProgram, Some("lib"), Some("rustlib")) => match (third, fourth) {
                (None, _) => true,
                (Some("src" | "etc"), _) => false,
                (Some(_), None) => !is_of_installer(third),
                (Some(_), Some(fourth)) => {
                    fourth == "lib" && (parts.next().is_none_or(|name| name.contains(".so")))
                }
            },
            (Self::ForProgram, Some("lib"), Some(name)) => {
                let is_of_compiler = name.contains("rustc_driver") || name.contains("LLVM");
                third.is_none() && name.contains(".so") && !is_of_compiler
            }
            _ => false,
        }
    }
}

/// Whether a file of this name is a list of what the installer of a toolchain has installed.
fn is_of_installer(name: Option<&str>) -> bool {
    const LISTS: [&str; 5] = [
        "components",
        "install.log",
        "uninstall.sh",
        "rust-installer-version",
        "multirust-config.toml",
    ];
    name.is_some_and(|name| name.starts_with("manifest-") || LISTS.contains(&name))
}

/// Returns the programs that a test may start: what links in the directory of the worker, and below it, lead to.
fn programs_in(worker: &Utf8Path) -> Vec<(Utf8PathBuf, Utf8PathBuf)> {
    let dirs = [worker.to_owned(), worker.join(EXAMPLES)].into_iter();
    let entries = dirs.flat_map(|dir| dir.read_dir_utf8()).flatten().flatten();
    let links = entries.filter_map(|entry| {
        let program = entry.path().read_link_utf8().ok()?;
        let name = entry.path().strip_prefix(worker).ok()?.to_owned();
        Some((name, program))
    });
    links.collect()
}

/// Returns the directory of a worker.
fn worker(order: &Order<'_>) -> Utf8PathBuf {
    let temporary = order.rights.places.writes.first();
    let worker = temporary.and_then(|path| path.parent());
    worker.map_or_else(Utf8PathBuf::new, Utf8Path::to_owned)
}

/// Returns the paths that a process may read besides the worker's directory, as far as they exist. Of those that are common
/// to all workers, only the ones that the process names.
fn readable(order: &Order<'_>, worker: &Utf8Path, common: &[Utf8PathBuf]) -> BTreeSet<Utf8PathBuf> {
    let (invocation, reads) = (order.invocation, &order.rights.places.reads);
    let is_readable = |path: &Utf8PathBuf| reads.iter().any(|outer| path.starts_with(outer));
    let of_env = invocation.env.values().flat_map(|value| value.split(':'));
    let of_env = of_env
        .filter(|path| path.starts_with('/'))
        .map(Utf8PathBuf::from);
    let named = args::inputs(invocation.args).into_iter().chain(of_env);
    let is_common = |path: &Utf8PathBuf| common.contains(path) && path.is_dir();
    let all = reads.iter().cloned().chain(named.filter(is_readable));
    let is_beside = |path: &Utf8PathBuf| !worker.starts_with(path) && !path.starts_with(worker);
    all.filter(|path| is_beside(path) && !is_common(path) && path.exists())
        .collect()
}

/// Whether a process belongs to the toolchain at `path`, or names it.
fn names(order: &Order<'_>, path: &Utf8Path) -> bool {
    let invocation = order.invocation;
    let mut texts = invocation.args.iter().chain(invocation.env.values());
    invocation.program.starts_with(path) || texts.any(|text| text.contains(path.as_str()))
}

fn is_sysroot(path: &Utf8Path) -> bool {
    path.join("lib/rustlib").is_dir()
}

fn is_of_system(path: &Utf8Path) -> bool {
    OF_SYSTEM.iter().any(|dir| path.starts_with(dir))
}

/// Returns the libraries of a toolchain, in order.
fn libraries(sysroot: &Utf8Path) -> BTreeSet<Utf8PathBuf> {
    let entries = sysroot
        .join("lib")
        .read_dir_utf8()
        .into_iter()
        .flatten()
        .flatten();
    let is_own = |path: &Utf8PathBuf| {
        let name = path.file_name().unwrap_or_default();
        ["librustc_driver", "libstd-", "libLLVM"]
            .iter()
            .any(|own| name.starts_with(own))
    };
    entries
        .map(camino::Utf8DirEntry::into_path)
        .filter(is_own)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Sources;
    use crate::system::process::{Bounds, Invocation};
    use crate::system::sandbox::{Places, SandboxMode};
    use crate::worker::confined::Rights;
    use reduce_remote_protocol::Input;
    use std::collections::BTreeMap;
    use std::time::Duration;

    /// A place with a worker, a toolchain, compiled crates, and a directory of the user's.
    struct Bench {
        _guard: tempfile::TempDir,
        dir: Utf8PathBuf,
    }

    impl Bench {
        fn new() -> Self {
            let guard = tempfile::tempdir().unwrap();
            let dir = Utf8PathBuf::from_path_buf(guard.path().to_owned()).unwrap();
            for file in [
                "run/worker-0/tree/src/lib.rs",
                "run/worker-0/tmp/old",
                "run/worker-1/tree/src/lib.rs",
                "run/shared/libother.rlib",
                "run/shared/unnamed.rlib",
                "builds/deps/liba.rlib",
                "builds/deps/a.d",
                "builds/other/libb.rlib",
                "toolchain/bin/rustc",
                "toolchain/bin/cargo",
                "toolchain/lib/librustc_driver.so",
                "toolchain/lib/libstd-1.so",
                "toolchain/lib/rustlib/host/lib/libcore.rlib",
                "toolchain/lib/rustlib/host/lib/libstd-1.so",
                "toolchain/lib/rustlib/src/rust/library/core.rs",
                "toolchain/share/doc/index.html",
                "data/input.txt",
            ] {
                let path = dir.join(file);
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                std::fs::write(path, file).unwrap();
            }
            Self { _guard: guard, dir }
        }

        /// Returns the mapping of a process with these arguments, in which `@` stands for the directory.
        fn mapped(&self, sort: ProcessSort, args: &[&str], from: RemoteToolchain) -> Mapping {
            self.with_order(sort, args, |order| Mapping::of(order, from, &self.common()))
        }

        fn common(&self) -> Vec<Utf8PathBuf> {
            vec![self.dir.join("builds")]
        }

        fn with_order<T>(
            &self,
            sort: ProcessSort,
            args: &[&str],
            then: impl FnOnce(&Order<'_>) -> T,
        ) -> T {
            let args: Vec<String> = args
                .iter()
                .map(|arg| arg.replace('@', self.dir.as_str()))
                .collect();
            let libraries = self.dir.join("toolchain/lib").into_string();
            let env = match sort {
                ProcessSort::Compiler => BTreeMap::new(),
                ProcessSort::Program => [("LD_LIBRARY_PATH".to_owned(), libraries)].into(),
            };
            let program = match sort {
                ProcessSort::Compiler => self.dir.join("toolchain/bin/rustc"),
                ProcessSort::Program => self.dir.join("run/worker-0/deps/program"),
            };
            let reads = ["builds", "run", "toolchain", "toolchain/bin/rustc", "data"];
            let places = Places {
                reads: reads.iter().map(|path| self.dir.join(path)).collect(),
                writes: vec![self.dir.join("run/worker-0/tmp")],
                closed: vec![],
            };
            let invocation = Invocation {
                program: &program,
                args: &args,
                env: &env,
                dir: &self.dir.join("run/worker-0/tree"),
                bounds: Bounds::of_time(Duration::from_secs(1), 100),
                confinement: None,
            };
            let rights = Rights::new(SandboxMode::Off, sort, places);
            then(&Order {
                invocation: &invocation,
                rights: &rights,
                tree: &self.dir.join("run/worker-0/tree"),
                candidate: &Sources::default(),
            })
        }

        /// Returns the files that travel, as far as they are below one of these directories.
        fn part(&self, part: Part, program: &str) -> Vec<String> {
            let toolchain = self.dir.join("toolchain");
            let mut found = Vec::new();
            let mut todo = vec![toolchain.clone()];
            while let Some(dir) = todo.pop() {
                for entry in dir.read_dir_utf8().unwrap() {
                    let path = entry.unwrap().into_path();
                    let inner = path.strip_prefix(&toolchain).unwrap();
                    if !part.has(inner, Utf8Path::new(program)) {
                        continue;
                    }
                    match path.is_dir() {
                        true => todo.push(path),
                        false => found.push(inner.to_string()),
                    }
                }
            }
            found.sort();
            found
        }
    }

    const COMPILES: [&str; 4] = [
        "-Ldependency=@/builds/deps",
        "--extern=other=@/run/shared/libother.rlib",
        "-o",
        "@/run/worker-0/deps/program",
    ];

    fn there(mapping: &Mapping, path: &Utf8Path) -> Option<String> {
        mapping.place(path).map(Utf8PathBuf::into_string)
    }

    #[test]
    fn a_compiler_gets_its_tree_what_it_names_and_what_the_user_opens() {
        let bench = Bench::new();
        let mapping = bench.mapped(ProcessSort::Compiler, &COMPILES, RemoteToolchain::Upload);
        let place = |path: &str| there(&mapping, &bench.dir.join(path));
        let tree = "reduce-worker/tree/src/lib.rs";
        assert_eq!(place("run/worker-0/tree/src/lib.rs").as_deref(), Some(tree));
        for named in [
            "builds/deps/liba.rlib",
            "run/shared/libother.rlib",
            "data/input.txt",
        ] {
            assert!(
                place(named).is_some_and(|at| at.starts_with(INPUT)),
                "{named}"
            );
        }
        for other in [
            "builds/other/libb.rlib",
            "run/worker-1/tree",
            "run/shared/unnamed.rlib",
        ] {
            assert_eq!(place(other), None, "{other}");
        }
    }

    #[test]
    fn what_is_sent_comes_back_as_it_was() {
        let bench = Bench::new();
        let mapping = bench.mapped(ProcessSort::Compiler, &COMPILES, RemoteToolchain::Upload);
        let text = format!(
            "error in {0}/run/worker-0/tree/a.rs and {0}/data/input.txt",
            bench.dir
        );
        let sent = mapping.there(&text);
        assert!(!sent.contains(bench.dir.as_str()), "{sent:?}");
        for root in ["", "/worker/build/17"] {
            let printed = sent.replace(Command::ROOT, root);
            assert_eq!(mapping.here(&printed, root), text);
        }
    }

    #[test]
    fn a_toolchain_travels_without_what_no_process_reads() {
        let bench = Bench::new();
        let of_compiler = [
            "bin/rustc",
            "lib/librustc_driver.so",
            "lib/libstd-1.so",
            "lib/rustlib/host/lib/libcore.rlib",
            "lib/rustlib/host/lib/libstd-1.so",
        ];
        assert_eq!(bench.part(Part::ForCompiler, "/t/bin/rustc"), of_compiler);
        let of_program = ["lib/libstd-1.so", "lib/rustlib/host/lib/libstd-1.so"];
        assert_eq!(bench.part(Part::ForProgram, "/w/out/program"), of_program);
    }

    #[test]
    fn a_toolchain_that_workers_have_keeps_its_path_and_becomes_a_part_of_the_key() {
        let bench = Bench::new();
        for sort in [ProcessSort::Compiler, ProcessSort::Program] {
            let library = bench.dir.join("toolchain/lib/libstd-1.so");
            let found = |from| {
                bench.with_order(sort, &COMPILES, |order| {
                    let mapping = Mapping::of(order, from, &bench.common());
                    let is_sent = there(&mapping, &library).is_some();
                    (is_sent, mapping.identified_by(order))
                })
            };
            assert_eq!(found(RemoteToolchain::Upload), (true, vec![]));
            let (is_sent, identified_by) = found(RemoteToolchain::Worker);
            assert!(!is_sent && identified_by.contains(&library));
        }
    }

    #[test]
    fn compiled_crates_travel_without_what_stands_beside_them() {
        let bench = Bench::new();
        let sent = bench.with_order(ProcessSort::Compiler, &COMPILES, |order| {
            let mapping = Mapping::of(order, RemoteToolchain::Upload, &bench.common());
            let inputs = mapping.inputs(order).unwrap();
            let paths = inputs.iter().filter_map(|(_, input)| match input {
                Input::File { path, .. } => {
                    Some(path.strip_prefix(&bench.dir).unwrap().to_string())
                }
                _ => None,
            });
            paths.collect::<BTreeSet<String>>()
        });
        for path in ["builds/deps/liba.rlib", "run/worker-0/tree/src/lib.rs"] {
            assert!(sent.contains(path), "{path}: {sent:?}");
        }
        for path in [
            "builds/deps/a.d",
            "run/worker-0/tmp/old",
            "run/worker-1/tree/src/lib.rs",
        ] {
            assert!(!sent.contains(path), "{path}: {sent:?}");
        }
    }
}
