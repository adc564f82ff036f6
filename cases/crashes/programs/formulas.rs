//! Formulas of a spreadsheet: a tokenizer that borrows from the text, a parser, and an evaluator.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::iter::Peekable;
use std::str::CharIndices;

/// A piece of a formula.
#[derive(Debug, Clone, PartialEq)]
pub enum Token<'s> {
    Number(f64),
    Name(&'s str),
    Text(Cow<'s, str>),
    Operator(char),
    Open,
    Close,
    Comma,
}

#[derive(Debug, Clone, PartialEq)]
pub enum ParseError<'s> {
    Unexpected { at: usize, found: char },
    Token(Token<'s>),
    End,
}

type Parsed<'s, T> = Result<T, ParseError<'s>>;

/// Cuts a text into tokens, as far as they are asked for.
pub struct Tokenizer<'s> {
    source: &'s str,
    chars: Peekable<CharIndices<'s>>,
}

impl<'s> Tokenizer<'s> {
    pub fn new(source: &'s str) -> Self {
        Tokenizer { source, chars: source.char_indices().peekable() }
    }

    fn take_while(&mut self, start: usize, keep: impl Fn(char) -> bool) -> &'s str {
        let mut end = start;
        while let Some(&(at, c)) = self.chars.peek() {
            if !keep(c) {
                break;
            }
            end = at + c.len_utf8();
            self.chars.next();
        }
        &self.source[start..end]
    }

    fn quoted(&mut self, start: usize) -> Parsed<'s, Token<'s>> {
        let mut text = String::new();
        let mut is_escaped = false;
        while let Some((at, c)) = self.chars.next() {
            if c != '"' {
                text.push(c);
                continue;
            }
            if self.chars.next_if(|&(_, c)| c == '"').is_some() {
                text.push('"');
                is_escaped = true;
                continue;
            }
            return Ok(Token::Text(if is_escaped {
                Cow::Owned(text)
            } else {
                Cow::Borrowed(&self.source[start..at])
            }));
        }
        Err(ParseError::End)
    }
}

impl<'s> Iterator for Tokenizer<'s> {
    type Item = Parsed<'s, Token<'s>>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.chars.next_if(|(_, c)| c.is_whitespace()).is_some() {}
        let &(at, c) = self.chars.peek()?;
        let token = match c {
            '0'..='9' => {
                let digits = self.take_while(at, |c| c.is_ascii_digit() || c == '.');
                match digits.parse() {
                    Ok(number) => Token::Number(number),
                    Err(_) => return Some(Err(ParseError::Unexpected { at, found: c })),
                }
            }
            'a'..='z' | 'A'..='Z' => Token::Name(self.take_while(at, char::is_alphanumeric)),
            _ => {
                self.chars.next();
                match c {
                    '(' => Token::Open,
                    ')' => Token::Close,
                    ',' => Token::Comma,
                    '+' | '-' | '*' | '/' => Token::Operator(c),
                    '"' => return Some(self.quoted(at + 1)),
                    found => return Some(Err(ParseError::Unexpected { at, found })),
                }
            }
        };
        Some(Ok(token))
    }
}

#[derive(Debug, Clone, PartialEq)]
pub enum Expr<'s> {
    Number(f64),
    Text(Cow<'s, str>),
    Cell(&'s str),
    Binary(Box<Expr<'s>>, char, Box<Expr<'s>>),
    Call(&'s str, Vec<Expr<'s>>),
}

impl<'s> Expr<'s> {
    /// The names of all cells that it depends on.
    pub fn cells<'e>(&'e self, found: &mut Vec<&'s str>) {
        match self {
            Expr::Number(_) | Expr::Text(_) => {}
            Expr::Cell(name) => found.push(name),
            Expr::Binary(left, _, right) => {
                left.cells(found);
                right.cells(found);
            }
            Expr::Call(_, arguments) => {
                for argument in arguments {
                    argument.cells(found);
                }
            }
        }
    }
}

pub struct Parser<'s> {
    tokens: Peekable<Tokenizer<'s>>,
    depth: usize,
    names: Vec<&'s str>,
}

impl<'s> Parser<'s> {
    pub fn new(source: &'s str) -> Self {
        Parser { tokens: Tokenizer::new(source).peekable(), depth: 0, names: vec![] }
    }

    fn advance(&mut self) -> Parsed<'s, Token<'s>> {
        self.tokens.next().unwrap_or(Err(ParseError::End))
    }

    fn eat(&mut self, wanted: &Token<'s>) -> bool {
        let is_next = matches!(self.tokens.peek(), Some(Ok(token)) if token == wanted);
        if is_next {
            self.tokens.next();
        }
        is_next
    }

