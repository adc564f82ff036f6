//! The companions that the user demands, each seen to show what it must for the program as it is.

use super::Setting;
use super::package::{Selected, tail};
use super::replay::Replayed;
use crate::companion::{Companion, Demand};
use crate::error::OracleError;
use crate::plan::{Plan, Sources, takes_unstable};
use crate::process::Ending;
use crate::toolchain::{Compiler, Other};
use crate::worker::{Seen, Worker};
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

/// A companion is asked first where it takes so many times less.
const MUCH_CHEAPER: u32 = 2;
/// What rustc says of a `-Z` flag that it does not know.
const UNKNOWN_FLAG: &str = "unknown unstable option";

/// What a demand is called in messages, and with which flags it comes.
struct Wish<'a> {
    demand: Demand,
    toolchain: Option<&'a str>,
    flags: &'a [String],
}

/// Adds the companions to the plan. `selected` is what cargo compiles, where it does.
///
/// # Errors
/// [`OracleError::FailsElsewhere`] where one does not show what it must, and whatever hinders
/// finding its compiler.
pub(super) fn add(
    mut replayed: Replayed,
    selected: Option<&Selected<'_>>,
    setting: &Setting<'_>,
) -> Result<Replayed, OracleError> {
    for wish in wishes(setting) {
        let companion = find(&wish, &replayed, selected, setting)?;
        replayed.plan.companions.push(companion);
    }
    Ok(replayed)
}

fn wishes<'a>(setting: &Setting<'a>) -> Vec<Wish<'a>> {
    let demands = &setting.options.demands;
    let regression = demands.regression.iter().map(|toolchain| Wish {
        demand: Demand::Succeeds,
        toolchain: Some(toolchain),
        flags: &[],
    });
    let valid_with = demands.valid_with.iter().map(|words| {
        let toolchain = words.first().filter(|word| word.starts_with('+'));
        Wish {
            demand: Demand::Compiles,
            flags: &words[usize::from(toolchain.is_some())..],
            toolchain: toolchain.map(String::as_str),
        }
    });
    regression.chain(valid_with).collect()
}

/// A companion that shows what it must.
fn find(
    wish: &Wish<'_>,
    replayed: &Replayed,
    selected: Option<&Selected<'_>>,
    setting: &Setting<'_>,
) -> Result<Companion, OracleError> {
    let plan = &replayed.plan;
    let other = wish.toolchain.map(|name| {
        (setting.note)(&format!("trying the toolchain `{name}`"));
        Other::find(name, setting.user, setting.cancel)
    });
    let other = other.transpose()?;
    let mut replaced = BTreeMap::new();
    if let (Some(other), Some(selected)) = (&other, selected)
        && !plan.extern_files().is_empty()
    {
        let there = setting.of_other(other);
        let found = selected.replaced(plan, &there);
        setting.count(there.runs.get());
        replaced = found.map_err(|error| refused(wish, &other.plus, selected, error))?;
    }
    let toolchain = other.map(|other| tool(other.toolchain.compiler, plan, setting));
    let compiler = toolchain.as_ref().unwrap_or(&plan.compiler);
    let companion = Companion {
        is_stable: !takes_unstable(&compiler.verbose_version, &plan.env),
        toolchain,
        flags: wish.flags.to_vec(),
        replaced,
        demand: wish.demand,
        is_cheaper: false,
        usual: None,
    };
    settled(companion, replayed, setting)
}

/// The same tool of another toolchain, where it is another one than the compiler, such as clippy.
fn tool(compiler: Compiler, plan: &Plan, setting: &Setting<'_>) -> Compiler {
    let name = plan.compiler.path.file_name();
    let usual = setting.toolchain.compiler.path.file_name();
    let beside = name.filter(|_| name != usual);
    let beside = beside.map(|name| compiler.path.with_file_name(name));
    match beside.filter(|path| path.is_file()) {
        Some(path) => Compiler { path, ..compiler },
        None => compiler,
    }
}

/// The companion as it shows what it must, with what that takes.
fn settled(
    companion: Companion,
    replayed: &Replayed,
    setting: &Setting<'_>,
) -> Result<Companion, OracleError> {
    let (mut seen, mut plan) = see(&companion, &replayed.plan, setting)?;
    let mut companion = companion;
    if !seen.holds && seen.outcome.stderr.contains(UNKNOWN_FLAG) && !companion.is_stable {
        companion.is_stable = true;
        (seen, plan) = see(&companion, &replayed.plan, setting)?;
    }
    let wall = seen.outcome.wall;
    if !seen.holds {
        return Err(OracleError::FailsElsewhere {
            demand: companion.demand,
            command: plan.command(&plan.root),
            output: tail(&seen.printed()),
        });
    }
    Ok(Companion {
        is_cheaper: wall * MUCH_CHEAPER < replayed.duration,
        usual: Some(seen.spent),
        ..companion
    })
}

