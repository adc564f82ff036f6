//! Finds how values go through a program, from places to other places.

use crate::program::{Place, Program, SyntaxFile};
use crate::visit::{self, At, Node};
use reduce_model::{Position, Role};
use reduce_syntax::MacroArguments;
use std::collections::HashMap;
use syn::punctuated::Punctuated;
use syn::{
    Expr, ExprCall, ExprMethodCall, FnArg, ImplItem, Item, Local, Macro, Pat, Signature, Stmt,
    Token, TraitItem, UnOp,
};

/// A flow of values from some places to others.
pub(super) struct Flow {
    /// The places from which values flow: if one of them is tainted, so is the target.
    pub(super) from: Vec<Place>,
    /// The positions of mentions to which the values flow.
    pub(super) to: Vec<Position>,
}

/// A function of the program.
struct Function {
    name: Position,
    /// The place of the function's signature and body.
    whole: Place,
    /// The place of the function's parameters.
    inputs: Place,
    /// The type of which the function is a method.
    of_type: Option<Place>,
}

/// A call of a function or method that the program may define.
struct Call {
    name: Position,
    /// The places of the arguments, the receiver too.
    passed: Vec<Place>,
}

struct FlowsWalk<'p> {
    program: &'p Program,
    flows: Vec<Flow>,
    functions: Vec<Function>,
    calls: Vec<Call>,
    /// The names that are passed to a call, each with the places before and after it in the call.
    handed: Vec<(Position, Vec<Place>)>,
    /// The positions of the keyword `self`.
    selves: Vec<Position>,
}

/// Finds all flows of values in a program.
pub(super) fn flows(program: &Program) -> Vec<Flow> {
    let mut walk = FlowsWalk {
        program,
        flows: Vec::new(),
        functions: Vec::new(),
        calls: Vec::new(),
        handed: Vec::new(),
        selves: Vec::new(),
    };
    visit::each_also_in_macros(program, |at, node| walk.enter(at, node));
    walk.add_functions();
    walk.flows
}

impl<'p> FlowsWalk<'p> {
    fn enter(&mut self, at: At<'p>, node: Node<'p>) {
        match node {
            Node::Item(item) => self.item(at, item),
            Node::ImplItem(ImplItem::Fn(one)) => {
                self.function(at, &one.sig, at.place(one));
            }
            Node::TraitItem(TraitItem::Fn(one)) => {
                self.function(at, &one.sig, at.place(one));
            }
            Node::Local(local) => self.local(at.file, local),
            Node::Stmt(Stmt::Macro(call)) => self.written_to(at.file, &call.mac),
            Node::Expr(expression) => self.expression(at.file, expression),
            _ => {}
        }
    }

    fn item(&mut self, at: At<'p>, item: &'p Item) {
        let name = match item {
            Item::Fn(one) => return self.function(at, &one.sig, at.place(one)),
            Item::Struct(one) => &one.ident,
            Item::Enum(one) => &one.ident,
            Item::Const(one) => &one.ident,
            Item::Static(one) => &one.ident,
            Item::Type(one) => &one.ident,
            _ => return,
        };
        self.defines(at.position(name), vec![at.place(item)]);
    }

    /// Notes that the values at some places flow to all mentions of a name.
    fn defines(&mut self, name: Position, from: Vec<Place>) {
        let to = self.program.mentions().of(name).to_vec();
        self.flows.push(Flow { from, to });
    }

    fn function(&mut self, at: At<'p>, signature: &'p Signature, whole: Place) {
        let of_type = at.block().map(|block| at.place(&*block.self_ty));
        let is_method = matches!(signature.inputs.first(), Some(FnArg::Receiver(_)));
        self.functions.push(Function {
            name: at.position(&signature.ident),
            inputs: at.inside(signature.paren_token.span),
            of_type: of_type.filter(|_| is_method),
            whole,
        });
    }

    fn local(&mut self, file: SyntaxFile<'p>, local: &'p Local) {
        if let Some(init) = &local.init {
            self.binds(file, &local.pat, &init.expr);
        }
    }

    fn binds(&mut self, file: SyntaxFile<'p>, pattern: &'p Pat, value: &'p Expr) {
        let pattern = file.place(pattern);
        let to = self.program.mentions().of_all_in(&pattern).collect();
        let from = vec![pattern, file.place(value)];
        self.flows.push(Flow { from, to });
    }

    fn expression(&mut self, file: SyntaxFile<'p>, expression: &'p Expr) {
        match expression {
            Expr::Path(path) if path.path.is_ident("self") => {
                self.selves.push(file.place(path).start());
            }
            Expr::Call(call) => self.call(file, call),
            Expr::MethodCall(call) => self.method_call(file, call),
            Expr::Macro(call) => self.written_to(file, &call.mac),
            Expr::Let(one) => self.binds(file, &one.pat, &one.expr),
            Expr::ForLoop(one) => self.binds(file, &one.pat, &one.expr),
            Expr::Match(one) => {
                for arm in &one.arms {
                    self.binds(file, &arm.pat, &one.expr);
                }
            }
            Expr::Assign(one) => self.changes(file, &one.left, file.place(one)),
            Expr::Binary(one) if crate::precedence::is_assignment(&one.op) => {
                self.changes(file, &one.left, file.place(one));
            }
            _ => {}
        }
    }

    fn call(&mut self, file: SyntaxFile<'p>, call: &'p ExprCall) {
        let whole = file.place(call);
        self.arguments(file, &call.args, &whole);
        if let Expr::Path(path) = &*call.func
            && let Some(last) = path.path.segments.last()
        {
            let passed = call.args.iter().map(|one| file.place(one));
            self.calls.push(Call {
                name: file.position(&last.ident),
                passed: passed.collect(),
            });
        }
    }

