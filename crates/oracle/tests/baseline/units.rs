//! Units with the real cargo: they are the same whether dependencies are compiled in this run or
//! were in an earlier one.

use super::{Bench, MANIFEST, MISTAKE, package};
use camino::{Utf8Path, Utf8PathBuf};
use reduce_oracle::{Baseline, Cancel, Input, PackageInput, Unit};
use std::fs;

/// Finds the baseline in a directory of the user's.
fn find(bench: &Bench, input: &PackageInput, cwd: &str, scratch: &str) -> Baseline {
    let cancel = Cancel::new().unwrap();
    let cwd = bench.user().join(cwd);
    let input = Input::Package(input.clone());
    let found = bench.find_in(input, &cwd, &bench.path(scratch), &cancel);
    found.unwrap()
}

fn names(baseline: &Baseline) -> Vec<&str> {
    let names = baseline.units.iter().map(|unit| unit.name.as_str());
    names.collect()
}

fn unit<'a>(baseline: &'a Baseline, name: &str) -> &'a Unit {
    let mut units = baseline.units.iter();
    units.find(|unit| unit.name == name).unwrap()
}

/// Returns the units as text, without the place of the copy.
fn placeless(baseline: &Baseline) -> String {
    let text = serde_json::to_string_pretty(&baseline.units).unwrap();
    text.replace(baseline.plan.inputs.tree.as_str(), "TREE")
}

/// Returns all files below a directory.
fn files_below(dir: &Utf8Path) -> Vec<Utf8PathBuf> {
    let mut found = vec![];
    let mut dirs = vec![dir.to_owned()];
    while let Some(dir) = dirs.pop() {
        for entry in dir.read_dir_utf8().unwrap().map(Result::unwrap) {
            let is_dir = entry.file_type().unwrap().is_dir();
            let list = if is_dir { &mut dirs } else { &mut found };
            list.push(entry.into_path());
        }
    }
    found
}

fn copy_fixture(bench: &Bench, name: &str) {
    let fixtures = Utf8Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    let fixture = fixtures.join(name);
    for file in files_below(&fixture) {
        let inner = file.strip_prefix(&fixture).unwrap();
        bench.write(inner.as_str(), &fs::read_to_string(&file).unwrap());
    }
}

#[test]
fn the_members_that_a_member_links_are_its_units_in_each_run() {
    let mut bench = Bench::with(&[]);
    copy_fixture(&bench, "with-dependency");
    for name in ["CARGO_REGISTRY_TOKEN", "PASSWORD"] {
        bench.vars.insert(name.to_owned(), "sesame".to_owned());
    }
    let input = PackageInput {
        package: Some("app".to_owned()),
        ..PackageInput::default()
    };
    let first = find(&bench, &input, "", "one");
    assert_eq!(names(&first), ["colours", "signals"]);
    let signals = unit(&first, "signals");
    assert_eq!(
        signals.root,
        bench.path("one/copy/snapshot/signals/src/lib.rs")
    );
    assert_eq!((&*signals.version, &*signals.edition), ("0.1.0", "2024"));
    assert!(first.plan.extern_files().contains(&signals.artifact));
    for configuration in [&signals.configuration, &first.configuration] {
        assert!(configuration.contains(&"panic=\"unwind\"".to_owned()));
    }
    let second = find(&bench, &input, "", "two");
    assert_eq!(placeless(&second), placeless(&first));
    assert!(unit(&second, "signals").root.starts_with(bench.path("two")));
    assert!(second.other_runs < first.other_runs);
    assert_keeps_no_secrets(&bench);
}

fn assert_keeps_no_secrets(bench: &Bench) {
    let files = files_below(&bench.path("builds")).into_iter();
    let calls: Vec<_> = files
        .filter(|file| file.extension() == Some("json") && file.as_str().contains("/.calls/"))
        .collect();
    assert_eq!(calls.len(), 2, "{calls:?}");
    for call in calls {
        assert!(!fs::read_to_string(call).unwrap().contains("sesame"));
    }
}

/// Makes a workspace: `app` links `macros` (a procedural macro, which links `low`), `mid` under
/// another name, and by it `low`, which has a build script.
fn several() -> Bench {
    let member = |name: &str, edition: &str, more: &str| {
        let manifest = MANIFEST.replace("crashing", name);
        manifest.replace("2021", edition) + more
    };
    let app = "[dependencies]\nmacros = { path = \"../macros\" }\n\
               renamed = { package = \"mid\", path = \"../mid\", features = [\"extra\"] }\n";
    let macros = "[lib]\nproc-macro = true\n[dependencies]\nlow = { path = \"../low\" }\n";
    let mid = "[features]\nextra = []\n[dependencies]\nlow = { path = \"../low\" }\n";
    let build = "fn main() { println!(\"cargo::rustc-cfg=chosen\"); \
                 println!(\"cargo::rustc-check-cfg=cfg(chosen)\"); \
                 println!(\"cargo::rustc-link-lib=z\"); \
                 println!(\"cargo::rustc-env=FROM_SCRIPT=x\"); }";
    Bench::with(&[
        (
            "Cargo.toml",
            "[workspace]\nmembers = [\"*\"]\nresolver = \"2\"\n",
        ),
        ("app/Cargo.toml", &member("app", "2024", app)),
        ("app/src/lib.rs", MISTAKE),
        ("macros/Cargo.toml", &member("macros", "2021", macros)),
        ("macros/src/lib.rs", ""),
        ("mid/Cargo.toml", &member("mid", "2018", mid)),
        ("mid/src/lib.rs", ""),
        ("low/Cargo.toml", &member("low", "2015", "")),
        ("low/build.rs", build),
        (
            "low/src/lib.rs",
            "pub const A: &str = env!(\"FROM_SCRIPT\");",
        ),
    ])
}

