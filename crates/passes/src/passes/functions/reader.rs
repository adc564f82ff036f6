//! Reads functions and calls from syntax. What is in the arguments of macros is read as well, if it
//! is expressions or statements.

mod parts;

use super::{Block, Call, Cast, Function, Functions, Head, Owner, QuestionMark, Returning};
use crate::program::{Place, Program, SyntaxFile};
use parts::{head, type_name};
use syn::ext::IdentExt;
use syn::visit::{self, Visit};
use syn::{Expr, FnArg, ImplItem, Pat, PathArguments, Signature, Stmt, TraitItem, Type};

/// Reads all files.
pub(super) fn read(program: &Program) -> Functions {
    let mut found = Functions::default();
    for file in program.files() {
        let mut reader = FunctionsWalk {
            program,
            file,
            found,
            block: None,
            function: None,
            bound: None,
            statement: None,
        };
        reader.visit_file(file.syntax);
        found = reader.found;
    }
    found
}

struct FunctionsWalk<'p> {
    program: &'p Program,
    file: SyntaxFile<'p>,
    found: Functions,
    /// The innermost impl or trait.
    block: Option<usize>,
    /// The function that a `return` here leaves.
    function: Option<usize>,
    /// A closure that a `let` names, and its index.
    bound: Option<(Place, usize)>,
    /// An expression that is a statement, and the statement.
    statement: Option<(Place, Place)>,
}

