//! Numbers that known test harnesses measure, count or draw anew in each run. They are masked, so
//! that a test which fails in the same way each time looks the same each time.
//!
//! Only lines that such a harness prints in exactly this form are changed; a program's own line with
//! the same words, but another form, stays as it is. What proptest found as the minimal failing input
//! stays: it is the failure, and its persisted regression file repeats it. quickcheck keeps no such
//! file, so that its arguments are random in each run.

use regex::Regex;
use std::sync::LazyLock;

/// A pattern for a line of a test harness, and its text with the numbers that change in each run masked. An empty replacement takes the whole line away, as the
/// harness does not print it in each run.
struct Mask {
    line: Regex,
    replacement: &'static str,
}

/// A word that all lines of the table have one of, so that most lines cost no pattern.
const PARTS_OF_ALL: [&str; 9] = [
    "successes: ",
    "rejects: ",
    " times at ",
    "quickcheck",
    "not discarded",
    "finished in ",
    "[",
    "bench: ",
    "<",
];

static MASKS: LazyLock<Vec<Mask>> = LazyLock::new(|| {
    let table = [
        // proptest, below the minimal failing input.
        (r"^(\t+)successes: \d+$", "${1}successes: $$N"),
        (
            r"^(\t+)(local|global) rejects: \d+$",
            "${1}${2} rejects: $$N",
        ),
        (r"^(\t\t)\d+ times at (.*)$", "${1}$$N times at ${2}"),
        // quickcheck, all on one line.
        (
            r"^(.*\[quickcheck\] TEST FAILED(?: \(runtime error\))?\. Arguments: )\(.*\)$",
            "${1}(..)",
        ),
        (
            r"^\(Unable to generate enough tests, \d+ not discarded\.\)$",
            "(Unable to generate enough tests, $$N not discarded.)",
        ),
        // libtest: the end of a run, `--report-time`, `#[bench]`.
        (r"^(test result: .*; finished in )\d+\.\d+s$", "${1}$$TIME"),
        (r"^(test .* \.\.\. \w+) <\d+\.\d+s>$", "${1} <$$TIME>"),
        (
            r"^(test .* \.\.\. bench: ).*/iter \(\+/- [\d.,]+\)(?: = \d+ MB/s)?$",
            "${1}$$TIME",
        ),
        // criterion.
        (
            r"^(.*(?:time|thrpt): +)\[[\d.]+ \S+ [\d.]+ \S+ [\d.]+ [^\]\s]+\]$",
            "${1}[$$TIME]",
        ),
        (
            r"^(.*(?:change|time|thrpt): +)\[[-+−][\d.]+% [-+−][\d.]+% [-+−][\d.]+%\](?: \(p = [\d.]+ [<>] [\d.]+\))?$",
            "${1}[$$TIME]",
        ),
    ];
    let mask = |(line, replacement)| Mask {
        line: pattern(line),
        replacement,
    };
    table.map(mask).into()
});

/// Lines of criterion about outliers, which it prints only where there are some.
static OUTLIERS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:Found \d+ outliers among \d+ measurements \([\d.]+%\)|  \d+ \([\d.]+%\) (?:low|high) (?:mild|severe))$",
    )
});

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("the patterns of the table are correct")
}

/// Returns a text with the numbers of known harnesses masked.
pub(super) fn without_measured(text: &str) -> String {
    let lines = text.split_inclusive('\n').map(|line| {
        let (line, newline) = line
            .strip_suffix('\n')
            .map_or((line, ""), |line| (line, "\n"));
        match OUTLIERS.is_match(line) {
            true => String::new(),
            false => masked(line) + newline,
        }
    });
    lines.collect()
}

