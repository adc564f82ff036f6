//! Carving: a failing test is written anew from what it did where it ran, as a straight line of the calls into the code under
//! test (Elbaum et al., Carving differential unit tests from system test cases, 2006).
//!
//! A run of the test with probes leaves a trace: which functions and closures of the test were entered, which way each
//! branch and loop went, and the values of expressions. With it the test is walked through once more, and what the code
//! under test took part in is written down. All else has become a literal, or is gone. What cannot be taken apart stays as
//! it is written.
//!
//! - `sites` finds the places of the probes, `runtime` is what they call, and `trace` reads what they have written.
//! - `interpreter` walks through the test: `expressions` (with `operators`, `made`, `collections`, `filling`, `sorting` and `changes`), `calls` (with
//!   `methods`, `macros` and `options`), `chains` (with `steps` and `chain_ends`), `flow` (with `loops`) and `patterns` are parts of it, and `kept` is what stays as it is. `store` has the test's variables, with `values`,
//!   and `differences` ends the walk where a good version gives another value, with an `assertion` of that.
//! - `assumptions` lets a test end well where the code under test would decide otherwise than in the run.
//! - `line` is the straight line, `writing` writes it, and `inlining` puts what is used once where it is used. `literal` takes literals
//!   apart, `arithmetic` computes with them, and `results` shortens what is unwrapped.
//!
//! See docs/decisions/carving.md.

mod arithmetic;
mod assertion;
mod assumptions;
mod calls;
mod chain_ends;
mod chains;
mod changes;
mod collections;
mod differences;
mod expressions;
mod filling;
mod flow;
mod inlining;
mod interpreter;
mod kept;
mod line;
mod literal;
mod loops;
mod macros;
mod made;
mod methods;
mod operators;
mod options;
mod patterns;
mod results;
mod runtime;
mod sites;
mod sorting;
mod steps;
mod store;
mod trace;
mod values;
mod writing;

use crate::failing_test::probes::{ProbeSet, ProbedSources};
use crate::failing_test::run_values::with_probes;
use crate::failing_test::taint::{Taint, is_of_program, sources};
use crate::program::Program;
use crate::rolling::rolled;
use crate::visit::{self, Node};
use assertion::Differences;
use assumptions::end_well;
use interpreter::{Branches, Context, Form, Frame, Interpreter, OwnNames};
use line::{Line, Statement};
use literal::{with_byte_strings, with_slices, without_suffixes};
use reduce_model::Position;
use reduce_syntax::{Edit, EditSet, SourceTree};
use sites::{Function, TraceSites, trace_sites};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use syn::{Fields, Item, ReturnType};
use trace::{Call, Time};
use values::Stop;

/// A program that writes a trace where it runs.
pub struct TraceProbes<'p> {
    program: &'p Program,
    sites: TraceSites<'p>,
    /// The places where the program names the code under test.
    sources: BTreeSet<Position>,
    /// The indices of sites whose probe does not compile.
    broken: BTreeSet<usize>,
}

/// A test that was written anew from what it did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Carved {
    /// The program with the straight line in place of the test's body.
    pub tree: SourceTree,
    /// The number of calls into the code under test that the line is made of.
    pub n_calls: usize,
    /// Whether each branch stays that depends on what the code under test returns, or the test ends well wherever it would go
    /// another way than it did.
    pub keeps_branches: bool,
    /// Whether the test ends earlier than it did, with what mends of the code under test give there, or with what the code under test has
    /// decided there, so that it fails with other values.
    pub expects_anew: bool,
}

/// The traces of runs with code under test in which the test passes: what the code gives there too does not show the bug.
#[derive(Debug, Clone, Default)]
pub struct PassingTraces {
    /// The traces under mutants that mend the test.
    pub mends: Vec<Vec<u8>>,
    /// The trace with a good version, whose values are right.
    pub good: Option<Vec<u8>>,
}

/// The forms of a line by what stays of the branches, the straightest first.
const BRANCHES: [Branches; 4] = [
    Branches::Resolved,
    Branches::Assumed,
    Branches::Ending,
    Branches::Kept,
];

/// The reason why a test is not written anew whose end is the same whatever the code under test gives. One that should panic ends with
/// what it does last.
const NO_VALUE: &str = "the test fails by no value of the code under test that has a probe";

/// The ways to write a line, in their order: whether what is used once stands where it is used, and whether there are types.
const WAYS: [(bool, bool); 3] = [(true, false), (true, true), (false, true)];

/// The forms in which a test may be written anew.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Carving {
    /// The forms, the straightest first.
    pub forms: Vec<Carved>,
    /// The reason why the straightest form could not be written, where it could not.
    pub obstacle: Option<&'static str>,
}

