//! Recognises in cargo's output that the network is missing: with `--offline` cargo may do with what it has.

/// The messages of cargo, or of the libraries that it uses for the network, for a missing network;
/// in lower case.
const SIGNS: [&str; 12] = [
    "spurious network error",
    "network failure seems to have happened",
    "failed to download",
    "failed to resolve address",
    "could not resolve",
    "couldn't resolve",
    "could not connect",
    "couldn't connect",
    "failed to connect",
    "connection refused",
    "network is unreachable",
    "timed out",
];

/// Whether cargo's output says that the network is missing. A compiler's output may have such words
/// in it, too: whoever asks should know that it is cargo that has failed.
pub(super) fn is_missing(stderr: &str) -> bool {
    let of_cargo = stderr.to_lowercase();
    SIGNS.iter().any(|sign| of_cargo.contains(sign))
}

#[cfg(test)]
mod tests {
    use super::is_missing;

    #[test]
    fn a_missing_network_is_told_from_other_failures() {
        let check = |stderr: &str, expected: bool| {
            assert_eq!(is_missing(stderr), expected, "{stderr}");
        };
        let warning = "warning: spurious network error (3 tries remaining): [6] Could not resolve \
                       hostname (Could not resolve host: index.example)";
        check(warning, true);
        check(
            "error: failed to get `x`\n  [7] Couldn't connect to server",
            true,
        );
        check("error: failed to download from `https://example/x`", true);
        check(
            "Caused by:\n  [28] Timeout was reached (Operation timed out)",
            true,
        );
        check("fatal: unable to access: Network is unreachable", true);
        check("error: no matching package named `x` found", false);
        check("error: failed to parse manifest", false);
        check("", false);
    }
}