impl FunctionsWalk<'_> {
    fn signature(
        &mut self,
        signature: &Signature,
        whole: Place,
        body: Option<&syn::Block>,
        owner: Owner,
    ) -> usize {
        let receiver = signature.receiver().map(|one| self.receiver(one));
        let typed = signature.inputs.iter().filter_map(|input| match input {
            FnArg::Typed(typed) => {
                Some(self.parameter(self.file.place(typed), &typed.pat, Some(&typed.ty)))
            }
            FnArg::Receiver(_) => None,
        });
        let parameters = typed.collect();
        self.found.all.push(Function {
            name: signature.ident.unraw().to_string(),
            at: self.file.position(&signature.ident),
            whole,
            owner,
            receiver,
            parameters,
            generics: self.generics(&signature.generics),
            predicates: self.predicates(&signature.generics),
            output: self.output(&signature.output),
            signature: self.file.place(signature),
            body: body.map(|block| self.body(block)),
            returns: Vec::new(),
            question_marks: Vec::new(),
            is_async: signature.asyncness.is_some(),
        });
        self.found.all.len() - 1
    }

    fn block(&mut self, block: Block, walk: impl FnOnce(&mut Self, usize)) {
        self.found.blocks.push(block);
        let idx = self.found.blocks.len() - 1;
        let outer = self.block.replace(idx);
        walk(self, idx);
        self.block = outer;
    }

    /// Visits what is in a function, and what leaves it.
    fn inside(&mut self, function: Option<usize>, walk: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.function, function);
        walk(self);
        self.function = outer;
    }

    fn is_statement(&self, expression: &Place) -> bool {
        let statement = self.statement.as_ref();
        statement.is_some_and(|(place, _)| place == expression)
    }

    fn innermost(&mut self) -> Option<&mut Function> {
        self.found.all.get_mut(self.function?)
    }

    fn call(&mut self, call: &syn::ExprCall) {
        let Expr::Path(function) = &*call.func else {
            return;
        };
        let Some(last) = function.path.segments.last() else {
            return;
        };
        let turbofish = match &last.arguments {
            PathArguments::AngleBracketed(arguments) => self.turbofish(arguments),
            _ => Vec::new(),
        };
        self.push_call(Call {
            name: last.ident.unraw().to_string(),
            callee: self.file.position(&last.ident),
            function: self.file.place(function),
            head: head(function),
            whole: self.file.place(call),
            receiver: None,
            arguments: call.args.iter().map(|one| self.expression(one)).collect(),
            turbofish,
            statement: None,
            block: self.block,
        });
    }

    fn method_call(&mut self, call: &syn::ExprMethodCall) {
        let turbofish = call.turbofish.as_ref();
        self.push_call(Call {
            name: call.method.unraw().to_string(),
            callee: self.file.position(&call.method),
            function: self.file.between(&call.receiver, &call.method),
            head: match &*call.receiver {
                Expr::Path(receiver) if receiver.path.is_ident("self") => Head::OwnReceiver,
                _ => Head::Receiver,
            },
            whole: self.file.place(call),
            receiver: Some(self.expression(&call.receiver)),
            arguments: call.args.iter().map(|one| self.expression(one)).collect(),
            turbofish: turbofish.map_or_else(Vec::new, |some| self.turbofish(some)),
            statement: None,
            block: self.block,
        });
    }

    fn push_call(&mut self, call: Call) {
        let statement = self.statement.take_if(|(place, _)| *place == call.whole);
        self.found.calls.push(Call {
            statement: statement.map(|(_, statement)| statement),
            ..call
        });
    }

    fn cast(&mut self, cast: &syn::ExprCast) {
        let (Expr::Path(function), Type::FnPtr(pointer)) = (&*cast.expr, &*cast.ty) else {
            return;
        };
        if let Some(last) = function.path.segments.last() {
            let inputs = pointer.inputs.iter();
            let cast = Cast {
                callee: self.file.position(&last.ident),
                inputs: inputs.map(|input| self.file.place(input)).collect(),
            };
            self.found.casts.push(cast);
        }
    }

    fn returning(&mut self, leaving: &syn::ExprReturn) {
        let value = leaving.expr.as_ref().map(|value| self.expression(value));
        let whole = self.file.place(leaving);
        let is_statement = self.is_statement(&whole);
        if let Some(function) = self.innermost() {
            function.returns.push(Returning {
                whole,
                is_statement,
                value,
            });
        }
    }

    fn question_mark(&mut self, tried: &syn::ExprTry) {
        let is_statement = self.is_statement(&self.file.place(tried));
        let place = self.file.place(&tried.question_token);
        if let Some(function) = self.innermost() {
            function.question_marks.push(QuestionMark {
                place,
                is_statement,
            });
        }
    }

    /// A closure that a `let` names.
    fn named_closure(&mut self, local: &syn::Local) {
        let Pat::Ident(name) = &local.pat else { return };
        let Some(init) = local.init.as_ref().filter(|init| init.diverge.is_none()) else {
            return;
        };
        let Expr::Closure(closure) = &*init.expr else {
            return;
        };
        let parameter = |input: &Pat| match input {
            Pat::Type(typed) => self.parameter(self.file.place(input), &typed.pat, Some(&typed.ty)),
            _ => self.parameter(self.file.place(input), input, None),
        };
        let parameters = closure.inputs.iter().map(parameter).collect();
        let place = self.file.place(closure);
        self.found.all.push(Function {
            name: name.ident.unraw().to_string(),
            at: self.file.position(&name.ident),
            whole: self.file.place(local),
            owner: Owner::Closure,
            receiver: None,
            parameters,
            generics: Vec::new(),
            predicates: Vec::new(),
            output: self.output(&closure.output),
            signature: self
                .file
                .between(&closure.inputs_begin, &closure.inputs_end),
            body: Some(self.closure_body(&closure.body)),
            returns: Vec::new(),
            question_marks: Vec::new(),
            is_async: closure.asyncness.is_some(),
        });
        self.bound = Some((place, self.found.all.len() - 1));
    }
}

