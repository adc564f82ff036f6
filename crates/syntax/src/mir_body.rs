//! The body of a function that is written as MIR, by `core::intrinsics::mir::mir!`: what it declares, and its blocks of
//! statements. None of that is Rust's own grammar, but its pieces are.

use crate::parse::byte_range;
use std::ops::Range;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream, Parser};
use syn::{Block, Ident, Macro, Stmt, Token, braced, parenthesized};

/// The parsed contents of a call of `mir!`, by which a function's body is written as MIR. Positions are those of the file.
pub struct MirBody {
    /// The declarations at the beginning: `type RET = T;`, `let x: T;` and `debug x => y;`.
    pub declarations: Vec<MirDeclaration>,
    /// The basic blocks, with the first of which the function begins.
    pub blocks: Vec<MirBlock>,
}

/// A declaration at the beginning of a body that is written as MIR.
pub struct MirDeclaration {
    /// The bytes of the declaration, with the semicolon.
    pub range: Range<usize>,
    /// The statement that declares a local variable, if the declaration is one of these.
    pub local: Option<Stmt>,
}

/// A basic block.
pub struct MirBlock {
    /// The bytes of the block, with its name.
    pub range: Range<usize>,
    /// The name of the block; the first one has none.
    pub name: Option<Ident>,
    /// The statements of the block, of which the last one says at which block the function goes on.
    pub statements: Vec<Stmt>,
}

impl MirBody {
    /// Reads a call of `mir!`; `None` where it is a call of another macro, or is written in another way.
    #[must_use]
    pub fn of(call: &Macro) -> Option<Self> {
        let name = &call.path.segments.last()?.ident;
        let read = || Self::parse.parse2(call.tokens.clone()).ok();
        (name == "mir").then(read)?
    }
}

impl Parse for MirBody {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut declarations = Vec::new();
        while let Some(declaration) = declaration(input)? {
            declarations.push(declaration);
        }
        let mut blocks = vec![MirBlock::parse_behind(None, input)?];
        while !input.is_empty() {
            let name = Ident::parse_any(input)?;
            if input.peek(syn::token::Paren) {
                let cleanup;
                parenthesized!(cleanup in input);
                Ident::parse_any(&cleanup)?;
            }
            input.parse::<Token![=]>()?;
            blocks.push(MirBlock::parse_behind(Some(name), input)?);
        }
        Ok(Self {
            declarations,
            blocks,
        })
    }
}

/// The next declaration, if there is one more.
fn declaration(input: ParseStream<'_>) -> syn::Result<Option<MirDeclaration>> {
    if input.peek(Token![let]) {
        let local: Stmt = input.parse()?;
        return Ok(Some(MirDeclaration {
            range: byte_range(&local),
            local: Some(local),
        }));
    }
    if !input.peek(Token![type]) && !input.peek(Ident) {
        return Ok(None);
    }
    let start = input.span().byte_range().start;
    while !input.peek(Token![;]) {
        input.parse::<proc_macro2::TokenTree>()?;
    }
    let semicolon: Token![;] = input.parse()?;
    Ok(Some(MirDeclaration {
        range: start..byte_range(&semicolon).end,
        local: None,
    }))
}

impl MirBlock {
    /// Parses the braces of a basic block, whose name has been read already.
    fn parse_behind(name: Option<Ident>, input: ParseStream<'_>) -> syn::Result<Self> {
        let content;
        let braces = braced!(content in input);
        let statements = Block::parse_within(&content)?;
        let own = braces.span.open().byte_range().start;
        let start = name.as_ref().map_or(own, |name| byte_range(name).start);
        Ok(Self {
            range: start..braces.span.close().byte_range().end,
            name,
            statements,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::SpanGuard;

    fn body(text: &str) -> Option<MirBody> {
        MirBody::of(&syn::parse_str(text).unwrap())
    }

    #[test]
    fn a_body_is_declarations_and_blocks_of_statements() {
        let _positions = SpanGuard::new();
        let text = "mir! { type RET = u8; let a: u8; debug b => a; \
            { a = 1; Goto(next) } next = { RET = a; match a { 1 => end, _ => bad } } \
            end = { Return() } bad (cleanup) = { UnwindResume() } }";
        let body = body(text).unwrap();
        let declared = body.declarations.iter().map(|one| &text[one.range.clone()]);
        let expected = ["type RET = u8;", "let a: u8;", "debug b => a;"];
        assert_eq!(declared.collect::<Vec<_>>(), expected);
        let blocks = body.blocks.iter();
        let blocks = blocks.map(|one| (&text[one.range.clone()], one.statements.len()));
        let expected = [
            ("{ a = 1; Goto(next) }", 2),
            ("next = { RET = a; match a { 1 => end, _ => bad } }", 2),
            ("end = { Return() }", 1),
            ("bad (cleanup) = { UnwindResume() }", 1),
        ];
        assert_eq!(blocks.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn another_macro_has_no_such_body() {
        assert!(body("m! { { Return() } }").is_none());
        assert!(body("mir!(1, 2)").is_none());
        assert!(body("mir! { let a: u8; }").is_none());
    }
}
