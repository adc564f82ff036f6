//! Programs that repeat one thing so often that a file of them would say nothing to a reader.

use std::fmt::Write;

/// A program that crashes with `-Ztreat-err-as-bug=1`.
#[derive(Debug)]
pub struct Generated {
    /// Its name.
    pub name: &'static str,
    /// What repeats in it.
    pub kind: &'static str,
    /// A text of the crash.
    pub says: &'static str,
    /// The program.
    pub text: String,
}

/// How many calls there are in a chain.
const CALLS: usize = 1000;

/// One more variant than a byte has values.
const VARIANTS: usize = 257;

/// All of them.
pub fn all() -> [Generated; 3] {
    [
        Generated {
            name: "nested-calls",
            kind: "chain of 1,000 nested calls, of which the innermost has the error",
            says: "error[E0308]: mismatched types",
            text: nested_calls(),
        },
        Generated {
            name: "counted-calls",
            kind: "chain of 1,000 nested calls, of which an overflow needs 256",
            says: "attempt to compute `u8::MAX + 1_u8`, which would overflow",
            text: counted_calls(),
        },
        Generated {
            name: "many-variants",
            kind: "enum of 257 variants, the last of which does not fit into its type",
            says: "error[E0370]: enum discriminant overflowed",
            text: many_variants(),
        },
    ]
}

fn nested_calls() -> String {
    let text = "\
/// Takes a tenth off a price.
pub fn discount(price: u32) -> u32 {
    price - price / 10
}

pub fn is_free(price: u32) -> bool {
    discount(price) == 0
}

/// The price of what nobody has bought for a long time.
pub fn leftover() -> u32 {
    ";
    format!("{text}{}\n}}\n", chain("discount", "\"much\""))
}

fn counted_calls() -> String {
    let text = "\
/// The next number of a ticket.
pub const fn next(ticket: u8) -> u8 {
    ticket + 1
}

pub const FIRST: u8 = 0;

pub const LAST: u8 = ";
    format!("{text}{};\n", chain("next", "FIRST"))
}

/// A function that is called with what it returns, again and again.
fn chain(function: &str, innermost: &str) -> String {
    let calls = format!("{function}(").repeat(CALLS);
    format!("{calls}{innermost}{}", ")".repeat(CALLS))
}

fn many_variants() -> String {
    let mut text = String::from(
        "/// An instruction of a machine that knows many of them.\n\
         #[derive(Debug, Clone, Copy, PartialEq)]\n#[repr(u8)]\npub enum Opcode {\n",
    );
    for variant in 0..VARIANTS {
        writeln!(text, "    Load{variant},").expect("a string takes all");
    }
    text.push_str(
        "}\n\n\
         /// What the machine does next.\n\
         pub fn follow(opcode: Opcode) -> Option<Opcode> {\n    match opcode {\n",
    );
    for variant in 1..VARIANTS {
        let before = variant - 1;
        writeln!(
            text,
            "        Opcode::Load{before} => Some(Opcode::Load{variant}),"
        )
        .expect("a string takes all");
    }
    text.push_str("        _ => None,\n    }\n}\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_is_closed() {
        let chain = chain("f", "0");
        assert!(chain.starts_with("f(f(") && chain.ends_with("))"));
        assert_eq!(chain.matches('(').count(), CALLS);
        assert_eq!(chain.matches(')').count(), CALLS);
    }

    #[test]
    fn an_enum_has_one_variant_too_many_for_a_byte() {
        let text = many_variants();
        assert!(text.contains("Load256,") && !text.contains("Load257"));
    }
}
