//! The crates that are compared: single files, and the targets of packages. Directories are copied
//! before cargo works in them, as it writes lock files.

use anyhow::{Context, Result};
use camino::{Utf8Path, Utf8PathBuf};
use serde_json::Value;
use std::fs;
use std::process::Command;
use std::time::Duration;

/// The most memory that the compiler may take, in KiB: some inputs make it take all there is.
const MEMORY: &str = "8000000";

/// The longest that cargo may take to describe a package, or the compiler to print its flags.
const LONGEST: Duration = Duration::from_secs(60);

/// Features that a single file may ask for without anything from outside being needed.
const FEATURES_OF_FILES: [&str; 2] = ["std", "alloc"];

/// A crate.
#[derive(Debug, Clone)]
pub struct Input {
    /// For people.
    pub name: String,
    /// The absolute path of its first file.
    pub root: Utf8PathBuf,
    pub edition: String,
    how: How,
}

/// How the compiler is called for it.
#[derive(Debug, Clone)]
enum How {
    File {
        cfgs: Vec<String>,
    },
    Target {
        /// Where cargo is called; paths are printed from there.
        workspace: Utf8PathBuf,
        package: String,
        /// What selects the target: `--lib`, `--bin=name`.
        target: String,
        /// Where cargo keeps what it builds.
        built: Utf8PathBuf,
    },
}

impl Input {
    /// The compiler with the flags of this crate and one more.
    pub fn compiler(&self, flag: &str) -> Command {
        let mut command = limited();
        match &self.how {
            How::File { cfgs } => {
                command.args(["rustc", "--crate-type=lib", "--cap-lints=allow"]);
                command.arg(format!("--edition={}", self.edition));
                command.args(cfgs.iter().map(|cfg| format!("--cfg={cfg}")));
                command.args([flag, self.root.as_str()]);
            }
            How::Target {
                workspace,
                package,
                target,
                built,
            } => {
                command.args(["cargo", "rustc", "--quiet", "--profile=check", target]);
                command.args([&format!("--package={package}"), "--", flag]);
                command.current_dir(workspace);
                command.env("CARGO_TARGET_DIR", built);
            }
        }
        command
    }

    /// From where the compiler may print paths.
    pub fn directories(&self) -> Vec<&Utf8Path> {
        match &self.how {
            How::File { .. } => Vec::new(),
            How::Target { workspace, .. } => vec![workspace],
        }
    }

    /// What `cfg` is set when the crate is compiled: `unix`, `feature="std"`.
    pub fn cfgs(&self) -> Result<Vec<String>> {
        let output = crate::process::output(self.compiler("--print=cfg"), LONGEST)?;
        let output = String::from_utf8(output)?;
        Ok(output.lines().map(str::to_owned).collect())
    }
}

/// A shell that limits the memory of the command that follows.
fn limited() -> Command {
    let mut shell = command("sh");
    let script = format!("ulimit -c 0 -v {MEMORY}; exec \"$@\"");
    shell.args(["-c", &script, "sh"]);
    // It is for the threads of the judge alone, and changes where the compiler overflows its stack.
    shell.env_remove("RUST_MIN_STACK");
    shell
}

#[expect(
    clippy::disallowed_methods,
    reason = "the judge is a program of its own that asks the compiler"
)]
fn command(program: &str) -> Command {
    Command::new(program)
}

/// The crates of a file or directory. Directories are copied to a folder of `scratch`.
pub fn collect(path: &Utf8Path, scratch: &Utf8Path) -> Result<Vec<Input>> {
    let path = path.canonicalize_utf8()?;
    let name = path.file_name().unwrap_or("input").to_owned();
    if path.is_file() {
        return Ok(vec![file(&path, name)?]);
    }
    let copied = scratch.join("inputs").join(&name);
    if copied.exists() {
        fs::remove_dir_all(&copied)?;
    }
    copy(&path, &copied).with_context(|| format!("failed to copy `{path}`"))?;
    let mut inputs = Vec::new();
    add_directory(&copied, &name, &scratch.join("built"), &mut inputs)?;
    Ok(inputs)
}

