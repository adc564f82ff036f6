//! The scripts that a shell reads once. bash, zsh and fish also complete `cargo reduce`, and leave to cargo's own completion
//! whatever is not ours.

use super::VARIABLE;
use crate::args::Shell;
use clap_complete::env::{Elvish, EnvCompleter, Powershell};

/// The program that the scripts call and complete.
const PROGRAM: &str = "cargo-reduce";

/// The script for a shell.
pub(crate) fn script(shell: Shell) -> String {
    match shell {
        Shell::Bash => include_str!("cargo-reduce.bash").to_owned(),
        Shell::Fish => include_str!("cargo-reduce.fish").to_owned(),
        Shell::Zsh => include_str!("cargo-reduce.zsh").to_owned(),
        Shell::Elvish => registration(&Elvish),
        Shell::Powershell => registration(&Powershell),
    }
}

/// The script of clap for a shell in which one function alone completes a command.
fn registration(shell: &dyn EnvCompleter) -> String {
    let mut script = Vec::new();
    let written = shell.write_registration(VARIABLE, PROGRAM, PROGRAM, PROGRAM, &mut script);
    written.expect("a vector takes all that is written");
    String::from_utf8(script).expect("all parts of it are UTF-8")
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::ValueEnum;

    #[test]
    fn each_script_asks_this_program_for_its_shell() {
        for shell in Shell::value_variants() {
            let script = script(*shell);
            let name = shell.to_possible_value().unwrap();
            for needed in [VARIABLE, name.get_name(), "cargo-reduce", " -- "] {
                assert!(
                    script.contains(needed),
                    "{shell:?} lacks {needed}\n{script}"
                );
            }
        }
    }
}
