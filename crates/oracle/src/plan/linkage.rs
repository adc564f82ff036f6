//! The crates that a program is linked with: compiled ones, and those whose text is edited too, which are compiled
//! before it (as rustc's own tests do with their auxiliary crates).

use crate::compiler::args::{self, ArgGroup};
use crate::compiler::unit::Unit;
use crate::plan::Plan;
use crate::plan::auxiliary::{AuxiliaryCall, COMPILED};
use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The crates that a program may name, and those of them that are compiled from edited text. Units are named by their
/// index.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Linkage {
    /// The units that the crashing crate may name, by the names that it has for them.
    pub externs: BTreeMap<String, usize>,
    /// The units that are compiled from edited text.
    pub auxiliaries: BTreeMap<usize, Auxiliary>,
    /// The crashing crate's edition, if it is not that of the plan.
    pub edition: Option<String>,
    /// The units whose text was put into the program as modules, in the order in which this happened. Whether there are any
    /// decides which variants guard a failing test.
    #[serde(default)]
    pub modules: Vec<usize>,
}

/// A crate that is compiled from edited text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Auxiliary {
    /// The crate's only file, relative to the tree.
    pub file: Utf8PathBuf,
    /// The crate's edition, such as `2021`.
    pub edition: String,
    /// The units that the crate may name, by the names that it has for them.
    pub externs: BTreeMap<String, usize>,
}

impl Linkage {
    /// Returns the linkage of a plan before any crate is edited: its linked crates that are units.
    #[must_use]
    pub fn of_plan(plan: &Plan, units: &[Unit]) -> Self {
        let named = plan.externs().into_iter();
        let externs = named.filter_map(|(name, path)| Some((name, unit_of(units, &path?)?)));
        Self {
            externs: externs.collect(),
            ..Self::default()
        }
    }

    /// Returns all units that the program is linked with, directly or through others.
    #[must_use]
    pub fn reachable(&self, units: &[Unit]) -> BTreeSet<usize> {
        let mut found = BTreeSet::new();
        let mut todo: Vec<usize> = self.externs.values().copied().collect();
        while let Some(idx) = todo.pop() {
            if found.insert(idx) {
                todo.extend(self.linked_by(idx, units));
            }
        }
        found
    }

    /// Returns the units that a crate with edited text names, in their order.
    #[must_use]
    pub fn named(&self) -> BTreeSet<usize> {
        let mut found = BTreeSet::new();
        let mut todo: Vec<usize> = self.externs.values().copied().collect();
        while let Some(idx) = todo.pop() {
            let auxiliary = self.auxiliaries.get(&idx).filter(|_| !found.contains(&idx));
            todo.extend(auxiliary.into_iter().flat_map(|one| one.externs.values()));
            found.insert(idx);
        }
        found
    }