fn copy(from: &Utf8Path, to: &Utf8Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in from.read_dir_utf8()? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            if !matches!(entry.file_name(), "target" | ".git") {
                copy(entry.path(), &target)?;
            }
        } else if entry.path().is_file() {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

fn add_directory(
    directory: &Utf8Path,
    name: &str,
    built: &Utf8Path,
    inputs: &mut Vec<Input>,
) -> Result<()> {
    if directory.join("Cargo.toml").exists() {
        match targets(directory, name, built) {
            Ok(targets) => inputs.extend(targets),
            Err(error) => eprintln!("{name}: left out: {error:#}"),
        }
        return Ok(());
    }
    let mut entries: Vec<_> = directory.read_dir_utf8()?.collect::<Result<_, _>>()?;
    entries.sort_by(|one, other| one.file_name().cmp(other.file_name()));
    for entry in entries {
        let name = format!("{name}/{}", entry.file_name());
        if entry.path().is_dir() {
            add_directory(entry.path(), &name, built, inputs)?;
        } else if entry.path().extension() == Some("rs") {
            inputs.push(file(entry.path(), name)?);
        }
    }
    Ok(())
}

fn file(path: &Utf8Path, name: String) -> Result<Input> {
    let text = fs::read_to_string(path)?;
    let cfgs = FEATURES_OF_FILES.map(|feature| format!("feature=\"{feature}\""));
    let is_used = |cfg: &String| text.replace(" = ", "=").contains(cfg.as_str());
    Ok(Input {
        name,
        root: path.to_owned(),
        edition: "2021".to_owned(),
        how: How::File {
            cfgs: cfgs.into_iter().filter(is_used).collect(),
        },
    })
}

/// The libraries and programs of a package or workspace; or those of what a package depends on, if it
/// says so: `[package.metadata.judge] dependencies = true`.
fn targets(directory: &Utf8Path, name: &str, built: &Utf8Path) -> Result<Vec<Input>> {
    let mut cargo = limited();
    cargo.args(["cargo", "metadata", "--format-version=1", "--quiet"]);
    cargo.current_dir(directory);
    let output = crate::process::output(cargo, LONGEST)?;
    let metadata: Value = serde_json::from_slice(&output).context("cargo describes nothing")?;
    let members = strings(&metadata["workspace_members"]);
    let packages = metadata["packages"].as_array();
    let packages = packages.context("cargo lists no packages")?;
    let is_member = |package: &&Value| members.contains(&text(&package["id"]));
    let mut inputs = Vec::new();
    for member in packages.iter().filter(is_member) {
        let chosen = if member["metadata"]["judge"]["dependencies"] == true {
            dependencies(member, packages)
        } else {
            vec![member]
        };
        for package in chosen {
            inputs.extend(targets_of(package, name, &metadata, built));
        }
    }
    Ok(inputs)
}

fn dependencies<'v>(member: &Value, packages: &'v [Value]) -> Vec<&'v Value> {
    let listed = member["dependencies"].as_array().into_iter().flatten();
    let names: Vec<_> = listed.map(|one| text(&one["name"])).collect();
    let is_listed = |package: &&Value| names.contains(&text(&package["name"]));
    packages.iter().filter(is_listed).collect()
}

fn targets_of(package: &Value, name: &str, metadata: &Value, built: &Utf8Path) -> Vec<Input> {
    let (id, version) = (text(&package["name"]), text(&package["version"]));
    let targets = package["targets"].as_array().into_iter().flatten();
    let targets = targets.filter_map(|target| {
        let kinds = strings(&target["kind"]);
        let selected = match *kinds.first()? {
            "lib" | "rlib" | "proc-macro" | "cdylib" | "staticlib" => "--lib".to_owned(),
            "bin" => format!("--bin={}", text(&target["name"])),
            _ => return None,
        };
        Some(Input {
            name: format!("{name} {id} {selected}"),
            root: text(&target["src_path"]).into(),
            edition: text(&target["edition"]).to_owned(),
            how: How::Target {
                workspace: text(&metadata["workspace_root"]).into(),
                package: format!("{id}@{version}"),
                target: selected,
                built: built.to_owned(),
            },
        })
    });
    targets.collect()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or("")
}

fn strings(value: &Value) -> Vec<&str> {
    let values = value.as_array().into_iter().flatten();
    values.map(text).collect()
}
