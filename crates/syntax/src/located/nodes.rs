//! The first and the last token of all syntax but expressions and tokens.

use super::{Located, enums, printed, structs};
use proc_macro2::Span;

enums! {
    Item {
        Const, Enum, ExternCrate, Fn, ForeignMod, Impl, Macro, Mod, Static, Struct, Trait, TraitAlias, Type, Union, Use,
        Verbatim; other => printed(other)
    }
    ForeignItem { Fn, Static, Type, Macro, Verbatim; other => printed(other) }
    ImplItem { Const, Fn, Type, Macro, Verbatim; other => printed(other) }
    TraitItem { Const, Fn, Type, Macro, Verbatim; other => printed(other) }
    UseTree { Path, Name, Rename, Glob, Group }
    Fields { Named, Unnamed; Self::Unit => None }
    FnArg { Receiver, Typed }
}

structs! {
    ItemConst { attrs, vis, const_token, .., semi_token }
    ItemEnum { attrs, vis, enum_token, .., brace_token }
    ItemExternCrate { attrs, vis, extern_token, .., semi_token }
    ItemFn { attrs, vis, sig, .., block }
    ItemForeignMod { attrs, unsafety, abi, .., brace_token }
    ItemImpl { attrs, modifiers.defaultness, unsafety, impl_token, .., brace_token }
    ItemMacro { attrs, mac, semi_token }
    ItemStatic { attrs, vis, static_token, .., semi_token }
    ItemStruct { attrs, vis, struct_token, .., fields, semi_token }
    ItemTrait { attrs, vis, unsafety, modifiers.auto_token, trait_token, .., brace_token }
    ItemTraitAlias { attrs, vis, trait_token, .., semi_token }
    ItemType { attrs, vis, type_token, .., semi_token }
    ItemUnion { attrs, vis, union_token, .., fields }
    ItemUse { attrs, vis, use_token, .., semi_token }

    ForeignItemFn { attrs, vis, sig, semi_token }
    ForeignItemMacro { attrs, mac, semi_token }
    ForeignItemStatic { attrs, vis, safety, static_token, .., semi_token }
    ForeignItemType { attrs, vis, type_token, .., semi_token }

    ImplItemConst { attrs, vis, modifiers.defaultness, const_token, .., semi_token }
    ImplItemFn { attrs, vis, modifiers.defaultness, sig, .., block }
    ImplItemMacro { attrs, mac, semi_token }
    ImplItemType { attrs, vis, modifiers.defaultness, type_token, .., semi_token }

    TraitItemConst { attrs, const_token, .., semi_token }
    TraitItemFn { attrs, sig, default, semi_token }
    TraitItemMacro { attrs, mac, semi_token }
    TraitItemType { attrs, type_token, .., semi_token }

    UsePath { ident, .., tree }
    UseName { ident }
    UseRename { ident, .., rename }
    UseGlob { star_token }
    UseGroup { brace_token }

    Variant { attrs, ident, fields, discriminant }
    FieldsNamed { brace_token }
    FieldsUnnamed { paren_token }
    Field { attrs, vis, ident, ty, default }

    Signature {
        constness, asyncness, safety, abi, fn_token, .., paren_token, output, generics.where_clause
    }
    Abi { extern_token, name }
    Variadic { attrs, pat, dots, comma }
}

impl Located for syn::File {
    fn first_span(&self) -> Option<Span> {
        let inner = self.attrs.first().and_then(Located::first_span);
        inner.or_else(|| self.items.first()?.first_span())
    }

    fn last_span(&self) -> Option<Span> {
        let items = self.items.last().and_then(Located::last_span);
        items.or_else(|| self.attrs.last()?.last_span())
    }
}

impl Located for syn::ItemMod {
    fn first_span(&self) -> Option<Span> {
        let before = self.attrs.first_span().or_else(|| self.vis.first_span());
        let before = before.or_else(|| self.unsafety.first_span());
        before.or_else(|| self.mod_token.first_span())
    }

    fn last_span(&self) -> Option<Span> {
        match &self.content {
            Some((braces, _)) => braces.last_span(),
            None => self.semi.last_span(),
        }
    }
}

impl Located for syn::Receiver {
    fn first_span(&self) -> Option<Span> {
        let own = || match &self.kind {
            syn::ReceiverKind::Reference(ampersand, ..) => ampersand.first_span(),
            _ => (self.mutability.first_span()).or_else(|| self.self_token.first_span()),
        };
        self.attrs.first_span().or_else(own)
    }

    fn last_span(&self) -> Option<Span> {
        match &self.kind {
            syn::ReceiverKind::Typed(_, ty) => ty.last_span(),
            _ => self.self_token.last_span(),
        }
    }
}

enums! {
    GenericParam { Lifetime, Type, Const }
    WherePredicate { Lifetime, Type; other => printed(other) }
    TypeParamBound { Trait, Lifetime, PreciseCapture, Verbatim; other => printed(other) }
    CapturedParam { Lifetime, Ident; other => printed(other) }
}

structs! {
    LifetimeParam { attrs, lifetime, bounds }
    TypeParam { attrs, ident, bounds, default }
    ConstParam { attrs, const_token, .., ty, default }
    BoundLifetimes { for_token, .., gt_token }
    PreciseCapture { use_token, .., gt_token }
    PredicateLifetime { attrs, lifetime, colon_token, bounds }
    PredicateType { attrs, lifetimes, bounded_ty, colon_token, bounds }
}

