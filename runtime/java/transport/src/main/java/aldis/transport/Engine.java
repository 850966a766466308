package aldis.transport;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The threads of a client around its session: one that connects and writes, and one for each connection that reads. */
final class Engine {
    private static final byte[] NOTHING = {};

    final ReentrantLock lock = new ReentrantLock();
    /** Callers wait for acks, room and the end. */
    final Condition changed = lock.newCondition();
    /** The writer waits for work. */
    private final Condition work = lock.newCondition();
    final ClientConfig config;
    final Session session;
    final Connector connector;
    private final long origin = System.nanoTime();
    private final Thread writer = new Thread(this::live, "aldis-writer");
    private volatile Thread reader;
    /** The connection of now, to end it from elsewhere. */
    Connection connection;
    /** Why the connection of now ends. */
    private End end;
    /** Why the last connection ended, or the last attempt. */
    TransportException lost;
    /** Why there will be no other. */
    TransportException failure;
    boolean begun;
    boolean leaving;
    /** A connection has shaken hands since the last attempt. */
    private boolean wasUp;

    Engine(ClientConfig config) {
        this.config = config;
        config.onAsked = this::asked;
        connector = new Connector(config);
        session = new Session(config);
        writer.setDaemon(true);
    }

    void start() {
        writer.start();
    }

    long now() {
        return System.nanoTime() - origin;
    }

    /** With the lock: the writer has something to do. */
    void wake() {
        work.signal();
    }

    /** With the lock: ends whatever the threads are at. */
    void leave() {
        leaving = true;
        work.signalAll();
        changed.signalAll();
        connector.stop();
    }

    /** Whether a callback runs on this thread. One that waits would wait for itself. */
    boolean isOwn() {
        Thread own = Thread.currentThread();
        return own == writer || own == reader;
    }

    /** Connects, serves, and connects again until that cannot help or nobody wants it. */
    private void live() {
        long backoff = config.leastBackoff;
        try {
            while (true) {
                End ended = attempt();
                lock.lock();
                try {
                    if (wasUp) backoff = config.leastBackoff;
                    wasUp = false;
                } finally {
                    lock.unlock();
                }
                if (finished(ended)) return;
                pause(backoff / 2 + (long) (backoff * 0.5 * ThreadLocalRandom.current().nextDouble()));
                backoff = Math.min(2 * backoff, config.mostBackoff);
            }
        } catch (RuntimeException | Error fault) {
            failed(new TransportException(Code.CLOSED, "a callback failed: " + fault, fault));
            if (fault instanceof Error) throw fault;
        }
    }

    private void failed(TransportException why) {
        lock.lock();
        try {
            if (failure == null) failure = why;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private End attempt() {
        Connection made;
        try {
            made = connector.connect();
        } catch (End fault) {
            return fault;
        }
        try {
            return serve(made);
        } finally {
            made.close();
        }
    }

    /** Tells how the connection ended; whether there will be no other. */
    private boolean finished(End ended) {
        boolean over;
        TransportException why = ended.why;
        List<Runnable> events;
        lock.lock();
        try {
            boolean drained = session.isLeaving();
            over = ended.fatal || drained || leaving || !begun && connector.wasLast();
            if (drained) {
                why = new TransportException(Code.NORMAL, "drained");
            } else if (leaving) {
                why = new TransportException(Code.CLOSED, "the client is closed");
            }
            lost = ended.why;
            session.disconnected(over ? why : ended.why, over);
            events = session.takeEvents();
        } finally {
            lock.unlock();
        }
        try {
            tell(events);
        } finally {
            if (over) failed(why);
        }
        return over;
    }

    private void pause(long nanos) {
        lock.lock();
        try {
            long left = nanos;
            while (!leaving && left > 0) left = work.awaitNanos(left);
        } catch (InterruptedException nobodyDoesThat) {
            // The pause is over.
        } finally {
            lock.unlock();
        }
    }

    /** Writes until the connection is at its end, while another thread reads. */
    private End serve(Connection to) {
        lock.lock();
        try {
            end = null;
            connection = to;
            session.connected(now());
        } finally {
            lock.unlock();
        }
        watch(to);
        Thread reading = new Thread(() -> read(to), "aldis-reader");
        reading.setDaemon(true);
        reader = reading;
        reading.start();
        End ended = write(to);
        to.shutdown();
        joined(reading);
        lock.lock();
        try {
            connection = null;
        } finally {
            lock.unlock();
        }
        return ended;
    }

    private static void joined(Thread thread) {
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException nobodyDoesThat) {
                // The connection is at its end in any case.
            }
        }
    }

    /** Ends a connection of which the server reads nothing for long, as writes have no timeout. */
    private void watch(Connection to) {
        long patience = 2 * Math.max(config.pingAfter, 1);
        CompletableFuture.delayedExecutor(patience / 4 + 1, TimeUnit.NANOSECONDS).execute(() -> {
            lock.lock();
            try {
                if (connection != to) return;
            } finally {
                lock.unlock();
            }
            if (to.isStuck(patience)) to.close();
            else watch(to);
        });
    }