impl ProbeSet for TraceProbes<'_> {
    fn is_empty(&self) -> bool {
        // Of a program without code under test nothing would be left.
        self.sources.is_empty() || self.broken.len() == self.sites.all.len()
    }

    fn sources(&self) -> ProbedSources {
        with_probes(
            self.program,
            &self.sites.all,
            &self.broken,
            &runtime::module(),
        )
    }

    fn broken(&mut self) -> &mut BTreeSet<usize> {
        &mut self.broken
    }
}

impl<'p> TraceProbes<'p> {
    /// Probes of all that a test does.
    #[must_use]
    pub fn of(program: &'p Program) -> Self {
        Self {
            program,
            sites: trace_sites(program),
            sources: sources(program),
            broken: BTreeSet::new(),
        }
    }

    /// The forms in which the test may be written anew from the trace of a run.
    #[must_use]
    pub fn carved(&self, trace: &[u8], passing: &PassingTraces) -> Carving {
        let read = |trace: &[u8]| trace::read(trace, |site| self.sites.is_async(site));
        let call = match read(trace) {
            Ok(call) => call,
            Err(obstacle) => {
                return Carving {
                    forms: Vec::new(),
                    obstacle: Some(obstacle),
                };
            }
        };
        let mends = passing.mends.iter().filter_map(|one| read(one).ok());
        let good = passing.good.as_deref().and_then(|one| read(one).ok());
        let has_good = good.is_some();
        let passing: Vec<Call> = mends.chain(good).collect();
        let mut differences = trace::differences(&call, &passing);
        let times = differences.iter().flat_map(BTreeMap::keys);
        let differing: BTreeSet<Time> = times.copied().collect();
        let expected = match has_good {
            true => differences.pop(),
            false => trace::agreed(differences),
        };
        let walks = Walks {
            probes: self,
            call: &call,
            taint: Taint::of(self.program),
            own: own_names(self.program, &self.sources),
        };
        let given = (!passing.is_empty()).then_some(&differing);
        let (slices, mut carving) = walks.to_the_end(given);
        // Forms that are much larger than the test are tried when nothing else is left.
        let size = |tree: &SourceTree| tree.count_tokens();
        let most = size(self.program.sources()).saturating_mul(2);
        carving.forms.sort_by_key(|one| size(&one.tree) > most);
        carving.forms.splice(..0, slices);
        if let Some(expected) = expected {
            let expected = expected.into_iter();
            let expected = expected.filter_map(|(time, value)| Some((time, value?)));
            let ended = walks.to_differences(&differing, &expected.collect(), !has_good);
            let ended = ended.into_iter().map(|form| Carved {
                expects_anew: !has_good,
                ..form
            });
            carving.forms.splice(..0, ended);
        }
        carving
    }
}

/// The walks through a test, as one run of it went.
struct Walks<'t, 'p> {
    probes: &'t TraceProbes<'p>,
    call: &'t Call,
    taint: Taint,
    own: OwnNames,
}

/// A way to walk through a test.
#[derive(Clone, Copy)]
struct Way<'t> {
    form: Form,
    /// The times of what differs where the test passes, if all else that the code under test gives becomes literals.
    differing: Option<&'t BTreeSet<Time>>,
    differences: Option<Differences<'t>>,
}

impl<'t> Way<'t> {
    /// The ways that go on to the end of the run, in their order. Values are only shared on the straightest ones, and if there are some
    /// that can be.
    fn all(given: Option<&'t BTreeSet<Time>>, may_share: bool) -> Vec<Self> {
        let mut ways = Vec::new();
        let given = || given.map(Some).into_iter().chain([None]);
        if may_share {
            ways.extend(given().map(|differing| Self {
                form: Form::SHARED,
                differing,
                differences: None,
            }));
        }
        for branches in BRANCHES {
            for differing in given() {
                ways.extend(WAYS.map(|(is_inlined, is_typed)| Self {
                    form: Form {
                        branches,
                        is_inlined,
                        is_typed,
                        is_shared: false,
                    },
                    differing,
                    differences: None,
                }));
            }
        }
        ways
    }
}

impl<'t, 'p> Walks<'t, 'p> {
    /// The forms that go on to the end of the run; what is given where the test passes too is a literal in the first ones. Before them
    /// their slices, which have nothing but what may flow into the last statement: what the test does besides may fail where the
    /// test itself got over that.
    fn to_the_end(&'t self, given: Option<&'t BTreeSet<Time>>) -> (Vec<Carved>, Carving) {
        let (mut slices, mut carving) = (Carving::default(), Carving::default());
        for way in Way::all(given, self.call.has_copied()) {
            let is_straight = way.form.branches == Branches::Resolved;
            let carved = self.walked(way).and_then(|walked| {
                if is_straight && way.form.is_inlined {
                    self.slice(way, &walked)
                        .into_iter()
                        .for_each(|one| slices.add(one));
                }
                self.whole(way, walked)
            });
            match carved {
                Ok(carved) => carving.add(carved),
                Err(stopped) if way.differing.is_none() && is_straight => {
                    carving.obstacle = Some(stopped);
                }
                Err(_) => {}
            }
        }
        (slices.forms, carving)
    }

