//! The calls of a plan's companions.
//!
//! Companions' calls are derived from the plan's own arguments as they are at the moment, so that flags that were
//! left out, and crates that were merged, are so here, too.

use super::{ErrorFormat, Plan, takes_unstable};
use crate::check::crash::Crash;
use crate::check::{AnyCheck, CommandCall, Started};
use crate::compiler::args;
use crate::compiler::toolchain::Compiler;
use crate::compiler::unit::Unit;
use crate::demands::Demand;
use crate::evidence::crash::Observation;
use crate::plan::companion::{Companion, OwnCrate, TwoVersions};
use crate::plan::programs;
use crate::system::process::Ending;
use crate::text::paths::relocate;
use camino::{Utf8Path, Utf8PathBuf};
use reduce_platform::processes::with_first_directory;
use std::collections::BTreeMap;
use std::sync::Arc;

impl Companion {
    /// Makes a companion, whose call of another compiler or of the plan's own must show `demand`.
    pub(crate) fn new(toolchain: Option<Compiler>, demand: Demand, plan: &Plan) -> Self {
        let compiler = toolchain.as_ref().unwrap_or(&plan.call.compiler);
        Self {
            is_stable: !takes_unstable(&compiler.verbose_version, &plan.call.env),
            toolchain,
            version: None,
            own_crate: None,
            env: BTreeMap::new(),
            flags: Vec::new(),
            unset: Vec::new(),
            units: Arc::new([]),
            replaced: BTreeMap::new(),
            demand,
            is_cheaper: false,
            usual: None,
        }
    }

    /// Whether a run of [`Companion::plan`] shows the demanded result.
    pub(crate) fn holds(&self, plan: &Plan, seen: &Observation) -> bool {
        // A script says what is interesting: whatever else it says is none of our business.
        let is_script = plan.run_policy.check.asks_for_success() && self.demand == Demand::Succeeds;
        let has_ended = matches!(seen.ending, Ending::Exited(code) if code == 0 || is_script);
        has_ended && seen.crashes.is_empty()
    }

    /// Returns the companion's call, as a plan without companions.
    pub(crate) fn plan(&self, plan: &Plan) -> Plan {
        let mut derived = plan.with_companions(Vec::new());
        derived.run_policy.cheapest_call = None;
        derived.run_policy.check = self.check(&plan.run_policy.check);
        derived.call.error_format = ErrorFormat::Json;
        if let Some(own) = &self.own_crate {
            own.take_place(&mut derived);
        }
        derived.call.args = self.own_args(&derived.call.args);
        let mut derived = self.with_env(self.with_toolchain(derived));
        for call in &mut derived.inputs.auxiliaries {
            call.args = self.without_unknown(&call.args);
            call.args = replace(&call.args, &self.replaced);
        }
        derived.call.args = replace(&derived.call.args, &self.replaced);
        derived.call.edition = args::edition(&derived.call.args);
        derived.run_policy.limits.usual = self.usual.or(plan.run_policy.limits.usual);
        derived
    }

    fn check(&self, of_plan: &AnyCheck) -> AnyCheck {
        match self.demand {
            Demand::Compiles => Crash::check(),
            Demand::Succeeds => of_plan.clone(),
        }
    }

    /// Returns the arguments of the companion's call: its own flags come last, as the last one of a kind counts.
    fn own_args(&self, args: &[String]) -> Vec<String> {
        let mut args = self.without_unset(&self.without_unknown(args));
        args.extend(self.flags.iter().cloned());
        args
    }

    /// Removes the flags that make bugs of errors, with which a compiling program is not told from a crash, and
    /// flags that the compiler does not know.
    fn without_unknown(&self, args: &[String]) -> Vec<String> {
        let groups = args::groups(args).into_iter();
        let is_dropped = |group: &args::ArgGroup| {
            group.error_as_bug().is_some() || (group.name == "-Z" && self.is_stable)
        };
        args::without(args, &groups.filter(is_dropped).collect::<Vec<_>>())
    }

