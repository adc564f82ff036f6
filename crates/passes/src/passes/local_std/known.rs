//! What `local_std` knows of the standard library: where the names of the prelude are defined, which
//! variants its enums have, which types have a lifetime that is mostly not written, and the members
//! of its traits.

/// The prelude's types, traits and variants, with the paths of what defines them.
const PRELUDE: [(&str, &str); 40] = [
    ("AsMut", "convert::AsMut"),
    ("AsRef", "convert::AsRef"),
    ("Box", "boxed::Box"),
    ("Clone", "clone::Clone"),
    ("Copy", "marker::Copy"),
    ("Default", "default::Default"),
    ("DoubleEndedIterator", "iter::DoubleEndedIterator"),
    ("Drop", "ops::Drop"),
    ("Eq", "cmp::Eq"),
    ("Err", "result::Result::Err"),
    ("ExactSizeIterator", "iter::ExactSizeIterator"),
    ("Extend", "iter::Extend"),
    ("Fn", "ops::Fn"),
    ("FnMut", "ops::FnMut"),
    ("FnOnce", "ops::FnOnce"),
    ("From", "convert::From"),
    ("FromIterator", "iter::FromIterator"),
    ("Future", "future::Future"),
    ("Into", "convert::Into"),
    ("IntoFuture", "future::IntoFuture"),
    ("IntoIterator", "iter::IntoIterator"),
    ("Iterator", "iter::Iterator"),
    ("None", "option::Option::None"),
    ("Ok", "result::Result::Ok"),
    ("Option", "option::Option"),
    ("Ord", "cmp::Ord"),
    ("PartialEq", "cmp::PartialEq"),
    ("PartialOrd", "cmp::PartialOrd"),
    ("Result", "result::Result"),
    ("Send", "marker::Send"),
    ("Sized", "marker::Sized"),
    ("Some", "option::Option::Some"),
    ("String", "string::String"),
    ("Sync", "marker::Sync"),
    ("ToOwned", "borrow::ToOwned"),
    ("ToString", "string::ToString"),
    ("TryFrom", "convert::TryFrom"),
    ("TryInto", "convert::TryInto"),
    ("Unpin", "marker::Unpin"),
    ("Vec", "vec::Vec"),
];

/// Where what the prelude calls by this name is defined.
pub(super) fn in_prelude(name: &str) -> Option<&'static str> {
    let idx = PRELUDE.binary_search_by_key(&name, |one| one.0);
    idx.ok().and_then(|idx| PRELUDE.get(idx)).map(|one| one.1)
}

/// The language gives these a meaning that nothing else can have.
pub(super) fn is_of_the_language(path: &str) -> bool {
    const ALL: [&str; 7] = [
        "marker::Sized",
        "ops::AsyncFn",
        "ops::AsyncFnMut",
        "ops::AsyncFnOnce",
        "ops::Fn",
        "ops::FnMut",
        "ops::FnOnce",
    ];
    ALL.contains(&path)
}

/// An enum with its parameters, and each variant with what is in it.
pub(super) struct Enum {
    pub(super) parameters: &'static [&'static str],
    pub(super) variants: &'static [(&'static str, &'static str)],
}

/// What is known of an enum.
pub(super) fn enum_of(path: &str) -> Option<Enum> {
    let (parameters, variants): (&'static [_], &'static [_]) = match path {
        "option::Option" => (&["T"], &[("None", ""), ("Some", "T")]),
        "result::Result" => (&["T", "U"], &[("Ok", "T"), ("Err", "U")]),
        "task::Poll" => (&["T"], &[("Ready", "T"), ("Pending", "")]),
        "ops::ControlFlow" => (&["T", "U = ()"], &[("Continue", "U"), ("Break", "T")]),
        "ops::Bound" => (
            &["T"],
            &[("Included", "T"), ("Excluded", "T"), ("Unbounded", "")],
        ),
        "cmp::Ordering" => (&[], &[("Less", ""), ("Equal", ""), ("Greater", "")]),
        "sync::atomic::Ordering" => (
            &[],
            &[
                ("Relaxed", ""),
                ("Release", ""),
                ("Acquire", ""),
                ("AcqRel", ""),
                ("SeqCst", ""),
            ],
        ),
        _ => return None,
    };
    Some(Enum {
        parameters,
        variants,
    })
}

