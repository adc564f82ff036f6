//! A plan for tests.

use super::{Access, CompilerCall, ErrorFormat, Inputs, Limits, Plan, RunPolicy};
use crate::check::crash::Crash;
use crate::compiler::toolchain::Compiler;
use crate::system::private::Private;
use crate::system::sandbox::SandboxMode;
use camino::Utf8PathBuf;
use std::collections::{BTreeMap, BTreeSet};

impl Plan {
    /// Makes a plan for tests: it compiles one file in a tree, with nothing but its name.
    pub(crate) fn of_root(compiler: Compiler, tree: Utf8PathBuf, root: &str) -> Self {
        Self {
            call: CompilerCall {
                compiler,
                args: vec![root.to_owned()],
                env: BTreeMap::new(),
                cwd: "".into(),
                root: root.into(),
                crate_name: "lib".to_owned(),
                edition: "2015".to_owned(),
                error_format: ErrorFormat::Json,
            },
            inputs: Inputs {
                tree,
                files: BTreeSet::from([root.into()]),
                texts: BTreeMap::new(),
                edited_root: None,
                auxiliaries: Vec::new(),
                programs: BTreeMap::new(),
                contents: BTreeMap::new(),
                dependencies: BTreeMap::new(),
                stamps: BTreeMap::new(),
            },
            access: Access {
                sandbox: SandboxMode::Off,
                reads: Vec::new(),
                user_reads: Vec::new(),
                private: Private::default(),
            },
            run_policy: RunPolicy {
                check: Crash::check(),
                limits: Limits::default(),
                repeat: 1,
                at_least: 1,
                cheapest_call: None,
                companions: Vec::new(),
            },
        }
    }
}