    fn without_unset(&self, args: &[String]) -> Vec<String> {
        let groups = args::groups(args).into_iter();
        let unset = groups.filter(|group| self.is_unset(group));
        args::without(args, &unset.collect::<Vec<_>>())
    }

    fn is_unset(&self, group: &args::ArgGroup) -> bool {
        group.name == "--cfg" && self.unset.contains(&group.value)
    }

    /// Returns the unit that the companion's version links in place of a unit of the plan.
    #[must_use]
    pub fn unit_there(&self, unit: &Unit) -> Option<&Unit> {
        let there = self.replaced.get(&unit.artifact.with_extension(""))?;
        self.units.iter().find(|one| one.is_artifact(there))
    }

    fn with_env(&self, mut plan: Plan) -> Plan {
        set_values(&mut plan.call.env, &self.env);
        programs::of_version(&mut plan.inputs.programs, &self.env);
        plan.adapted(&mut |mut started| set_values(started.env(), &self.env))
    }

    /// Puts the companion's compiler in place of the plan's, in the environment too.
    fn with_toolchain(&self, mut plan: Plan) -> Plan {
        let Some(compiler) = &self.toolchain else {
            return plan;
        };
        let old = std::mem::replace(&mut plan.call.compiler, compiler.clone());
        let (from, to) = (root(&old), root(compiler));
        move_values(&mut plan.call.env, from, to);
        plan.adapted(&mut |mut started| {
            move_values(started.env(), from, to);
            match started {
                Started::Command(call) => lead(call, &old, compiler),
                // Nobody has tried how the other compiler links.
                Started::Program(execution) => execution.link_args.clear(),
            }
        })
    }
}

impl OwnCrate {
    /// Changes a plan's compiler call into one that compiles this version of the crate.
    fn take_place(&self, plan: &mut Plan) {
        plan.call.args.clone_from(&self.args);
        plan.call.env.clone_from(&self.env);
        plan.call.cwd.clone_from(&self.cwd);
        plan.call.root.clone_from(&self.root);
    }
}

/// Changes a command's paths and variables so that it uses another toolchain.
fn lead(call: &mut CommandCall, old: &Compiler, new: &Compiler) {
    let (from, to) = (root(old), root(new));
    call.program = relocate(call.program.as_str(), from, to.as_str()).into();
    for arg in &mut call.args {
        *arg = relocate(arg, from, to.as_str());
    }
    let directory = new.path.parent().unwrap_or(to);
    let searched = call.env.get("PATH").cloned().unwrap_or_default();
    call.env.extend([
        (
            "PATH".to_owned(),
            with_first_directory(directory.as_std_path(), &searched),
        ),
        ("RUSTC".to_owned(), new.path.to_string()),
        ("RUSTUP_TOOLCHAIN".to_owned(), to.to_string()),
    ]);
}

/// Returns the directory of a compiler's toolchain, which has `bin` and `lib`.
fn root(compiler: &Compiler) -> &Utf8Path {
    let directory = compiler.path.parent();
    directory
        .and_then(Utf8Path::parent)
        .unwrap_or(&compiler.path)
}

fn set_values(env: &mut BTreeMap<String, String>, values: &BTreeMap<String, String>) {
    for (name, value) in env.iter_mut() {
        if let Some(other) = values.get(name) {
            value.clone_from(other);
        }
    }
}

fn move_values(env: &mut BTreeMap<String, String>, from: &Utf8Path, to: &Utf8Path) {
    for value in env.values_mut() {
        *value = relocate(value, from, to.as_str());
    }
}

/// Replaces compiled dependencies in the arguments by others, and their directories too.
fn replace(args: &[String], replaced: &BTreeMap<Utf8PathBuf, Utf8PathBuf>) -> Vec<String> {
    let directories: BTreeMap<_, _> = replaced
        .iter()
        .rev()
        .filter_map(|(here, there)| Some((here.parent()?, there.parent()?)))
        .collect();
    args::with_dependencies(args, &|path| {
        let there = replaced.get(&path.with_extension(""));
        let file = there.map(|there| match path.extension() {
            Some(extension) => Utf8PathBuf::from(format!("{there}.{extension}")),
            None => there.clone(),
        });
        file.or_else(|| directories.get(path).map(|there| (*there).to_owned()))
    })
}

