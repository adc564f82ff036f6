//! What an attribute does to the names in what it stands at.

use crate::std_names::{NameList, names};
use reduce_syntax::TokenCursor;

/// Whether what an attribute stands at is certainly compiled, and as it is written: only the compiler's
/// own attributes are known to leave it alone; any other may be a macro. `name` is the attribute's.
/// What `cfg_attr` adds is what counts.
pub(super) fn leaves_alone(cursor: &TokenCursor<'_>, name: usize) -> bool {
    let Some(close) = cursor
        .closing(name + 1)
        .filter(|_| cursor.is(name, "cfg_attr"))
    else {
        return is_harmless(cursor.word(name));
    };
    let mut idx = name + 2;
    while idx < close {
        if cursor.is(idx, ",") && idx + 1 < close && !is_harmless(cursor.word(idx + 1)) {
            return false;
        }
        idx = cursor.skip_group(idx);
    }
    true
}

fn is_harmless(name: &str) -> bool {
    name.starts_with("rustc_") || HARMLESS.contains(name)
}

/// Tool attributes (`clippy`, `rustfmt`, `diagnostic`) are here too. `test` and `bench` are not: they
/// are left out unless the crate is compiled as a test.
static HARMLESS: NameList = NameList::new(|| {
    names(
        "allow allow_internal_unsafe allow_internal_unstable automatically_derived clippy \
         cold const_trait coverage crate_name crate_type default deny deprecated derive \
         diagnostic doc expect export_name feature forbid fundamental inline lang link \
         link_name link_section macro_export macro_use marker may_dangle must_use naked \
         no_core no_mangle no_std non_exhaustive optimize path recursion_limit repr rustfmt \
         stable target_feature thread_local track_caller type_length_limit unsafe unstable \
         used warn windows_subsystem",
    )
});

#[cfg(test)]
mod tests {
    use super::*;

    fn check(attribute: &str, expected: bool) {
        let cursor = TokenCursor::new(attribute);
        assert_eq!(leaves_alone(&cursor, 2), expected, "{attribute}");
    }

    #[test]
    fn conditions_and_unknown_macros_do_not_leave_it_alone() {
        check("#[cfg(unix)]", false);
        check("#[test]", false);
        check("#[tokio::main]", false);
        check("#[derive(Clone)]", true);
        check("#[clippy::msrv = \"1\"]", true);
    }

    #[test]
    fn a_conditional_attribute_is_what_it_adds() {
        check("#[cfg_attr(unix, cfg(windows))]", false);
        check(
            "#[cfg_attr(all(unix, windows), derive(Clone), macro_use)]",
            true,
        );
        check("#[cfg_attr(unix, inline, other)]", false);
    }
}
