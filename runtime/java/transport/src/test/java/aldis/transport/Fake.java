package aldis.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.function.Executable;

/** A server in this process that does what a test says, frame by frame. */
final class Fake implements AutoCloseable {
    static final Duration LONG = Duration.ofSeconds(60);
    static final Window PLENTY = new Window(1_000_000, 100_000_000);

    private final ServerSocket server;
    private final List<Closeable> open = new ArrayList<>();

    Fake() throws IOException {
        this(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
    }

    Fake(ServerSocket server) throws IOException {
        this.server = server;
        server.setSoTimeout((int) LONG.toMillis());
    }

    int port() {
        return server.getLocalPort();
    }

    /** The settings of a test's client, which is patient with nothing. */
    ClientConfig config() {
        return new ClientConfig("127.0.0.1", port()).backoff(Duration.ofMillis(1), Duration.ofMillis(10));
    }

    Peer accept() throws IOException {
        Peer peer = new Peer(server.accept());
        synchronized (open) {
            open.add(peer.socket);
        }
        return peer;
    }

    CompletableFuture<Client> connecting(ClientConfig config) {
        return CompletableFuture.supplyAsync(() -> {
            Client client = Client.connect(config);
            synchronized (open) {
                open.add(client::close);
            }
            return client;
        }, run -> {
            Thread thread = new Thread(run);
            thread.setDaemon(true);
            thread.start();
        });
    }

    /** A client that has shaken hands. */
    record Pair(Client client, Peer peer) {}

    Pair pair(ClientConfig config) throws IOException {
        return pair(config, welcome -> welcome);
    }

    Pair pair(ClientConfig config, UnaryOperator<Frame.Welcome> welcome) throws IOException {
        CompletableFuture<Client> client = connecting(config);
        Peer peer = accept();
        peer.greet(0, welcome);
        return new Pair(client.join(), peer);
    }

    /** Nobody listens any more, and that connection is lost. */
    void stop(Peer peer) throws IOException {
        server.close();
        peer.socket.close();
    }

    @Override public void close() throws IOException {
        server.close();
        synchronized (open) {
            for (Closeable one : open) one.close();
        }
    }

    /** The failure that a future or a call has. */
    static TransportException failure(Executable run) {
        Throwable fault = assertThrows(RuntimeException.class, run);
        return assertInstanceOf(TransportException.class, fault instanceof CompletionException ? fault.getCause() : fault);
    }

    static void fails(Code code, Executable run) {
        assertEquals(code, failure(run).code());
    }

    static void fails(String message, Executable run) {
        assertEquals(message, failure(run).getMessage());
    }

    /** The server's end of a connection. */
    static final class Peer {
        final Socket socket;
        private final Inbox inbox = new Inbox();

        Peer(Socket socket) throws IOException {
            this.socket = socket;
            socket.setSoTimeout((int) LONG.toMillis());
            socket.setTcpNoDelay(true);
        }

        /** The next frame; null when the connection has ended. */
        Frame read() throws IOException {
            while (true) {
                Inbox.Raw raw = inbox.next();
                if (raw != null) return Frame.read(raw.kind(), ByteBuffer.wrap(Fields.copy(raw.body())), false);
                try {
                    if (!inbox.fill(socket.getInputStream())) return null;
                } catch (SocketException reset) {
                    return null;
                }
            }
        }

        <T extends Frame> T read(Class<T> kind) throws IOException {
            return assertInstanceOf(kind, read());
        }

        int closeCode() throws IOException {
            return read(Frame.Close.class).code();
        }

        /** First sequence and texts of a batch whose checksum is right; a slow test may be asked before it. */
        record Texts(long first, List<String> texts) {}

        Texts batch() throws IOException {
            Frame frame = read();
            for (; frame instanceof Frame.Ping ping; frame = read()) send(new Frame.Pong(ping.opaque()));
            Frame.Batch batch = assertInstanceOf(Frame.Batch.class, frame);
            assertEquals(batch.checksum(), batch.crc());
            List<byte[]> entries = Entries.of(batch.entries(), batch.count(), 0);
            return new Texts(batch.first(), entries.stream().map(Golden::string).toList());
        }

        void send(Frame frame) throws IOException {
            Bytes out = new Bytes(64);
            frame.write(out);
            socket.getOutputStream().write(out.array, 0, out.size);
        }

        /** HELLO comes, WELCOME goes. */
        Frame.Hello greet(long last) throws IOException {
            return greet(last, welcome -> welcome);
        }

        Frame.Hello greet(long last, UnaryOperator<Frame.Welcome> change) throws IOException {
            Frame.Hello hello = read(Frame.Hello.class);
            send(change.apply(new Frame.Welcome(1, hello.features(), 1, last, PLENTY, 1 << 20, hello.durability())));
            return hello;
        }

        void ack(long upto) throws IOException {
            send(new Frame.Ack(upto, upto, upto, 0, PLENTY));
        }

        /** Ends the connection by RST. */
        void reset() throws IOException {
            socket.setSoLinger(true, 0);
            socket.close();
        }
    }
}
