//! The places of tokens, and of syntax that is hardly more than a token.

use super::{Located, enums, printed, structs};
use proc_macro2::extra::DelimSpan;
use proc_macro2::{Ident, Literal, Span, TokenStream, TokenTree};
use syn::token;

/// Implements [`Located`] for what is one token.
macro_rules! single_tokens {
    ($($token:ty: $self:ident => $span:expr),+ $(,)?) => { $(
        impl Located for $token {
            fn first_span(&$self) -> Option<Span> {
                Some($span)
            }

            fn last_span(&$self) -> Option<Span> {
                Some($span)
            }
        }
    )+ };
}

single_tokens! {
    Span: self => *self,
    Ident: self => self.span(),
    Literal: self => self.span(),
    TokenTree: self => self.span(),
    syn::Lit: self => self.span(),
    syn::LitStr: self => self.span(),
    syn::LitByteStr: self => self.span(),
    syn::LitCStr: self => self.span(),
    syn::LitByte: self => self.span(),
    syn::LitChar: self => self.span(),
    syn::LitInt: self => self.span(),
    syn::LitFloat: self => self.span(),
    syn::LitBool: self => self.span,
    syn::Index: self => self.span,
    token::Group: self => self.span,
}

macro_rules! keywords {
    ($($keyword:ident)+) => { single_tokens! { $(token::$keyword: self => self.span),+ } };
}

keywords! {
    Abstract As Async Auto Await Become Box Break Const Continue Crate Default Do Dyn Else Enum Extern Final Fn For If Impl In Let Loop Macro Match Mod Move Mut Override Priv Pub Raw Ref Return Safe SelfType SelfValue Static Struct Super Trait Try Type Typeof Union Unsafe Unsized Use Virtual Where While Yield
}

macro_rules! punctuation {
    ($($operator:ident)+) => { $(
        impl Located for token::$operator {
            fn first_span(&self) -> Option<Span> {
                self.spans.first().copied()
            }

            fn last_span(&self) -> Option<Span> {
                self.spans.last().copied()
            }
        }
    )+ };
}

punctuation! {
    And AndAnd AndEq At Caret CaretEq Colon Comma Dollar Dot DotDot DotDotDot DotDotEq Eq EqEq FatArrow Ge Gt LArrow Le Lt Minus MinusEq Ne Not Or OrEq OrOr PathSep Percent PercentEq Plus PlusEq Pound Question RArrow Semi Shl ShlEq Shr ShrEq Slash SlashEq Star StarEq Tilde Underscore
}

impl Located for DelimSpan {
    fn first_span(&self) -> Option<Span> {
        Some(self.open())
    }

    fn last_span(&self) -> Option<Span> {
        Some(self.close())
    }
}

macro_rules! brackets {
    ($($bracket:ident)+) => { $(
        impl Located for token::$bracket {
            fn first_span(&self) -> Option<Span> {
                self.span.first_span()
            }

            fn last_span(&self) -> Option<Span> {
                self.span.last_span()
            }
        }
    )+ };
}

brackets! { Brace Bracket Paren }

/// Tokens that are no syntax. To look at one of them copies all, but not what is in their groups.
impl Located for TokenStream {
    fn first_span(&self) -> Option<Span> {
        Some(self.clone().into_iter().next()?.span())
    }

    fn last_span(&self) -> Option<Span> {
        Some(self.clone().into_iter().last()?.span())
    }
}

impl Located for syn::Lifetime {
    fn first_span(&self) -> Option<Span> {
        Some(self.apostrophe)
    }

    fn last_span(&self) -> Option<Span> {
        Some(self.ident.span())
    }
}

enums! {
    BinOp {
        Add, Sub, Mul, Div, Rem, And, Or, BitXor, BitAnd, BitOr, Shl, Shr, Eq, Lt, Le, Ne, Ge, Gt, AddAssign, SubAssign,
        MulAssign, DivAssign, RemAssign, BitXorAssign, BitAndAssign, BitOrAssign, ShlAssign, ShrAssign;
        other => printed(other)
    }
    MacroDelimiter { Paren, Brace, Bracket }
    Member { Named, Unnamed }
    PointerMutability { Const, Mut }
    RangeLimits { HalfOpen, Closed }
    Safety { Safe, Unsafe; Self::Default => None }
    UnOp { Deref, Not, Neg; other => printed(other) }
    Visibility { Public, Restricted; Self::Inherited => None }
}

structs! {
    Label { name, colon_token }
    VisRestricted { pub_token, .., paren_token }
}
