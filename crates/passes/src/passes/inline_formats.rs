//! `inline_formats`: a literal that is written where a format string says `{}` becomes a part of that string.

use crate::keeps::Keeps;
use crate::pass::{Pass, Rewriter, Work};
use crate::program::{Program, simplest_first};
use crate::visit::{self, At};
use reduce_syntax::{EditSet, MacroArguments};
use syn::{Expr, Lit, Macro, UnOp};

pub(super) const PASS: Pass = Pass {
    name: "inline_formats",
    about: "Writes literals into the format string that shows them",
    example: (
        "fn f() { println!(\"{}: {} {}\", \"a\", b, 1); }",
        "fn f() { println!(\"a: {} 1\", b); }",
    ),
    keeps: Keeps::Behaviour,
    work: &[Work::Rewrite(Rewriter(changes))],
};

/// The macros of std whose first argument is a format string.
const FORMAT_FIRST: [&str; 9] = [
    "eprint",
    "eprintln",
    "format",
    "panic",
    "print",
    "println",
    "todo",
    "unimplemented",
    "unreachable",
];
/// The macros of std whose second argument is a format string.
const FORMAT_SECOND: [&str; 3] = ["assert", "write", "writeln"];

fn changes(program: &Program) -> Vec<EditSet> {
    let mut found = Vec::new();
    visit::each_call(program, |at, _, call| {
        found.extend(inlined(program, at, call))
    });
    simplest_first(program, found)
}

/// Returns the change that writes the literals among a macro's arguments into its format string.
fn inlined(program: &Program, at: At<'_>, call: &Macro) -> Option<EditSet> {
    let name = call.path.get_ident()?.to_string();
    let n_before = match name.as_str() {
        first if FORMAT_FIRST.contains(&first) => 0,
        second if FORMAT_SECOND.contains(&second) => 1,
        _ => return None,
    };
    let MacroArguments::Expressions(all) = program.arguments(at.file, call)? else {
        return None;
    };
    let mut arguments = all.iter().skip(n_before);
    let format = arguments.next()?;
    let text = contents(at.text(format))?;
    let arguments: Vec<&Expr> = arguments.collect();
    if arguments.iter().any(|one| matches!(one, Expr::Assign(_))) {
        return None;
    }
    let pieces = pieces(text)?;
    let mut rest = arguments.iter();
    let (mut written, mut left) = (String::new(), Vec::new());
    for piece in pieces {
        let argument = piece.argument.then(|| rest.next()).flatten();
        let shown = argument.and_then(|one| shown(one, at.text(*one)));
        match shown.filter(|_| piece.text == "{}") {
            Some(shown) => written.push_str(&shown),
            None => {
                written.push_str(piece.text);
                left.extend(argument.map(|one| at.text(*one)));
            }
        }
    }
    if rest.next().is_some() || left.len() == arguments.len() {
        return None;
    }
    // Before edition 2021 a message alone is no format string.
    let is_message = left.is_empty() && matches!(name.as_str(), "assert" | "panic");
    if is_message && written.contains(['{', '}']) {
        return None;
    }
    let texts =
        std::iter::once(format!("\"{written}\"")).chain(left.into_iter().map(str::to_owned));
    let texts: Vec<String> = texts.collect();
    let mut change = program.change();
    change.replace(&at.between(format, *arguments.last()?), &texts.join(", "));
    change.finish()
}

/// Returns the text between the quotes of a string that is not raw.
fn contents(literal: &str) -> Option<&str> {
    literal.strip_prefix('"')?.strip_suffix('"')
}

/// A part of a format string: text, or what stands between two braces, together with these.
struct Piece<'t> {
    text: &'t str,
    /// Whether the piece is a `{}` that shows the next argument.
    argument: bool,
}

