use super::*;
use crate::system::files;

/// Directories `home` and `ws/inner` in one of their own, with files.
struct Place {
    _dir: tempfile::TempDir,
    root: Utf8PathBuf,
}

impl Place {
    fn with(files: &[(&str, &str)]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::from_path_buf(dir.path().canonicalize().unwrap()).unwrap();
        for (name, text) in files {
            files::write(&root.join(name), text).unwrap();
        }
        Self { _dir: dir, root }
    }

    fn config(&self) -> CargoConfig {
        CargoConfig::read(&self.root.join("ws/inner"), Some(&self.root.join("home")))
    }

    /// Checks what all files say together, with `ROOT` for the directory.
    #[track_caller]
    fn check_merged(&self, expected: &str) {
        let merged = self.config().merged().to_string();
        let merged = merged.replace(self.root.as_str(), "ROOT");
        let expected: DocumentMut = expected.parse().unwrap();
        assert_eq!(comparable(&merged.parse().unwrap()), comparable(&expected));
    }

    fn wrappers(&self, vars: &[(&str, &str)]) -> Wrappers {
        let vars = vars.iter();
        let vars = vars.map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let wrappers = Wrappers::of(&vars.collect(), Utf8Path::new("/cwd"), &self.config());
        let shown = |program: Option<String>| Some(program?.replace(self.root.as_str(), "ROOT"));
        Wrappers {
            global: shown(wrappers.global),
            workspace: shown(wrappers.workspace),
        }
    }
}

/// Returns a document without layout and order.
fn comparable(document: &DocumentMut) -> String {
    let mut document = document.clone();
    document.sort_values();
    let lines = document.to_string().replace(' ', "");
    let mut lines: Vec<&str> = lines.lines().filter(|line| !line.is_empty()).collect();
    lines.dedup();
    lines.join("\n")
}

#[test]
fn the_nearest_file_counts_most_and_lists_are_joined() {
    let place = Place::with(&[
        (
            "home/config.toml",
            "build.jobs = 1\nbuild.rustflags = [\"a\"]\nterm.quiet = true",
        ),
        (
            "ws/.cargo/config.toml",
            "build.jobs = 2\nbuild.rustflags = [\"b\"]",
        ),
        ("ws/inner/.cargo/config.toml", "build.rustflags = [\"c\"]"),
    ]);
    place
        .check_merged("build.jobs = 2\nbuild.rustflags = [\"a\", \"b\", \"c\"]\nterm.quiet = true");
}

#[test]
fn what_a_file_includes_counts_less_than_the_file_and_more_than_files_above() {
    let place = Place::with(&[
        (
            "home/config.toml",
            "build.jobs = 1\nbuild.rustflags = [\"home\"]",
        ),
        (
            "ws/.cargo/config.toml",
            "include = [\"../../shared/one.toml\", { path = \"two.toml\" }]\nbuild.rustflags = [\"own\"]",
        ),
        (
            "shared/one.toml",
            "build.jobs = 3\nbuild.rustflags = [\"one\"]\nterm.quiet = true",
        ),
        (
            "ws/.cargo/two.toml",
            "build.rustflags = [\"two\"]\nterm.quiet = false",
        ),
    ]);
    place.check_merged(
        "build.jobs = 3\nbuild.rustflags = [\"home\", \"one\", \"two\", \"own\"]\nterm.quiet = false",
    );
}

#[test]
fn an_included_file_may_include_others_be_in_a_table_and_not_be_there() {
    let place = Place::with(&[
        (
            "ws/.cargo/config.toml",
            "[[include]]\npath = \"a.toml\"\n[[include]]\npath = \"gone.toml\"\noptional = true",
        ),
        ("ws/.cargo/a.toml", "include = [\"b.toml\"]\nbuild.jobs = 1"),
        // cargo refuses a circle, and we end.
        (
            "ws/.cargo/b.toml",
            "include = [\"config.toml\", \"a.toml\"]\nbuild.jobs = 2\nterm.quiet = true",
        ),
    ]);
    place.check_merged("build.jobs = 1\nterm.quiet = true");
}

#[test]
fn the_words_of_a_command_are_not_joined() {
    let place = Place::with(&[
        (
            "ws/.cargo/config.toml",
            "[target.x]\nrunner = [\"a\", \"-b\"]\nrustflags = [\"-c\"]",
        ),
        (
            "ws/inner/.cargo/config.toml",
            "[target.x]\nrunner = [\"d\"]\nrustflags = [\"-e\"]",
        ),
    ]);
    place.check_merged("[target.x]\nrunner = [\"d\"]\nrustflags = [\"-c\", \"-e\"]");
}