    /// The forms that end at one of the first values that a good version gives otherwise, with an assertion of that version's value. If
    /// their failure `is_own`, the test may fail otherwise than by an assertion.
    fn to_differences(
        &'t self,
        differing: &'t BTreeSet<Time>,
        expected: &'t BTreeMap<Time, String>,
        is_own: bool,
    ) -> Vec<Carved> {
        let mut carving = Carving::default();
        let may_share = self.call.has_copied();
        let forms = [false, true].map(|is_typed| Form {
            is_typed,
            is_shared: false,
            ..Form::SHARED
        });
        let forms = || may_share.then_some(Form::SHARED).into_iter().chain(forms);
        let ways = [Some(differing), None].into_iter();
        let ways = ways.flat_map(|differing| forms().map(move |form| (differing, form)));
        let ways: Vec<Way<'_>> = ways
            .map(|(differing, form)| Way {
                form,
                differing,
                differences: Some(Differences {
                    expected,
                    end: None,
                }),
            })
            .collect();
        let mut walked = ways.iter().find_map(|way| self.walked(*way).ok());
        if let Some(walked) = walked.as_mut().filter(|walked| !walked.is_clean) {
            // The error that the test returns is what it fails by.
            let end = Statement::new(walked.end.clone(), false);
            walked.interpreter.line.statements.push(end);
        }
        let first = walked.and_then(|walked| walked.interpreter.first_differences(is_own));
        let (assertion, times) = first.unzip();
        for time in times.into_iter().flatten() {
            let end = assertion.map(|assertion| (assertion, time));
            for way in &ways {
                let differences = Some(Differences { expected, end });
                let ended = Way {
                    differences,
                    ..*way
                };
                if let Ok(carved) = self.carved(ended) {
                    carving.add(carved);
                }
            }
        }
        carving.forms
    }

    /// The function that is walked through.
    fn function(&self) -> Result<Function<'p>, &'static str> {
        let found = self.probes.sites.functions.get(&self.call.site);
        found
            .copied()
            .ok_or("the run begins in no function of the test")
    }

    /// Walks through the test once.
    fn walked(&'t self, way: Way<'t>) -> Result<Walked<'t, 'p>, &'static str> {
        let function = self.function()?;
        let context = Context {
            file: function.file,
            scopes: vec![HashMap::new()],
            self_type: None,
            types: HashMap::new(),
        };
        let mut interpreter = Interpreter {
            program: self.probes.program,
            sites: &self.probes.sites,
            broken: &self.probes.broken,
            taint: &self.taint,
            sources: &self.probes.sources,
            own: &self.own,
            form: way.form,
            differing: way.differing,
            differences: way.differences,
            met: Vec::new(),
            noted_at: 0,
            store: Vec::new(),
            names: Vec::new(),
            types: HashMap::new(),
            line: Line::with_names(self.own.all.iter().cloned()),
            closures: Vec::new(),
            waiting: Vec::new(),
            frames: vec![Frame::of_call(context, self.call)],
            observed: None,
            shared: HashMap::new(),
            is_in_assertion: false,
            is_in_message: false,
            items: HashSet::new(),
            n_calls: 0,
            n_resolved: 0,
            end_well: end_well(function.signature, function.file, self.call),
            is_end_decided: false,
            may_panic_instead: false,
            wants_elements: false,
        };
        let returned = match interpreter.block(function.block) {
            Ok(value) | Err(Stop::Return(value)) => Some(value),
            Err(Stop::End) => None,
            Err(Stop::Fails { text, is_clean }) => {
                let text = format!("{text}?;");
                interpreter
                    .line
                    .statements
                    .push(Statement::new(text, is_clean));
                None
            }
            Err(Stop::GiveUp(obstacle)) => return Err(obstacle),
            Err(_) => return Err("the test is left in a way that a straight line has not"),
        };
        let (end, is_clean) = match (&function.signature.output, returned) {
            (ReturnType::Default, _) => (String::new(), true),
            (ReturnType::Type(..), Some(value)) => match interpreter.text_of(value) {
                Ok(text) => text,
                Err(_) => return Err("the value that the test returns cannot be written"),
            },
            (ReturnType::Type(..), None) => ("Ok(())".to_owned(), true),
        };
        Ok(Walked {
            interpreter,
            end,
            is_clean,
        })
    }

    /// The test as one walk of its own writes it.
    fn carved(&'t self, way: Way<'t>) -> Result<Carved, &'static str> {
        self.whole(way, self.walked(way)?)
    }

    /// The slice of a walk's line.
    fn slice(&self, way: Way<'t>, walked: &Walked<'t, 'p>) -> Result<Carved, &'static str> {
        if !walked.is_clean {
            return Err("the test ends with a value that has no slice");
        }
        if way.differing.is_some() && walked.interpreter.line.is_end_clean() {
            return Err(NO_VALUE);
        }
        self.written(way, walked, &walked.interpreter.line.sliced(), false)
    }

    /// The whole line of a walk.
    fn whole(&self, way: Way<'t>, mut walked: Walked<'t, 'p>) -> Result<Carved, &'static str> {
        let is_assumed = way.form.branches == Branches::Assumed;
        let mut line = std::mem::take(&mut walked.interpreter.line);
        let ends_with_decision =
            is_assumed && walked.interpreter.is_end_decided && line.end_with_decision();
        let has_to = way.differing.is_some() || is_assumed;
        if has_to && walked.is_clean && line.is_end_clean() {
            return Err(NO_VALUE);
        }
        self.written(way, &walked, &line, ends_with_decision)
    }

    /// The test with a line in place of its body.
    fn written(
        &self,
        way: Way<'t>,
        walked: &Walked<'t, 'p>,
        line: &Line,
        expects_anew: bool,
    ) -> Result<Carved, &'static str> {
        let needed = line.needed();
        let mut lines = match way.form.is_inlined {
            true => rolled(inlining::inlined(&needed, &walked.end)),
            false => inlining::in_blocks(&needed, &walked.end),
        };
        lines.push(walked.end.clone());
        let mut text = with_slices(&format!("\n{}\n", lines.join("\n")));
        if !way.form.is_typed {
            text = without_suffixes(&with_byte_strings(&text));
        }
        let function = self.function()?;
        let contents = function.file.inside(function.block.brace_token.span);
        let mut edits = EditSet::new();
        edits.add(Edit::replace(contents.file, &contents.range, &text));
        Ok(Carved {
            tree: edits.apply(self.probes.program.sources()),
            n_calls: walked.interpreter.n_calls,
            keeps_branches: way.differing.is_none()
                && match way.form.branches {
                    Branches::Kept => true,
                    Branches::Assumed | Branches::Ending => !walked.interpreter.may_panic_instead,
                    Branches::Resolved => false,
                },
            expects_anew,
        })
    }
}