/// Returns the parts of a format string; `None` where it names arguments by their numbers.
fn pieces(format: &str) -> Option<Vec<Piece<'_>>> {
    let mut found = Vec::new();
    let mut rest = format;
    while !rest.is_empty() {
        let is_escaped = rest.starts_with("{{") || rest.starts_with("}}");
        let (length, argument) = match rest.strip_prefix('{') {
            Some(inner) if !is_escaped => {
                let inner = &inner[..inner.find('}')?];
                let (name, how) = inner.split_once(':').unwrap_or((inner, ""));
                let is_numbered = name.trim().starts_with(|c: char| c.is_ascii_digit());
                if is_numbered || how.contains(['$', '*']) {
                    return None;
                }
                (inner.len() + 2, name.trim().is_empty())
            }
            _ if is_escaped => (2, false),
            _ => (rest.chars().next()?.len_utf8(), false),
        };
        let (text, after) = rest.split_at(length);
        found.push(Piece { text, argument });
        rest = after;
    }
    Some(found)
}

/// Returns the text of a literal as a part of a format string; `None` where that is not certain.
fn shown(argument: &Expr, text: &str) -> Option<String> {
    let is_number =
        |text: &str| text == "0" || text.parse::<u64>().is_ok() && !text.starts_with('0');
    let shown = match argument {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Str(_) => contents(text)?,
            Lit::Char(_) => text.strip_prefix('\'')?.strip_suffix('\'')?,
            Lit::Int(_) if is_number(text) => text,
            Lit::Bool(_) => text,
            _ => return None,
        },
        Expr::Unary(negated) if matches!(negated.op, UnOp::Neg(_)) => {
            let number = text.strip_prefix('-').filter(|number| *number != "0")?;
            is_number(number).then_some(text)?
        }
        _ => return None,
    };
    let is_unclear = shown.contains("\\u") || shown == "\"";
    (!is_unclear).then(|| shown.replace('{', "{{").replace('}', "}}"))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_not_applicable};
    use super::PASS;

    /// Compares what becomes of the arguments of `format!`.
    #[track_caller]
    fn check_format(arguments: &str, expected: &str) {
        let function = |arguments| format!("fn f() {{ g(format!({arguments})); }}");
        check(&PASS, &function(arguments), &[&function(expected)]);
    }

    #[track_caller]
    fn check_stays(arguments: &str) {
        check_not_applicable(&PASS, &format!("fn f() {{ g(format!({arguments})); }}"));
    }

    #[test]
    fn literals_become_a_part_of_the_format_string() {
        check_format(r#""{} {z}{}", "basic", """#, r#""basic {z}""#);
        check_format(r#""{}{}{}", 'x', -7, true"#, r#""x-7true""#);
        check_format(r#""{:>3}{} {x:?}", a, 0"#, r#""{:>3}0 {x:?}", a"#);
        check_format(r#""{}", "{a} \"b\"""#, r#""{{a}} \"b\"""#);
        check_format(r#""{{}} {}", 1,"#, r#""{{}} 1","#);
    }

    #[test]
    fn what_is_not_shown_as_it_is_written_stays() {
        check_not_applicable(&PASS, "fn f() { panic!(\"{}\", \"{\"); }");
        for arguments in [
            r#""{:?}", "a""#,
            r#""{0}", 1"#,
            r#""{:1$}", 1, 2"#,
            r#""{}", 1u8"#,
            r#""{}", 0x1"#,
            r#""{}", 1.0"#,
            r##""{}", r"a""##,
            r##"r"{}", 1"##,
            r#""{}", '"'"#,
            r#""{a}", a = 1"#,
            r#""{}", x"#,
        ] {
            check_stays(arguments);
        }
    }

    #[test]
    fn what_comes_before_the_format_string_stays() {
        check(
            &PASS,
            "fn f() { write!(x, \"{}\", 1); assert!(y, \"{}{}\", z, 2); vec![\"{}\", \"3\"]; }",
            &[
                "fn f() { write!(x, \"1\"); assert!(y, \"{}{}\", z, 2); vec![\"{}\", \"3\"]; }",
                "fn f() { write!(x, \"{}\", 1); assert!(y, \"{}2\", z); vec![\"{}\", \"3\"]; }",
            ],
        );
    }
}