    fn expect(&mut self, wanted: Token<'s>) -> Parsed<'s, ()> {
        match self.advance()? {
            token if token == wanted => Ok(()),
            other => Err(ParseError::Token(other)),
        }
    }

    fn operator(&mut self, wanted: &[char]) -> Option<char> {
        match self.tokens.peek() {
            Some(Ok(Token::Operator(c))) if wanted.contains(c) => {
                let c = *c;
                self.tokens.next();
                Some(c)
            }
            _ => None,
        }
    }

    fn sum(&mut self) -> Parsed<'s, Expr<'s>> {
        let mut left = self.product()?;
        while let Some(operator) = self.operator(&['+', '-']) {
            let right = self.product()?;
            left = Expr::Binary(Box::new(left), operator, Box::new(right));
        }
        Ok(left)
    }

    fn product(&mut self) -> Parsed<'s, Expr<'s>> {
        let mut left = self.atom()?;
        while let Some(operator) = self.operator(&['*', '/']) {
            let right = self.atom()?;
            left = Expr::Binary(Box::new(left), operator, Box::new(right));
        }
        Ok(left)
    }

    fn atom(&mut self) -> Parsed<'s, Expr<'s>> {
        match self.advance()? {
            Token::Number(number) => Ok(Expr::Number(number)),
            Token::Text(text) => Ok(Expr::Text(text)),
            Token::Name(name) if self.eat(&Token::Open) => {
                self.depth += 1;
                let arguments = self.arguments()?;
                self.depth -= 1;
                Ok(Expr::Call(name, arguments))
            }
            Token::Name(name) => {
                *self.name(name) = name;
                Ok(Expr::Cell(name))
            }
            Token::Open => {
                let inner = self.sum()?;
                self.expect(Token::Close)?;
                Ok(inner)
            }
            other => Err(ParseError::Token(other)),
        }
    }

    fn arguments(&mut self) -> Parsed<'s, Vec<Expr<'s>>> {
        let mut arguments = Vec::new();
        while !self.eat(&Token::Close) {
            arguments.push(self.sum()?);
            if !self.eat(&Token::Comma) {
                self.expect(Token::Close)?;
                break;
            }
        }
        Ok(arguments)
    }

    /// The place of a name among those that were seen.
    fn name(&mut self, name: &'s str) -> &mut &'s str {
        let at = match self.names.iter().position(|seen| *seen == name) {
            Some(at) => at,
            None => {
                self.names.push(name);
                self.names.len() - 1
            }
        };
        &mut self.names[at]
    }

    /// Lets two names change places.
    pub fn exchange(&mut self, first: &'s str, second: &'s str) {
        let a = self.name(first);
        let b = self.name(second);
        std::mem::swap(a, b);
    }

    pub fn finish(mut self) -> Parsed<'s, (Expr<'s>, Vec<&'s str>)> {
        let expr = self.sum()?;
        match self.tokens.next() {
            None => Ok((expr, self.names)),
            Some(Ok(token)) => Err(ParseError::Token(token)),
            Some(Err(error)) => Err(error),
        }
    }
}

/// A table with the values of its cells.
#[derive(Debug, Default)]
pub struct Sheet<'s> {
    cells: BTreeMap<&'s str, f64>,
}

impl<'s> Sheet<'s> {
    pub fn set(&mut self, cell: &'s str, value: f64) -> Option<f64> {
        self.cells.insert(cell, value)
    }

    pub fn evaluate(&self, expr: &Expr<'_>) -> Option<f64> {
        Some(match expr {
            Expr::Number(number) => *number,
            Expr::Text(text) => text.parse().ok()?,
            Expr::Cell(name) => *self.cells.get(name)?,
            Expr::Binary(left, operator, right) => {
                let (left, right) = (self.evaluate(left)?, self.evaluate(right)?);
                match operator {
                    '+' => left + right,
                    '-' => left - right,
                    '*' => left * right,
                    '/' if right != 0.0 => left / right,
                    _ => return None,
                }
            }
            Expr::Call(name, arguments) => {
                let values = arguments.iter().map(|argument| self.evaluate(argument));
                let values = values.collect::<Option<Vec<f64>>>()?;
                match *name {
                    "sum" => values.iter().sum(),
                    "max" => values.into_iter().reduce(f64::max)?,
                    _ => return None,
                }
            }
        })
    }
}

pub fn calculate(formula: &str, sheet: &Sheet<'_>) -> Result<Option<f64>, String> {
    match Parser::new(formula).finish() {
        Ok((expr, _)) => Ok(sheet.evaluate(&expr)),
        Err(ParseError::End) => Err("the formula has no end".to_owned()),
        Err(error) => Err(format!("{error:?}")),
    }
}
