//! Has the executable linked to one address where that is known to work. The wrapper of `capture on` starts with each call
//! of the compiler, and to move an executable of this size to another address takes longer than all that the wrapper
//! does (docs/decisions/captured-crashes.md).

#[expect(
    clippy::disallowed_methods,
    reason = "a build script is told its target by variables"
)]
fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let target = |name: &str| std::env::var(format!("CARGO_CFG_TARGET_{name}"));
    let is = |name: &str, value: &str| target(name).is_ok_and(|found| found == value);
    if is("ARCH", "x86_64") && is("OS", "linux") && is("ENV", "gnu") {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}
