//! A service, and how it answers.

use crate::error::BadService;
use serde::{Deserialize, Serialize};
use std::net::SocketAddr;
use std::str::FromStr;
use std::time::Duration;
use tokio::io::AsyncReadExt;
use tokio::net::TcpStream;
use tokio::time::{timeout, Instant};

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Service {
    pub name: String,
    #[serde(rename = "at")]
    pub address: SocketAddr,
}

impl FromStr for Service {
    type Err = BadService;

    fn from_str(line: &str) -> Result<Self, BadService> {
        let (name, address) = line.split_once(' ').ok_or(BadService::Words)?;
        Ok(Service {
            name: name.to_owned(),
            address: address.trim().parse()?,
        })
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Answer {
    Up { milliseconds: u64 },
    Silent,
    Down,
}

/// Connects to a service, and waits for its first byte.
pub async fn ask(service: &Service, longest: Duration) -> Answer {
    let started = Instant::now();
    let first_byte = async {
        let mut stream = TcpStream::connect(service.address).await?;
        stream.read_u8().await
    };
    match timeout(longest, first_byte).await {
        Ok(Ok(_)) => Answer::Up {
            milliseconds: started.elapsed().as_millis() as u64,
        },
        Ok(Err(_)) => Answer::Down,
        Err(_) => Answer::Silent,
    }
}