impl Plan {
    /// Returns the plan for texts that are two versions in one: its own call compiles the version that fails, and
    /// the calls of companions that link another version compile that one's part of the text.
    #[must_use]
    pub fn of_two_versions(&self, names: TwoVersions<'_>) -> Self {
        let set = |name: &str| ["--cfg".to_owned(), name.to_owned()];
        let mut plan = self.clone();
        plan.call.args.extend(set(names.after));
        let companions = plan.run_policy.companions.iter_mut();
        for companion in companions.filter(|one| one.version.is_some()) {
            companion.flags.extend(set(names.before));
            companion.unset.push(names.after.to_owned());
        }
        plan
    }

    /// Whether the plan's text is two versions: it is one of [`Plan::of_two_versions`], or compiles both itself.
    #[must_use]
    pub fn is_of_two_versions(&self) -> bool {
        let mut companions = self.run_policy.companions.iter();
        self.versions().is_some() || companions.any(|companion| !companion.unset.is_empty())
    }

    /// Returns the plan for a program whose two versions have other names.
    #[must_use]
    pub fn with_versions_named(&self, names: TwoVersions<'_>) -> Self {
        let (Some(known), Some(check)) = (
            self.run_policy.check.versions(),
            self.run_policy.check.with_versions(names),
        ) else {
            return self.clone();
        };
        let mut plan = self.clone().checked(check);
        for group in args::groups(&self.call.args) {
            if group.name == "--cfg" && group.value == known.after {
                let named = ["--cfg".to_owned(), names.after.to_owned()];
                plan.call.args.splice(group.range, named);
                break;
            }
        }
        plan
    }

