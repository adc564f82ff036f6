//! Names that exist whatever a crate defines: those of the language, of the standard library and of
//! its prelude.

use std::collections::HashSet;
use std::sync::LazyLock;

/// Returns whether a name is in scope everywhere without an import.
#[must_use]
pub fn is_in_prelude(name: &str) -> bool {
    PRELUDE.contains(name) || home_in_std(name).is_some_and(|home| home != FUTURE)
}

/// Returns the home of a type, a trait or a variant of the prelude in the standard library: the path
/// of the module or enum, from the library's root.
#[must_use]
pub fn home_in_std(name: &str) -> Option<&'static str> {
    Some(match name {
        "ToOwned" => "borrow",
        "Box" => "boxed",
        "Clone" => "clone",
        "Eq" | "Ord" | "PartialEq" | "PartialOrd" => "cmp",
        "AsMut" | "AsRef" | "From" | "Into" | "TryFrom" | "TryInto" => "convert",
        "Default" => "default",
        "Future" | "IntoFuture" => FUTURE,
        "DoubleEndedIterator"
        | "ExactSizeIterator"
        | "Extend"
        | "FromIterator"
        | "IntoIterator"
        | "Iterator" => "iter",
        "Copy" | "Send" | "Sized" | "Sync" | "Unpin" => "marker",
        "AsyncFn" | "AsyncFnMut" | "AsyncFnOnce" | "Drop" | "Fn" | "FnMut" | "FnOnce" => "ops",
        "Option" => "option",
        "None" | "Some" => "option::Option",
        "Result" => "result",
        "Err" | "Ok" => "result::Result",
        "String" | "ToString" => "string",
        "Vec" => "vec",
        _ => return None,
    })
}

/// The module whose traits are in the prelude since edition 2024 only.
const FUTURE: &str = "future";

/// Returns whether a name may be found outside of the crate without an import: in the prelude of any
/// edition, in the language, or as a crate that is always there.
#[must_use]
pub fn is_external(name: &str) -> bool {
    is_in_prelude(name) || home_in_std(name).is_some() || BESIDE_PRELUDE.contains(name)
}

/// Returns whether a macro of the standard library takes expressions, separated by commas.
#[must_use]
pub fn takes_expressions(macro_name: &str) -> bool {
    EXPRESSION_MACROS.contains(macro_name)
}

/// Returns whether many types of the standard library have a member of this name.
#[must_use]
pub fn is_common_member(name: &str) -> bool {
    MEMBERS.contains(name)
}

/// Returns whether iterators, texts, lists or numbers of the standard library have a method of this name themselves, so that no
/// trait gives it to them.
#[must_use]
pub fn is_method_in_std(name: &str) -> bool {
    is_common_member(name) || OTHER_METHODS.contains(name)
}

/// A list of names, which is read when it is first asked for.
type NameList = LazyLock<HashSet<&'static str>>;

/// Reads a list of names with spaces between them.
fn names(list: &'static str) -> HashSet<&'static str> {
    list.split_whitespace().collect()
}

/// The names in the prelude besides types, traits and variants: derives, macros, functions, and the
/// types of the language.
static PRELUDE: NameList = NameList::new(|| {
    names(
        "Debug Hash align_of align_of_val assert assert_eq assert_ne bool cfg char concat \
         debug_assert debug_assert_eq drop eprintln f32 f64 format i32 i64 matches panic print \
         println size_of size_of_val str stringify todo u32 u64 u8 unreachable usize vec write",
    )
});

/// Names of members that many types of the standard library have.
static MEMBERS: NameList = NameList::new(|| {
    names(
        "Err Error IntoIter Item Output Owned Target abs add all and and_then any append \
         as_bytes as_mut as_mut_ptr as_mut_slice as_ptr as_ref as_slice as_str borrow \
         borrow_mut by_ref bytes capacity cast chars clear clone cloned cmp collect contains \
         contains_key copied count default deref deref_mut div drain drop end entry enumerate \
         eq expect extend filter filter_map find first flush fmt fold from from_iter from_str \
         get get_mut hash index index_mut insert into into_inner into_iter is_empty is_none \
         is_some iter iter_mut join keys last len lock map map_err max min mul ne neg new next \
         next_back not ok parse partial_cmp pop position push push_str read remove replace \
         reserve rev send size_hint sort split start sub swap take to_owned to_string unwrap \
         unwrap_or values with_capacity write",
    )
});

/// Methods of iterators, texts, lists and numbers of the standard library, without those that many types have.
static OTHER_METHODS: NameList = NameList::new(|| {
    names(
        "abs_diff char_indices checked_add checked_div checked_mul checked_sub chunks concat \
         ends_with eq_ignore_ascii_case find_map flat_map for_each is_alphabetic is_alphanumeric \
         is_ascii_digit lines max_by_key min_by_key pow product repeat rposition rsplitn \
         saturating_add saturating_sub skip skip_while sort_by sort_by_key split_at \
         split_inclusive split_once split_whitespace splitn starts_with step_by strip_prefix \
         strip_suffix sum take_while to_ascii_lowercase to_ascii_uppercase to_lowercase \
         to_uppercase trim trim_end trim_matches trim_start unwrap_or_default windows \
         wrapping_add wrapping_sub zip",
    )
});

/// The macros of the standard library that take expressions.
static EXPRESSION_MACROS: NameList = NameList::new(|| {
    names(
        "assert assert_eq assert_ne dbg debug_assert debug_assert_eq debug_assert_ne eprint \
         eprintln format format_args panic print println todo unimplemented unreachable vec \
         write writeln",
    )
});

/// The names that may be found without an import and are in no prelude.
static BESIDE_PRELUDE: NameList = NameList::new(|| {
    names(
        "'_ 'static CoercePointee ConstParamTy Reborrow RustcDecodable RustcEncodable \
         UnsizedConstParamTy addr_of addr_of_mut alloc asm assert_matches auto autodiff \
         autodiff_forward autodiff_reverse bench cfg_accessible cfg_eval cfg_match cfg_select \
         column compile_error concat_bytes concat_idents const_format_args contracts_ensures \
         contracts_requires core crate dbg debug_assert_matches debug_assert_ne default \
         define_opaque deref derive derive_const env eprint f128 f16 file format_args \
         format_args_nl global_allocator global_asm i128 i16 i8 include include_bytes \
         include_str is_x86_feature_detected isize line llvm_asm log_syntax macro_rules main \
         module_path naked_asm offset_of option_env pattern_type pin proc_macro std super test \
         test_case thread_local trace_macros try type_ascribe u128 u16 unimplemented union \
         unsafe_binder_lifetime writeln",
    )
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found() {
        assert!(is_in_prelude("Option") && is_in_prelude("vec") && !is_in_prelude("HashMap"));
        assert!(is_in_prelude("Some") && !is_in_prelude("Future") && is_in_prelude("Debug"));
        assert_eq!(home_in_std("None"), Some("option::Option"));
        assert!(is_common_member("len") && !is_common_member("length"));
        assert!(is_method_in_std("len") && is_method_in_std("trim") && !is_method_in_std("length"));
        assert!(is_external("u128") && is_external("Future") && is_external("Option"));
        assert!(!is_external("HashMap") && takes_expressions("writeln"));
    }
}