/// Whether a type of this name has a lifetime that is often not written.
pub(super) fn has_lifetime(name: &str) -> bool {
    const ALL: [&str; 24] = [
        "Arguments",
        "Chars",
        "Components",
        "Context",
        "Drain",
        "Entry",
        "Formatter",
        "IoSlice",
        "Iter",
        "IterMut",
        "Keys",
        "Lines",
        "Location",
        "MutexGuard",
        "OccupiedEntry",
        "PeekMut",
        "Ref",
        "RefMut",
        "RwLockReadGuard",
        "RwLockWriteGuard",
        "Scope",
        "VacantEntry",
        "Values",
        "ValuesMut",
    ];
    ALL.binary_search(&name).is_ok()
}

/// A member of a trait: its name and its declaration without what ends it. `T` is the trait's
/// parameter.
type Member = (&'static str, &'static str);

/// The usual members of a trait, types before functions.
pub(super) fn members_of(trait_name: &str) -> Option<&'static [Member]> {
    Some(match trait_name {
        "AsMut" => &[("as_mut", "fn as_mut(&mut self) -> &mut T")],
        "AsRef" => &[("as_ref", "fn as_ref(&self) -> &T")],
        "Borrow" => &[("borrow", "fn borrow(&self) -> &T")],
        "BorrowMut" => &[("borrow_mut", "fn borrow_mut(&mut self) -> &mut T")],
        "Clone" => &[("clone", "fn clone(&self) -> Self")],
        "Default" => &[("default", "fn default() -> Self")],
        "Deref" => &[
            ("Target", "type Target: ?Sized"),
            ("deref", "fn deref(&self) -> &Self::Target"),
        ],
        "Drop" => &[("drop", "fn drop(&mut self)")],
        "From" => &[("from", "fn from(_: T) -> Self")],
        "FromStr" => &[("Err", "type Err")],
        "Into" => &[("into", "fn into(self) -> T")],
        "IntoFuture" => &[("Output", "type Output"), ("IntoFuture", "type IntoFuture")],
        "IntoIterator" => &[
            ("Item", "type Item"),
            ("IntoIter", "type IntoIter"),
            ("into_iter", "fn into_iter(self) -> Self::IntoIter"),
        ],
        "Iterator" => &[
            ("Item", "type Item"),
            ("next", "fn next(&mut self) -> Option<Self::Item>"),
        ],
        "PartialEq" => &[
            ("eq", "fn eq(&self, _: &T) -> bool"),
            ("ne", "fn ne(&self, _: &T) -> bool"),
        ],
        "ToOwned" => &[
            ("Owned", "type Owned"),
            ("to_owned", "fn to_owned(&self) -> Self::Owned"),
        ],
        "TryFrom" | "TryInto" => &[("Error", "type Error")],
        "Future" | "FnOnce" => &[("Output", "type Output")],
        "Index" => &[
            ("Output", "type Output: ?Sized"),
            ("index", "fn index(&self, _: T) -> &Self::Output"),
        ],
        "Neg" => &[
            ("Output", "type Output"),
            ("neg", "fn neg(self) -> Self::Output"),
        ],
        "Not" => &[
            ("Output", "type Output"),
            ("not", "fn not(self) -> Self::Output"),
        ],
        "Add" => &[
            ("Output", "type Output"),
            ("add", "fn add(self, _: T) -> Self::Output"),
        ],
        "Sub" => &[
            ("Output", "type Output"),
            ("sub", "fn sub(self, _: T) -> Self::Output"),
        ],
        "Mul" => &[
            ("Output", "type Output"),
            ("mul", "fn mul(self, _: T) -> Self::Output"),
        ],
        "Copy" | "Debug" | "Display" | "Eq" | "Error" | "Hash" | "Ord" | "PartialOrd" | "Send"
        | "Sync" | "Unpin" | "Any" | "ToString" => &[],
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_sorted() {
        assert!(PRELUDE.is_sorted());
        assert_eq!(in_prelude("Vec"), Some("vec::Vec"));
        assert_eq!(in_prelude("HashMap"), None);
        assert!(has_lifetime("Arguments") && has_lifetime("ValuesMut") && !has_lifetime("Vec"));
    }
}