    /// Returns the names of the plan's versions, where both are compiled for each candidate.
    #[must_use]
    pub fn versions(&self) -> Option<TwoVersions<'_>> {
        self.run_policy.check.versions()
    }

    /// Whether the plan's first of two calls ends with errors.
    #[must_use]
    pub fn has_errors_first(&self) -> bool {
        self.run_policy.check.has_errors_first()
    }

    /// Whether an argument says which version of a text is compiled.
    pub(super) fn chooses_version(&self, group: &args::ArgGroup) -> bool {
        let mut companions = self.run_policy.companions.iter();
        let names = self.run_policy.check.versions();
        names.is_some_and(|names| group.name == "--cfg" && group.value == names.after)
            || companions.any(|companion| companion.is_unset(group))
    }

    /// Returns the companion that links another version, if there is one.
    #[must_use]
    pub fn other_version(&self) -> Option<&Companion> {
        let mut companions = self.run_policy.companions.iter();
        companions.find(|companion| companion.version.is_some())
    }

    /// Returns the call that links the other version, as a plan without companions, if there is one.
    #[must_use]
    pub fn with_other_version(&self) -> Option<Self> {
        Some(self.other_version()?.plan(self))
    }

    /// Returns the calls of the plan's companions, as plans without companions, in their order.
    #[must_use]
    pub fn companion_plans(&self) -> Vec<Self> {
        let companions = self.run_policy.companions.iter();
        companions.map(|companion| companion.plan(self)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::Execution;
    use crate::check::program::Program;
    use crate::evidence::program::Harness;
    use crate::plan::companion::VersionName;
    use crate::system::budget::TimeSpent;
    use std::sync::Arc;
    use std::time::Duration;

    fn compiler(name: &str) -> Compiler {
        Compiler {
            path: format!("/t/{name}/bin/rustc").into(),
            command: format!("rustc +{name}"),
            verbose_version: String::new(),
            identity: [0; 32],
            sysroot: None,
        }
    }

    fn plan(args: &str) -> Plan {
        let plan = Plan::of_root(compiler("new"), "/tree".into(), "lib.rs");
        plan.with_args(shlex::split(args).unwrap())
    }

    fn companion(flags: &str) -> Companion {
        Companion {
            toolchain: None,
            version: None,
            own_crate: None,
            env: BTreeMap::new(),
            flags: shlex::split(flags).unwrap(),
            unset: Vec::new(),
            units: Arc::new([]),
            replaced: BTreeMap::new(),
            demand: Demand::Compiles,
            is_stable: false,
            is_cheaper: false,
            usual: None,
        }
    }

    fn regression() -> Companion {
        Companion {
            toolchain: Some(compiler("old")),
            demand: Demand::Succeeds,
            ..companion("")
        }
    }

    #[track_caller]
    fn check(companion: &Companion, args: &str, expected: &str) {
        assert_eq!(companion.plan(&plan(args)).call.args.join(" "), expected);
    }

    #[test]
    fn flags_come_last() {
        let companion = companion("-Znext-solver=no -Copt-level=0");
        let args = "lib.rs -Znext-solver -O";
        check(
            &companion,
            args,
            &format!("{args} -Znext-solver=no -Copt-level=0"),
        );
    }

    #[test]
    fn what_makes_a_bug_of_an_error_goes_and_so_does_what_is_not_known() {
        let args = "lib.rs -Ztreat-err-as-bug=1 -Z treat_err_as_bug -Z verbose-internals -O";
        check(&companion(""), args, "lib.rs -Z verbose-internals -O");
        let stable = Companion {
            is_stable: true,
            ..regression()
        };
        check(&stable, args, "lib.rs -O");
        check(&companion(""), "", "");
    }

    #[test]
    fn compiled_dependencies_are_those_of_the_other_compiler() {
        let companion = Companion {
            replaced: BTreeMap::from([
                ("/h/deps/liba-1".into(), "/o/deps/liba-9".into()),
                ("/h/deps/libm-2".into(), "/o/deps/libm-8".into()),
            ]),
            ..regression()
        };
        check(
            &companion,
            "lib.rs --extern a=/h/deps/liba-1.rmeta --extern priv:m=/h/deps/libm-2.so \
             --extern=x=/x/libx.rlib --extern proc_macro -Ldependency=/h/deps -L native=/h/deps \
             -L /h/deps",
            "lib.rs --extern a=/o/deps/liba-9.rmeta --extern priv:m=/o/deps/libm-8.so \
             --extern=x=/x/libx.rlib --extern proc_macro -Ldependency=/o/deps -L native=/h/deps \
             -L /h/deps",
        );
    }

    #[test]
    fn the_other_compiler_has_its_own_libraries() {
        let env = |value: &str| BTreeMap::from([("LD_LIBRARY_PATH".to_owned(), value.to_owned())]);
        let execution = Execution {
            args: vec![],
            harness: Harness::None,
            env: env("/t/new/lib/x:/u"),
            cwd: "".into(),
            hangs_after: None,
            may_succeed: false,
            links_dynamically: true,
            link_args: vec!["-Clinker=/t/new/lld".to_owned()],
            input: None,
        };
        let mut plan = plan("lib.rs").checked(Program::check(execution));
        plan.call.env = env("/t/new/lib:/t/newer");
        let derived = regression().plan(&plan);
        assert_eq!(derived.call.env, env("/t/old/lib:/t/newer"));
        let execution = derived.run_policy.check.execution().unwrap();
        assert_eq!(execution.env, env("/t/old/lib/x:/u"));
        assert!(execution.link_args.is_empty(), "they are of the other one");
        assert_eq!(companion("").plan(&plan).run_policy.check, Crash::check());
    }

    #[test]
    fn another_version_has_its_own_values_of_variables_that_are_there() {
        let vars = |names: &[(&str, &str)]| -> BTreeMap<String, String> {
            let names = names.iter();
            names
                .map(|(n, v)| ((*n).to_owned(), (*v).to_owned()))
                .collect()
        };
        let mut plan = plan("lib.rs");
        plan.call.env = vars(&[("CARGO_BIN_EXE_a", "/h/a"), ("HOME", "/u")]);
        let companion = Companion {
            env: vars(&[("CARGO_BIN_EXE_a", "/o/a"), ("CARGO_BIN_EXE_b", "/o/b")]),
            ..companion("")
        };
        let expected = vars(&[("CARGO_BIN_EXE_a", "/o/a"), ("HOME", "/u")]);
        assert_eq!(companion.plan(&plan).call.env, expected);
        let digest = |companion: Companion| {
            let plan = plan.with_companions(vec![companion]);
            plan.digest(&plan.inputs.files)
        };
        assert_ne!(digest(companion), digest(super::tests::companion("")));
    }

    #[test]
    fn two_versions_of_a_text_are_compiled_by_a_name_each() {
        let names = TwoVersions {
            before: "old",
            after: "new",
        };
        let other = Companion {
            version: Some(VersionName::of("1.0.0")),
            ..companion("-O")
        };
        let plan = plan("lib.rs --cfg x").with_companions(vec![other, companion("-Zx")]);
        let both = plan.of_two_versions(names);
        assert_eq!(both.call.args.join(" "), "lib.rs --cfg x --cfg new");
        let calls = both.companion_plans();
        let calls: Vec<String> = calls.iter().map(|plan| plan.call.args.join(" ")).collect();
        assert_eq!(
            calls,
            [
                "lib.rs --cfg x -O --cfg old",
                "lib.rs --cfg x --cfg new -Zx"
            ]
        );
        assert!(both.is_of_two_versions() && !plan.is_of_two_versions());
        assert_eq!(
            both.unlinked_args(&[]).len(),
            1,
            "the version is chosen by a flag"
        );
        let digest = |plan: &Plan| plan.digest(&plan.inputs.files);
        assert_ne!(digest(&both), digest(&plan));
    }

    #[test]
    fn a_person_sees_the_commands_that_succeed() {
        let plan = plan("lib.rs -O").with_companions(vec![regression(), companion("-Zx")]);
        let plans = plan.companion_plans().into_iter();
        let commands: Vec<_> = plans
            .map(|plan| plan.command("reduced.rs".into()))
            .collect();
        let expected = ["rustc +old reduced.rs -O", "rustc +new reduced.rs -O -Zx"];
        assert_eq!(commands, expected);
    }

    #[test]
    fn verdicts_depend_on_companions_but_not_on_their_order_in_time() {
        let with = |companion: Companion| {
            let plan = plan("lib.rs").with_companions(vec![companion]);
            plan.digest(&plan.inputs.files)
        };
        let cheaper = Companion {
            is_cheaper: true,
            usual: Some(TimeSpent::default()),
            ..regression()
        };
        let none = plan("lib.rs");
        assert_eq!(with(regression()), with(cheaper));
        assert_ne!(with(regression()), none.digest(&none.inputs.files));
        assert_ne!(with(companion("-Zx")), with(companion("-Zy")));
        let mut other = regression();
        other.toolchain.as_mut().unwrap().identity = [1; 32];
        assert_ne!(with(regression()), with(other));
    }

    #[test]
    fn only_a_success_without_the_failure_will_do() {
        let seen = |ending: Ending| Observation {
            ending,
            crashes: vec![],
            errors: vec![],
            duration: Duration::ZERO,
        };
        let plan = plan("lib.rs");
        for (ending, expected) in [
            (Ending::Exited(0), true),
            (Ending::Exited(1), false),
            (Ending::Decided, false),
            (Ending::TimedOut, false),
            (Ending::Signalled(11), false),
        ] {
            assert_eq!(
                regression().holds(&plan, &seen(ending)),
                expected,
                "{ending}"
            );
        }
        let kind = crate::signature::CrashKind::Diagnostic;
        let fails = Observation {
            crashes: vec![crate::signature::Signature::of_kind(kind, "dead_code")],
            ..seen(Ending::Exited(0))
        };
        assert!(!regression().holds(&plan, &fails));
    }
}
