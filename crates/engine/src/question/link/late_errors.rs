//! Errors that come after the resolution of names.

/// Whether an error is about types or loans: a name without a definition gives another one.
pub(super) fn comes_after_names(error: &str) -> bool {
    const CODES: [&str; 27] = [
        "E0106", "E0119", "E0200", "E0277", "E0282", "E0283", "E0308", "E0369", "E0373", "E0381",
        "E0382", "E0384", "E0499", "E0502", "E0503", "E0505", "E0506", "E0507", "E0515", "E0594",
        "E0596", "E0597", "E0614", "E0618", "E0621", "E0700", "E0716",
    ];
    CODES.contains(&error)
}
