//! The functions of the compiler that a backtrace names: those that led to a crash, and those that follow one another again and
//! again where its stack overflows.

use std::collections::BTreeSet;
use std::iter::Peekable;
use std::str::Lines;

/// The functions that the hooks of panics and errors, and the standard library, put at the top of each backtrace.
const MACHINERY: [&str; 9] = [
    "__rustc",
    "rust_begin_unwind",
    "core",
    "std",
    "alloc",
    "rustc_errors",
    "rustc_middle::util::bug",
    "rustc_middle::ty::context::tls",
    "rustc_span::ErrorGuaranteed",
];

/// Returns the lines `NUMBER: FUNCTION` whose numbers go up from 0.
pub(super) fn numbered(lines: Lines<'_>) -> Vec<&str> {
    let mut names = Vec::new();
    for line in lines {
        let Some((number, name)) = line.trim_start().split_once(": ") else {
            continue;
        };
        match number.parse::<usize>() {
            Ok(number) if number == names.len() => names.push(name),
            Ok(0) => break,
            _ => {}
        }
    }
    names
}

pub(super) fn is_machinery(name: &str) -> bool {
    let path = name.trim_start_matches(['<', '&']);
    MACHINERY.iter().any(|prefix| {
        let rest = path.strip_prefix(prefix);
        rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
    })
}

/// Whether a line of a backtrace announces the frames that repeat where the stack overflowed.
pub(crate) fn begins_cycle(line: &str) -> bool {
    line.starts_with("### cycle encountered")
}

/// Reads the frames of a backtrace that repeat, and returns their sorted names: symbols, or places in libraries.
pub(crate) fn cycle(lines: &mut Peekable<Lines<'_>>) -> Vec<String> {
    let mut names = BTreeSet::new();
    while let Some(name) = lines.peek().and_then(|line| frame_name(line)) {
        names.insert(name);
        lines.next();
    }
    names.into_iter().collect()
}

/// Returns the symbol in a frame such as `/lib/librustc_driver-1f.so(SYMBOL+0x7f8)[0x7765d8125ff8]`, without one
/// `librustc_driver+0x7f8`.
fn frame_name(line: &str) -> Option<String> {
    let (module, symbol, rest) = parts_of_frame(line)?;
    let (offset, _) = rest.split_once(')')?;
    let file = module.rsplit('/').next()?;
    let library = file.split(['-', '.']).next()?;
    Some(match symbol.is_empty() {
        true => format!("{library}+0x{offset}"),
        false => symbol.to_owned(),
    })
}

/// Splits a frame that a signal handler prints, `MODULE(SYMBOL+0xOFFSET)[0x..]`, into the module, the symbol if there is one,
/// and what follows `+0x`.
pub(crate) fn parts_of_frame(line: &str) -> Option<(&str, &str, &str)> {
    let (module, rest) = line.split_once('(').filter(|_| line.starts_with('/'))?;
    let (symbol, rest) = rest.split_once("+0x")?;
    Some((module, symbol, rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::diagnostics::frames;

    const PANIC: &str = "\
thread 'rustc' (7) panicked at compiler/rustc_type_ir/src/binder.rs:658:13:
1: odd
stack backtrace:
   0: __rustc::rust_begin_unwind
             at /rustc/1/library/std/src/panicking.rs:689:5
   1: core::panicking::panic_fmt
   2: <core::option::Option<u8>>::unwrap
   3: <rustc_middle::ty::generics::GenericPredicates>::instantiate_into
   4: rustc_hir_analysis::check::wfcheck::check_type_defn
      [... omitted 1 frame ...]
   5: rustc_interface::passes::analysis
note: Some details are omitted

error: the compiler unexpectedly panicked. This is a bug
stack backtrace:
   0: other
";

    #[test]
    fn the_functions_that_led_to_a_panic_are_those_below_the_machinery() {
        let expected = [
            "<rustc_middle::ty::generics::GenericPredicates>::instantiate_into",
            "rustc_hir_analysis::check::wfcheck::check_type_defn",
            "rustc_interface::passes::analysis",
        ];
        assert_eq!(frames(PANIC), expected);
        assert!(frames("error: internal compiler error: odd").is_empty());
    }

    #[test]
    fn of_delayed_bugs_the_first_counts_where_it_was_delayed() {
        let bug = |name: &str| {
            format!(
                r#"{{"$message_type":"diagnostic","message":"odd","code":null,"level":"error: internal compiler error","spans":[],"children":[{{"message":"delayed at /rustc-dev/1/compiler/x.rs:1:2\n   0: <rustc_errors::DiagCtxtInner>::emit_diagnostic\n   1: {name}\n","level":"note","spans":[]}}],"rendered":"odd"}}"#
            )
        };
        let json = [bug("rustc_borrowck::first"), bug("rustc_borrowck::second")].join("\n");
        assert_eq!(frames(&json), ["rustc_borrowck::first"]);
        let human = "error: internal compiler error: odd\n  |\n  = note: delayed at compiler/x.rs:1:2\n             0: <rustc_errors::D>::emit\n             1: rustc_borrowck::first\n";
        assert_eq!(frames(human), ["rustc_borrowck::first"]);
    }

    #[test]
    fn a_name_that_only_begins_like_the_machinery_is_none_of_it() {
        assert!(is_machinery("<std::thread::Builder>::spawn"));
        assert!(is_machinery("rustc_middle::util::bug::bug_fmt"));
        assert!(!is_machinery("rustc_errors_other::f"));
        assert!(!is_machinery("corelib::f"));
    }

    #[test]
    fn a_frame_is_its_symbol_or_a_place_in_its_library() {
        let lines = "/a/librustc_driver-61.so(+0x59)[0x7f9b]\n/a/libLLVM.so.22(visit+0x7)[0x7f]\n/a/librustc_driver-61.so(+0x59)[0x7f9b]\n### recursed 50 times\n/a/b.so(+0x1)[0x2]";
        let mut lines = lines.lines().peekable();
        assert_eq!(cycle(&mut lines), ["librustc_driver+0x59", "visit"]);
        assert_eq!(lines.next(), Some("### recursed 50 times"));
    }
}
