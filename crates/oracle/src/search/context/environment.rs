//! Makes the environment of the processes of a query: explicit, and without what only costs time or differs from run
//! to run.

use crate::compiler::toolchain::Toolchain;
use crate::plan::TARGET_TMPDIR;
use std::collections::BTreeMap;

type Vars = BTreeMap<String, String>;

/// The user's variables that a compiler sees.
const KEPT: [&str; 4] = ["PATH", "LD_LIBRARY_PATH", "HOME", "CARGO_HOME"];
/// The user's variables that a program sees which is run.
const PROGRAMS: [&str; 6] = ["PATH", "LANG", "LC_ALL", "TZ", "TERM", "RUST_MIN_STACK"];
/// The variables that cargo sets for a compiler, and not for the programs that it starts.
const COMPILING: [&str; 3] = ["CARGO_BIN_NAME", "CARGO_CRATE_NAME", TARGET_TMPDIR];
/// The variables by which snapshot test libraries, such as insta, write what a test expects, or let the test pass in
/// any case. Without these variables they compare.
const UPDATES: [&str; 6] = [
    "INSTA_FORCE_PASS",
    "INSTA_FORCE_UPDATE",
    "SNAPSHOTS",
    "TRYBUILD",
    "TRYCMD",
    "UPDATE_EXPECT",
];
/// The variable and value with which insta only compares.
const COMPARES: (&str, &str) = ("INSTA_UPDATE", "no");
/// The prefixes of the variables that a user sets for the compiler and cargo.
const TOOLS: [&str; 13] = [
    "CARGO_BUILD_",
    "CARGO_ENCODED_RUSTFLAGS",
    "CARGO_HOME",
    "CARGO_NET_OFFLINE",
    "CARGO_PROFILE_",
    "CARGO_TARGET_",
    "CARGO_UNSTABLE_",
    "LD_LIBRARY_PATH",
    "RUSTC",
    "RUSTDOCFLAGS",
    "RUSTFLAGS",
    "RUSTUP_",
    "RUST_",
];
/// The prefixes of those variables named `RUST..` that do not decide what the compiler does with a program.
const DROPPED: [&str; 9] = [
    "RUSTC",
    "RUSTC_ICE",
    "RUSTC_LOG",
    "RUSTC_WRAPPER",
    "RUSTC_WORKSPACE_WRAPPER",
    "RUSTFLAGS",
    "RUST_BACKTRACE",
    "RUST_LIB_BACKTRACE",
    "RUST_LOG",
];
/// The variables that cargo sets for its own purposes.
const NOISE: [&str; 13] = [
    "CARGO",
    "CARGO_BUILD_BUILD_DIR",
    "CARGO_BUILD_JOBS",
    "CARGO_BUILD_TARGET_DIR",
    "CARGO_INCREMENTAL",
    "CARGO_MAKEFLAGS",
    "CARGO_PRIMARY_PACKAGE",
    "CARGO_TARGET_DIR",
    "CARGO_SBOM_PATH",
    "MAKEFLAGS",
    "MFLAGS",
    "NUM_JOBS",
    "SHLVL",
];
/// The variables that cargo sets for its access to the network. They say nothing of the program, and a verdict should be found again
/// wherever the certificates are.
const CERTIFICATES: [&str; 2] = ["SSL_CERT_DIR", "SSL_CERT_FILE"];
/// The words that make a variable with one of them in its name a secret, unless the user hands it on.
const SECRET_WORDS: [&str; 5] = ["CREDENTIAL", "PASSWORD", "PRIVATE_KEY", "SECRET", "TOKEN"];
/// The variables that each query has, whatever the user's own values are.
const FORCED: [(&str, &str); 3] = [("RUSTC_ICE", "0"), ("RUST_BACKTRACE", "0"), ("LC_ALL", "C")];
/// Variables that cargo sets for each compiler call, whatever the user's own value is.
const OF_CARGO: [&str; 6] = [
    "CARGO_BIN_",
    "CARGO_CRATE_NAME",
    "CARGO_MANIFEST_",
    "CARGO_PKG_",
    TARGET_TMPDIR,
    "OUT_DIR",
];