fn masked(line: &str) -> String {
    let may_match = PARTS_OF_ALL.iter().any(|word| line.contains(word));
    let mask = MASKS
        .iter()
        .filter(|_| may_match)
        .find(|mask| mask.line.is_match(line));
    match mask {
        Some(mask) => mask.line.replace(line, mask.replacement).into_owned(),
        None => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::without_measured;

    /// Checks that two runs of the same failure look the same.
    #[track_caller]
    fn check(table: &[(&str, &str, &str)]) {
        for (first, second, expected) in table {
            assert_eq!(without_measured(first), *expected);
            assert_eq!(without_measured(second), *expected);
        }
    }

    #[test]
    fn a_proptest_failure_keeps_its_minimal_input_and_loses_its_counts() {
        check(&[
            (
                "Test failed: assertion failed: total(&marks) < 100 at tests/marks.rs:9.\n\
                 minimal failing input: marks = [\n    100,\n]\n\
                 \tsuccesses: 23\n\tlocal rejects: 0\n\tglobal rejects: 0\n",
                "Test failed: assertion failed: total(&marks) < 100 at tests/marks.rs:9.\n\
                 minimal failing input: marks = [\n    100,\n]\n\
                 \tsuccesses: 4\n\tlocal rejects: 0\n\tglobal rejects: 0\n",
                "Test failed: assertion failed: total(&marks) < 100 at tests/marks.rs:9.\n\
                 minimal failing input: marks = [\n    100,\n]\n\
                 \tsuccesses: $N\n\tlocal rejects: $N\n\tglobal rejects: $N\n",
            ),
            (
                "Test aborted: Too many local rejects\n\tsuccesses: 3\n\tlocal rejects: 65537\n\
                 \t\t65537 times at only even numbers\n\tglobal rejects: 0\n",
                "Test aborted: Too many local rejects\n\tsuccesses: 0\n\tlocal rejects: 65536\n\
                 \t\t65536 times at only even numbers\n\tglobal rejects: 0\n",
                "Test aborted: Too many local rejects\n\tsuccesses: $N\n\tlocal rejects: $N\n\
                 \t\t$N times at only even numbers\n\tglobal rejects: $N\n",
            ),
        ]);
    }

    #[test]
    fn a_quickcheck_failure_loses_its_random_arguments_and_keeps_its_error() {
        check(&[
            (
                "[quickcheck] TEST FAILED. Arguments: ([17, 3], 0)",
                "[quickcheck] TEST FAILED. Arguments: ([-1], 2)",
                "[quickcheck] TEST FAILED. Arguments: (..)",
            ),
            (
                "[quickcheck] TEST FAILED (runtime error). Arguments: (5)\nError: too heavy",
                "[quickcheck] TEST FAILED (runtime error). Arguments: (91)\nError: too heavy",
                "[quickcheck] TEST FAILED (runtime error). Arguments: (..)\nError: too heavy",
            ),
            (
                "(Unable to generate enough tests, 12 not discarded.)",
                "(Unable to generate enough tests, 7 not discarded.)",
                "(Unable to generate enough tests, $N not discarded.)",
            ),
        ]);
    }

    #[test]
    fn times_of_libtest_and_criterion_are_masked() {
        check(&[
            (
                "test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s\n",
                "test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 12.34s\n",
                "test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in $TIME\n",
            ),
            (
                "test marks::sum ... FAILED <0.002s>",
                "test marks::sum ... FAILED <0.010s>",
                "test marks::sum ... FAILED <$TIME>",
            ),
            (
                "test marks::sum ... bench:       1,204.50 ns/iter (+/- 31.07) = 12 MB/s",
                "test marks::sum ... bench:         998.10 ns/iter (+/- 2.00) = 13 MB/s",
                "test marks::sum ... bench: $TIME",
            ),
            (
                "sum of marks            time:   [26.029 µs 26.251 µs 26.505 µs]\n\
                 Found 3 outliers among 100 measurements (3.00%)\n  3 (3.00%) high mild\n",
                "sum of marks            time:   [998.11 ns 1.0021 µs 1.0100 µs]\n",
                "sum of marks            time:   [$TIME]\n",
            ),
            (
                "                        change: [-1.1402% +0.2173% +1.5310%] (p = 0.78 > 0.05)",
                "                        change: [+9.1402% +9.2173% +9.5310%] (p = 0.00 < 0.05)",
                "                        change: [$TIME]",
            ),
        ]);
    }

    #[test]
    fn a_programs_own_lines_stay_as_they_are() {
        for own in [
            "successes: 23",
            "\tsuccesses: 23 of 25",
            "5 times at home",
            "TEST FAILED. Arguments: (1)",
            "finished in 0.01s",
            "time: [1, 2, 3]",
            "Found 3 outliers",
            "x\n\n  y\r\n",
            "",
        ] {
            assert_eq!(without_measured(own), own);
        }
    }
}
