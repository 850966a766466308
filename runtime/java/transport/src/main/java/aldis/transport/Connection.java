package aldis.transport;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;

/** A connected stream that one thread reads and another writes: TCP, or TLS over it. */
final class Connection {
    private final Socket tcp;
    private final InputStream in;
    private final OutputStream out;
    /** Since when the writer is within one write, by System.nanoTime; 0: it is in none. */
    private volatile long writingSince;

    /** Talks through {@code socket}, which is the plain one or is layered over it. */
    Connection(Socket tcp, Socket socket) throws IOException {
        this.tcp = tcp;
        in = socket.getInputStream();
        out = socket.getOutputStream();
    }

    boolean fill(Inbox inbox) throws IOException {
        return inbox.fill(in);
    }

    void write(Bytes bytes) throws IOException {
        writingSince = System.nanoTime() | 1;
        out.write(bytes.array, 0, bytes.size);
        out.flush();
        writingSince = 0;
    }

    /** Whether a write has taken so long already. */
    boolean isStuck(long nanos) {
        long since = writingSince;
        return since != 0 && System.nanoTime() - since >= nanos;
    }

    /** Ends both directions, so that whoever reads or writes goes on. */
    void shutdown() {
        try {
            tcp.shutdownOutput();
            tcp.shutdownInput();
        } catch (IOException alreadyGone) {
            // It needs no end.
        }
    }

    void close() {
        closed(tcp);
    }

    static void closed(Socket socket) {
        try {
            socket.close();
        } catch (IOException alreadyGone) {
            // It needs no end.
        }
    }
}
