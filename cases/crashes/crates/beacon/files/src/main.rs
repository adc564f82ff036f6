//! Asks services from time to time whether they are there, and prints which of them are not.

mod arguments;
mod error;
mod probe;
mod report;
mod watch;

use arguments::{Arguments, Command};
use clap::Parser;
use error::Error;
use report::Report;
use watch::Watch;

#[tokio::main]
async fn main() -> Result<(), Error> {
    let arguments = Arguments::parse();
    let services = arguments.services()?;
    match arguments.command {
        Command::Check { strict } => {
            let mut report = Report::default();
            for service in &services {
                report.add(&service.name, probe::ask(service, arguments.timeout()).await);
            }
            print!("{report}");
            if strict && report.down() > 0 {
                return Err(Error::Down(report.down()));
            }
        }
        Command::Watch { interval, rounds } => {
            let watch = Watch::new(services, arguments.timeout());
            watch.run(interval.into(), rounds).await?;
            print!("{}", watch.report());
        }
    }
    Ok(())
}
