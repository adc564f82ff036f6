//! The names of primitive types.

/// Returns whether a name is that of an integer type.
#[must_use]
pub fn is_integer_type(name: &str) -> bool {
    matches!(name, "u8" | "u16" | "u32" | "u64" | "u128" | "usize")
        || matches!(name, "i8" | "i16" | "i32" | "i64" | "i128" | "isize")
}

/// Returns whether a name is that of a type of numbers.
#[must_use]
pub fn is_number_type(name: &str) -> bool {
    is_integer_type(name) || matches!(name, "f32" | "f64")
}

/// Returns whether a name is that of a primitive type.
#[must_use]
pub fn is_primitive_type(name: &str) -> bool {
    is_number_type(name) || matches!(name, "bool" | "char" | "str")
}
