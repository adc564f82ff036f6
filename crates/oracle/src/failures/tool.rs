//! The programs of a toolchain that may crash.

use crate::compiler::target::Surroundings;
use crate::compiler::toolchain::{Compiler, run_quickly};
use crate::error::OracleError;
use crate::system::process::Ending;
use reduce_platform::Cancel;

/// A program of a toolchain that is asked about candidates, and whose crash is reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tool {
    /// The compiler, or a program that it has compiled.
    Rustc,
    /// The program `rustdoc`.
    Rustdoc,
    /// The program `clippy-driver`, which is a compiler too.
    Clippy,
    /// The program `rustfmt`.
    Rustfmt,
}

impl Tool {
    /// Returns the name of the tool's program.
    #[must_use]
    pub fn program(self) -> &'static str {
        match self {
            Self::Rustc => "rustc",
            Self::Rustdoc => "rustdoc",
            Self::Clippy => "clippy-driver",
            Self::Rustfmt => "rustfmt",
        }
    }

    /// Returns the names of the tool's configuration files.
    #[must_use]
    pub fn configuration_files(self) -> &'static [&'static str] {
        match self {
            Self::Rustc | Self::Rustdoc => &[],
            Self::Clippy => &["clippy.toml", ".clippy.toml"],
            Self::Rustfmt => &["rustfmt.toml", ".rustfmt.toml"],
        }
    }

    /// Returns the version of the tool in its own words, where the compiler that was asked does not
    /// tell it.
    ///
    /// # Errors
    /// Where it cannot be started.
    pub fn version(
        self,
        compiler: &Compiler,
        user: &Surroundings,
        cancel: &Cancel,
    ) -> Result<Option<String>, OracleError> {
        if matches!(self, Self::Rustc | Self::Rustdoc) {
            return Ok(None);
        }
        let program = compiler.path.with_file_name(self.program());
        let args = ["--version".to_owned()];
        let said = run_quickly(&program, &args, &user.vars, &user.cwd, cancel)?;
        let version = said.stdout.trim();
        let is_said = said.ending == Ending::Exited(0) && !version.is_empty();
        Ok(is_said.then(|| version.to_owned()))
    }
}
