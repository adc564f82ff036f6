//! The progress of a reduction in one line.

use reduce_engine::Progress;

/// Returns the line of progress: tokens now and at the start, time, queries and their rate, cache hits, pass. What
/// matters most comes first: a narrow terminal cuts the end off.
pub(crate) fn progress_line(progress: &Progress) -> String {
    let Progress {
        pass,
        round,
        tokens_now,
        tokens_at_start,
        queries,
        cache_hits,
        elapsed_seconds,
    } = progress;
    let rate = per_second(*queries, *elapsed_seconds);
    let time = time(*elapsed_seconds);
    format!(
        "{tokens_now}/{tokens_at_start} tokens, {time}, {queries} queries ({rate:.1}/s), \
         {cache_hits} cache hits, {pass} (round {round})"
    )
}

/// A rate; 0 where no time has passed.
pub(crate) fn per_second(count: u64, seconds: f64) -> f64 {
    if seconds > 0.0 {
        count as f64 / seconds
    } else {
        0.0
    }
}

/// Returns a time as people read it: `7.3 s`, `2 min 07 s` or `1 h 02 min`.
pub(crate) fn time(seconds: f64) -> String {
    let whole = seconds as u64;
    match whole {
        0..60 => format!("{seconds:.1} s"),
        60..3600 => format!("{} min {:02} s", whole / 60, whole % 60),
        _ => format!("{} h {:02} min", whole / 3600, whole / 60 % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_progress_is_one_line() {
        let progress = Progress {
            pass: "delete_items".to_owned(),
            round: 2,
            tokens_now: 120,
            tokens_at_start: 15_000,
            queries: 300,
            cache_hits: 45,
            elapsed_seconds: 12.0,
        };
        assert_eq!(
            progress_line(&progress),
            "120/15000 tokens, 12.0 s, 300 queries (25.0/s), 45 cache hits, delete_items (round 2)"
        );
    }

    #[test]
    fn times_are_short() {
        assert_eq!(time(7.26), "7.3 s");
        assert_eq!(time(127.9), "2 min 07 s");
        assert_eq!(time(3725.0), "1 h 02 min");
    }

    #[test]
    fn no_time_gives_no_rate() {
        assert_eq!(per_second(5, 0.0), 0.0);
    }
}