/// Whether compilers, cargo or all programs may read a variable of this name, whatever is compiled.
pub(crate) fn is_of_tools(name: &str) -> bool {
    const PREFIXES: [&str; 4] = ["CARGO", "LD_", "LLVM_", "RUST"];
    KEPT.contains(&name)
        || PROGRAMS.contains(&name)
        || PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

/// Whether no query sees the user's own value of a variable.
pub(crate) fn is_forced(name: &str) -> bool {
    FORCED.iter().any(|(forced, _)| *forced == name)
}

/// Returns the environment of a compiler call without cargo. `named` are the variables that the program itself reads.
pub(crate) fn of_file(user: &Vars, named: &[String]) -> Vars {
    let kept = user
        .iter()
        .filter(|(name, _)| is_kept(name) || named.contains(name));
    with_quiet_crashes(
        kept.map(|(name, value)| (name.clone(), value.clone()))
            .collect(),
    )
}

/// Returns the environment of a compiler call that cargo made: of the user's variables those that matter, and all that cargo, its
/// configuration or a build script set.
pub(crate) fn of_call(call: &Vars, user: &Vars) -> Vars {
    let is_of_call = |name: &String, value: &String| {
        !NOISE.contains(&name.as_str())
            && !CERTIFICATES.contains(&name.as_str())
            && !DROPPED.contains(&name.as_str())
            && (is_kept(name)
                || OF_CARGO.iter().any(|prefix| name.starts_with(prefix))
                || user.get(name) != Some(value))
    };
    let kept = call.iter().filter(|(name, value)| is_of_call(name, value));
    with_quiet_crashes(
        kept.map(|(name, value)| (name.clone(), value.clone()))
            .collect(),
    )
}

/// Returns the environment of a compiler call that was kept with its variables: where tools and homes are now, and what was kept.
pub(crate) fn of_captured(call: &Vars, user: &Vars) -> Vars {
    let places = user
        .iter()
        .filter(|(name, _)| KEPT.contains(&name.as_str()));
    let places = places.map(|(name, value)| (name.clone(), value.clone()));
    places.chain(call.clone()).collect()
}

/// Returns cargo's environment: the user's, but with our wrapper's place free, no incremental compilation, and the real compiler first
/// in `PATH`.
pub(crate) fn of_cargo(user: &Vars, toolchain: &Toolchain) -> Vars {
    let is_ours = |name: &str| {
        NOISE.contains(&name)
            || name.starts_with("CARGO_PKG_")
            || name.contains("RUSTC_WRAPPER")
            || name.contains("RUSTC_WORKSPACE_WRAPPER")
            || name == "CARGO_BUILD_INCREMENTAL"
    };
    let mut vars: Vars = user.clone();
    vars.retain(|name, _| !is_ours(name));
    vars.insert("RUSTC_WORKSPACE_WRAPPER".to_owned(), String::new());
    vars.insert("CARGO_INCREMENTAL".to_owned(), "0".to_owned());
    let compiler = &toolchain.compiler;
    if toolchain.is_named {
        vars.insert("RUSTC".to_owned(), compiler.path.to_string());
    } else if let Some(dir) = compiler.path.parent() {
        let path = vars.get("PATH").cloned().unwrap_or_default();
        vars.insert("PATH".to_owned(), format!("{dir}:{path}"));
    }
    with_quiet_crashes(vars)
}

/// Returns the user's variables that change how dependencies are compiled, and that cargo does not watch.
pub(crate) fn decides_builds(user: &Vars) -> Vec<(&String, &String)> {
    user.iter()
        .filter(|(name, _)| name.starts_with("RUST") && is_kept(name))
        .collect()
}

/// Returns the environment of a program that is run: what cargo, its configuration or a build script set, where programs are found,
/// and what the user names. Nothing else of the user's: tokens and keys do not go in. `libraries` is where the compiler's own
/// libraries are.
pub(crate) fn of_program(call: &Vars, user: &Vars, named: &[String], libraries: &str) -> Vars {
    let is_set = |name: &String, value: &String| {
        !KEPT.contains(&name.as_str())
            && !COMPILING.contains(&name.as_str())
            && (name.as_str(), value.as_str()) != ("LC_ALL", "C")
            && (OF_CARGO.iter().any(|prefix| name.starts_with(prefix))
                || user.get(name) != Some(value))
    };
    let set = call.iter().filter(|(name, value)| is_set(name, value));
    let given = user
        .iter()
        .filter(|(name, _)| PROGRAMS.contains(&name.as_str()) || named.contains(name));
    let both = set.chain(given);
    let mut vars: Vars = both
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    vars.remove("RUSTC_ICE");
    let searched = call.get("LD_LIBRARY_PATH").map_or("", String::as_str);
    let searched = match searched {
        "" => libraries.to_owned(),
        dirs => format!("{dirs}:{libraries}"),
    };
    vars.insert("LD_LIBRARY_PATH".to_owned(), searched);
    vars
}

/// Changes the variables so that snapshot test libraries only compare and write nothing, except where the user has
/// `handed_on` one of these variables: what a run has written, the next one would take for right.
pub(crate) fn compare_only(vars: &mut Vars, handed_on: &[String]) {
    let is_handed_on = |name: &str| handed_on.iter().any(|one| one == name);
    vars.retain(|name, _| !UPDATES.contains(&name.as_str()) || is_handed_on(name));
    let (name, value) = COMPARES;
    if !(is_handed_on(name) && vars.contains_key(name)) {
        vars.insert(name.to_owned(), value.to_owned());
    }
}

/// Returns the variables that a program sees only where it is run as the user runs it: all but those that cargo sets itself, and those
/// that change what is printed of a panic.
pub(crate) fn of_user_alone(user: &Vars) -> Vec<String> {
    let is_users = |name: &&String| {
        let name = name.as_str();
        !NOISE.contains(&name)
            && !["RUST_BACKTRACE", "RUST_LIB_BACKTRACE"].contains(&name)
            && !OF_CARGO.iter().any(|prefix| name.starts_with(prefix))
    };
    user.keys().filter(is_users).cloned().collect()
}

/// Whether a variable, such as `HOME`, names a directory that programs in a query find at another place, even if the
/// variable is passed on.
pub(crate) fn is_place(name: &str) -> bool {
    ["HOME", "TMPDIR", "LD_LIBRARY_PATH"].contains(&name)
}

/// Returns the environment of a command that may call the compiler and cargo: where these are and what the user has set for them, and
/// what all programs see. Nothing else of the user's: tokens and keys do not go in.
pub(crate) fn of_command(user: &Vars, named: &[String]) -> Vars {
    let given = user.iter().filter(|(name, _)| {
        let name = name.as_str();
        PROGRAMS.contains(&name)
            || TOOLS.iter().any(|prefix| name.starts_with(prefix)) && !NOISE.contains(&name)
            || named.iter().any(|one| one == name)
    });
    let mut vars: Vars = given
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    // They are looked for in the home otherwise, which is another one.
    if let Some(home) = user.get("HOME") {
        for (name, place) in [("CARGO_HOME", ".cargo"), ("RUSTUP_HOME", ".rustup")] {
            let place = format!("{home}/{place}");
            vars.entry(name.to_owned()).or_insert(place);
        }
    }
    vars.insert("RUSTC_ICE".to_owned(), "0".to_owned());
    vars.insert("CARGO_INCREMENTAL".to_owned(), "0".to_owned());
    vars
}

/// Whether cargo or a build script sets a variable of this name for a compilation, or it decides what the compiler does.
pub(crate) fn is_of_compilation(name: &str) -> bool {
    let is_of_cargo = OF_CARGO.iter().any(|prefix| name.starts_with(prefix));
    let is_of_target = ["CARGO_CFG_", "CARGO_FEATURE_"];
    let is_noise = NOISE.contains(&name) && name != "CARGO_PRIMARY_PACKAGE";
    let is_flags = matches!(name, "RUSTFLAGS" | "CARGO_ENCODED_RUSTFLAGS");
    let is_of_rustc = name.starts_with("RUSTC_") || name.starts_with("RUST_") || is_flags;
    let is_of_target = is_of_target.iter().any(|prefix| name.starts_with(prefix));
    let is_clippy = name == "CLIPPY_ARGS" || name == "CLIPPY_CONF_DIR";
    let is_any = is_of_cargo || is_of_target || is_of_rustc || is_clippy;
    (is_any || name == "CARGO_PRIMARY_PACKAGE") && !is_noise
}

/// Returns the variables without those that cargo sets for a compiler call, as far as these can be told apart.
pub(crate) fn without_those_of_cargo(vars: &Vars) -> Vars {
    let is_of_cargo = |name: &str| {
        NOISE.contains(&name) || OF_CARGO.iter().any(|prefix| name.starts_with(prefix))
    };
    let users = vars.iter().filter(|(name, _)| !is_of_cargo(name));
    users
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}

/// Whether a variable is secret by its name.
pub(crate) fn is_secret(name: &str) -> bool {
    let upper = name.to_uppercase();
    SECRET_WORDS.iter().any(|word| upper.contains(word))
}

fn is_kept(name: &str) -> bool {
    KEPT.contains(&name)
        || ((name.starts_with("RUST_") || name.starts_with("RUSTC_")) && !DROPPED.contains(&name))
}

/// Adds the variables that keep crashes quiet: a printed backtrace costs several times the rest of a small query, and a report file is
/// written to the current directory.
fn with_quiet_crashes(mut vars: Vars) -> Vars {
    for (name, value) in FORCED {
        vars.insert(name.to_owned(), value.to_owned());
    }
    vars
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vars(vars: &[(&str, &str)]) -> Vars {
        vars.iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect()
    }

    const QUIET: [(&str, &str); 3] = [("RUSTC_ICE", "0"), ("RUST_BACKTRACE", "0"), ("LC_ALL", "C")];

    fn with_quiet(others: &[(&str, &str)]) -> Vars {
        vars(&[others, &QUIET].concat())
    }

    #[test]
    fn a_file_sees_what_a_compiler_needs_and_what_the_program_names() {
        let user = vars(&[
            ("PATH", "/bin"),
            ("RUSTC_BOOTSTRAP", "1"),
            ("RUST_BACKTRACE", "full"),
            ("RUSTFLAGS", "-O"),
            ("EDITOR", "ed"),
            ("NAMED", "x"),
        ]);
        let expected = with_quiet(&[("PATH", "/bin"), ("RUSTC_BOOTSTRAP", "1"), ("NAMED", "x")]);
        assert_eq!(of_file(&user, &["NAMED".to_owned()]), expected);
    }

    #[test]
    fn all_that_is_handed_on_without_being_named_is_of_tools() {
        let handed_on = KEPT.iter().chain(&PROGRAMS).chain(&TOOLS);
        for name in handed_on {
            assert!(is_of_tools(name), "{name}");
        }
        for name in ["A", "EDITOR", "SHOP_SKU"] {
            assert!(!is_of_tools(name), "{name}");
        }
    }

    #[test]
    fn what_cargo_sets_for_the_network_is_left_out() {
        let call = vars(&[("SSL_CERT_FILE", "/etc/cert.pem"), ("OUT_DIR", "/out")]);
        let expected = with_quiet(&[("OUT_DIR", "/out")]);
        assert_eq!(of_call(&call, &Vars::new()), expected);
    }

    #[test]
    fn a_call_of_cargo_keeps_what_cargo_set_even_where_the_user_has_the_same() {
        let user = vars(&[
            ("CARGO_PKG_NAME", "a"),
            ("EDITOR", "ed"),
            ("CARGO_TERM_COLOR", "always"),
        ]);
        let call = vars(&[
            ("CARGO_PKG_NAME", "a"),
            ("OUT_DIR", "/out"),
            ("FROM_A_BUILD_SCRIPT", "y"),
            ("EDITOR", "ed"),
            ("CARGO_TERM_COLOR", "always"),
            ("CARGO_MAKEFLAGS", "-j"),
            ("RUSTC_WRAPPER", "w"),
        ]);
        let expected = with_quiet(&[
            ("CARGO_PKG_NAME", "a"),
            ("OUT_DIR", "/out"),
            ("FROM_A_BUILD_SCRIPT", "y"),
        ]);
        assert_eq!(of_call(&call, &user), expected);
    }

    #[test]
    fn a_program_sees_what_cargo_gives_it_and_not_what_it_gives_the_compiler() {
        let call = of_call(
            &vars(&[
                ("CARGO_CRATE_NAME", "till"),
                ("CARGO_BIN_NAME", "till"),
                ("CARGO_BIN_EXE_till", "/target/till"),
                ("CARGO_TARGET_TMPDIR", "/target/tmp"),
                ("CARGO_PKG_NAME", "till"),
                ("OUT_DIR", "/out"),
                ("FROM_A_BUILD_SCRIPT", "y"),
            ]),
            &Vars::new(),
        );
        let user = vars(&[("LANG", "C.UTF-8"), ("API_KEY", "secret")]);
        let expected = vars(&[
            ("CARGO_BIN_EXE_till", "/target/till"),
            ("CARGO_PKG_NAME", "till"),
            ("OUT_DIR", "/out"),
            ("FROM_A_BUILD_SCRIPT", "y"),
            ("LANG", "C.UTF-8"),
            ("LD_LIBRARY_PATH", "/lib"),
            ("RUST_BACKTRACE", "0"),
        ]);
        assert_eq!(of_program(&call, &user, &[], "/lib"), expected);
    }

    #[test]
    fn libraries_for_tests_write_nothing_unless_the_user_hands_it_on() {
        let users = [
            ("UPDATE_EXPECT", "1"),
            ("INSTA_UPDATE", "always"),
            ("A", "a"),
        ];
        let check = |handed_on: &[&str], expected: &[(&str, &str)]| {
            let handed_on: Vec<String> = handed_on.iter().map(|&name| name.to_owned()).collect();
            let mut seen = vars(&users);
            compare_only(&mut seen, &handed_on);
            assert_eq!(seen, vars(expected), "{handed_on:?}");
        };
        check(&[], &[("INSTA_UPDATE", "no"), ("A", "a")]);
        check(&["INSTA_UPDATE", "UPDATE_EXPECT"], &users);
        let mut none = Vars::new();
        compare_only(&mut none, &["INSTA_UPDATE".to_owned()]);
        assert_eq!(none, vars(&[("INSTA_UPDATE", "no")]));
    }

    #[test]
    fn a_command_finds_the_tools_and_none_of_the_users_secrets() {
        let user = vars(&[
            ("PATH", "/bin"),
            ("HOME", "/me"),
            ("CARGO_HOME", "/cargo"),
            ("RUSTUP_TOOLCHAIN", "nightly"),
            ("RUSTFLAGS", "-Copt-level=1"),
            ("RUST_BACKTRACE", "1"),
            ("CARGO_TARGET_DIR", "/target"),
            ("CARGO_PROFILE_DEV_OPT_LEVEL", "1"),
            ("CARGO_REGISTRY_TOKEN", "secret"),
            ("CARGO_REGISTRIES_OURS_TOKEN", "secret"),
            ("API_KEY", "secret"),
            ("NAMED", "x"),
        ]);
        let expected = vars(&[
            ("PATH", "/bin"),
            ("CARGO_HOME", "/cargo"),
            ("RUSTUP_HOME", "/me/.rustup"),
            ("RUSTUP_TOOLCHAIN", "nightly"),
            ("RUSTFLAGS", "-Copt-level=1"),
            ("RUST_BACKTRACE", "1"),
            ("CARGO_PROFILE_DEV_OPT_LEVEL", "1"),
            ("NAMED", "x"),
            ("RUSTC_ICE", "0"),
            ("CARGO_INCREMENTAL", "0"),
        ]);
        assert_eq!(of_command(&user, &["NAMED".to_owned()]), expected);
    }
}
