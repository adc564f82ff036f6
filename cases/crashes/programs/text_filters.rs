//! A text pipeline: filters are plugins behind a trait object, and a registry makes them by name.

use std::any::Any;
use std::collections::{BTreeMap, HashMap};
use std::fmt::{self, Debug};
use std::rc::Rc;

pub type Settings = BTreeMap<String, String>;
type Factory = Rc<dyn Fn(&Settings) -> Box<dyn Filter>>;

/// A step of the pipeline.
pub trait Filter {
    fn name(&self) -> &str;

    /// Changes a line; `None` drops it.
    fn apply(&mut self, line: &str) -> Option<String>;

    /// Called after the last line, for filters that hold something back.
    fn finish(&mut self) -> Vec<String> {
        Vec::new()
    }

    fn as_any(&self) -> &dyn Any;
}

impl Debug for dyn Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Filter").field(&self.name()).finish()
    }
}

/// Removes spaces at both ends.
#[derive(Debug, Default)]
pub struct Trim;

impl Filter for Trim {
    fn name(&self) -> &str {
        "trim"
    }

    fn apply(&mut self, line: &str) -> Option<String> {
        Some(line.trim().to_string())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// Drops lines that were there before.
#[derive(Debug, Default)]
pub struct Unique {
    seen: HashMap<String, usize>,
}

impl Filter for Unique {
    fn name(&self) -> &str {
        "unique"
    }

    fn apply(&mut self, line: &str) -> Option<String> {
        let count = self.seen.entry(line.to_string()).or_insert(0);
        *count += 1;
        if *count == 1 {
            Some(line.to_string())
        } else {
            None
        }
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// Joins lines up to a width.
#[derive(Debug)]
pub struct Wrap {
    width: usize,
    pending: String,
}

impl Wrap {
    pub fn new(width: usize) -> Self {
        Wrap {
            width,
            pending: String::new(),
        }
    }
}

impl Filter for Wrap {
    fn name(&self) -> &str {
        "wrap"
    }

    fn apply(&mut self, line: &str) -> Option<String> {
        if self.pending.len() + line.len() < self.width {
            if !self.pending.is_empty() {
                self.pending.push(' ');
            }
            self.pending.push_str(line);
            return None;
        }
        let full = std::mem::replace(&mut self.pending, line.to_string());
        Some(full)
    }

    fn finish(&mut self) -> Vec<String> {
        let last = std::mem::take(&mut self.pending);
        if last.is_empty() {
            vec![]
        } else {
            vec![last]
        }
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// Puts one text in the place of another.
pub struct Replace<F> {
    from: String,
    to: F,
}

impl<F: Fn(usize) -> String + 'static> Filter for Replace<F> {
    fn name(&self) -> &str {
        "replace"
    }

    fn apply(&mut self, line: &str) -> Option<String> {
        let mut parts = line.split(self.from.as_str());
        let mut result = parts.next()?.to_string();
        for (index, part) in parts.enumerate() {
            result.push_str(&(self.to)(index));
            result.push_str(part);
        }
        Some(result)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

#[derive(Clone)]
pub struct Registry {
    factories: BTreeMap<&'static str, Factory>,
}

impl Registry {
    pub fn new() -> Self {
        let mut registry = Registry {
            factories: BTreeMap::new(),
        };
        registry.register("trim", |_| Box::new(Trim));
        registry.register("unique", |_| Box::new(Unique::default()));
        registry.register("wrap", |settings| {
            let width = settings.get("width").and_then(|w| w.parse().ok());
            Box::new(Wrap::new(width.unwrap_or(72)))
        });
        registry
    }

    pub fn register<F>(&mut self, name: &'static str, factory: F)
    where
        F: Fn(&Settings) -> Box<dyn Filter> + 'static,
    {
        self.factories.insert(name, Rc::new(factory));
    }

    pub fn make(&self, name: &str, settings: &Settings) -> Option<Box<dyn Filter>> {
        self.factories.get(name).map(|factory| factory(settings))
    }

    pub fn names(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.factories.keys().copied()
    }
}

#[derive(Debug, Default)]
pub struct Pipeline {
    filters: Vec<Box<dyn Filter>>,
    dropped: usize,
}

impl Pipeline {
    pub fn push(&mut self, filter: Box<dyn Filter>) -> &mut Self {
        self.filters.push(filter);
        self
    }

    /// The pipeline that a word of the command line stands for.
    pub fn preset(word: &str, width: usize) -> Self {
        let mut pipeline = Pipeline::default();
        pipeline.push(Box::new(Trim));
        let last = match word {
            "log" => Box::new(Unique::default()),
            "letter" => Box::new(Wrap::new(width)),
            _ => return pipeline,
        };
        pipeline.push(last);
        pipeline
    }

    fn through(filters: &mut [Box<dyn Filter>], line: &str) -> Option<String> {
        let mut line = line.to_string();
        for filter in filters {
            line = filter.apply(&line)?;
        }
        Some(line)
    }

    pub fn run(&mut self, text: &str) -> String {
        let mut output = Vec::new();
        for line in text.lines() {
            match Self::through(&mut self.filters, line) {
                Some(line) => output.push(line),
                None => self.dropped += 1,
            }
        }
        for at in 0..self.filters.len() {
            for line in self.filters[at].finish() {
                output.extend(Self::through(&mut self.filters[at + 1..], &line));
            }
        }
        output.join("\n")
    }

    pub fn find<T: Filter + 'static>(&self) -> Option<&T> {
        let mut filters = self.filters.iter();
        filters.find_map(|filter| filter.as_any().downcast_ref::<T>())
    }
}

pub fn parse(line: &str, registry: &Registry) -> Result<Pipeline, String> {
    let mut pipeline = Pipeline::default();
    for step in line.split('|') {
        let mut words = step.split_whitespace();
        let name = words.next().ok_or("an empty step")?;
        let mut settings = Settings::new();
        for word in words {
            let (key, value) = word.split_once('=').ok_or("a setting needs `=`")?;
            settings.insert(key.to_string(), value.to_string());
        }
        let filter = registry.make(name, &settings);
        pipeline.push(filter.ok_or_else(|| format!("what is `{name}`?"))?);
    }
    Ok(pipeline)
}

pub fn numbered(text: &str) -> String {
    let mut pipeline = Pipeline::default();
    pipeline.push(Box::new(Replace {
        from: "#".to_string(),
        to: |index| format!("{}.", index + 1),
    }));
    pipeline.run(text)
}

pub fn describe(registry: &Registry, pipeline: &Pipeline) -> String {
    let names: Vec<_> = registry.names().collect();
    let unique = pipeline.find::<Unique>().map_or(0, |it| it.seen.len());
    format!("{} of {:?}, {unique} lines", pipeline.filters.len(), names)
}
