//! Finds arguments with which the compiler calls the toolchain's own linker by itself, and without debug information, on one
//! thread.
//!
//! By default rustc has `cc` link, which calls three processes one after the other to say which files of the C library belong
//! to a program. These are the same for each candidate, so that `cc` is asked once. The arguments are used where a trial
//! shows that the program fails with them as it does without.
//!
//! See docs/decisions/queries.md.

use crate::compiler::args;
use crate::compiler::toolchain::Compiler;
use crate::error::OracleError;
use crate::plan::Plan;
use crate::search::context::BaselineContext;
use crate::system::process::Ending;
use camino::Utf8PathBuf;

/// The host for which the arguments are known.
const HOST: &str = "x86_64-unknown-linux-gnu";
/// The C compiler that rustc calls where nobody says which.
const CC: &str = "cc";
/// The linker of the toolchain, in its directory for the host's programs.
const LINKER: &str = "rust-lld";
/// The name that stands for the program's objects in the question to `cc`.
const OBJECT: &str = "object.o";
/// The name that stands for the program in the question to `cc`.
const PROGRAM: &str = "program";

/// The options of the linker that spare work: of debug information, of threads, and of making the program small.
const SPARING: [&str; 4] = ["--strip-debug", "--threads=1", "--build-id=none", "-O0"];

/// The options of code generation that say something about linking: where one is given, linking stays as it is.
const ABOUT_LINKING: [&str; 9] = [
    "linker",
    "linker-flavor",
    "link-arg",
    "link-args",
    "link-self-contained",
    "linker-features",
    "relocation-model",
    "target-feature",
    "lto",
];

/// Returns the arguments by which the compiler links the programs of a plan quickly; `None` where it is not known how.
///
/// # Errors
/// Where `cc` cannot be asked for want of resources, and on cancellation.
pub(super) fn arguments(
    plan: &Plan,
    context: &BaselineContext<'_>,
) -> Result<Option<Vec<String>>, OracleError> {
    let Some(linker) = linker_of(plan) else {
        return Ok(None);
    };
    let question = [
        "-###",
        "-m64",
        "-pie",
        "-nodefaultlibs",
        OBJECT,
        "-o",
        PROGRAM,
    ];
    let question = question.map(str::to_owned);
    let dir = plan.inputs.tree.join(&plan.call.cwd);
    let env = &plan.call.env;
    let answer = match context.compile(CC.into(), (&question, env), &dir) {
        Ok(answer) if answer.ending == Ending::Exited(0) => answer,
        Err(OracleError::Cancelled) => return Err(OracleError::Cancelled),
        // Another C compiler, or none: the compiler links as it did.
        Ok(_) | Err(_) => return Ok(None),
    };
    let Some(files) = files_of_c(&answer.stderr) else {
        return Ok(None);
    };
    let given = &plan.call.args;
    let mut all = vec![
        format!("-Clinker={linker}"),
        "-Clinker-flavor=ld.lld".to_owned(),
    ];
    let optimises = !args::optimisation(given).is_empty();
    if !optimises && !names_option(given, &["codegen-units"]) {
        all.push("-Ccodegen-units=1".to_owned());
    }
    let sparing = SPARING.map(str::to_owned);
    let passed = sparing.into_iter().chain(files);
    all.extend(passed.map(|arg| format!("-Clink-arg={arg}")));
    Ok(Some(all))
}

/// Returns the linker of the toolchain, if the plan's compiler links for its own 64-bit Linux as it does by itself.
fn linker_of(plan: &Plan) -> Option<Utf8PathBuf> {
    let given = &plan.call.args;
    if names_option(given, &ABOUT_LINKING) || args::value(given, "--target").is_some() {
        return None;
    }
    let compiler: &Compiler = &plan.call.compiler;
    let host = compiler.host().filter(|host| *host == HOST)?;
    let programs = compiler.sysroot.as_ref()?.join("lib/rustlib").join(host);
    Some(programs.join("bin").join(LINKER)).filter(|linker| linker.is_file())
}

fn names_option(given: &[String], options: &[&str]) -> bool {
    let groups = args::groups(given);
    let mut options = options.iter();
    options.any(|option| groups.iter().any(|group| group.is_codegen(option)))
}

/// Reads the answer of `cc` to the question which processes it would start to link: the arguments of the last one by which
/// the files of the C library are found, in their order. `None` where it does not look as expected.
fn files_of_c(printed: &str) -> Option<Vec<String>> {
    let last = printed.lines().rfind(|line| line.contains(OBJECT))?;
    let words = shlex::split(last)?;
    let mut words = words.into_iter().skip(1);
    let mut files = Vec::new();
    let mut has_objects = false;
    while let Some(word) = words.next() {
        match word.as_str() {
            "-dynamic-linker" => files.extend([word, words.next()?]),
            "-o" | "-plugin" | "-m" | "-z" => drop(words.next()?),
            OBJECT => has_objects = true,
            path if path.starts_with('/') => files.push(word),
            option if option.starts_with("-L/") => files.push(word),
            option if option.starts_with('-') => {}
            _ => return None,
        }
    }
    let starts_program = |file: &String| file.ends_with("crt1.o");
    (has_objects && files.iter().any(starts_program)).then_some(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANSWER: &str = "Using built-in specs.\n\
        COLLECT_GCC_OPTIONS='-m64' '-o' 'program' '-pie'\n \
        /usr/lib/gcc/12/collect2 -plugin /usr/lib/gcc/12/lto.so \"-plugin-opt=-fresolution=/tmp/a.res\" \
        --build-id --eh-frame-hdr -m elf_x86_64 \"--hash-style=gnu\" --as-needed -dynamic-linker /lib64/ld.so.2 \
        -pie -o program /usr/lib/Scrt1.o /usr/lib/crti.o /usr/lib/gcc/12/crtbeginS.o -L/usr/lib/gcc/12 \
        -L/usr/lib object.o /usr/lib/gcc/12/crtendS.o /usr/lib/crtn.o\n\
        COLLECT_GCC_OPTIONS='-m64' '-o' 'program'\n";

    #[test]
    fn the_files_of_the_c_library_are_those_that_cc_names() {
        let files = files_of_c(ANSWER).unwrap();
        let expected = "-dynamic-linker /lib64/ld.so.2 /usr/lib/Scrt1.o /usr/lib/crti.o \
                        /usr/lib/gcc/12/crtbeginS.o -L/usr/lib/gcc/12 -L/usr/lib \
                        /usr/lib/gcc/12/crtendS.o /usr/lib/crtn.o";
        assert_eq!(files.join(" "), expected);
    }

    #[test]
    fn an_answer_that_is_not_understood_is_none() {
        assert_eq!(files_of_c(""), None);
        assert_eq!(files_of_c("cc: error: object.o"), None);
        let without_start = ANSWER.replace("Scrt1.o", "other.o");
        assert_eq!(files_of_c(&without_start), None);
        let with_more = ANSWER.replace("--build-id", "--build-id more");
        assert_eq!(files_of_c(&with_more), None);
    }

    #[test]
    fn what_the_user_says_about_linking_stays() {
        let given = |args: &str| shlex::split(args).unwrap();
        for args in [
            "-Clink-arg=-s",
            "-C linker=clang",
            "-Ctarget-feature=+crt-static",
        ] {
            assert!(names_option(&given(args), &ABOUT_LINKING), "{args}");
        }
        assert!(!names_option(
            &given("a.rs --test -Copt-level=1"),
            &ABOUT_LINKING
        ));
    }
}
