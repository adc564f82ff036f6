//! The standard library as `local_std` knows it: the variants of its enums, the types with a
//! lifetime that is mostly not written, and the members of its traits.

/// Whether the language itself knows an item of the standard library, such as `Sized` or `Fn`, so that no local one
/// can replace it.
pub(super) fn is_of_the_language(path: &str) -> bool {
    let name = path.strip_prefix("ops::").unwrap_or_default();
    path == "marker::Sized" || name.trim_start_matches("Async").starts_with("Fn")
}

/// The parameters of an enum, and its variants with what is in them.
pub(super) type Enum = (&'static [&'static str], &'static [&'static str]);

/// Returns the parameters and variants of an enum of the standard library, if it is a known one.
pub(super) fn enum_of(path: &str) -> Option<Enum> {
    Some(match path {
        "option::Option" => (&["T"], &["None", "Some(T)"]),
        "result::Result" => (&["T", "U"], &["Ok(T)", "Err(U)"]),
        "task::Poll" => (&["T"], &["Ready(T)", "Pending"]),
        "ops::ControlFlow" => (&["T", "U = ()"], &["Continue(U)", "Break(T)"]),
        "ops::Bound" => (&["T"], &["Included(T)", "Excluded(T)", "Unbounded"]),
        "cmp::Ordering" => (&[], &["Less", "Equal", "Greater"]),
        "sync::atomic::Ordering" => (&[], &["Relaxed", "Release", "Acquire", "AcqRel", "SeqCst"]),
        _ => return None,
    })
}

/// Returns the number of lifetimes that are often not written in a type of this name.
pub(super) fn hidden_lifetimes(name: &str) -> usize {
    match name {
        "Arguments" | "Chars" | "Components" | "Context" | "Drain" | "Entry" | "Formatter"
        | "IoSlice" | "Iter" | "IterMut" | "Keys" | "Lines" | "Location" | "MutexGuard"
        | "OccupiedEntry" | "PeekMut" | "Ref" | "RefMut" | "RwLockReadGuard"
        | "RwLockWriteGuard" | "Scope" | "VacantEntry" | "Values" | "ValuesMut" => 1,
        _ => 0,
    }
}

/// A member of a trait: its name, and its declaration without the semicolon or body. `T` is the trait's parameter.
type Member = (&'static str, &'static str);

/// Returns the usual members of a trait, types before functions.
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
