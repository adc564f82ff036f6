//! The cost of a warm compiler besides its queries: memory, its start, and its own work for a fork.

use crate::Failure;
use crate::figures::{Run, Sample, compare, median, milliseconds, ratio};
use crate::inputs::{Last, Pair, pair};
use crate::package::{Package, Queries, Start, expected};
use std::collections::BTreeSet;
use std::fs;
use std::time::Duration;

const LINES: usize = 100;
/// Queries that are stopped at an error: enough to wear a server out more than once, if it wears.
const STOPPED: usize = 64;

/// The parts of a process's memory that are shown, as `smaps_rollup` calls them.
const PARTS: [&str; 4] = ["Rss", "Pss", "Private_Dirty", "Private_Clean"];

/// Measures servers and first queries.
///
/// # Errors
/// When a compiler cannot be asked, answers otherwise than it should, or is not among the processes.
pub(crate) fn measure(rounds: usize) -> Result<(), Failure> {
    println!("### The warm compiler's server\n");
    let pair = pair(LINES, Last::Crash);
    let package = Package::new(&pair[0], 0)?;
    measure_memory(&package, &pair, rounds)?;
    println!();
    measure_start(&package, &pair, rounds)?;
    println!();
    measure_stopped(&package)
}

fn measure_memory(package: &Package, pair: &Pair, rounds: usize) -> Result<(), Failure> {
    println!("In MiB. What is clean is the compiler's file, which is in the page cache anyway.\n");
    println!("| servers | queries of each | resident | proportional | private, dirty | clean |");
    println!("|---:|---:|---:|---:|---:|---:|");
    let mut first = package.queries("first", Start::Warm)?;
    first.ask(&pair[1], expected(Last::Crash))?;
    print_memory(1, 1)?;
    let (cpu, peak) = ask_often(&mut first, pair, rounds)?;
    print_memory(1, 1 + rounds)?;
    let mut second = package.queries("second", Start::Warm)?;
    for text in pair.iter().cycle().take(1 + rounds) {
        second.ask(text, expected(Last::Crash))?;
    }
    print_memory(2, 1 + rounds)?;
    let cpu = milliseconds(cpu);
    println!("\nFor each query the server itself takes {cpu} ms of CPU time.");
    let mut anew = package.queries("anew", Start::Anew)?;
    let (_, answer) = anew.ask(&pair[0], expected(Last::Crash))?;
    let [warm, anew] = [peak, answer.peak_memory_bytes].map(mebibytes);
    println!("A query's process has at most {warm} MiB, one that is started anew {anew}.");
    Ok(())
}

/// Returns the server's own CPU time for a query, and the most that the process of a query has had.
fn ask_often(
    queries: &mut Queries<'_>,
    pair: &Pair,
    rounds: usize,
) -> Result<(Duration, u64), Failure> {
    let pid = only_server()?;
    let before = cpu_of(pid)?;
    let mut peak = 0;
    for text in pair.iter().cycle().take(rounds) {
        let (_, answer) = queries.ask(text, expected(Last::Crash))?;
        peak = answer.peak_memory_bytes.max(peak);
    }
    if only_server()? != pid {
        return Err("the server was started anew while it was measured".into());
    }
    let cpu = cpu_of(pid)?.saturating_sub(before);
    Ok((cpu / u32::try_from(rounds)?, peak))
}

fn only_server() -> Result<u32, Failure> {
    match servers()?[..] {
        [pid] => Ok(pid),
        ref others => Err(format!("there are {} servers instead of one", others.len()).into()),
    }
}

/// Returns the children of ours that are compilers. Between queries these are the servers.
fn servers() -> Result<Vec<u32>, Failure> {
    let mut found = vec![];
    for entry in fs::read_dir("/proc")? {
        let Ok(pid) = entry?.file_name().to_string_lossy().parse::<u32>() else {
            continue;
        };
        // Processes of others end at any time.
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let parent = stat
            .rsplit_once(") ")
            .and_then(|(_, rest)| rest.split(' ').nth(1));
        if stat.contains(" (rustc) ") && parent == Some(&std::process::id().to_string()) {
            found.push(pid);
        }
    }
    Ok(found)
}

