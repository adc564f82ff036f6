//! Knows the names of the attributes, derives and macros that the compiler or its standard library has. All others are of some
//! other crate, or the program's own.

use proc_macro2::Span;
use syn::Path;

/// Attributes that the compiler knows without any macro of another crate. Those that begin with
/// `rustc_` are told by that.
const ATTRIBUTES: &str = "
    alloc_error_handler allow allow_internal_unsafe allow_internal_unstable
    automatically_derived bench cfg cfg_attr cfg_eval cfg_accessible cold collapse_debuginfo
    const_eval_limit const_trait coroutine coverage crate_name crate_type custom_mir
    debugger_visualizer default default_lib_allocator define_opaque deny deprecated
    deprecated_safe derive derive_const diagnostic do_not_recommend doc expect export_name
    export_stable feature ffi_const ffi_pure forbid fundamental global_allocator global_asm ignore
    inline instruction_set lang link link_args link_name link_ordinal link_section linkage loop_match
    const_continue macro_escape macro_export macro_use main marker may_dangle must_not_suspend
    must_use naked needs_allocator needs_panic_runtime no_builtins no_core no_implicit_prelude
    no_link no_main no_mangle no_sanitize no_start no_std non_exhaustive omit_gdb_pretty_printer_section
    optimize panic_handler panic_runtime patchable_function_entry path pattern_complexity_limit
    plugin pointee pin_v2 prelude_import proc_macro proc_macro_attribute proc_macro_derive
    profiler_runtime recursion_limit reexport_test_harness_main register_tool repr sanitize should_panic
    splat stable start target_feature test test_case test_runner thread_local track_caller
    type_const type_length_limit unsafe unstable unstable_feature_bound used warn windows_subsystem";

/// First segments of attributes that are for tools, or are the compiler's own with their full path.
const ATTRIBUTE_ROOTS: &str = "rustfmt clippy diagnostic miri rust_analyzer rustdoc std core alloc";

const DERIVES: &str = "
    Clone Copy Debug Default PartialEq Eq PartialOrd Ord Hash RustcEncodable RustcDecodable
    CoercePointee ConstParamTy UnsizedConstParamTy From";

const MACROS: &str = "
    addr_of addr_of_mut asm assert assert_eq assert_ne assert_matches cfg cfg_match cfg_select column
    compile_error concat concat_bytes concat_idents const_format_args dbg debug_assert
    debug_assert_eq debug_assert_ne debug_assert_matches env eprint eprintln file format format_args
    format_args_nl global_asm include include_bytes include_str is_x86_feature_detected join line
    log_syntax macro_rules matches module_path naked_asm offset_of option_env panic pattern_type
    pin print println ready stringify thread_local todo trace_macros try unimplemented unreachable
    unsafe_binder vec write writeln";

/// Returns the names in a path, without `r#`.
pub(super) fn names(path: &Path) -> Vec<String> {
    let segments = path.segments.iter();
    segments.map(|one| plain(&one.ident.to_string())).collect()
}

/// Returns a name without `r#`.
pub(super) fn plain(name: &str) -> String {
    name.strip_prefix("r#").unwrap_or(name).to_owned()
}

/// Returns whether an attribute is the compiler's or a tool's.
pub(super) fn is_builtin_attribute(path: &[String]) -> bool {
    match path {
        [] => true,
        [name] => name.starts_with("rustc_") || is_in(ATTRIBUTES, name),
        [root, ..] => is_in(ATTRIBUTE_ROOTS, root),
    }
}

/// Returns whether the compiler itself derives a trait.
pub(super) fn is_std_derive(path: &[String]) -> bool {
    is_std(path, DERIVES)
}

/// Returns whether a macro is one of the standard library.
pub(super) fn is_std_macro(path: &[String]) -> bool {
    is_std(path, MACROS)
}

/// Returns whether a path begins in the standard library.
pub(super) fn is_std_root(name: &str) -> bool {
    matches!(name, "std" | "core" | "alloc")
}

fn is_std(path: &[String], table: &str) -> bool {
    match path {
        [] => true,
        [name] => is_in(table, name),
        [root, ..] => is_std_root(root),
    }
}

fn is_in(table: &str, name: &str) -> bool {
    table.split_ascii_whitespace().any(|word| word == name)
}

/// Makes an identifier for generated code, whose position is nowhere in the text.
pub(super) fn ident(name: &str) -> proc_macro2::Ident {
    proc_macro2::Ident::new(name, Span::call_site())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(is: fn(&[String]) -> bool, yes: &[&str], no: &[&str]) {
        let path = |text: &str| names(&syn::parse_str::<Path>(text).unwrap());
        for text in yes {
            assert!(is(&path(text)), "`{text}` is");
        }
        for text in no {
            assert!(!is(&path(text)), "`{text}` is not");
        }
    }

    #[test]
    fn attributes_of_the_compiler_and_of_tools_are_builtin() {
        check(
            is_builtin_attribute,
            &[
                "inline",
                "rustc_on_unimplemented",
                "rustfmt::skip",
                "core::prelude::v1::test",
            ],
            &["serde", "tokio::main", "async_trait"],
        );
    }

    #[test]
    fn derives_of_other_crates_are_not_of_std_whatever_their_name() {
        check(
            is_std_derive,
            &["Clone", "std::fmt::Debug", "::core::hash::Hash"],
            &["Serialize", "derive_more::Debug"],
        );
    }

    #[test]
    fn macros_of_std_are_known_with_and_without_a_path() {
        check(
            is_std_macro,
            &["println", "std::ptr::addr_of", "r#try"],
            &["info", "log::info", "tokio::join"],
        );
    }
}
