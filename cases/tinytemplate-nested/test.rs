extern crate serde_json;
extern crate tinytemplate;

use serde_json::{json, Value};
use std::fmt::Write;
use tinytemplate::error::{Error, Result};
use tinytemplate::{format_unescaped, TinyTemplate};

static RECIPE: &str = "\
{title}
{{ if serves }}for {serves}
{{ endif }}{{ for part in parts }}{part.name | upper}: {{ for step in part.steps }}\
{step}{{ if not @last }}, then {{ endif }}{{ endfor }}.
{{ endfor }}";

static LIST: &str = "{{ for item in items }}{@index}) {item.name}{{ if item.amount }}: \
{item.amount}{{ endif }}{{ if @last }}{{ else }}; {{ endif }}{{ endfor }}";

static CARD: &str = "[{{ call heading with recipe }}] {{ with recipe.author as a }}{a.name}\
{{ endwith }}{{ if recipe.parts }} ({{ for p in recipe.parts }}{{ if @first }}{{ else }}/\
{{ endif }}{p.name}{{ endfor }}){{ endif }}";

fn upper(value: &Value, output: &mut String) -> Result<()> {
    match value.as_str() {
        Some(text) => {
            write!(output, "{}", text.to_uppercase())?;
            Ok(())
        }
        None => Err(Error::GenericError {
            msg: format!("{} is no text", value),
        }),
    }
}

fn templates() -> Result<TinyTemplate<'static>> {
    let mut templates = TinyTemplate::new();
    templates.set_default_formatter(&format_unescaped);
    templates.add_formatter("upper", upper);
    templates.add_template("heading", "{title}")?;
    for &(name, text) in [("recipe", RECIPE), ("list", LIST), ("card", CARD)].iter() {
        templates.add_template(name, text)?;
    }
    Ok(templates)
}

fn part(name: &str, steps: &[&str]) -> Value {
    json!({ "name": name, "steps": steps })
}

fn recipe(title: &str, serves: u32, parts: Vec<Value>) -> Value {
    json!({
        "title": title,
        "serves": serves,
        "parts": parts,
        "author": { "name": "Julia" },
    })
}

macro_rules! rendered {
    ($(#[$attribute:meta])* $test:ident: $template:literal, $context:expr => $($line:literal),+ $(,)?) => {
        #[test]
        $(#[$attribute])*
        fn $test() {
            let templates = templates().expect("the templates are right");
            let text = templates.render($template, &$context).expect("it is rendered");
            let lines: Vec<&str> = text.lines().collect();
            assert_eq!(lines, [$($line),+]);
        }
    };
}

rendered! {
    a_list_has_numbers: "list", json!({ "items": [
        { "name": "flour", "amount": "200 g" },
        { "name": "salt", "amount": null },
        { "name": "eggs", "amount": 2 },
    ] }) => "0) flour: 200 g; 1) salt; 2) eggs: 2"
}

rendered! {
    a_recipe_of_one_part: "recipe", recipe("Toast", 1, vec![part("bread", &["toast"])])
        => "Toast", "for 1", "BREAD: toast."
}

rendered! {
    nobody_is_served: "recipe", recipe("Nothing", 0, vec![]) => "Nothing"
}

rendered! {
    a_card_has_the_parts: "card", json!({ "recipe": recipe("Pie", 4, vec![
        part("crust", &["knead", "rest"]),
        part("filling", &[]),
    ]) }) => "[Pie] Julia (crust/filling)"
}

rendered! {
    #[should_panic(expected = "it is rendered")]
    a_name_that_is_no_text_is_refused: "recipe", json!({
        "title": "?", "serves": 2, "parts": [{ "name": 7, "steps": [] }],
    }) => "?"
}

rendered! {
    the_steps_of_every_part_are_separated: "recipe", recipe("Lasagne", 6, vec![
        part("sauce", &["chop", "fry", "simmer"]),
        part("béchamel", &["melt", "stir"]),
        part("oven", &["layer", "bake"]),
    ]) => "Lasagne", "for 6",
        "SAUCE: chop, then fry, then simmer.",
        "BÉCHAMEL: melt, then stir.",
        "OVEN: layer, then bake.",
}
