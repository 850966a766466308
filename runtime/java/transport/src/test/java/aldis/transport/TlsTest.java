package aldis.transport;

import static aldis.transport.Fake.LONG;
import static aldis.transport.Fake.fails;
import static aldis.transport.Golden.bytes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLServerSocket;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The same client over TLS, with certificates on both sides. */
@Timeout(120)
final class TlsTest {
    @TempDir static Path folder;
    private static Tls local;

    @BeforeAll static void certificates() throws Exception {
        assumeTrue(has("openssl"), "there is no openssl here");
        local = identity("local", "DNS:localhost,DNS:feed.example,IP:127.0.0.1");
    }

    private static boolean has(String command) throws InterruptedException {
        try {
            return new ProcessBuilder(command, "version").redirectErrorStream(true).start().waitFor() == 0;
        } catch (IOException none) {
            return false;
        }
    }

    /** A certificate of its own for these names, which shows itself and trusts itself. */
    private static Tls identity(String file, String names) throws Exception {
        Path certificate = folder.resolve(file + ".pem");
        Path key = folder.resolve(file + ".key");
        Process made = new ProcessBuilder(
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj", "/CN=test",
            "-addext", "subjectAltName=" + names, "-keyout", key.toString(), "-out", certificate.toString())
            .redirectErrorStream(true).redirectOutput(folder.resolve("said").toFile()).start();
        assertEquals(0, made.waitFor());
        return new Tls().authorities(certificate).identity(certificate, key);
    }

    private static Path pem(String file) {
        return folder.resolve(file + ".pem");
    }

    private static Fake serving(boolean asks) throws IOException {
        SSLServerSocket server = (SSLServerSocket) local.context().getServerSocketFactory()
            .createServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
        server.setNeedClientAuth(asks);
        return new Fake(server);
    }

    @Test void batchesAndAcksGoOverTlsWithACertificateThatTheServerAsksFor() throws Exception {
        try (Fake fake = serving(true)) {
            Fake.Pair pair = fake.pair(fake.config().tls(local));
            byte[] large = new byte[1 << 19];
            pair.client().send(large);
            pair.client().send(bytes("a"));
            assertEquals(large.length, pair.peer().batch().texts().get(0).length());
            assertEquals(List.of("a"), pair.peer().batch().texts());
            pair.peer().ack(2);
            pair.client().flush(LONG);
            CompletableFuture<Client> unknown = fake.connecting(fake.config().tls(new Tls().authorities(pem("local"))));
            try {
                fake.accept().greet(0);
            } catch (SSLException refused) {
                // As it should be: it has no certificate.
            }
            fails(Code.DISCONNECTED, unknown::join);
        }
    }

    @Test void certificatesAndNamesAreChecked() throws Exception {
        try (Fake fake = serving(false)) {
            Tls trusting = new Tls().authorities(pem("local"));
            // The JDK's authorities do not know it.
            refused(fake, new Tls(), "PKIX");
            refused(fake, trusting.name("other.example"), "other.example");
            refused(fake, trusting.name("127.0.0.2"), "127.0.0.2");
            identity("other", "DNS:localhost,IP:127.0.0.1");
            refused(fake, new Tls().authorities(pem("other")), "");
            for (Tls tls : List.of(trusting, trusting.name("feed.example"))) {
                Fake.Pair pair = fake.pair(fake.config().tls(tls));
                pair.client().send(bytes("a"));
                assertEquals(List.of("a"), pair.peer().batch().texts());
            }
        }
    }

    private static void refused(Fake fake, Tls tls, String words) throws Exception {
        CompletableFuture<Client> client = fake.connecting(fake.config().tls(tls));
        try {
            // No HELLO comes.
            assertEquals(null, fake.accept().read());
        } catch (SSLException alert) {
            // The client says that it does not believe the certificate.
        }
        TransportException why = Fake.failure(client::join);
        assertEquals(Code.DISCONNECTED, why.code());
        assertTrue(why.text().contains(words), why.text());
    }

    @Test void aServerThatDoesNotShakeHandsIsLeft() throws Exception {
        try (Fake fake = new Fake()) {
            Tls trusting = new Tls().authorities(pem("local"));
            fails(Code.DISCONNECTED, fake.connecting(fake.config().tls(trusting).connectTimeout(Duration.ofMillis(50)))::join);
        }
    }

    @Test void filesThatHoldNoCertificateOrKeyAreTold() throws Exception {
        Path empty = Files.writeString(folder.resolve("empty"), "nothing");
        for (Tls tls : List.of(
                new Tls().authorities(empty), new Tls().authorities(folder.resolve("none")), new Tls().identity(pem("local"), empty))) {
            fails(Code.MISUSED, () -> Client.connect(new ClientConfig("127.0.0.1", 1).tls(tls)));
        }
    }
}
