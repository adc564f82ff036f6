use resolver::{Index, ResolveError};

/// Three layers of packages, as a small service has them.
fn service() -> Index {
    let mut index = Index::new();
    index
        .publish(
            "service",
            "2.1.0",
            &[("router", "^1.2"), ("logger", "~0.4.1"), ("codec", "0.0.3")],
        )
        .publish("router", "1.1.9", &[])
        .publish("router", "1.2.0", &[("pattern", ">=2, <4")])
        .publish("router", "1.9.3", &[("pattern", ">=2, <4"), ("codec", "*")])
        .publish("router", "2.0.0", &[("pattern", "^4")])
        .publish("pattern", "2.7.1", &[])
        .publish("pattern", "3.0.0-rc.1", &[])
        .publish("pattern", "3.3.1", &[("logger", "^0.4")])
        .publish("pattern", "4.0.0", &[])
        .publish("logger", "0.3.9", &[])
        .publish("logger", "0.4.0", &[])
        .publish("logger", "0.4.22", &[])
        .publish("logger", "0.5.0", &[])
        .publish("codec", "0.0.2", &[])
        .publish("codec", "0.0.3", &[])
        .publish("codec", "0.0.5", &[])
        .publish("codec", "0.1.0", &[]);
    index
}

fn version_of(index: &Index, root: &str, name: &str) -> String {
    match index.resolve(root) {
        Ok(chosen) => chosen
            .get(name)
            .map_or_else(|| format!("`{name}` is not needed"), ToString::to_string),
        Err(error) => error.to_string(),
    }
}

#[test]
fn the_newest_compatible_version_is_taken() {
    let index = service();
    assert_eq!(version_of(&index, "service", "router"), "1.9.3");
    assert_eq!(version_of(&index, "service", "logger"), "0.4.22");
}

#[test]
fn a_release_candidate_is_taken_only_if_asked_for() {
    let mut index = service();
    assert_eq!(version_of(&index, "service", "pattern"), "3.3.1");
    index.publish("trial", "0.1.0", &[("pattern", "=3.0.0-rc.1")]);
    assert_eq!(version_of(&index, "trial", "pattern"), "3.0.0-rc.1");
}

#[test]
fn a_patch_of_an_unstable_crate_is_not_taken() {
    let mut index = service();
    index.publish("app", "1.0.0", &[("service", "2"), ("logger", "0.4")]);
    let chosen = index.resolve("app").unwrap();
    let names: Vec<_> = chosen.keys().map(String::as_str).collect();
    assert_eq!(
        names,
        ["app", "codec", "logger", "pattern", "router", "service"]
    );
    assert_eq!(chosen["service"].to_string(), "2.1.0");
    assert_eq!(chosen["codec"].to_string(), "0.0.3");
}

#[test]
fn a_conflict_is_reported_with_the_name_of_the_package() {
    let mut index = service();
    index.publish("app", "1.0.0", &[("router", "^1"), ("pattern", "^4")]);
    assert_eq!(
        index.resolve("app"),
        Err(ResolveError::Conflict("pattern".to_string()))
    );
    assert_eq!(
        version_of(&index, "nothing", "codec"),
        "no package `nothing`"
    );
}
