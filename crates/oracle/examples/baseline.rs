//! Shows the baseline that the oracle finds: `baseline [-p PKG] [--edition E] [FILE.rs] [-- RUSTC_ARGS]`.
//! For developers who want to know what the oracle makes of a crash without reducing it.

use camino::{Utf8Path, Utf8PathBuf};
use reduce_oracle::{
    BaselineOptions, BaselineSite, Cancel, FileInput, Input, Limits, Note, PackageInput,
    Surroundings, capture, find_baseline,
};
use std::error::Error;
use std::process::ExitCode;
use std::time::Instant;

#[expect(
    clippy::disallowed_methods,
    reason = "a command line reads its environment"
)]
fn main() -> Result<ExitCode, Box<dyn Error>> {
    if capture::is_requested(std::env::vars_os()) {
        return Ok(capture::main());
    }
    let cwd = Utf8PathBuf::try_from(std::env::current_dir()?)?;
    let input = input(std::env::args().skip(1).collect(), &cwd);
    let vars = std::env::vars().collect();
    let program = Utf8PathBuf::try_from(std::env::current_exe()?)?;
    let surroundings = Surroundings {
        cwd,
        vars,
        rustc: None,
    };
    show(&input, &surroundings, &program)
}

fn input(mut args: Vec<String>, cwd: &Utf8Path) -> Input {
    let end = args
        .iter()
        .position(|arg| arg == "--")
        .unwrap_or(args.len());
    let rustc_args = args.split_off(end).into_iter().skip(1).collect();
    let after = |name: &str| {
        let at = args.iter().position(|arg| arg == name)?;
        args.get(at + 1).cloned()
    };
    match args.iter().find(|arg| arg.ends_with(".rs")) {
        Some(path) => Input::File(FileInput {
            path: cwd.join(path),
            text: None,
            edition: after("--edition"),
            target_triple: None,
            rustc_args,
            ..FileInput::default()
        }),
        None => Input::Package(PackageInput {
            package: after("-p"),
            rustc_args,
            ..PackageInput::default()
        }),
    }
}

#[expect(clippy::print_stdout, reason = "it is what this example is for")]
fn show(
    input: &Input,
    surroundings: &Surroundings,
    program: &Utf8Path,
) -> Result<ExitCode, Box<dyn Error>> {
    let dir = tempfile::tempdir()?;
    let dir = Utf8Path::from_path(dir.path()).ok_or("the temporary directory is not UTF-8")?;
    let (scratch, builds) = (dir.join("scratch"), dir.join("builds"));
    let site = BaselineSite {
        scratch: &scratch,
        builds: &builds,
        capture_program: program,
        plain_tests: &(),
    };
    let options = BaselineOptions {
        demands: reduce_oracle::Demands::default(),
        env: vec![],
        reads: vec![],
        at_least: 1,
        sandbox: reduce_oracle::SandboxMode::Default,
        limits: Limits::default(),
        repeat: reduce_oracle::Repeat::ONCE,
        allow_errors: false,
        ignore_location: false,
        any_message: false,
        instead: None,
    };
    let (started, cancel) = (Instant::now(), Cancel::new()?);
    let note = |note: Note<'_>| {
        let (Note::Doing(what) | Note::Warning(what) | Note::Cargo(what)) = note;
        println!("{:6.2} s  {what}", started.elapsed().as_secs_f64());
    };
    let baseline = find_baseline(
        &reduce_oracle::Goal::Ice,
        input,
        surroundings,
        &site,
        &options,
        &note,
        &cancel,
    )?;
    note(Note::Doing("done"));
    println!("signature  {}", baseline.property.signature);
    println!("errors     {:?}", baseline.property.allowed_errors);
    println!(
        "command    {}",
        baseline.plan.command(&baseline.plan.call.root)
    );
    println!("files      {}", baseline.plan.inputs.files.len());
    println!(
        "crashed    {} of {} runs, at most {:?}",
        baseline.crashed, baseline.runs, baseline.duration
    );
    println!("all runs   {}", baseline.other_runs);
    println!("cfgs       {}", baseline.configuration.join(" "));
    for unit in &baseline.units {
        let flags = (unit.is_proc_macro, unit.links_native);
        println!(
            "unit       {} {} {}, {} cfgs, macro and native: {flags:?}, {}",
            unit.name,
            unit.version,
            unit.edition,
            unit.configuration.len(),
            unit.root
        );
    }
    Ok(ExitCode::SUCCESS)
}
