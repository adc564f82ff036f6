//! Lists the traits of the standard library that can be trait objects.

/// Returns whether a trait is in the prelude.
pub(crate) fn is_in_prelude(name: &str) -> bool {
    matches!(
        name,
        "Fn" | "FnMut"
            | "FnOnce"
            | "Iterator"
            | "DoubleEndedIterator"
            | "ExactSizeIterator"
            | "Send"
            | "Sync"
            | "ToString"
            | "AsRef"
            | "AsMut"
            | "Drop"
    )
}

/// Returns whether a trait is in `std::io::prelude`.
pub(crate) fn is_in_io_prelude(name: &str) -> bool {
    matches!(name, "Read" | "Write" | "Seek" | "BufRead")
}

/// Returns whether a module of the standard library has a trait of this name, and no type.
pub(crate) fn is_standard(module: &str, name: &str) -> bool {
    match module {
        "any" => name == "Any",
        "borrow" => matches!(name, "Borrow" | "BorrowMut"),
        "convert" => matches!(name, "AsRef" | "AsMut"),
        "error" => name == "Error",
        "fmt" => FORMATS.contains(&name),
        "fs" | "unix" | "io" | "prelude" => is_in_io_prelude(name) || name.starts_with("AsRaw"),
        "future" => name == "Future",
        "hash" => matches!(name, "Hash" | "Hasher" | "BuildHasher"),
        "iter" => name.ends_with("Iterator") && is_in_prelude(name),
        "marker" => matches!(name, "Send" | "Sync" | "Unpin"),
        "net" => name == "ToSocketAddrs",
        "ops" => OPERATORS.contains(&name),
        "panic" => matches!(name, "UnwindSafe" | "RefUnwindSafe"),
        "string" => name == "ToString",
        _ => false,
    }
}

const FORMATS: [&str; 10] = [
    "Binary", "Debug", "Display", "LowerExp", "LowerHex", "Octal", "Pointer", "UpperExp",
    "UpperHex", "Write",
];

const OPERATORS: [&str; 8] = [
    "Deref", "DerefMut", "Drop", "Fn", "FnMut", "FnOnce", "Index", "IndexMut",
];
