//! Connected streams that one thread reads and another writes: TCP, and TLS over it.

use crate::error::{Code, Error};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore};
use std::io::{self, ErrorKind, IoSlice, Read, Write};
use std::net::{Shutdown, TcpStream, ToSocketAddrs};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How the server is known, and how this client shows itself.
#[derive(Clone, Debug, Default)]
pub struct TlsOptions {
    /// PEM file of the authorities to trust; those of the system without.
    pub authorities: Option<PathBuf>,
    /// PEM files of this client's certificate chain and its key, where the server asks for them.
    pub identity: Option<(PathBuf, PathBuf)>,
    /// The name that the server's certificate must have; the host that is connected to without.
    pub name: Option<String>,
}

/// The addresses of servers, and the certificates and names of TLS, read once.
pub(crate) struct Connector {
    servers: Vec<Server>,
    /// The server that is tried first the next time.
    next: AtomicUsize,
}

struct Server {
    address: String,
    tls: Option<(Arc<ClientConfig>, ServerName<'static>)>,
}

impl Connector {
    /// # Errors
    /// `misused` with what is wrong with the options.
    pub fn new<'a>(addresses: impl Iterator<Item = &'a String>, tls: Option<&TlsOptions>) -> Result<Self, Error> {
        let servers = addresses.map(|address| Server::new(address, tls)).collect::<Result<_, _>>()?;
        Ok(Self { servers, next: AtomicUsize::new(0) })
    }

    /// # Errors
    /// `disconnected` with what the last of the servers said.
    pub fn connect(&self, timeout: Duration) -> Result<Stream, Error> {
        let mut last = Error::new(Code::Disconnected, "no address");
        for _ in &self.servers {
            let server = self.next.fetch_add(1, Ordering::Relaxed) % self.servers.len();
            match self.servers[server].connect(timeout) {
                Ok(stream) => return Ok(stream),
                Err(error) => last = error,
            }
        }
        Err(last)
    }

    /// Whether all servers have been tried.
    pub fn was_last(&self) -> bool {
        self.next.load(Ordering::Relaxed) >= self.servers.len()
    }
}

impl Server {
    fn new(address: &str, tls: Option<&TlsOptions>) -> Result<Self, Error> {
        let misused = |text: String| Error::new(Code::Misused, text);
        let Some((host, _)) = address.rsplit_once(':') else {
            return Err(misused(format!("an address is HOST:PORT, not {address}")));
        };
        let tls = match tls {
            None => None,
            Some(options) => {
                let host = host.trim_start_matches('[').trim_end_matches(']');
                let name = options.name.clone().unwrap_or_else(|| host.to_owned());
                let server = ServerName::try_from(name).map_err(|error| misused(error.to_string()))?;
                Some((Arc::new(client_config(options).map_err(misused)?), server))
            }
        };
        Ok(Self { address: address.to_owned(), tls })
    }

    /// Tries all addresses of the host.
    fn connect(&self, timeout: Duration) -> Result<Stream, Error> {
        let lost = |error: &dyn std::fmt::Display| Error::new(Code::Disconnected, format!("{}: {error}", self.address));
        let addresses = self.address.to_socket_addrs().map_err(|error| lost(&error))?;
        let mut last = lost(&"no address");
        for address in addresses {
            match TcpStream::connect_timeout(&address, timeout) {
                Ok(tcp) => return self.over(tcp, timeout).map_err(|error| lost(&error)),
                Err(error) => last = lost(&error),
            }
        }
        Err(last)
    }

    fn over(&self, tcp: TcpStream, timeout: Duration) -> io::Result<Stream> {
        tcp.set_nodelay(true)?;
        let Some((config, name)) = &self.tls else {
            return Ok(Stream { tcp, tls: None, writing: Mutex::default() });
        };
        let connection = ClientConnection::new(Arc::clone(config), name.clone()).map_err(io::Error::other)?;
        let mut handshake = connection;
        tcp.set_read_timeout(Some(timeout))?;
        tcp.set_write_timeout(Some(timeout))?;
        while handshake.is_handshaking() {
            handshake.complete_io(&mut &tcp)?;
        }
        tcp.set_read_timeout(None)?;
        Ok(Stream { tcp, tls: Some(Mutex::new(handshake)), writing: Mutex::default() })
    }
}