/// Returns the time that the threads of a process were on a core.
fn cpu_of(pid: u32) -> Result<Duration, Failure> {
    let mut sum = Duration::ZERO;
    for task in fs::read_dir(format!("/proc/{pid}/task"))? {
        let text = fs::read_to_string(task?.path().join("schedstat"))?;
        let nanoseconds = text.split(' ').next().ok_or("`schedstat` is empty")?;
        sum += Duration::from_nanos(nanoseconds.parse()?);
    }
    Ok(sum)
}

fn print_memory(count: usize, queries: usize) -> Result<(), Failure> {
    let servers = servers()?;
    if servers.len() != count {
        return Err(format!("there are {} servers instead of {count}", servers.len()).into());
    }
    let memory: Result<Vec<_>, _> = servers.iter().map(|pid| memory_of(*pid)).collect();
    let memory = memory?;
    let cells = (0..PARTS.len()).map(|part| {
        let each = memory.iter().map(|parts| parts[part]);
        mebibytes(median(each.collect()))
    });
    let cells: Vec<String> = cells.collect();
    println!("| {count} | {queries} | {} |", cells.join(" | "));
    Ok(())
}

/// Returns the sizes of [`PARTS`], in bytes.
fn memory_of(pid: u32) -> Result<[u64; PARTS.len()], Failure> {
    let text = fs::read_to_string(format!("/proc/{pid}/smaps_rollup"))?;
    let mut sizes = [0; PARTS.len()];
    for (size, part) in sizes.iter_mut().zip(PARTS) {
        let rest = text
            .lines()
            .find_map(|line| line.strip_prefix(part)?.strip_prefix(':'));
        let kibibytes = rest.and_then(|rest| rest.trim().strip_suffix(" kB"));
        let kibibytes = kibibytes.ok_or_else(|| format!("there is no `{part}`"))?;
        *size = kibibytes.parse::<u64>()? * 1024;
    }
    Ok(sizes)
}

fn mebibytes(bytes: u64) -> String {
    format!("{:.1}", bytes as f64 / f64::from(1 << 20))
}

/// Measures a query with the start of its server, against those that follow and those without a
/// server.
fn measure_start(package: &Package, pair: &Pair, rounds: usize) -> Result<(), Failure> {
    let mut anew = package.queries("anew", Start::Anew)?;
    let mut warm = package.queries("warm", Start::Warm)?;
    let text = |round: usize| &pair[round % 2];
    let is_expected = expected(Last::Crash);
    let mut runs: [Run<'_>; 3] = [
        Box::new(|round| Ok(anew.ask(text(round), is_expected)?.0)),
        Box::new(|round| Ok(warm.ask(text(round), is_expected)?.0)),
        Box::new(|round| {
            let mut first = package.queries("start", Start::Warm)?;
            Ok(first.ask(text(round), is_expected)?.0)
        }),
    ];
    print_start(&compare(&mut runs, rounds)?);
    Ok(())
}

fn print_start(samples: &[Sample]) {
    println!("| query | wall, ms | of the first |");
    println!("|---|---:|---:|");
    let names = [
        Start::Anew.name(),
        Start::Warm.name(),
        "start of the server and first query",
    ];
    for (name, sample) in names.iter().zip(samples) {
        let ratio = ratio(sample.wall, samples[0].wall);
        println!("| {name} | {} | {ratio} |", milliseconds(sample.wall));
    }
}

/// Measures queries that are stopped. One may cost its server: that is in the mean of such queries
/// and not in their median.
fn measure_stopped(package: &Package) -> Result<(), Failure> {
    let mut queries = package.queries("stopped", Start::Warm)?;
    let (mut walls, mut pids) = (vec![], BTreeSet::new());
    for text in pair(LINES, Last::UnknownType).iter().cycle().take(STOPPED) {
        let (sample, _) = queries.ask(text, expected(Last::UnknownType))?;
        walls.push(sample.wall);
        pids.extend(servers()?);
    }
    let mean = walls.iter().sum::<Duration>() / u32::try_from(walls.len())?;
    let [median, mean] = [median(walls), mean].map(milliseconds);
    println!("{STOPPED} queries, one after the other, that were stopped at an unresolved type:");
    println!(
        "{median} ms as median, {mean} ms as mean. Servers started for them: {}.",
        pids.len()
    );
    Ok(())
}
