//! A reader of news takes the list of feeds over from another program. Such lists are OPML: an outline of
//! folders with feeds in them.

use quick_xml::events::{BytesEnd, BytesStart, Event};
use quick_xml::{Reader, Writer};
use std::collections::BTreeSet;
use std::error::Error;
use std::fmt;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Outline {
    text: String,
    /// Folders have none.
    feed: Option<String>,
    labels: BTreeSet<String>,
    inside: Vec<Outline>,
}

#[derive(Debug, PartialEq, Eq)]
enum BadList {
    NoBody,
    NoText { position: u64 },
    NotClosed(usize),
    Depth(usize),
}

impl fmt::Display for BadList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadList::NoBody => write!(f, "there is no body"),
            BadList::NoText { position } => write!(f, "the outline before {position} has no text"),
            BadList::NotClosed(count) => write!(f, "{count} outlines are not closed"),
            BadList::Depth(depth) => write!(f, "{depth} folders in each other are too many"),
        }
    }
}

impl Error for BadList {}

const DEEPEST: usize = 4;

fn outline(start: &BytesStart<'_>, position: u64) -> Result<Outline, Box<dyn Error>> {
    let mut outline = Outline::default();
    let mut title = None;
    for attribute in start.attributes() {
        let attribute = attribute?;
        let value = attribute.unescape_value()?.trim().to_owned();
        match attribute.key.as_ref() {
            b"text" => outline.text = value,
            b"title" => title = Some(value),
            b"xmlUrl" => outline.feed = Some(value),
            b"category" => {
                let labels = value.split(',').map(|label| label.trim_matches('/'));
                let labels = labels.filter(|label| !label.is_empty());
                outline.labels.extend(labels.map(str::to_lowercase));
            }
            _ => {}
        }
    }
    if outline.text.is_empty() {
        outline.text = title.ok_or(BadList::NoText { position })?;
    }
    Ok(outline)
}

fn read(list: &str) -> Result<Vec<Outline>, Box<dyn Error>> {
    let mut reader = Reader::from_str(list);
    reader.config_mut().trim_text(true);
    // The folders that are open, and below them what is in none.
    let mut open = vec![Outline::default()];
    let mut has_body = false;
    loop {
        let position = reader.buffer_position();
        match reader.read_event()? {
            Event::Start(start) if start.name().as_ref() == b"body" => has_body = true,
            Event::Start(start) if start.name().as_ref() == b"outline" => {
                open.push(outline(&start, position)?);
                if open.len() > DEEPEST + 1 {
                    return Err(BadList::Depth(open.len() - 1).into());
                }
            }
            Event::Empty(start) if start.name().as_ref() == b"outline" => {
                let outline = outline(&start, position)?;
                open.last_mut().ok_or(BadList::NoBody)?.inside.push(outline);
            }
            Event::End(end) if end.name().as_ref() == b"outline" => {
                let closed = open.pop().ok_or(BadList::NoBody)?;
                open.last_mut().ok_or(BadList::NoBody)?.inside.push(closed);
            }
            Event::Eof => break,
            _ => {}
        }
    }
    match (has_body, open.pop()) {
        (true, Some(all)) if open.is_empty() => Ok(all.inside),
        (false, _) => Err(BadList::NoBody.into()),
        _ => Err(BadList::NotClosed(open.len()).into()),
    }
}

fn write(outlines: &[Outline]) -> Result<String, Box<dyn Error>> {
    fn write_each(
        outlines: &[Outline],
        writer: &mut Writer<Vec<u8>>,
    ) -> Result<(), quick_xml::Error> {
        for outline in outlines {
            let mut start = BytesStart::new("outline");
            start.push_attribute(("text", outline.text.as_str()));
            if let Some(feed) = &outline.feed {
                start.push_attribute(("xmlUrl", feed.as_str()));
            }
            if outline.inside.is_empty() {
                writer.write_event(Event::Empty(start))?;
                continue;
            }
            writer.write_event(Event::Start(start))?;
            write_each(&outline.inside, writer)?;
            writer.write_event(Event::End(BytesEnd::new("outline")))?;
        }
        Ok(())
    }
    let mut writer = Writer::new(Vec::new());
    writer.write_event(Event::Start(BytesStart::new("body")))?;
    write_each(outlines, &mut writer)?;
    writer.write_event(Event::End(BytesEnd::new("body")))?;
    Ok(String::from_utf8(writer.into_inner())?)
}

/// Each feed with the folders that it is in.
fn paths(outlines: &[Outline], folder: &str) -> Vec<String> {
    let mut found = Vec::new();
    for outline in outlines {
        let path = format!("{folder}/{}", outline.text);
        if outline.feed.is_some() {
            found.push(path.clone());
        }
        found.extend(paths(&outline.inside, &path));
    }
    found
}

#[test]
fn lists_that_are_none_are_refused() {
    let refused = |list: &str| read(list).unwrap_err().to_string();
    assert_eq!(refused("<opml><head/></opml>"), "there is no body");
    let no_text = "<opml><body><outline xmlUrl='a'/></body></opml>";
    assert_eq!(refused(no_text), "the outline before 12 has no text");
    let open = "<outline text='a'>".repeat(5);
    assert_eq!(refused(&format!("<body>{open}")), "5 folders in each other are too many");
}

#[test]
fn labels_are_in_lower_case() -> Result<(), Box<dyn Error>> {
    let outlines = read("<body><outline title='Tea' category='/Food,/drink/,'/></body>")?;
    assert_eq!(outlines[0].text, "Tea");
    assert_eq!(outlines[0].labels, ["drink", "food"].map(str::to_owned).into());
    Ok(())
}

#[test]
fn a_folder_is_written_as_it_was() -> Result<(), Box<dyn Error>> {
    let list = r#"<body><outline text="News"><outline text="Tea" xmlUrl="https://tea.example"/></outline></body>"#;
    assert_eq!(write(&read(list)?)?, list);
    Ok(())
}

#[test]
fn feeds_of_another_program_are_taken_over() -> Result<(), Box<dyn Error>> {
    let outlines = read(
        r#"<?xml version="1.0" encoding="UTF-8"?>
        <opml version="2.0">
            <head><title>Feeds of Lena &lt;lena@post.example&gt;</title></head>
            <body>
                <outline text="Comics" category="fun">
                    <outline text="Ink" type="rss" xmlUrl="https://ink.example/feed"/>
                </outline>
                <outline text="Science">
                    <outline text="Physics">
                        <outline text="Arrow" type="rss" xmlUrl="https://arrow.example/atom.xml"/>
                    </outline>
                    <outline text="Ask" type="rss" xmlUrl="https://ask.example/?tag=sky&amp;all=1"/>
                </outline>
            </body>
        </opml>"#,
    )?;
    let expected = ["/Comics/Ink", "/Science/Physics/Arrow", "/Science/Ask"];
    assert_eq!(paths(&outlines, ""), expected);
    let ask = outlines[1].inside.last().and_then(|ask| ask.feed.as_deref());
    assert_eq!(ask, Some("https://ask.example/?tag=sky&all=1"));
    Ok(())
}
