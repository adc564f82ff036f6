//! What all tests of letters need: settings and documents.

use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;

pub struct Style {
    pub width: usize,
    pub quote: String,
    pub bullet: String,
}

fn data(name: &str) -> String {
    let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "tests", "data", name]
        .iter()
        .collect();
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

pub fn document(name: &str) -> Vec<String> {
    data(name).lines().map(str::to_string).collect()
}

fn sections(text: &str) -> HashMap<String, HashMap<String, String>> {
    let mut sections: HashMap<String, HashMap<String, String>> = HashMap::new();
    let mut section = String::new();
    for line in text.lines().map(str::trim) {
        if line.is_empty() || line.starts_with(';') {
            continue;
        }
        if let Some(name) = line
            .strip_prefix('[')
            .and_then(|rest| rest.strip_suffix(']'))
        {
            section = name.to_string();
        } else if let Some((key, value)) = line.split_once('=') {
            let value = value.trim().trim_matches('"').to_string();
            let entries = sections.entry(section.clone()).or_default();
            entries.insert(key.trim().to_string(), value);
        }
    }
    sections
}

pub fn style(name: &str) -> Style {
    let mut sections = sections(&data("settings.ini"));
    let mut section = sections.remove(name).expect("the style is in the settings");
    let mut entry = |key: &str| section.remove(key).expect("a style has all entries");
    Style {
        width: entry("width").parse().expect("a width is a number"),
        quote: entry("quote"),
        bullet: entry("bullet"),
    }
}