/// The angle brackets alone, as the `where` clause stands elsewhere.
impl Located for syn::Generics {
    fn first_span(&self) -> Option<Span> {
        (!self.params.is_empty()).then(|| self.lt_token.first_span())?
    }

    fn last_span(&self) -> Option<Span> {
        (!self.params.is_empty()).then(|| self.gt_token.last_span())?
    }
}

/// A `where` that nothing follows is no token to syn.
impl Located for syn::WhereClause {
    fn first_span(&self) -> Option<Span> {
        (!self.predicates.is_empty()).then(|| self.where_token.first_span())?
    }

    fn last_span(&self) -> Option<Span> {
        self.predicates.last_span()
    }
}

impl Located for syn::TraitBound {
    fn first_span(&self) -> Option<Span> {
        let before = self.paren_token.first_span();
        let before = before.or_else(|| self.lifetimes.first_span());
        let before = before.or_else(|| self.maybe.first_span());
        before.or_else(|| self.path.first_span())
    }

    fn last_span(&self) -> Option<Span> {
        self.paren_token
            .last_span()
            .or_else(|| self.path.last_span())
    }
}

enums! {
    PathArguments { AngleBracketed, Parenthesized; Self::None => None }
    GenericArgument { Lifetime, Type, Const, AssocType, AssocConst, Constraint; other => printed(other) }
}

structs! {
    Path { leading_colon, segments }
    PathSegment { ident, arguments }
    QSelf { lt_token, .., gt_token }
    AngleBracketedGenericArguments { colon2_token, lt_token, .., gt_token }
    ParenthesizedGenericArguments { paren_token, output }
    AssocType { ident, .., ty }
    AssocConst { ident, .., value }
    Constraint { ident, .., colon_token, bounds }
}

enums! {
    Type {
        Array, FnPtr, Group, ImplTrait, Infer, Macro, Never, Paren, Path, Ptr, Reference, Slice, TraitObject, Tuple,
        Verbatim; other => printed(other)
    }
}

structs! {
    TypeArray { bracket_token }
    TypeFnPtr { lifetimes, unsafety, abi, fn_token, .., paren_token, output }
    TypeGroup { group_token }
    TypeImplTrait { impl_token, bounds }
    TypeInfer { underscore_token }
    TypeMacro { mac }
    TypeNever { bang_token }
    TypeParen { paren_token }
    TypePath { qself, path }
    TypePtr { star_token, .., elem }
    TypeReference { and_token, .., elem }
    TypeSlice { bracket_token }
    TypeTraitObject { dyn_token, bounds }
    TypeTuple { paren_token }
    NamedArg { attrs, name, ty }
    FnPtrVariadic { attrs, name, dots, comma }
}

impl Located for syn::ReturnType {
    fn first_span(&self) -> Option<Span> {
        match self {
            Self::Default => None,
            Self::Type(arrow, _) => arrow.first_span(),
        }
    }

    fn last_span(&self) -> Option<Span> {
        match self {
            Self::Default => None,
            Self::Type(arrow, ty) => ty.last_span().or_else(|| arrow.last_span()),
        }
    }
}

enums! {
    Pat {
        Const, Guard, Ident, Lit, Macro, Or, Paren, Path, Range, Reference, Rest, Slice, Struct, Tuple, TupleStruct,
        Type, Verbatim, Wild; other => printed(other)
    }
}

structs! {
    PatGuard { attrs, pat, .., guard }
    PatIdent { attrs, by_ref, mutability, ident, subpat }
    PatOr { attrs, leading_vert, cases }
    PatParen { attrs, paren_token }
    PatReference { attrs, and_token, .., pat }
    PatRest { attrs, dot2_token }
    PatSlice { attrs, bracket_token }
    PatStruct { attrs, qself, path, brace_token }
    PatTuple { attrs, paren_token }
    PatTupleStruct { attrs, qself, path, paren_token }
    PatType { attrs, pat, .., ty }
    PatWild { attrs, underscore_token }
}

impl Located for syn::FieldPat {
    fn first_span(&self) -> Option<Span> {
        let own = || match &self.colon_token {
            Some(_) => self.member.first_span(),
            None => self.pat.first_span(),
        };
        self.attrs.first_span().or_else(own)
    }

    fn last_span(&self) -> Option<Span> {
        self.pat.last_span()
    }
}

enums! {
    Meta { Path, List, NameValue }
}

structs! {
    Attribute { pound_token, .., bracket_token }
    MetaList { path, .., delimiter }
    MetaNameValue { path, .., eq_token, value }
    Macro { path, bang_token, .., delimiter }

    Block { brace_token }
    Local { attrs, let_token, .., semi_token }
    StmtMacro { attrs, mac, semi_token }
}

impl Located for syn::Stmt {
    fn first_span(&self) -> Option<Span> {
        match self {
            Self::Local(local) => local.first_span(),
            Self::Item(item) => item.first_span(),
            Self::Expr(value, semicolon) => value.first_span().or_else(|| semicolon.first_span()),
            Self::Macro(call) => call.first_span(),
        }
    }

    fn last_span(&self) -> Option<Span> {
        match self {
            Self::Local(local) => local.last_span(),
            Self::Item(item) => item.last_span(),
            Self::Expr(value, semicolon) => semicolon.last_span().or_else(|| value.last_span()),
            Self::Macro(call) => call.last_span(),
        }
    }
}
