//! Units of made-up calls.

use super::*;

/// A directory with calls, by artifact without its extension.
struct Build {
    dir: tempfile::TempDir,
    calls: BTreeMap<Utf8PathBuf, Record>,
}

impl Build {
    fn new() -> Self {
        Self {
            dir: tempfile::tempdir().unwrap(),
            calls: BTreeMap::new(),
        }
    }

    fn path(&self) -> &Utf8Path {
        Utf8Path::from_path(self.dir.path()).unwrap()
    }

    /// Adds a crate whose root is there; `/deps` in `args` is where artifacts are.
    fn with(mut self, name: &str, args: &str) -> Self {
        let root = format!("{name}/lib.rs");
        crate::system::files::write(&self.path().join(&root), "").unwrap();
        self.add(name, &root, args);
        self
    }

    fn without_root(mut self, name: &str, args: &str) -> Self {
        self.add(name, "gone.rs", args);
        self
    }

    fn add(&mut self, name: &str, root: &str, args: &str) {
        let line = format!("--crate-name {name} {root} {args}");
        let env = [("CARGO_PKG_NAME", name), ("CARGO_PKG_VERSION", "1.2.3")];
        let record = Record {
            program: "rustc".to_owned(),
            args: shlex::split(&line).unwrap(),
            env: env
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .into(),
            cwd: self.path().to_owned(),
            code: Some(0),
            signal: None,
            timed_out: false,
            wrappers: vec![],
        };
        let made = format!("/deps/lib{name}-1");
        self.calls.insert(made.into(), record);
    }

    fn units(&self, args: &str) -> Vec<Unit> {
        let call_of = |artifact: &Utf8Path| self.calls.get(&graph::key(artifact)).cloned();
        let mut none = |record: &Record| Ok(configuration::lines("unix", &record.args));
        let args = shlex::split(args).unwrap();
        linked_by(&args, "/".into(), &call_of, &mut none).unwrap()
    }

    #[track_caller]
    fn check(&self, args: &str, expected: &str) {
        let units = self.units(args);
        let names: Vec<_> = units.iter().map(|unit| unit.name.as_str()).collect();
        assert_eq!(names.join(" "), expected);
    }
}

fn named(names: &str) -> String {
    let extern_of = |name: &str| format!("--extern {name}=/deps/lib{name}-1.rmeta");
    let externs: Vec<_> = names.split_whitespace().map(extern_of).collect();
    externs.join(" ")
}

#[test]
fn a_unit_comes_before_what_it_links_else_by_name() {
    let chain = Build::new()
        .with("a", &named("b"))
        .with("b", &named("c"))
        .with("c", "");
    chain.check(&named("a"), "a b c");
    chain.check(&named("c b a"), "a b c");
    chain.check(&named("b"), "b c");
    chain.check("lib.rs --extern proc_macro", "");
    let against_names = Build::new()
        .with("a", "")
        .with("m", "")
        .with("z", &named("a"));
    against_names.check(&named("a m z"), "m z a");
}

#[test]
fn what_several_link_is_there_once_and_after_all_of_them() {
    let diamond = Build::new()
        .with("left", &named("low"))
        .with("right", &named("low mid"))
        .with("mid", &named("low"))
        .with("low", "");
    diamond.check(&named("left right"), "left right mid low");
    diamond.check(&named("low right left"), "left right mid low");
    let twice = format!("{} --extern again=/deps/liblow-1.rlib", named("low mid"));
    Build::new()
        .with("top", &twice)
        .with("mid", &named("low"))
        .with("low", "")
        .check(&named("top"), "top mid low");
}

#[test]
fn what_is_not_known_or_gone_is_left_out_alone() {
    let build = Build::new()
        .with("a", &named("unknown gone"))
        .without_root("gone", &named("c"))
        .with("c", "");
    build.check(&named("a"), "a c");
    build.check(&named("unknown"), "");
    let a = &build.units(&named("a"))[0];
    assert_eq!(a.externs.len(), 2);
}

#[test]
fn a_cycle_ends() {
    let cycle = Build::new().with("a", &named("b")).with("b", &named("a"));
    cycle.check(&named("a"), "a b");
    Build::new().with("a", &named("a")).check(&named("a"), "a");
}

#[test]
fn a_macro_is_a_unit_and_what_it_links_is_not() {
    let build = Build::new()
        .with(
            "derive",
            &format!("--crate-type proc-macro {}", named("syn both")),
        )
        .with("syn", "")
        .with("both", "");
    let derive = "--extern derive=/deps/libderive-1.so";
    build.check(derive, "derive");
    build.check(&format!("{} {derive}", named("both")), "derive both");
    let unit = build.units(derive).swap_remove(0);
    assert!(unit.is_proc_macro);
    assert_eq!(unit.artifact, "/deps/libderive-1.so");
}

#[test]
fn a_unit_says_how_it_was_compiled() {
    let call = "--edition=2018 --crate-type lib --emit=dep-info,metadata,link -C metadata=9 \
                -C extra-filename=-1 --out-dir /deps -L dependency=/deps --cap-lints allow \
                -C opt-level=3 --check-cfg 'cfg(docsrs)' --cfg 'feature=\"std\"' \
                --extern priv,noprelude:renamed=/deps/./liblow-1.rmeta --extern proc_macro";
    let build = Build::new().with("top", call).with("low", "-l z");
    let units = build.units("--extern other=/deps/libtop-1.rlib");
    let (top, low) = (&units[0], &units[1]);
    let args = "--crate-name top top/lib.rs --edition=2018 --crate-type lib --emit=metadata,link \
                -L dependency=/deps --cap-lints allow -C opt-level=3 --cfg 'feature=\"std\"'";
    assert_eq!(top.args, shlex::split(args).unwrap());
    let names = [&top.name, &top.package, &top.version, &top.edition];
    assert_eq!(names, ["top", "top", "1.2.3", "2018"]);
    assert_eq!(top.root, build.path().join("top/lib.rs"));
    assert_eq!(top.artifact, "/deps/libtop-1.rlib");
    let externs = [
        ("renamed".to_owned(), Some("/deps/liblow-1.rmeta".into())),
        ("proc_macro".to_owned(), None),
    ];
    assert_eq!(top.externs, externs);
    assert_eq!(top.configuration, ["feature=\"std\"", "unix"]);
    assert_eq!((top.links_native, low.links_native), (false, true));
    assert!(low.is_artifact("/deps/liblow-1.rlib".into()));
    assert!(!low.is_artifact("/deps/liblow-2.rlib".into()));
}

#[test]
fn an_artifact_has_the_name_that_the_crashing_call_gives_it() {
    let build = Build::new().with("a", &named("b")).with("b", "");
    let units = build.units("--extern a=/deps/liba-1.rlib --extern b=/deps/libb-1.rlib");
    let artifacts: Vec<_> = units.iter().map(|unit| unit.artifact.as_str()).collect();
    assert_eq!(artifacts, ["/deps/liba-1.rlib", "/deps/libb-1.rlib"]);
}