    fn method_call(&mut self, file: SyntaxFile<'p>, call: &'p ExprMethodCall) {
        let whole = file.place(call);
        self.arguments(file, &call.args, &whole);
        self.changes(file, &call.receiver, whole);
        let passed = [&*call.receiver].into_iter().chain(&call.args);
        self.calls.push(Call {
            name: file.position(&call.method),
            passed: passed.map(|one| file.place(one)).collect(),
        });
    }

    /// Notes that a called function may pass values to the closures among its arguments, and to arguments that it may change.
    fn arguments(
        &mut self,
        file: SyntaxFile<'p>,
        arguments: &'p Punctuated<Expr, Token![,]>,
        call: &Place,
    ) {
        for argument in arguments {
            let place = file.place(argument);
            let around = vec![call.before(&place), call.after(&place)];
            match argument {
                Expr::Closure(closure) => {
                    let inputs = closure.inputs.iter().map(|input| file.place(input));
                    let mentions = self.program.mentions();
                    let to =
                        inputs.flat_map(|input| mentions.of_all_in(&input).collect::<Vec<_>>());
                    let to = to.collect();
                    self.flows.push(Flow { from: around, to });
                }
                Expr::Reference(one) if one.mutability.is_some() => {
                    self.changes(file, &one.expr, call.clone());
                }
                Expr::Path(path) => {
                    let name = path.path.segments.last();
                    let name = name.map(|last| (file.position(&last.ident), around));
                    self.handed.extend(name);
                }
                _ => {}
            }
        }
    }

    /// Notes that the other arguments of `write!` flow into the first one.
    fn written_to(&mut self, file: SyntaxFile<'p>, call: &'p Macro) {
        let is_write = ["write", "writeln"]
            .iter()
            .any(|name| call.path.is_ident(name));
        if let Some(MacroArguments::Expressions(all)) = self.program.arguments(file, call)
            && let Some(target) = all.first().filter(|_| is_write)
        {
            self.changes(file, target, file.place(call));
        }
    }

    /// Notes that a value flows into the variable of which an assigned place is a part.
    fn changes(&mut self, file: SyntaxFile<'p>, changed: &'p Expr, from: Place) {
        let Some(variable) = variable(changed) else {
            return;
        };
        let mentions = self.program.mentions();
        if let Some(defined) = mentions.definition(file.position(variable)) {
            let to = mentions.of(defined).to_vec();
            let from = vec![from];
            self.flows.push(Flow { from, to });
        }
    }

    /// Notes the flows of arguments into functions, and of results out of them.
    fn add_functions(&mut self) {
        let program = self.program;
        let mentions = program.mentions();
        let by_name: HashMap<Position, &Function> =
            self.functions.iter().map(|one| (one.name, one)).collect();
        let parameters = |function: &Function| -> Vec<Position> {
            let inputs = mentions.of_all_in(&function.inputs);
            let selves = self.selves.iter().copied();
            let selves = selves.filter(|at| at.is_in(&function.whole));
            inputs.chain(selves).collect()
        };
        let called = |name: Position| -> Vec<&Function> {
            let known = mentions.definition(name).and_then(|at| by_name.get(&at));
            match known {
                Some(function) => vec![function],
                None => {
                    let may_be = |one: &&Function| self.word(one.name) == self.word(name);
                    self.functions.iter().filter(may_be).collect()
                }
            }
        };
        let mut flows = Vec::new();
        for call in &self.calls {
            for function in called(call.name) {
                let from = call.passed.clone();
                let to = parameters(function);
                flows.push(Flow { from, to });
            }
        }
        for (name, around) in &self.handed {
            let known = mentions.definition(*name).and_then(|at| by_name.get(&at));
            flows.extend(known.map(|function| Flow {
                from: around.clone(),
                to: parameters(function),
            }));
        }
        for function in &self.functions {
            flows.extend(self.results(function, parameters(function)));
        }
        self.flows.extend(flows);
    }

    /// Returns the flows out of a function to all its calls. Its own type is in what it is called on.
    fn results(&self, function: &Function, parameters: Vec<Position>) -> Vec<Flow> {
        let mentions = self.program.mentions();
        let certain = mentions.of(function.name).iter().copied();
        let spelled = mentions.spelled(self.word(function.name)).iter();
        let uncertain = spelled.filter(|word| {
            let is_call = matches!(word.role, Role::Method | Role::PathEnd);
            is_call && mentions.definition(word.position()).is_none()
        });
        let results = Flow {
            from: vec![function.whole.clone()],
            to: certain
                .chain(uncertain.map(|word| word.position()))
                .collect(),
        };
        let of_type = function.of_type.iter().map(|of_type| Flow {
            from: vec![of_type.clone()],
            to: parameters.clone(),
        });
        of_type.chain([results]).collect()
    }

    /// Returns the text of the name at a position.
    fn word(&self, at: Position) -> &'p str {
        let text = &self.program.sources().text(at.file)[at.at..];
        let end = text.find(|one: char| !one.is_alphanumeric() && one != '_');
        &text[..end.unwrap_or(text.len())]
    }
}

/// Returns the variable of which an expression is a part: `a` of `a.b[0]`.
fn variable(expression: &Expr) -> Option<&syn::Ident> {
    match expression {
        Expr::Path(path) => path.path.get_ident(),
        Expr::Field(one) => variable(&one.base),
        Expr::Index(one) => variable(&one.expr),
        Expr::MethodCall(one) => variable(&one.receiver),
        Expr::Paren(one) => variable(&one.expr),
        Expr::Reference(one) => variable(&one.expr),
        Expr::Unary(one) if matches!(one.op, UnOp::Deref(_)) => variable(&one.expr),
        _ => None,
    }
}