/// What the companion shows of the program as it is; where the failure is not stable, again and again
/// until it is not what it must be.
fn see(
    companion: &Companion,
    plan: &Plan,
    setting: &Setting<'_>,
) -> Result<(Seen, Plan), OracleError> {
    let plan = Plan {
        companions: vec![companion.clone()],
        ..plan.clone()
    };
    let mut worker = Worker::new(setting.scratch.join("replay"), &plan, &BTreeSet::new())?;
    let mut n_left = plan.repeat.max(1);
    loop {
        let seen = worker.see_companion_of(&plan, 0, &Sources::new(), setting.cancel)?;
        setting.count(1);
        n_left -= 1;
        if seen.outcome.ending == Ending::Cancelled {
            return Err(OracleError::Cancelled);
        }
        if n_left == 0 || !seen.holds {
            return Ok((seen, companion.plan(&plan)));
        }
    }
}

/// That cargo fails there is what the user should hear, not that we could not match what it made.
fn refused(
    wish: &Wish<'_>,
    plus: &str,
    selected: &Selected<'_>,
    error: OracleError,
) -> OracleError {
    let output = match error {
        OracleError::CargoRejected { stderr, .. } => stderr,
        OracleError::NoFailure { output, .. } => output,
        error => return error,
    };
    let command = ["cargo", plus, &selected.typed().join(" ")];
    let words = command.into_iter().filter(|word| !word.is_empty());
    OracleError::FailsElsewhere {
        demand: wish.demand,
        command: words.collect::<Vec<_>>().join(" "),
        output,
    }
}

/// From what the plan links, and what that links, to what another compiler made of the same; both by
/// their paths without extensions. `links` are the crates that one was linked with, by the names that
/// it has for them.
pub(super) fn matched(
    here: Vec<(String, Utf8PathBuf)>,
    there: Vec<(String, Utf8PathBuf)>,
    links: &dyn Fn(&Utf8Path) -> Vec<(String, Utf8PathBuf)>,
) -> BTreeMap<Utf8PathBuf, Utf8PathBuf> {
    let mut found = BTreeMap::new();
    let mut pending = pairs(here, there);
    while let Some((here, there)) = pending.pop() {
        if let Entry::Vacant(place) = found.entry(here.with_extension("")) {
            place.insert(there.with_extension(""));
            pending.extend(pairs(links(&here), links(&there)));
        }
    }
    found
}

fn pairs(
    here: Vec<(String, Utf8PathBuf)>,
    there: Vec<(String, Utf8PathBuf)>,
) -> Vec<(Utf8PathBuf, Utf8PathBuf)> {
    let there: BTreeMap<_, _> = there.into_iter().collect();
    let both = here.into_iter();
    both.filter_map(|(name, path)| Some((path, there.get(&name)?.clone())))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn externs(line: &str) -> Vec<(String, Utf8PathBuf)> {
        let words = line.split_whitespace();
        let pairs = words.filter_map(|word| word.split_once('='));
        pairs
            .map(|(name, path)| (name.to_owned(), path.into()))
            .collect()
    }

    #[test]
    fn crates_are_matched_by_the_names_that_their_users_have_for_them() {
        let links = |path: &Utf8Path| {
            externs(match path.as_str() {
                "/h/liba-1.rmeta" => "base=/h/libb-2.rmeta lost=/h/libl-4.rmeta",
                "/o/liba-7.rmeta" => "base=/o/libb-8.rmeta",
                // In a circle, as no cargo would have it.
                "/h/libb-2.rmeta" => "a=/h/liba-1.rmeta",
                "/o/libb-8.rmeta" => "a=/o/liba-7.rmeta",
                _ => "",
            })
        };
        let here = externs("renamed=/h/liba-1.rmeta m=/h/libm-3.so x=/h/libx-5.rlib");
        let there = externs("m=/o/libm-9.so renamed=/o/liba-7.rmeta y=/o/liby-5.rlib");
        let found: Vec<_> = matched(here, there, &links)
            .into_iter()
            .map(|(here, there)| format!("{here} {there}"))
            .collect();
        let expected = [
            "/h/liba-1 /o/liba-7",
            "/h/libb-2 /o/libb-8",
            "/h/libm-3 /o/libm-9",
        ];
        assert_eq!(found, expected);
        assert_eq!(matched(vec![], vec![], &links), BTreeMap::new());
    }
}
