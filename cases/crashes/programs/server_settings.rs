//! Settings of a server: read from text, checked by a builder, with one error type for all that can go wrong.

use std::collections::HashMap;
use std::error::Error as StdError;
use std::fmt::{self, Display, Formatter};
use std::net::{AddrParseError, IpAddr, SocketAddr};
use std::num::ParseIntError;
use std::str::FromStr;
use std::time::Duration;

#[derive(Debug)]
pub enum SettingsError {
    Line { number: usize, text: String },
    Missing(&'static str),
    Twice(String),
    Address(AddrParseError),
    Number(ParseIntError),
    Level(UnknownLevel),
}

impl Display for SettingsError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line { number, text } => write!(f, "line {number}: what is `{text}`?"),
            Self::Missing(key) => write!(f, "`{key}` is missing"),
            Self::Twice(key) => write!(f, "`{key}` is given twice"),
            Self::Address(error) => Display::fmt(error, f),
            Self::Number(error) => write!(f, "not a number: {error}"),
            Self::Level(error) => error.fmt(f),
        }
    }
}

impl StdError for SettingsError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match self {
            Self::Address(error) => Some(error),
            Self::Number(error) => Some(error),
            Self::Level(error) => Some(error),
            _ => None,
        }
    }
}

impl From<AddrParseError> for SettingsError {
    fn from(error: AddrParseError) -> Self {
        Self::Address(error)
    }
}

impl From<ParseIntError> for SettingsError {
    fn from(error: ParseIntError) -> Self {
        Self::Number(error)
    }
}

impl From<UnknownLevel> for SettingsError {
    fn from(error: UnknownLevel) -> Self {
        Self::Level(error)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Level {
    Error,
    #[default]
    Info,
    Debug,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownLevel(String);

impl Display for UnknownLevel {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is no level", self.0)
    }
}

impl StdError for UnknownLevel {}

impl FromStr for Level {
    type Err = UnknownLevel;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "error" => Ok(Level::Error),
            "info" => Ok(Level::Info),
            "debug" => Ok(Level::Debug),
            other => Err(UnknownLevel(other.to_owned())),
        }
    }
}

impl Display for Level {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Level::Error => "error",
            Level::Info => "info",
            Level::Debug => "debug",
        })
    }
}

/// What a duration may look like: `500ms`, `30s` or `5m`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeout(Duration);

#[derive(Debug)]
pub struct BadTimeout {
    text: String,
    source: Option<ParseIntError>,
}

impl BadTimeout {
    fn new(text: &str) -> Self {
        BadTimeout {
            text: text.to_owned(),
            source: None,
        }
    }

    fn because(self, source: ParseIntError) -> Self {
        BadTimeout {
            source: Some(source),
            ..self
        }
    }
}

impl Display for BadTimeout {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is no duration", self.text)
    }
}

impl StdError for BadTimeout {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.source.as_ref().map(|source| source as _)
    }
}

impl FromStr for Timeout {
    type Err = BadTimeout;

    fn from_str(text: &str) -> Result<Self, BadTimeout> {
        let digits = text.trim_end_matches(char::is_alphabetic);
        let number: u64 = digits
            .parse()
            .map_err(|source| BadTimeout::new(text).because(source))?;
        let duration = match &text[digits.len()..] {
            "ms" => Duration::from_millis(number),
            "s" | "" => Duration::from_secs(number),
            "m" => Duration::from_secs(60 * number),
            _ => return Err(BadTimeout::new(text)),
        };
        Ok(Timeout(duration))
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    pub address: SocketAddr,
    pub level: Level,
    pub timeout: Timeout,
    pub workers: usize,
    pub names: Vec<String>,
}

impl Settings {
    pub fn builder() -> SettingsBuilder {
        SettingsBuilder::default()
    }
}

impl Display for Settings {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "listening on {}", self.address)?;
        writeln!(f, "{} workers, {:?} each", self.workers, self.timeout.0)?;
        write!(f, "{:>5}", self.level)
    }
}

#[derive(Debug, Default, Clone)]
#[must_use]
pub struct SettingsBuilder {
    ip: Option<IpAddr>,
    port: Option<u16>,
    level: Option<Level>,
    timeout: Option<Timeout>,
    workers: Option<usize>,
    names: Vec<String>,
}

impl SettingsBuilder {
    pub fn ip(mut self, ip: impl Into<IpAddr>) -> Self {
        self.ip = Some(ip.into());
        self
    }

    pub fn port(mut self, port: u16) -> Self {
        self.port = Some(port);
        self
    }

    pub fn level(mut self, level: Level) -> Self {
        self.level = Some(level);
        self
    }

    pub fn timeout(mut self, timeout: Timeout) -> Self {
        self.timeout = Some(timeout);
        self
    }

    pub fn workers(mut self, workers: usize) -> Self {
        self.workers = Some(workers);
        self
    }

    pub fn name<S: Into<String>>(mut self, name: S) -> Self {
        self.names.push(name.into());
        self
    }

    pub fn build(self) -> Result<Settings, SettingsError> {
        let ip = self.ip.ok_or(SettingsError::Missing("ip"))?;
        let port = self.port.unwrap_or(8080);
        Ok(Settings {
            address: SocketAddr::new(ip, port),
            level: self.level.unwrap_or_default(),
            timeout: self.timeout.unwrap_or(Timeout(Duration::from_secs(30))),
            workers: self.workers.unwrap_or(4).max(1),
            names: self.names,
        })
    }
}

/// The lines of a file, by key.
fn entries(text: &str) -> Result<HashMap<&str, &str>, SettingsError> {
    let mut entries = HashMap::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let (key, value) = line.split_once('=').ok_or_else(|| SettingsError::Line {
            number: index + 1,
            text: line.to_owned(),
        })?;
        if entries.insert(key.trim(), value.trim()).is_some() {
            return Err(SettingsError::Twice(key.to_owned()));
        }
    }
    Ok(entries)
}

impl FromStr for Settings {
    type Err = SettingsError;

    fn from_str(text: &str) -> Result<Self, SettingsError> {
        let entries = entries(text)?;
        let mut builder = Settings::builder();
        if let Some(ip) = entries.get("ip") {
            builder = builder.ip(ip.parse::<IpAddr>()?);
        }
        if let Some(port) = entries.get("port") {
            builder = builder.port(port.parse()?);
        }
        if let Some(level) = entries.get("level") {
            builder = builder.level(level.parse()?);
        }
        if let Some(timeout) = entries.get("timeout") {
            builder = builder.timeout(timeout.parse()?);
        }
        if let Some(workers) = entries.get("workers") {
            builder = builder.workers(workers.parse()?);
        }
        let names = entries.get("names").copied().unwrap_or_default();
        for name in names.split_whitespace() {
            builder = builder.name(name);
        }
        builder.build()
    }
}

pub fn explain(error: &dyn StdError) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        text.push_str(": ");
        text.push_str(&error.to_string());
        source = error.source();
    }
    text
}

pub fn load(text: &str) -> Result<Settings, Box<dyn StdError>> {
    let settings: Settings = text.parse()?;
    if settings.workers > 512 {
        return Err("too many workers".into());
    }
    Ok(settings)
}
