//! From looks to crashes: what was seen of each input on each toolchain, and what is reduced.

use super::directory::{Given, TriageDirectory};
use super::inputs::TriageInput;
use super::looks::Looks;
use reduce_engine::{Crash, FileInput, Input, Look, LookEnd, Looker, ReductionRequest, Signature};
use reduce_triage::{Crashed, bug};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The name of a core that is reduced.
const PROGRAM: &str = "crash.rs";
/// The reason where nothing is kept of a file that an earlier triage had, and it is there no more.
const GONE: &str = "it is gone, and was not looked at before";

/// A compiler that inputs are given to, with the name that the user has for it.
#[derive(Debug, Clone)]
pub(super) struct NamedLooker {
    pub(super) name: String,
    pub(super) looker: Arc<Looker>,
}

/// Inputs of one content on which the compiler crashes.
#[derive(Debug, Clone)]
pub(super) struct Case {
    /// The inputs, by their paths.
    pub(super) inputs: Vec<TriageInput>,
    /// The crash as it is grouped.
    pub(super) crashed: Crashed,
    /// The program that is reduced.
    pub(super) reduced: Input,
    /// The first of the toolchains on which the input crashes, as an index.
    pub(super) toolchain: usize,
    /// The names of the toolchains on which it crashes with the same message.
    pub(super) shown_by: Vec<String>,
    /// The size of the input and of its core in tokens.
    pub(super) tokens: u64,
    pub(super) core_tokens: Option<u64>,
}

impl Case {
    /// Whether nothing but known crashes have this content.
    pub(super) fn is_known(&self) -> bool {
        self.inputs.iter().all(|input| input.is_known)
    }
}

/// Joins the inputs of one content, and tells those that crash from others, of which it is said why.
pub(super) fn cases(
    given: &[Given],
    seen: &Looks,
    (toolchains, timeout): (&[NamedLooker], u64),
    (directory, request): (&TriageDirectory, &ReductionRequest),
) -> (Vec<Case>, Vec<(TriageInput, String)>) {
    let mut cases: BTreeMap<String, Case> = BTreeMap::new();
    let mut others = Vec::new();
    for Given {
        input,
        looks,
        unread,
    } in given
    {
        let found = match input.is_package() {
            true => package(input, toolchains, request),
            false => {
                let of_toolchain = |toolchain: &NamedLooker| {
                    let key = looks.get(&toolchain.name).map_or("", String::as_str);
                    let gone = || unread.clone().unwrap_or_else(|| GONE.to_owned());
                    let look = match seen.get(key) {
                        Some(seen) => seen.clone(),
                        None => directory.look(key).ok_or_else(gone),
                    };
                    (key.to_owned(), look)
                };
                let looks: Vec<_> = toolchains.iter().map(of_toolchain).collect();
                match file(input, &looks, toolchains, request) {
                    Some(case) => Ok(case),
                    None => Err(reason(&looks, toolchains, timeout)),
                }
            }
        };
        match found {
            Err(reason) => others.push((input.clone(), reason)),
            Ok(case) => {
                let key = case.crashed.key.clone();
                cases.entry(key).or_insert(case).inputs.push(input.clone());
            }
        }
    }
    (cases.into_values().collect(), others)
}

/// A look with its key.
type KeyedLook = (String, Result<Look, String>);

/// Makes the case of a file, from a look with each toolchain. `None` where it crashes on none.
fn file(
    input: &TriageInput,
    looks: &[KeyedLook],
    toolchains: &[NamedLooker],
    request: &ReductionRequest,
) -> Option<Case> {
    let crash_of = |(_, look): &KeyedLook| match look {
        Ok(Look {
            seen: LookEnd::Crashes(crash),
            tokens,
        }) => Some((Crash::clone(crash), *tokens)),
        _ => None,
    };
    let crashes: Vec<Option<(Crash, u64)>> = looks.iter().map(crash_of).collect();
    let toolchain = crashes.iter().position(Option::is_some)?;
    let (crash, tokens) = crashes[toolchain].clone()?;
    let is_same = |other: &&Option<(Crash, u64)>| {
        let other = other.as_ref();
        other.is_some_and(|(other, _)| is_alike(&crash.signature, &other.signature))
    };
    let named = toolchains.iter().zip(&crashes);
    let shown_by = named.filter(|(_, crash)| is_same(crash));
    let shown_by = shown_by.map(|(toolchain, _)| toolchain.name.clone());
    let call = call(&crash.file, &toolchains[toolchain], request);
    let text = crash.core.as_ref().map(|core| core.text.clone());
    // A program of its own has the same name whatever its file is called, so that its result does not depend on that.
    let path = match &text {
        Some(_) => input.path.with_file_name(PROGRAM),
        None => input.path.clone(),
    };
    let reduced = FileInput {
        path,
        text: text.clone(),
        ..crash.file.clone()
    };
    let core_tokens = crash.core.as_ref().map(|core| core.tokens);
    Some(Case {
        inputs: Vec::new(),
        crashed: Crashed {
            key: looks[toolchain].0.clone(),
            bug: bug(&crash.signature),
            program: text,
            tokens: core_tokens.unwrap_or(tokens),
            call,
        },
        reduced: Input::File(reduced),
        toolchain,
        shown_by: shown_by.collect(),
        tokens,
        core_tokens,
    })
}