impl<'ast> Visit<'ast> for FunctionsWalk<'ast> {
    fn visit_attribute(&mut self, _attribute: &'ast syn::Attribute) {}

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        let outer = self.block.take();
        let whole = self.file.place(item);
        let idx = self.signature(&item.sig, whole, Some(&item.block), Owner::Nobody);
        self.inside(Some(idx), |inside| visit::visit_item_fn(inside, item));
        self.block = outer;
    }

    fn visit_foreign_item_fn(&mut self, item: &'ast syn::ForeignItemFn) {
        let whole = self.file.place(item);
        self.signature(&item.sig, whole, None, Owner::Nobody);
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        let of_trait = item.trait_.as_ref().map(|(path, _)| path);
        let of_trait = of_trait.and_then(|path| path.segments.last());
        let modifiers = item.unsafety.is_none() && item.attrs.is_empty();
        let block = Block {
            whole: self.file.place(item),
            self_ty: Some(self.file.place(&item.self_ty)),
            type_name: type_name(&item.self_ty),
            trait_name: of_trait.map(|last| last.ident.unraw().to_string()),
            generics: self.generics(&item.generics),
            predicates: self.predicates(&item.generics),
            n_members: item.items.len(),
            is_plain: modifiers,
        };
        self.block(block, |inside, _| visit::visit_item_impl(inside, item));
    }

    fn visit_impl_item(&mut self, item: &'ast ImplItem) {
        let (ImplItem::Fn(function), Some(block)) = (item, self.block) else {
            return visit::visit_impl_item(self, item);
        };
        let is_of_trait = self
            .found
            .blocks
            .get(block)
            .is_some_and(|one| one.trait_name.is_some());
        let owner = match is_of_trait {
            true => Owner::TraitImpl(block),
            false => Owner::Inherent(block),
        };
        let whole = self.file.place(item);
        let idx = self.signature(&function.sig, whole, Some(&function.block), owner);
        self.inside(Some(idx), |inside| visit::visit_impl_item(inside, item));
    }

    fn visit_item_trait(&mut self, item: &'ast syn::ItemTrait) {
        let block = Block {
            whole: self.file.place(item),
            self_ty: None,
            type_name: None,
            trait_name: Some(item.ident.unraw().to_string()),
            generics: self.generics(&item.generics),
            predicates: self.predicates(&item.generics),
            n_members: item.items.len(),
            is_plain: false,
        };
        self.block(block, |inside, _| visit::visit_item_trait(inside, item));
    }

    fn visit_trait_item(&mut self, item: &'ast TraitItem) {
        let (TraitItem::Fn(function), Some(block)) = (item, self.block) else {
            return visit::visit_trait_item(self, item);
        };
        let (whole, body) = (self.file.place(item), function.default.as_ref());
        let idx = self.signature(&function.sig, whole, body, Owner::Trait(block));
        self.inside(Some(idx), |inside| visit::visit_trait_item(inside, item));
    }

    fn visit_local(&mut self, local: &'ast syn::Local) {
        self.named_closure(local);
        visit::visit_local(self, local);
    }

    fn visit_stmt(&mut self, statement: &'ast Stmt) {
        if let Stmt::Expr(expression, semicolon) = statement {
            let places = (self.file.place(expression), self.file.place(statement));
            self.statement = semicolon.is_some().then_some(places);
        }
        visit::visit_stmt(self, statement);
    }

    fn visit_use_name(&mut self, name: &'ast syn::UseName) {
        self.found.imports.insert(self.file.position(&name.ident));
    }

    fn visit_use_rename(&mut self, name: &'ast syn::UseRename) {
        self.found.imports.insert(self.file.position(&name.rename));
    }

    fn visit_expr(&mut self, expression: &'ast Expr) {
        match expression {
            Expr::Call(call) => self.call(call),
            Expr::MethodCall(call) => self.method_call(call),
            Expr::Cast(cast) => self.cast(cast),
            Expr::Return(leaving) => self.returning(leaving),
            Expr::Try(tried) => self.question_mark(tried),
            _ => {}
        }
        let function = match expression {
            Expr::Closure(closure) => {
                let place = self.file.place(closure);
                self.bound
                    .take_if(|(bound, _)| *bound == place)
                    .map(|(_, idx)| idx)
            }
            Expr::Async(_) | Expr::TryBlock(_) => None,
            _ => self.function,
        };
        self.inside(function, |inside| visit::visit_expr(inside, expression));
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        if let Some(arguments) = self.program.arguments(self.file, call) {
            arguments.visit(self);
        }
    }

    fn visit_item_macro(&mut self, item: &'ast syn::ItemMacro) {
        if item.ident.is_none() {
            self.visit_macro(&item.mac);
        }
    }
}
