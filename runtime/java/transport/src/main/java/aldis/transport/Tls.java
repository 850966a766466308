package aldis.transport;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Collection;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/**
 * How the server is known, and how this client shows itself. The server's certificate and its name are always checked. Each method
 * gives a changed copy; files are read when the client connects for the first time.
 */
public final class Tls {
    private static final String BEGIN = "-----BEGIN PRIVATE KEY-----";
    private static final String END = "-----END PRIVATE KEY-----";

    private final Path authorities;
    private final Path chain;
    private final Path key;
    /** The name that the server's certificate must have; null: the host that is connected to. */
    final String name;

    /** The authorities of the JDK are trusted. */
    public Tls() {
        this(null, null, null, null);
    }

    private Tls(Path authorities, Path chain, Path key, String name) {
        this.authorities = authorities;
        this.chain = chain;
        this.key = key;
        this.name = name;
    }

    /** Trusts the authorities in a PEM file, and no others. */
    public Tls authorities(Path pem) {
        return new Tls(pem, chain, key, name);
    }

    /** Shows a certificate with its chain, and proves it by a key of PKCS #8: PEM files both. */
    public Tls identity(Path certificates, Path privateKey) {
        return new Tls(authorities, certificates, privateKey, name);
    }

    /** The name that the server's certificate must have, where that is not the host that is connected to. */
    public Tls name(String wanted) {
        return new Tls(authorities, chain, key, wanted);
    }

    /** Throws {@code misused} with what is wrong with the files. */
    SSLContext context() {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(identity(), trust(), null);
            return context;
        } catch (GeneralSecurityException | IOException | IllegalArgumentException fault) {
            throw new TransportException(Code.MISUSED, "the certificates or keys of TLS cannot be used: " + fault, fault);
        }
    }

    /** Null: those of the JDK. */
    private TrustManager[] trust() throws GeneralSecurityException, IOException {
        if (authorities == null) return null;
        KeyStore store = empty();
        int number = 0;
        for (Certificate certificate : certificates(authorities)) store.setCertificateEntry("authority " + number++, certificate);
        if (number == 0) throw new IOException(authorities + " has no certificate");
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return factory.getTrustManagers();
    }

    /** Null: none. */
    private KeyManager[] identity() throws GeneralSecurityException, IOException {
        if (chain == null) return null;
        Certificate[] certificates = certificates(chain).toArray(new Certificate[0]);
        if (certificates.length == 0) throw new IOException(chain + " has no certificate");
        KeyStore store = empty();
        store.setKeyEntry("identity", privateKey(certificates[0].getPublicKey().getAlgorithm()), new char[0], certificates);
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, new char[0]);
        return factory.getKeyManagers();
    }

    private static KeyStore empty() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }

    private static Collection<? extends Certificate> certificates(Path pem) throws GeneralSecurityException, IOException {
        try (InputStream from = Files.newInputStream(pem)) {
            return CertificateFactory.getInstance("X.509").generateCertificates(from);
        }
    }

    private PrivateKey privateKey(String algorithm) throws GeneralSecurityException, IOException {
        String text = Files.readString(key);
        int begin = text.indexOf(BEGIN);
        int end = text.indexOf(END);
        if (begin < 0 || end < begin) {
            throw new IOException(key + " has no \"" + BEGIN + "\": `openssl pkcs8 -topk8 -nodes` makes one of other keys");
        }
        byte[] encoded = Base64.getMimeDecoder().decode(text.substring(begin + BEGIN.length(), end));
        return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(encoded));
    }
}
