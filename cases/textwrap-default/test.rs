mod common;

use common::{Style, document, style};
use textwrap::Options;

/// Lays out a paragraph or an element of a list.
fn paragraph(text: &str, style: &Style) -> Vec<String> {
    let options = Options::new(style.width);
    let lines = match text.strip_prefix("- ") {
        Some(element) => {
            let rest = " ".repeat(style.bullet.len());
            let options = options.initial_indent(&style.bullet).subsequent_indent(&rest);
            textwrap::wrap(element, options)
                .into_iter()
                .map(|line| line.into_owned())
                .collect()
        }
        None => textwrap::wrap(text, options)
            .into_iter()
            .map(|line| line.into_owned())
            .collect::<Vec<_>>(),
    };
    lines
}

fn layout(lines: &[String], style: &Style) -> Vec<String> {
    lines.iter().flat_map(|line| paragraph(line, style)).collect()
}

/// The lines with the mark of a quotation, within the same width.
fn quoted(lines: &[String], style: &Style) -> Vec<String> {
    let narrow = Style {
        width: style.width - style.quote.len(),
        quote: String::new(),
        bullet: style.bullet.clone(),
    };
    let quoted = layout(lines, &narrow).into_iter().map(|line| {
        let line = format!("{}{line}", style.quote);
        line.trim_end().to_string()
    });
    quoted.collect()
}

#[test]
fn no_line_is_too_long() {
    for name in ["letter", "card"] {
        let style = style(name);
        let lines = layout(&document("offer.txt"), &style);
        assert!(lines.iter().all(|line| line.len() <= style.width), "{name}");
    }
}

#[test]
fn elements_of_a_list_are_indented() {
    let style = style("card");
    let lines = layout(&document("offer.txt"), &style);
    let at = lines.iter().position(|line| line.starts_with("* The lamp")).unwrap();
    assert!(lines[at + 1].starts_with("  "));
}

#[test]
fn a_reply_quotes_what_it_answers() {
    let style = style("letter");
    let letter = document("offer.txt");
    let (heading, body) = letter.split_at(2);
    assert_eq!(heading[0], "Subject: The old lighthouse");
    let mut reply = vec![heading[0].replacen("Subject: ", "Subject: Re: ", 1), String::new()];
    reply.extend(quoted(body, &style));
    reply.push(String::new());
    reply.extend(layout(&["We agree.".to_string()], &style));
    let expected = "\
Subject: Re: The old lighthouse

> Dear Ms. Lind,
>
> thank you for your letter about the
> lighthouse on the northern shore. We have
> measured it again, and we are now quite
> certain that the stairs can be saved.
>
> - The lamp room needs new glass on three
>   sides.
> - The gallery, which has to be taken
>   down before the storms, will be stored
>   in the boathouse and painted there by
>   volunteers.
>
> Yours sincerely

We agree.";
    assert_eq!(reply.join("\n"), expected);
}