    /// Returns the units that a unit is linked with. A procedural macro is run, not linked, so that what it is made of
    /// is no part of the program.
    #[must_use]
    pub fn linked_by(&self, idx: usize, units: &[Unit]) -> Vec<usize> {
        match (self.auxiliaries.get(&idx), units.get(idx)) {
            (Some(auxiliary), _) => auxiliary.externs.values().copied().collect(),
            (None, Some(unit)) if !unit.is_proc_macro => {
                externs_of(unit, units).into_values().collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns the number of crates that are named on the command lines of the program and of the edited crates.
    #[must_use]
    pub fn count(&self) -> usize {
        let of_auxiliaries = self.auxiliaries.values().map(|one| one.externs.len());
        self.externs.len() + of_auxiliaries.sum::<usize>()
    }
}

/// Returns the units that a unit names, by the names that it has for them.
#[must_use]
pub fn externs_of(unit: &Unit, units: &[Unit]) -> BTreeMap<String, usize> {
    let externs = unit.externs.iter().filter_map(|(name, path)| {
        let idx = unit_of(units, path.as_ref()?)?;
        Some((name.clone(), idx))
    });
    externs.collect()
}

/// Returns the unit that a file was compiled from: `liba-1.rmeta` and `liba-1.rlib` are of the same one.
fn unit_of(units: &[Unit], path: &Utf8Path) -> Option<usize> {
    units.iter().position(|unit| unit.is_artifact(path))
}

impl Plan {
    /// Returns the argument groups that a person would try to do without, but for those that link units or choose a
    /// version.
    #[must_use]
    pub fn unlinked_args(&self, units: &[Unit]) -> Vec<ArgGroup> {
        let mut groups = self.removable_args();
        groups.retain(|group| !links_unit(group, units) && !self.chooses_version(group));
        groups
    }

    /// Returns the plan with other crates linked than those that it was found with.
    #[must_use]
    pub fn linked(&self, units: &[Unit], linkage: &Linkage) -> Self {
        let groups = args::groups(&self.call.args).into_iter();
        let of_units: Vec<ArgGroup> = groups.filter(|group| links_unit(group, units)).collect();
        let mut changed = args::without(&self.call.args, &of_units);
        if let Some(edition) = &linkage.edition {
            changed = args::with_edition(&changed, edition);
        }
        let linker = Linker {
            plan: self,
            units,
            linkage,
        };
        changed.extend(linker.extern_args(&linkage.externs));
        let mut plan = self.with_args(changed);
        plan.call.edition = args::edition(&plan.call.args);
        plan.inputs.auxiliaries = linker.calls();
        plan
    }
}

fn links_unit(group: &ArgGroup, units: &[Unit]) -> bool {
    args::extern_path(group).is_some_and(|path| unit_of(units, &path).is_some())
}

/// Returns the file of a compiled crate that can be linked. Crates that are compiled after it may name nothing but its
/// metadata, which is no code.
pub(super) fn linkable(artifact: &Utf8Path) -> Utf8PathBuf {
    let with_code = artifact.with_extension("rlib");
    match artifact.extension() {
        Some("rmeta") if with_code.is_file() => with_code,
        _ => artifact.to_owned(),
    }
}

struct Linker<'l> {
    plan: &'l Plan,
    units: &'l [Unit],
    linkage: &'l Linkage,
}

impl Linker<'_> {
    fn extern_args(&self, externs: &BTreeMap<String, usize>) -> Vec<String> {
        let mut args: Vec<String> = externs
            .iter()
            .map(|(name, &idx)| format!("--extern={name}={}", self.compiled(idx)))
            .collect();
        if self.has_others(externs) {
            args.push(format!(
                "-Ldependency={}",
                self.plan.inputs.tree.join(COMPILED)
            ));
        }
        args
    }

    /// Whether the program is linked with edited crates that `externs` does not name.
    fn has_others(&self, externs: &BTreeMap<String, usize>) -> bool {
        let only = Linkage {
            externs: externs.clone(),
            ..self.linkage.clone()
        };
        let mut reachable = only.reachable(self.units).into_iter();
        let is_named = |idx: usize| externs.values().any(|named| *named == idx);
        reachable.any(|idx| self.linkage.auxiliaries.contains_key(&idx) && !is_named(idx))
    }

    /// Returns the compiled file that is linked for a unit.
    fn compiled(&self, idx: usize) -> Utf8PathBuf {
        match self.linkage.auxiliaries.contains_key(&idx) {
            true => self.plan.inputs.tree.join(self.auxiliary_output(idx)),
            false => linkable(&self.units[idx].artifact),
        }
    }

    /// Returns the kind of output that is emitted for an auxiliary crate, and its extension.
    fn emitted(&self) -> (&'static str, &'static str) {
        match args::generates_code(&self.plan.call.args) {
            true => ("link", "rlib"),
            false => ("metadata", "rmeta"),
        }
    }

    fn auxiliary_output(&self, idx: usize) -> Utf8PathBuf {
        let (_, extension) = self.emitted();
        let name = &self.units[idx].name;
        Utf8PathBuf::from(format!("{COMPILED}/lib{name}.{extension}"))
    }

    /// Returns the calls of the auxiliary crates. Units come before what they link, so that the last one is compiled
    /// first.
    fn calls(&self) -> Vec<AuxiliaryCall> {
        let auxiliaries = self.linkage.auxiliaries.iter().rev();
        auxiliaries
            .map(|(&idx, auxiliary)| self.call(idx, auxiliary))
            .collect()
    }

    fn call(&self, idx: usize, auxiliary: &Auxiliary) -> AuxiliaryCall {
        let compiled = self.auxiliary_output(idx);
        let unit = &self.units[idx];
        let (emit, _) = self.emitted();
        let mut args = vec![
            auxiliary.file.to_string(),
            format!("--crate-name={}", unit.name),
            "--crate-type=lib".to_owned(),
            format!("--edition={}", auxiliary.edition),
            format!("--emit={emit}"),
            "--cap-lints=allow".to_owned(),
        ];
        args.extend(args::compatibility(&unit.args));
        args.extend(self.extern_args(&auxiliary.externs));
        let links = auxiliary.externs.values();
        let links = links.filter_map(|idx| self.linkage.auxiliaries.get(idx));
        AuxiliaryCall {
            file: auxiliary.file.clone(),
            links: links.map(|one| one.file.clone()).collect(),
            compiled,
            args,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compiler::toolchain::Compiler;

    fn unit(name: &str, externs: &[(&str, &str)]) -> Unit {
        let externs = externs.iter().map(|(name, of)| {
            let artifact = Utf8PathBuf::from(format!("/d/lib{of}-1.rmeta"));
            ((*name).to_owned(), Some(artifact))
        });
        Unit {
            name: name.to_owned(),
            package: name.to_owned(),
            version: "1.0.0".to_owned(),
            edition: "2018".to_owned(),
            is_proc_macro: false,
            links_native: false,
            artifact: format!("/d/lib{name}-1.rmeta").into(),
            args: vec!["-Cpanic=abort".to_owned(), "-Copt-level=3".to_owned()],
            env: BTreeMap::new(),
            root: format!("/{name}/lib.rs").into(),
            cwd: "/".into(),
            externs: externs.collect(),
            configuration: Vec::new(),
        }
    }

    /// Makes the units of a program that names `top` as `t` and `side`; `top` links `base`, `side` a procedural macro.
    fn units() -> Vec<Unit> {
        let mut all = vec![
            unit("top", &[("base", "base")]),
            unit("side", &[("base2", "base"), ("derive", "derive")]),
            unit("derive", &[("quote", "quote")]),
            unit("base", &[]),
            unit("quote", &[]),
        ];
        all[2].is_proc_macro = true;
        all
    }

    fn plan(args: &str) -> Plan {
        let compiler = Compiler {
            path: "/t/rustc".into(),
            command: "rustc".to_owned(),
            verbose_version: String::new(),
            identity: [0; 32],
            sysroot: None,
        };
        let plan = Plan::of_root(compiler, "/tree".into(), "lib.rs");
        plan.with_args(shlex::split(args).unwrap())
    }

    fn found() -> Plan {
        plan(
            "lib.rs --edition=2021 --extern t=/d/libtop-1.rlib --extern priv:side=/d/libside-1.rmeta \
             --extern proc_macro --extern other=/x/libother.rmeta --emit=metadata",
        )
    }

    #[test]
    fn what_a_plan_links_is_found_by_its_files() {
        let linkage = Linkage::of_plan(&found(), &units());
        let expected = BTreeMap::from([("t".to_owned(), 0), ("side".to_owned(), 1)]);
        assert_eq!(linkage.externs, expected);
        let reachable = linkage.reachable(&units());
        let without_quote = BTreeSet::from([0, 1, 2, 3]);
        assert_eq!(reachable, without_quote, "a macro is run, not linked");
    }

    #[test]
    fn only_what_links_units_is_linked_otherwise() {
        let linkage = Linkage {
            externs: BTreeMap::from([("base".to_owned(), 3)]),
            edition: Some("2024".to_owned()),
            ..Linkage::default()
        };
        let linked = found().linked(&units(), &linkage);
        let expected = "lib.rs --extern proc_macro --extern other=/x/libother.rmeta \
                        --emit=metadata --edition=2024 --extern=base=/d/libbase-1.rmeta";
        assert_eq!(linked.call.args.join(" "), expected);
        assert_eq!(linked.call.edition, "2024");
        let left: Vec<String> = found()
            .unlinked_args(&units())
            .into_iter()
            .map(|group| group.name)
            .collect();
        assert_eq!(left, ["--edition", "--extern", "--extern", "--emit"]);
    }

    #[test]
    fn what_has_code_is_linked_where_it_is_there() {
        let dir = tempfile::tempdir().unwrap();
        let dir = Utf8Path::from_path(dir.path()).unwrap();
        let metadata = dir.join("libbase-1.rmeta");
        assert_eq!(linkable(&metadata), metadata);
        let with_code = dir.join("libbase-1.rlib");
        std::fs::write(&with_code, "").unwrap();
        assert_eq!(linkable(&metadata), with_code);
        assert_eq!(linkable("/d/libm-1.so".into()), "/d/libm-1.so");
    }

    #[test]
    fn edited_crates_are_compiled_before_what_links_them() {
        let auxiliary = |name: &str, externs: &[(&str, usize)]| Auxiliary {
            file: format!("auxiliary/{name}.rs").into(),
            edition: "2018".to_owned(),
            externs: externs
                .iter()
                .map(|(name, idx)| ((*name).to_owned(), *idx))
                .collect(),
        };
        let linkage = Linkage {
            externs: BTreeMap::from([("t".to_owned(), 0)]),
            auxiliaries: BTreeMap::from([
                (0, auxiliary("top", &[("base", 3)])),
                (3, auxiliary("base", &[])),
            ]),
            ..Linkage::default()
        };
        let linked = found().linked(&units(), &linkage);
        let base = "rustc auxiliary/base.rs --crate-type=lib --edition=2018 --emit=metadata \
                    -Cpanic=abort";
        let top = "rustc auxiliary/top.rs --crate-type=lib --edition=2018 \
                   --emit=metadata -Cpanic=abort --extern=base=libbase.rmeta";
        let own = "rustc reduced.rs --edition=2021 --extern proc_macro \
                   --extern other=/x/libother.rmeta --emit=metadata --extern=t=libtop.rmeta \
                   -Ldependency=.";
        let command = linked.command(Utf8Path::new("reduced.rs"));
        assert_eq!(command.split(" && ").collect::<Vec<_>>(), [base, top, own]);
        assert_eq!(linked.extern_files(), ["/x/libother.rmeta"]);
        let other = found().linked(&units(), &Linkage::of_plan(&found(), &units()));
        let none = BTreeSet::new();
        assert_ne!(linked.digest(&none), other.digest(&none));
    }

    #[test]
    fn code_is_generated_for_edited_crates_where_it_is_for_the_program() {
        let linkage = Linkage {
            externs: BTreeMap::from([("base".to_owned(), 3)]),
            auxiliaries: BTreeMap::from([(
                3,
                Auxiliary {
                    file: "auxiliary/base.rs".into(),
                    edition: "2018".to_owned(),
                    externs: BTreeMap::new(),
                },
            )]),
            ..Linkage::default()
        };
        let linked = plan("lib.rs --emit=obj").linked(&units(), &linkage);
        let call = &linked.inputs.auxiliaries[0];
        assert_eq!(call.compiled, ".auxiliary/libbase.rlib");
        assert!(call.args.contains(&"--emit=link".to_owned()));
    }
}
