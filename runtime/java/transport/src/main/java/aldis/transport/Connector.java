package aldis.transport;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/** The servers of a client, which are tried in turn. */
final class Connector {
    private final ClientConfig config;
    private final SSLContext tls;
    /** The number of attempts, whose server is tried first the next time. */
    private int attempts;
    /** What is being connected, to end it from elsewhere. */
    private volatile Socket attempt;
    private volatile boolean stopped;

    /** Throws {@code misused} with what is wrong with the options of TLS. */
    Connector(ClientConfig config) {
        this.config = config;
        tls = config.tls == null ? null : config.tls.context();
    }

    /** Tries each server once. Throws what the last one said. */
    Connection connect() throws End {
        End last = null;
        for (int i = 0; i < config.addresses.size() && !stopped; i++) {
            ClientConfig.Address address = config.addresses.get(attempts++ % config.addresses.size());
            try {
                return connect(address);
            } catch (IOException fault) {
                String said = fault.getMessage() == null ? fault.toString() : fault.getMessage();
                last = End.lost(address + ": " + said, fault);
            }
        }
        throw last != null ? last : End.lost("the client is closed", null);
    }

    /** Whether all servers have been tried. */
    boolean wasLast() {
        return attempts >= config.addresses.size();
    }

    /** Ends an attempt that is under way, and makes no other. */
    void stop() {
        stopped = true;
        Socket socket = attempt;
        if (socket != null) Connection.closed(socket);
    }

    /** Tries all addresses of the host. */
    private Connection connect(ClientConfig.Address server) throws IOException {
        IOException last = null;
        for (InetAddress address : InetAddress.getAllByName(server.host())) {
            try {
                return connect(server.host(), new InetSocketAddress(address, server.port()));
            } catch (IOException fault) {
                last = fault;
            }
        }
        throw last;
    }

    private Connection connect(String host, InetSocketAddress address) throws IOException {
        Socket tcp = new Socket();
        attempt = tcp;
        AtomicBoolean done = new AtomicBoolean();
        try {
            if (stopped) throw new IOException("the client is closed");
            // The handshake of TLS has no timeout of its own.
            CompletableFuture.delayedExecutor(config.connectTimeout, TimeUnit.NANOSECONDS).execute(() -> {
                if (!done.get()) Connection.closed(tcp);
            });
            tcp.connect(address, (int) Math.min(Math.max(config.connectTimeout / 1_000_000, 1), Integer.MAX_VALUE));
            tcp.setTcpNoDelay(true);
            Connection made = new Connection(tcp, tls == null ? tcp : secured(tcp, host, address.getPort()));
            done.set(true);
            return made;
        } catch (IOException fault) {
            Connection.closed(tcp);
            throw fault;
        } finally {
            attempt = null;
        }
    }

    private SSLSocket secured(Socket tcp, String host, int port) throws IOException {
        String name = config.tls.name == null ? host : config.tls.name;
        SSLSocket socket = (SSLSocket) tls.getSocketFactory().createSocket(tcp, name, port, true);
        SSLParameters parameters = socket.getSSLParameters();
        // The rules of HTTPS are those by which a name is found in a certificate; without them none is looked for.
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        parameters.setProtocols(new String[] {"TLSv1.3", "TLSv1.2"});
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        return socket;
    }
}
