//! The programs that cargo calls in place of the compiler, with the compiler and its arguments as theirs.
//!
//! See docs/decisions/cargo-configuration-and-wrappers.md.

use super::{CargoConfig, paths};
use camino::Utf8Path;
use std::collections::BTreeMap;

/// A kind of compiler wrapper; cargo knows two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wrapper {
    /// The wrapper for all crates: `build.rustc-wrapper`.
    Global,
    /// The wrapper for the members of the workspace alone: `build.rustc-workspace-wrapper`.
    Workspace,
}

impl Wrapper {
    /// Returns the variables that outrank the configuration, the one that counts most first.
    #[must_use]
    pub fn variables(self) -> [&'static str; 2] {
        match self {
            Self::Global => ["RUSTC_WRAPPER", "CARGO_BUILD_RUSTC_WRAPPER"],
            Self::Workspace => [
                "RUSTC_WORKSPACE_WRAPPER",
                "CARGO_BUILD_RUSTC_WORKSPACE_WRAPPER",
            ],
        }
    }

    /// Returns the key of the wrapper in cargo's configuration.
    #[must_use]
    pub fn keys(self) -> [&'static str; 2] {
        match self {
            Self::Global => ["build", "rustc-wrapper"],
            Self::Workspace => ["build", "rustc-workspace-wrapper"],
        }
    }

    /// Returns the program that is called for a user who stands in `cwd` with these variables. A path is
    /// absolute.
    #[must_use]
    pub fn program(
        self,
        vars: &BTreeMap<String, String>,
        cwd: &Utf8Path,
        config: &CargoConfig,
    ) -> Option<String> {
        let mut variables = self.variables().into_iter();
        let named = variables.find_map(|name| vars.get(name));
        let named = named.map(|program| paths::program_at(cwd, program));
        let program = named.or_else(|| config.program(&self.keys()));
        // An empty one stands for none, and outranks those that count less.
        program.filter(|program| !program.is_empty())
    }
}

/// The wrappers of a user.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wrappers {
    /// The wrapper for all crates.
    pub global: Option<String>,
    /// The wrapper for members of the workspace; the wrapper for all crates is called with it as an argument.
    pub workspace: Option<String>,
}

impl Wrappers {
    /// Returns the wrappers that cargo would call for a user who stands in `cwd` with these variables.
    #[must_use]
    pub fn of(vars: &BTreeMap<String, String>, cwd: &Utf8Path, config: &CargoConfig) -> Self {
        Self {
            global: Wrapper::Global.program(vars, cwd, config),
            workspace: Wrapper::Workspace.program(vars, cwd, config),
        }
    }
}
