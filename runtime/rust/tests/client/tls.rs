//! The same client over TLS, with certificates on both sides.

use crate::fake::{connecting, Peer, Server, LONG, PLENTY};
use aldis_transport::{Client, Config, TlsOptions};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::server::WebPkiClientVerifier;
use rustls::{RootCertStore, ServerConfig, ServerConnection, StreamOwned};
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

struct Identity {
    certificate: CertificateDer<'static>,
    key: Vec<u8>,
    folder: PathBuf,
}

impl Identity {
    fn new(name: &str) -> Self {
        let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        let folder = std::env::temp_dir().join(format!("aldis-tls-{}-{name}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("certificate.pem"), made.cert.pem()).unwrap();
        fs::write(folder.join("key.pem"), made.signing_key.serialize_pem()).unwrap();
        Self { certificate: made.cert.der().clone(), key: made.signing_key.serialize_der(), folder }
    }

    fn path(&self, file: &str) -> PathBuf {
        self.folder.join(file)
    }
}

impl Drop for Identity {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn config(server: &Server, tls: TlsOptions) -> Config {
    let port = server.0.local_addr().unwrap().port();
    Config { address: format!("localhost:{port}"), tls: Some(tls), ..server.config() }
}

#[test]
fn batches_and_acks_go_over_mutual_tls() {
    let identity = Identity::new("mutual");
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut roots = RootCertStore::empty();
    roots.add(identity.certificate.clone()).unwrap();
    let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), Arc::clone(&provider)).build().unwrap();
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(identity.key.clone()));
    let tls = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_client_cert_verifier(verifier)
        .with_single_cert(vec![identity.certificate.clone()], key)
        .unwrap();
    let server = Server::new();
    let options = TlsOptions {
        authorities: Some(identity.path("certificate.pem")),
        identity: Some((identity.path("certificate.pem"), identity.path("key.pem"))),
        name: None,
    };
    let client = connecting(config(&server, options));
    let connection = ServerConnection::new(Arc::new(tls)).unwrap();
    let mut peer = Peer(StreamOwned::new(connection, server.accept().0));
    peer.greet(0, PLENTY);
    let client: Client = client.join().unwrap().unwrap();
    let big = vec![b'x'; 100_000];
    std::thread::scope(|scope| {
        let sending = scope.spawn(|| {
            for _ in 0..30 {
                client.send(&big).unwrap();
            }
            client.flush(LONG)
        });
        let mut seen = 0;
        while seen < 30 {
            let (first, batch) = peer.read().batch();
            assert_eq!(first, seen + 1);
            seen += batch.len() as u64;
            peer.ack(seen);
        }
        sending.join().unwrap().unwrap();
    });
}

#[test]
fn strangers_are_not_trusted() {
    let (ours, theirs) = (Identity::new("ours"), Identity::new("theirs"));
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(theirs.key.clone()));
    let builder = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    let tls = builder.with_no_client_auth().with_single_cert(vec![theirs.certificate.clone()], key).unwrap();
    let server = Server::new();
    let options = TlsOptions { authorities: Some(ours.path("certificate.pem")), ..TlsOptions::default() };
    let client = connecting(config(&server, options));
    let mut connection = ServerConnection::new(Arc::new(tls)).unwrap();
    let mut socket = server.accept().0;
    assert!(connection.complete_io(&mut socket).is_err());
    let error = client.join().unwrap().err().unwrap();
    assert!(error.text.contains("certificate"), "{error}");
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let options = TlsOptions { authorities: Some("/nowhere/ca.pem".into()), ..TlsOptions::default() };
    let error = Client::connect(config(&Server::new(), options)).err().unwrap();
    assert!(error.text.contains("/nowhere/ca.pem"), "{error}");
}
