//! Byte ranges of items with much in them. syn's `span` makes tokens of all that is in an item, once
//! for each level that it stands in; here the first and the last token are looked at. The ranges are
//! the same, and relative to what was parsed.

use proc_macro2::Span;
use std::ops::Range;
use syn::spanned::Spanned;
use syn::token::Brace;
use syn::{
    Attribute, Block, ImplItemFn, ItemFn, ItemImpl, ItemMod, ItemTrait, Safety, Signature,
    TraitItemFn, Visibility,
};

pub(super) fn of_block(block: &Block) -> Range<usize> {
    block.brace_token.span.open().byte_range().start..end(&block.brace_token)
}

pub(super) fn of_function(function: &ItemFn) -> Range<usize> {
    let keywords = keywords(&function.sig);
    let vis = Some(&function.vis);
    start(&function.attrs, vis, keywords)..end(&function.block.brace_token)
}

pub(super) fn of_impl_function(function: &ImplItemFn) -> Range<usize> {
    let defaultness = function.modifiers.defaultness.map(|token| token.span);
    let keywords = keywords(&function.sig).into_iter().chain(defaultness);
    let vis = Some(&function.vis);
    start(&function.attrs, vis, keywords)..end(&function.block.brace_token)
}

pub(super) fn of_trait_function(function: &TraitItemFn) -> Range<usize> {
    match &function.default {
        Some(block) => {
            start(&function.attrs, None, keywords(&function.sig))..end(&block.brace_token)
        }
        None => function.span().byte_range(),
    }
}

pub(super) fn of_impl(block: &ItemImpl) -> Range<usize> {
    let defaultness = block.modifiers.defaultness.map(|token| token.span);
    let unsafety = block.unsafety.map(|token| token.span);
    let keywords = [Some(block.impl_token.span), defaultness, unsafety];
    start(&block.attrs, None, keywords.into_iter().flatten())..end(&block.brace_token)
}

pub(super) fn of_trait(item: &ItemTrait) -> Range<usize> {
    let auto = item.modifiers.auto_token.map(|token| token.span);
    let unsafety = item.unsafety.map(|token| token.span);
    let keywords = [Some(item.trait_token.span), auto, unsafety];
    let vis = Some(&item.vis);
    start(&item.attrs, vis, keywords.into_iter().flatten())..end(&item.brace_token)
}

pub(super) fn of_module(module: &ItemMod) -> Range<usize> {
    let Some((braces, _)) = &module.content else {
        return module.span().byte_range();
    };
    let unsafety = module.unsafety.map(|token| token.span);
    let keywords = [Some(module.mod_token.span), unsafety];
    let vis = Some(&module.vis);
    start(&module.attrs, vis, keywords.into_iter().flatten())..end(braces)
}

fn keywords(signature: &Signature) -> Vec<Span> {
    let constness = signature.constness.map(|token| token.span);
    let asyncness = signature.asyncness.map(|token| token.span);
    let abi = signature.abi.as_ref().map(|abi| abi.extern_token.span);
    let safety = match signature.safety {
        Safety::Default => None,
        ref stated => Some(stated.span()),
    };
    let all = [
        Some(signature.fn_token.span),
        constness,
        asyncness,
        abi,
        safety,
    ];
    all.into_iter().flatten().collect()
}

/// The first byte of what may come first.
fn start(
    attributes: &[Attribute],
    visibility: Option<&Visibility>,
    keywords: impl IntoIterator<Item = Span>,
) -> usize {
    let visibility = match visibility {
        Some(Visibility::Public(token)) => Some(token.span),
        Some(Visibility::Restricted(restricted)) => Some(restricted.pub_token.span),
        Some(Visibility::Inherited) | None => None,
    };
    // Inner attributes are here too, but none is the first.
    let attribute = attributes.first().map(|one| one.pound_token.spans[0]);
    let all = keywords.into_iter().chain(visibility).chain(attribute);
    all.map(|span| span.byte_range().start)
        .min()
        .expect("there is a keyword")
}

fn end(braces: &Brace) -> usize {
    braces.span.close().byte_range().end
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::{ImplItem, Item, TraitItem};

    /// The range is the one that syn would give.
    #[track_caller]
    fn check(item: &str) {
        let item = syn::parse_str(item).expect("is an item");
        let (range, expected) = (of_item(&item), item.span().byte_range());
        assert_eq!(range, expected);
    }

    fn of_item(item: &Item) -> Range<usize> {
        match item {
            Item::Fn(one) => of_function(one),
            Item::Impl(one) => of_impl(one),
            Item::Trait(one) => of_trait(one),
            Item::Mod(one) => of_module(one),
            _ => unreachable!("no such case is tested"),
        }
    }

    #[test]
    fn functions_begin_with_attributes_visibility_or_signature() {
        check("fn f() { #![a] g() }");
        check("pub(crate) const unsafe extern \"C\" fn f<T>() -> u8 where T: A { 0 }");
        check("/// doc\n#[a] pub async fn f() {}");
        check("unsafe fn f() {}");
        check("extern \"C\" fn f() {}");
        check("async unsafe fn f() {}");
    }

    #[test]
    fn blocks_of_items_end_with_their_brace() {
        check("unsafe impl<T> A for B<T> where T: C { fn f() {} }");
        check("#[a] impl A { #![b] }");
        check("default impl A for B {}");
        check("pub unsafe auto trait A {}");
        check("trait A: B + C where Self: D { fn f(); }");
        check("/** doc */ pub mod a { #![b] fn f() {} }");
        check("mod a { fn f() {} }");
        check("#[a] mod a;");
    }

    #[test]
    fn members_are_like_functions() {
        let block = "impl A { #[a] pub default fn f() {} const fn g() {} }";
        let block: ItemImpl = syn::parse_str(block).expect("is an impl");
        for item in &block.items {
            let ImplItem::Fn(function) = item else {
                continue;
            };
            assert_eq!(of_impl_function(function), item.span().byte_range());
        }
        let definition = "trait A { #[a] fn f(); fn g() {} /** doc */ unsafe fn h() {} }";
        let definition: ItemTrait = syn::parse_str(definition).expect("is a trait");
        for item in &definition.items {
            let TraitItem::Fn(function) = item else {
                continue;
            };
            assert_eq!(of_trait_function(function), item.span().byte_range());
        }
    }
}