/// Whether crashes of different compilers are alike: places and queries are not the same in each version.
fn is_alike(one: &Signature, other: &Signature) -> bool {
    (one.kind, &one.message, one.signal) == (other.kind, &other.message, other.signal)
}

/// Returns what tells one call of a compiler from another: the flags, the compiler, and the options of the search.
fn call(file: &FileInput, toolchain: &NamedLooker, request: &ReductionRequest) -> String {
    let file = FileInput {
        path: "".into(),
        text: None,
        ..file.clone()
    };
    let compiler = toolchain.looker.compiler().identity;
    let all = (file, compiler, &request.search, &request.property);
    serde_json::to_string(&all).expect("names and numbers have a JSON form")
}

/// Makes the case of a package, which is seen to crash or not when it is reduced.
fn package(
    input: &TriageInput,
    toolchains: &[NamedLooker],
    request: &ReductionRequest,
) -> Result<Case, String> {
    let key = input.key_of_package();
    let key = key.map_err(|error| format!("it could not be read: {error}"))?;
    Ok(Case {
        inputs: Vec::new(),
        crashed: Crashed {
            bug: format!("package {key}"),
            key,
            program: None,
            tokens: 0,
            call: call(&FileInput::default(), &toolchains[0], request),
        },
        reduced: input.package(),
        toolchain: 0,
        shown_by: vec![toolchains[0].name.clone()],
        tokens: 0,
        core_tokens: None,
    })
}

/// Returns why a file is no crash: the same for all toolchains, or one sentence for each.
fn reason(looks: &[KeyedLook], toolchains: &[NamedLooker], timeout: u64) -> String {
    let reasons = looks.iter().map(|(_, look)| match look {
        Err(why) => why.clone(),
        Ok(look) => of_seen(&look.seen, timeout),
    });
    let reasons: Vec<String> = reasons.collect();
    match reasons.iter().all(|reason| *reason == reasons[0]) {
        true => reasons[0].clone(),
        false => {
            let named = toolchains.iter().zip(&reasons);
            let named = named.map(|(toolchain, reason)| format!("{}: {reason}", toolchain.name));
            named.collect::<Vec<_>>().join("; ")
        }
    }
}

fn of_seen(seen: &LookEnd, timeout: u64) -> String {
    match seen {
        LookEnd::Crashes(_) => "the compiler crashes".to_owned(),
        LookEnd::Compiles => "it compiles".to_owned(),
        LookEnd::HasErrors(first) => {
            format!("it has errors, and the compiler does not crash: {first}")
        }
        LookEnd::TimesOut => format!("the compiler did not end within {timeout} s"),
        LookEnd::ExceedsLimits => {
            "the compiler needed more memory, or printed more, than it may".to_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reduce_engine::CrashKind;

    #[test]
    fn another_version_has_another_place_for_the_same_crash() {
        let one = Signature::of_kind(CrashKind::Panic, "m");
        let moved = Signature {
            file: Some("compiler/a.rs".to_owned()),
            position: Some((1, 2)),
            query: Some("typeck_root".to_owned()),
            ..one.clone()
        };
        assert!(is_alike(&one, &moved));
        assert!(!is_alike(&one, &Signature::of_kind(CrashKind::Panic, "n")));
        assert!(!is_alike(&one, &Signature::of_kind(CrashKind::Bug, "m")));
    }

    #[test]
    fn a_reason_that_all_toolchains_have_is_said_once() {
        let seen = |seen: LookEnd| (String::new(), Ok(Look { tokens: 1, seen }));
        let looks = [seen(LookEnd::Compiles), seen(LookEnd::Compiles)];
        assert_eq!(reason(&looks, &[], 1), "it compiles");
        let looks = [seen(LookEnd::TimesOut)];
        assert_eq!(
            reason(&looks, &[], 3),
            "the compiler did not end within 3 s"
        );
        let looks = [(String::new(), Err("the file is no UTF-8".to_owned()))];
        assert_eq!(reason(&looks, &[], 1), "the file is no UTF-8");
    }
}
