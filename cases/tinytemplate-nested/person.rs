extern crate serde_json;
extern crate tinytemplate;

#[test]
fn the_steps_of_every_part_are_separated() {
    let mut templates = tinytemplate::TinyTemplate::new();
    let text = "{{ for part in @root }}{{ for step in part }}{step}{{ if not @last }}, then {{ endif }}{{ endfor }}.{{ endfor }}";
    templates.add_template("recipe", text).unwrap();
    let text = templates.render("recipe", &[["layer", "bake"]]).unwrap();
    assert_eq!(text, "layer, then bake.");
}