#[test]
fn paths_begin_beside_the_directory_of_the_file_that_has_them() {
    let place = Place::with(&[
        (
            "ws/.cargo/config.toml",
            "include = [\"../../shared/deep/a.toml\"]\npaths = [\"../own\"]\nbuild.target-dir = \"out\"",
        ),
        (
            "shared/deep/a.toml",
            "[build]\nrustc-wrapper = \"./wrap\"\nrustdoc = \"mydoc\"\n[env]\nA = { value = \"a\", relative = true }\n\
             [source.v]\ndirectory = \"vendor\"\n[patch.crates-io]\nx = { path = \"x\" }\n\
             [target.y]\nrunner = [\"../run\", \"./q\"]",
        ),
    ]);
    place.check_merged(
        "paths = [\"ROOT/own\"]\n[build]\nrustc-wrapper = \"ROOT/shared/wrap\"\nrustdoc = \"mydoc\"\n\
         target-dir = \"ROOT/ws/out\"\n[env]\nA = { value = \"ROOT/shared/a\", relative = false }\n\
         [source.v]\ndirectory = \"ROOT/shared/vendor\"\n[patch.crates-io]\nx = { path = \"ROOT/shared/x\" }\n\
         [target.y]\nrunner = [\"ROOT/run\", \"./q\"]",
    );
}

#[test]
fn the_old_name_counts_first_and_a_file_that_is_no_toml_says_nothing() {
    let place = Place::with(&[
        ("ws/.cargo/config", "build.jobs = 1"),
        ("ws/.cargo/config.toml", "build.jobs = 2"),
        ("ws/inner/.cargo/config.toml", "build.jobs = ]"),
    ]);
    place.check_merged("build.jobs = 1");
}

#[test]
fn the_directory_of_cargo_is_read_once_where_the_user_stands_below_it() {
    let place = Place::with(&[("ws/.cargo/config.toml", "build.rustflags = [\"a\"]")]);
    let config = CargoConfig::read(&place.root.join("ws"), Some(&place.root.join("ws/.cargo")));
    assert_eq!(config.layers().len(), 1);
}

#[test]
fn variables_come_of_all_files() {
    let place = Place::with(&[
        (
            "home/config.toml",
            "[env]\nA = \"home\"\nB = { value = \"b\", force = true }",
        ),
        (
            "ws/.cargo/config.toml",
            "[env]\nA = \"ws\"\nC = { value = \"c\", relative = true }",
        ),
        (
            "ws/inner/.cargo/config.toml",
            "[env]\nB = { value = \"inner\" }",
        ),
    ]);
    let variables = place.config().variables();
    let variable = |name: &str| (variables[name].value.as_str(), variables[name].force);
    assert_eq!(variable("A"), ("ws", false));
    assert_eq!(variable("B"), ("inner", true));
    let c = place.root.join("ws/c");
    assert_eq!(variable("C"), (c.as_str(), false));
    assert_eq!(variables.len(), 3);
}

#[test]
fn a_variable_outranks_the_wrapper_of_a_file_and_an_empty_one_stands_for_none() {
    let place = Place::with(&[
        (
            "ws/.cargo/config.toml",
            "include = [\"../../shared/a.toml\"]",
        ),
        (
            "shared/a.toml",
            "[build]\nrustc-wrapper = \"bin/w\"\nrustc-workspace-wrapper = \"v\"",
        ),
    ]);
    let both = |global: Option<&str>, workspace: Option<&str>| Wrappers {
        global: global.map(str::to_owned),
        workspace: workspace.map(str::to_owned),
    };
    assert_eq!(place.wrappers(&[]), both(Some("ROOT/bin/w"), Some("v")));
    assert_eq!(
        place.wrappers(&[
            ("CARGO_BUILD_RUSTC_WRAPPER", "./x"),
            ("RUSTC_WORKSPACE_WRAPPER", "y")
        ]),
        both(Some("/cwd/x"), Some("y"))
    );
    assert_eq!(
        place.wrappers(&[("RUSTC_WRAPPER", ""), ("CARGO_BUILD_RUSTC_WRAPPER", "x")]),
        both(None, Some("v"))
    );
}