/// A walk that has come to its end.
struct Walked<'t, 'p> {
    interpreter: Interpreter<'t, 'p>,
    /// The value that the test returns.
    end: String,
    /// Whether nothing of the code under test has a part in that.
    is_clean: bool,
}

impl Carving {
    /// Adds a form, unless it is there.
    fn add(&mut self, carved: Carved) {
        let mut forms = self.forms.iter_mut();
        match forms.find(|known| known.tree == carved.tree) {
            Some(known) => known.keeps_branches |= carved.keeps_branches,
            None => self.forms.push(carved),
        }
    }
}

fn own_names(program: &Program, sources: &BTreeSet<Position>) -> OwnNames {
    let mut own = OwnNames::default();
    let model = program.model();
    let defined = model.definitions().filter(|(_, one)| is_of_program(one));
    let names = defined.filter_map(|(def, _)| model.name(def));
    own.defined = names.map(str::to_owned).collect();
    visit::each(program, |at, node| match node {
        Node::Item(Item::Struct(one)) => {
            own.type_or_variant(&one.ident, &one.fields);
            if one.generics.params.is_empty() && matches!(one.fields, Fields::Named(_)) {
                let fields = one.fields.iter().filter_map(|field| {
                    let place = at.place(&field.ty);
                    let mut within = sources.range(place.start()..place.end());
                    let name = field.ident.as_ref()?.to_string();
                    Some((name, at.text(&field.ty).to_owned(), within.next().is_some()))
                });
                own.fields.insert(one.ident.to_string(), fields.collect());
            }
        }
        Node::Item(Item::Enum(one)) => {
            for variant in &one.variants {
                own.type_or_variant(&variant.ident, &variant.fields);
            }
        }
        Node::Item(Item::Const(one)) => drop(own.all.insert(one.ident.to_string())),
        Node::Item(Item::Static(one)) => drop(own.all.insert(one.ident.to_string())),
        Node::Signature(one) => {
            own.all.insert(one.ident.to_string());
            own.functions.insert(one.ident.to_string());
        }
        _ => {}
    });
    own
}

impl OwnNames {
    fn type_or_variant(&mut self, name: &syn::Ident, fields: &Fields) {
        let name = name.to_string();
        match fields {
            Fields::Unnamed(_) => drop(self.constructors.insert(name.clone())),
            Fields::Unit => drop(self.units.insert(name.clone())),
            Fields::Named(_) => {}
        }
        self.all.insert(name);
    }
}

#[cfg(test)]
mod tests;
