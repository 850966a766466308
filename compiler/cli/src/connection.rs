//! Arguments that `send`, `recv` and `bench-tcp` share: where to connect, and as whom.

use crate::failure::{Failure, Outcome};
use aldis_transport::{Client, Code, Config, Durability, Error, Producer, TlsOptions};
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;

/// A server of aldis/1.
#[derive(Clone, Debug, Args)]
pub struct ServerArgs {
    /// The server.
    #[arg(value_name = "HOST:PORT")]
    address: String,

    /// Speak TLS. The server's certificate and name are always checked.
    #[arg(long, help_heading = "Connection")]
    tls: bool,

    /// A PEM file of the authorities to trust, instead of the system's; means --tls.
    #[arg(long, value_name = "FILE", help_heading = "Connection")]
    ca: Option<PathBuf>,

    /// A PEM file of this client's certificate chain, where the server asks for one; means --tls.
    #[arg(long, value_name = "FILE", requires = "key", help_heading = "Connection")]
    cert: Option<PathBuf>,

    /// The PEM file of its key.
    #[arg(long, value_name = "FILE", requires = "cert", help_heading = "Connection")]
    key: Option<PathBuf>,

    /// The name that the server's certificate has, where it is not HOST.
    #[arg(long, value_name = "NAME", help_heading = "Connection")]
    server_name: Option<String>,

    /// How to say who this is; the secret itself is read from --secret-file.
    #[arg(long, value_name = "METHOD", default_value = "token", help_heading = "Connection")]
    auth: String,

    /// A file with the secret; a line end at its end is no part of it.
    #[arg(long, value_name = "FILE", help_heading = "Connection")]
    secret_file: Option<PathBuf>,

    /// How long to wait for a connection, in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..),
          help_heading = "Connection")]
    connect_timeout: u64,
}

/// The values of `--durability`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DurabilityName {
    /// The server has it in memory.
    Received,
    /// The server's handler returned.
    Handled,
    /// It is in the server's log, after fdatasync.
    Durable,
}

impl DurabilityName {
    /// The durability that is wanted of the server.
    pub fn level(self) -> Durability {
        match self {
            DurabilityName::Received => Durability::Received,
            DurabilityName::Handled => Durability::Handled,
            DurabilityName::Durable => Durability::Durable,
        }
    }
}

impl ServerArgs {
    /// A client's configuration, everything else at its default.
    pub fn config(&self) -> Outcome<Config> {
        let wants_tls = self.tls || self.ca.is_some() || self.cert.is_some() || self.server_name.is_some();
        let tls = wants_tls.then(|| TlsOptions {
            authorities: self.ca.clone(),
            identity: self.cert.clone().zip(self.key.clone()),
            name: self.server_name.clone(),
        });
        let mut config = Config { tls, ..Config::new(self.address.as_str()) };
        config.connect_timeout = Duration::from_secs(self.connect_timeout);
        if let Some(path) = &self.secret_file {
            let secret = std::fs::read(path).map_err(|error| Failure::file(&path.display().to_string(), &error))?;
            config.auth_method = self.auth.clone().into_bytes();
            config.auth_data = secret.trim_ascii_end().to_vec();
        }
        Ok(config)
    }

    /// Connects.
    pub fn connect(&self, config: Config) -> Outcome<Client> {
        Client::connect(config).map_err(|error| self.failure(&error))
    }

    /// Why the connection does not do what it should.
    pub fn failure(&self, error: &Error) -> Failure {
        let said = match error.code {
            // The text names the address.
            Code::Disconnected if error.text.starts_with(&self.address) => error.text.clone(),
            Code::Misused => return Failure::Usage(error.text.clone()),
            _ => format!("{}: {error}", self.address),
        };
        Failure::Input(said)
    }
}

/// A producer as 32 hex digits.
///
/// # Errors
/// For clap: what it should be.
pub fn producer(text: &str) -> Result<Producer, String> {
    let is_producer = text.len() == 32 && text.bytes().all(|digit| digit.is_ascii_hexdigit());
    let number = u128::from_str_radix(text, 16).ok().filter(|_| is_producer);
    number.map(u128::to_be_bytes).ok_or_else(|| "a producer is 32 hex digits".to_owned())
}

#[cfg(test)]
mod tests {
    use super::producer;

    #[test]
    fn producers_are_32_hex_digits() {
        let wanted: [u8; 16] = std::array::from_fn(|i| i as u8);
        assert_eq!(producer("000102030405060708090a0b0c0d0e0f"), Ok(wanted));
        assert!(producer("00").is_err());
        assert!(producer("+00102030405060708090a0b0c0d0e0f").is_err());
    }
}