    /** The first end that was found, by whichever thread. */
    private End ending(End found) {
        lock.lock();
        try {
            if (end == null) end = found;
            work.signalAll();
            changed.signalAll();
            return end;
        } finally {
            lock.unlock();
        }
    }

    private End write(Connection to) {
        Bytes out = new Bytes(4096);
        try {
            while (true) {
                out.size = 0;
                Frame.Batch batch = nextWork(out);
                if (batch != null) {
                    (config.checksum ? batch.withChecksum() : batch).write(out);
                    to.write(out);
                    continue;
                }
                lock.lock();
                try {
                    out = session.takeControl(out);
                    changed.signalAll();
                } finally {
                    lock.unlock();
                }
                to.write(out);
            }
        } catch (End found) {
            return sayClose(to, ending(found));
        } catch (IOException fault) {
            return ending(End.lost("the connection is lost: " + fault.getMessage(), fault));
        }
    }

    /** Waits for what is to be written: a batch, or null where control frames are. */
    private Frame.Batch nextWork(Bytes out) throws End {
        while (true) {
            List<Runnable> events;
            lock.lock();
            try {
                if (end != null) throw end;
                if (leaving) throw new End(new TransportException(Code.NORMAL, ""), true, true);
                long now = now();
                session.tick(now);
                events = session.takeEvents();
                if (events.isEmpty()) {
                    if (session.hasControl()) return null;
                    Frame.Batch batch = session.next(now);
                    if (batch != null) return batch;
                    work.awaitNanos(session.nextTime() - now);
                }
            } catch (InterruptedException nobodyDoesThat) {
                continue;
            } finally {
                lock.unlock();
            }
            told(events);
        }
    }

    /** Says why this side goes. */
    private static End sayClose(Connection to, End found) {
        if (!found.tell) return found;
        Bytes last = new Bytes(64);
        new Frame.Close(found.why.number(), found.why.text()).write(last);
        try {
            to.write(last);
        } catch (IOException fault) {
            // The connection ends in any case.
        }
        return found;
    }

    private void read(Connection from) {
        End found;
        try {
            Inbox inbox = new Inbox();
            while (from.fill(inbox)) takeFrames(inbox);
            found = End.lost("the server closed the connection", null);
        } catch (End fault) {
            found = fault;
        } catch (IOException fault) {
            found = End.lost("the connection is lost: " + fault.getMessage(), fault);
        } catch (RuntimeException | Error fault) {
            found = End.fatal(Code.CLOSED, "the client's thread has ended: " + fault);
        }
        // Only what the writer has still to say keeps it from being stopped.
        if (!ending(found).tell) from.shutdown();
    }

    private void takeFrames(Inbox inbox) throws End {
        while (true) {
            Inbox.Raw raw;
            try {
                raw = inbox.next();
            } catch (TransportException fault) {
                throw End.broken(fault);
            }
            if (raw == null) return;
            List<Runnable> events;
            lock.lock();
            try {
                session.received(raw.kind(), raw.body(), now());
                if (session.isUp()) begun = wasUp = true;
                // Those of a frame that ends the connection are told with its end.
                events = session.takeEvents();
            } finally {
                changed.signalAll();
                work.signal();
                lock.unlock();
            }
            told(events);
            waitUntilAnswersAreRead();
        }
    }

    /** A server that does not read its answers asks no more. */
    private void waitUntilAnswersAreRead() {
        lock.lock();
        try {
            while (session.isBehind() && end == null) changed.awaitUninterruptibly();
        } finally {
            lock.unlock();
        }
    }

    /** Calls back, with no lock held. A callback that fails would fail again: it ends the client. */
    private static void told(List<Runnable> events) throws End {
        try {
            tell(events);
        } catch (RuntimeException | Error fault) {
            throw new End(new TransportException(Code.CLOSED, "a callback failed: " + fault, fault), true, true);
        }
    }

    private static void tell(List<Runnable> events) {
        events.forEach(Runnable::run);
    }

    private void asked(long correlation, byte[] bytes) {
        int code = Code.NORMAL.number();
        byte[] answer;
        try {
            if (config.onRequest == null) throw new TransportException(Code.UNSUPPORTED, "this client answers no requests");
            answer = config.onRequest.apply(bytes);
            if (answer == null) answer = NOTHING;
        } catch (TransportException fault) {
            // `normal` would be an answer, and what only this side knows has no number.
            code = fault.number() == 0 ? Code.HANDLER.number() : fault.number();
            answer = fault.text().getBytes(StandardCharsets.UTF_8);
        } catch (RuntimeException fault) {
            code = Code.HANDLER.number();
            answer = String.valueOf(fault.getMessage()).getBytes(StandardCharsets.UTF_8);
        }
        lock.lock();
        try {
            session.reply(correlation, code, answer);
            wake();
        } finally {
            lock.unlock();
        }
    }
}