fn app() -> PackageInput {
    PackageInput {
        package: Some("app".to_owned()),
        ..package()
    }
}

#[test]
fn a_unit_knows_what_cargo_and_its_build_script_said() {
    let bench = several();
    let baseline = find(&bench, &app(), "", "scratch");
    assert_eq!(names(&baseline), ["macros", "mid", "low"]);
    let (macros, mid, low) = (
        unit(&baseline, "macros"),
        unit(&baseline, "mid"),
        unit(&baseline, "low"),
    );
    assert!(macros.is_proc_macro && !low.is_proc_macro);
    assert!(macros.configuration.contains(&"proc_macro".to_owned()));
    assert_eq!(mid.edition, "2018");
    assert!(mid.configuration.contains(&"feature=\"extra\"".to_owned()));
    assert!(low.configuration.contains(&"chosen".to_owned()));
    assert_eq!(low.env["FROM_SCRIPT"], "x");
    assert!(Utf8Path::new(&low.env["OUT_DIR"]).is_dir());
    assert!(low.links_native && !mid.links_native);
    let low_of_mid = mid.externs[0].1.clone().unwrap();
    assert!(low.is_artifact(&low_of_mid));
    let renamed = baseline.plan.externs().into_iter();
    let renamed: Vec<_> = renamed.filter(|(name, _)| name == "renamed").collect();
    assert_eq!(
        renamed,
        [("renamed".to_owned(), Some(mid.artifact.clone()))]
    );
}

#[test]
fn after_a_run_that_was_killed_all_is_compiled_again() {
    let bench = several();
    let first = find(&bench, &app(), "", "one");
    let builds = bench.path("builds");
    let target = builds.read_dir_utf8().unwrap().next().unwrap().unwrap();
    fs::remove_dir_all(target.path().join(".calls")).unwrap();
    let without_calls = find(&bench, &app(), "", "two");
    assert!(without_calls.units.is_empty());
    fs::write(target.path().with_extension("unfinished"), "").unwrap();
    let third = find(&bench, &app(), "", "three");
    assert_eq!(placeless(&third), placeless(&first));
}

#[test]
fn nothing_is_compiled_to_where_the_users_configuration_says() {
    let bench = Bench::with(&[("ws/Cargo.toml", MANIFEST), ("ws/src/lib.rs", MISTAKE)]);
    let elsewhere = bench.path("elsewhere");
    let config = format!("[build]\nbuild-dir = \"{elsewhere}\"\ntarget-dir = \"{elsewhere}\"\n");
    for (place, scratch) in [
        ("ws/.cargo/config.toml", "one"),
        (".cargo/config.toml", "two"),
    ] {
        bench.write(place, &config);
        find(&bench, &package(), "ws", scratch);
        assert!(!elsewhere.exists(), "{place}");
    }
}

/// Makes a workspace whose only registry is a directory, with versions of `dep` in it.
fn with_registry(versions: &[&str]) -> Bench {
    let manifest = format!("{MANIFEST}[dependencies]\ndep = \"1\"\n");
    let config =
        "[source.crates-io]\nreplace-with = \"here\"\n[source.here]\ndirectory = \"vendor\"\n";
    let bench = Bench::with(&[
        ("Cargo.toml", &manifest),
        ("src/lib.rs", MISTAKE),
        (".cargo/config.toml", config),
    ]);
    for version in versions {
        add_version(&bench, version);
    }
    bench
}

fn add_version(bench: &Bench, version: &str) {
    let dir = format!("vendor/dep-{version}");
    let manifest = MANIFEST
        .replace("crashing", "dep")
        .replace("0.1.0", version);
    bench.write(&format!("{dir}/Cargo.toml"), &manifest);
    bench.write(&format!("{dir}/src/lib.rs"), "");
    bench.write(&format!("{dir}/.cargo-checksum.json"), "{\"files\":{}}");
}

#[test]
fn a_locked_version_is_used_though_there_is_a_newer_one() {
    let bench = with_registry(&["1.0.0"]);
    let old = find(&bench, &package(), "", "one");
    assert_eq!(unit(&old, "dep").version, "1.0.0");
    // The copy has got a lock file; the user has none.
    let lock = fs::read_to_string(old.plan.inputs.tree.join("Cargo.lock")).unwrap();
    assert!(!bench.user().join("Cargo.lock").exists());
    add_version(&bench, "1.1.0");
    let new = find(&bench, &package(), "", "two");
    assert_eq!(unit(&new, "dep").version, "1.1.0");
    bench.write("Cargo.lock", &lock);
    let locked = find(&bench, &package(), "", "three");
    assert_eq!(unit(&locked, "dep").version, "1.0.0");
    let kept = fs::read_to_string(locked.plan.inputs.tree.join("Cargo.lock")).unwrap();
    assert_eq!(kept, lock);
}

/// A cargo that cannot reach the network unless it is told not to try.
const WITHOUT_NETWORK: &str = "case \"$*\" in \
    *--offline*|*metadata*) exec cargo \"$@\";; esac\n\
    echo 'error: failed to download from `https://example/dep`' >&2; exit 101";

#[test]
fn without_a_network_cargo_does_with_what_it_has() {
    let mut bench = with_registry(&["1.0.0"]);
    let cargo = bench.script("bin/cargo", WITHOUT_NETWORK);
    bench.vars.insert("CARGO".to_owned(), cargo.into_string());
    let baseline = find(&bench, &package(), "", "scratch");
    assert_eq!(names(&baseline), ["dep"]);
    assert!(!baseline.plan.call.env.contains_key("CARGO_NET_OFFLINE"));
}
