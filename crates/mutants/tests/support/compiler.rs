//! Compiles instrumented sources with the real compiler, in directories of their own.

use camino::{Utf8Path, Utf8PathBuf};
use reduce_syntax::SourceTree;
use std::process::{Command, Output};

/// The features that the compiler permits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Features {
    Stable,
    Unstable,
}

/// A directory with sources, which goes with this value.
pub(crate) struct Workbench {
    directory: tempfile::TempDir,
}

impl Workbench {
    pub(crate) fn new() -> Self {
        let directory = tempfile::tempdir().expect("there is room for sources");
        Self { directory }
    }

    pub(crate) fn path(&self) -> &Utf8Path {
        Utf8Path::from_path(self.directory.path()).expect("the directory has a name in UTF-8")
    }

    /// Writes sources to a directory, and returns the crate root.
    pub(crate) fn write(&self, directory: &str, sources: &SourceTree) -> Utf8PathBuf {
        let directory = self.path().join(directory);
        for (_, path, text) in sources.files() {
            let path = directory.join(path);
            let parent = path.parent().expect("a file is in a directory");
            std::fs::create_dir_all(parent).expect("directories can be made");
            std::fs::write(path, text.as_bytes()).expect("sources can be written");
        }
        directory.join(sources.path(sources.root()))
    }

    /// Compiles a crate root with these arguments; what comes of it is in this directory.
    pub(crate) fn rustc(&self, root: &Utf8Path, arguments: &[&str]) -> Output {
        self.rustc_with(root, arguments, Features::Stable)
    }

    /// Compiles a crate with these features permitted.
    pub(crate) fn rustc_with(
        &self,
        root: &Utf8Path,
        arguments: &[&str],
        features: Features,
    ) -> Output {
        let mut command = command("rustc");
        if features == Features::Unstable {
            command.env("RUSTC_BOOTSTRAP", "1");
        }
        command.arg(root).args(arguments).current_dir(self.path());
        command.output().expect("the compiler can be started")
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "these tests are about what the compiler makes of the sources"
)]
pub(crate) fn command(program: &str) -> Command {
    let mut command = Command::new(program);
    command.env("RUST_BACKTRACE", "0").env_remove("RUSTFLAGS");
    command
}
