//! Finds the newest of some states that passes a trial, with few trials: steps back that become twice as long each
//! time, then halves.

/// Searches `n` states, ordered from the newest on, for the newest one that serves, and tries only some of them.
/// `None` where none does among those that `most` trials reach. Where states that serve and others alternate, it is
/// one of those that serve after one that does not.
///
/// # Errors
/// Those of a trial.
pub(crate) fn newest_that_serves<E>(
    n: usize,
    most: usize,
    mut serves: impl FnMut(usize) -> Result<bool, E>,
) -> Result<Option<usize>, E> {
    // Nothing before this is known to serve.
    let mut begin = 0;
    let mut step = 1;
    for n_trials in 1..=most {
        // The last one is worth a trial, even if the step would go beyond it.
        let at = (begin + step - 1).min(n.saturating_sub(1));
        if begin >= n {
            return Ok(None);
        }
        if serves(at)? {
            return between(begin, at, most - n_trials, serves).map(Some);
        }
        begin = at + 1;
        step *= 2;
    }
    Ok(None)
}

/// Returns the first state between `begin` and `end` that serves, where `end` is known to serve.
fn between<E>(
    mut begin: usize,
    mut end: usize,
    most: usize,
    mut serves: impl FnMut(usize) -> Result<bool, E>,
) -> Result<usize, E> {
    for _ in 0..most {
        if begin == end {
            break;
        }
        let middle = begin + (end - begin) / 2;
        match serves(middle)? {
            true => end = middle,
            false => begin = middle + 1,
        }
    }
    Ok(end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    /// Searches among `n` states of which those from `first` on serve: returns the one that was found, and
    /// how many were tried.
    fn found(n: usize, most: usize, first: usize) -> (Option<usize>, usize) {
        let mut tried = vec![];
        let serves = |at: usize| {
            assert!(
                at < n && !tried.contains(&at),
                "{at} of {n}, after {tried:?}"
            );
            tried.push(at);
            Ok::<bool, Infallible>(at >= first)
        };
        let Ok(found) = newest_that_serves(n, most, serves);
        (found, tried.len())
    }

    #[test]
    fn the_newest_is_found_wherever_it_is() {
        for n in 0..70 {
            for first in 0..=n {
                let expected = (first < n).then_some(first);
                let (at, n_tried) = found(n, 64, first);
                assert_eq!(at, expected, "{first} of {n}");
                assert!(n_tried <= 13, "{n_tried} for {first} of {n}");
            }
        }
    }

    #[test]
    fn one_that_serves_is_found_even_if_trials_run_out() {
        assert_eq!(found(1000, 4, 2000), (None, 4));
        // 0, 2 and 6 do not serve, 14 does, and so may 7 to 13.
        assert_eq!(found(1000, 4, 9), (Some(14), 4));
        assert_eq!(found(1000, 0, 0), (None, 0));
    }

    #[test]
    fn an_error_ends_it() {
        let fails = |_| Err::<bool, &str>("no");
        assert_eq!(newest_that_serves(3, 64, fails), Err("no"));
    }
}