fn client_config(options: &TlsOptions) -> Result<ClientConfig, String> {
    let mut roots = RootCertStore::empty();
    match &options.authorities {
        Some(path) => {
            let unreadable = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
            for certificate in CertificateDer::pem_file_iter(path).map_err(|error| unreadable(&error))? {
                let certificate = certificate.map_err(|error| unreadable(&error))?;
                roots.add(certificate).map_err(|error| unreadable(&error))?;
            }
        }
        None => {
            roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        }
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?
        .with_root_certificates(roots);
    let Some((chain, key)) = &options.identity else { return Ok(builder.with_no_client_auth()) };
    let certificates: Result<Vec<_>, _> = CertificateDer::pem_file_iter(chain)
        .and_then(Iterator::collect)
        .map_err(|e| format!("{}: {e}", chain.display()));
    let key = PrivateKeyDer::from_pem_file(key).map_err(|error| format!("{}: {error}", key.display()))?;
    builder.with_client_auth_cert(certificates?, key).map_err(|error| error.to_string())
}

/// A connected stream.
pub(crate) struct Stream {
    tcp: TcpStream,
    tls: Option<Mutex<ClientConnection>>,
    /// Held while records are made and written, so that they leave in the order in which they were made.
    writing: Mutex<Vec<u8>>,
}

impl Stream {
    pub fn set_write_timeout(&self, timeout: Duration) -> io::Result<()> {
        self.tcp.set_write_timeout(Some(timeout))
    }

    /// Ends both directions, so that whoever reads or writes goes on.
    pub fn shutdown(&self) {
        // A stream that is gone already needs no end.
        let _ = self.tcp.shutdown(Shutdown::Both);
    }

    /// Waits for bytes.
    pub fn read(&self, into: &mut [u8]) -> io::Result<usize> {
        let Some(tls) = &self.tls else { return retried(|| (&self.tcp).read(into)) };
        let mut raw = [0; 16 << 10];
        loop {
            match lock(tls).reader().read(into) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                done => return done,
            }
            // The lock is not held while nothing comes, so that the other thread can write.
            let size = retried(|| (&self.tcp).read(&mut raw))?;
            let mut connection = lock(tls);
            let mut left = &raw[..size];
            loop {
                connection.read_tls(&mut left)?;
                connection.process_new_packets().map_err(io::Error::other)?;
                if left.is_empty() {
                    break;
                }
            }
        }
    }

    /// Writes all of both.
    pub fn write_all(&self, head: &[u8], body: &[u8]) -> io::Result<()> {
        match &self.tls {
            None => write_both(&self.tcp, head, body),
            Some(tls) => [head, body].into_iter().try_for_each(|part| self.encrypt(tls, part)),
        }
    }

    fn encrypt(&self, tls: &Mutex<ClientConnection>, mut part: &[u8]) -> io::Result<()> {
        let mut records = lock(&self.writing);
        while !part.is_empty() {
            records.clear();
            let mut connection = lock(tls);
            let taken = connection.writer().write(part)?;
            while connection.wants_write() {
                connection.write_tls(&mut *records)?;
            }
            drop(connection);
            (&self.tcp).write_all(&records)?;
            part = &part[taken..];
        }
        Ok(())
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn retried(mut io: impl FnMut() -> io::Result<usize>) -> io::Result<usize> {
    loop {
        match io() {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            done => return done,
        }
    }
}

fn write_both(mut tcp: &TcpStream, mut head: &[u8], mut body: &[u8]) -> io::Result<()> {
    while !head.is_empty() || !body.is_empty() {
        let size = retried(|| tcp.write_vectored(&[IoSlice::new(head), IoSlice::new(body)]))?;
        if size == 0 {
            return Err(ErrorKind::WriteZero.into());
        }
        let of_head = size.min(head.len());
        head = &head[of_head..];
        body = &body[size - of_head..];
    }
    Ok(())
}
