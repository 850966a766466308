package aldis.transport;

import static aldis.transport.Fake.LONG;
import static aldis.transport.Golden.bytes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The real server, killed and started again in the middle. */
@Timeout(180)
final class ErlangTest {
    @TempDir static Path folder;

    @BeforeAll static void compile() throws Exception {
        boolean has = Stream.of(System.getenv("PATH").split(":")).anyMatch(path -> Files.isExecutable(Path.of(path, "erlc")));
        assumeTrue(has, "there is no Erlang here");
        Path source = Golden.ROOT.resolve("runtime/erlang/src");
        Files.createDirectory(folder.resolve("ebin"));
        List<String> command = new ArrayList<>(List.of(
            "erlc", "-I", Golden.ROOT.resolve("runtime/erlang/include").toString(), "-o", folder.resolve("ebin").toString()));
        for (Path from : List.of(source, source.resolve("transport"), Golden.ROOT.resolve("torture"))) {
            try (Stream<Path> files = Files.list(from)) {
                files.map(Path::toString).filter(file -> file.endsWith(".erl")).forEach(command::add);
            }
        }
        command.add(Golden.ROOT.resolve("runtime/erlang/test/aldis_failing_files.erl").toString());
        assertEquals(0, new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(folder.resolve("said").toFile())
            .start().waitFor());
        Files.copy(source.resolve("aldis.app.src"), folder.resolve("ebin/aldis.app"));
    }

    /** A server with a durable log, once it listens. */
    private static Process server(int port) throws IOException {
        Process server = new ProcessBuilder(
            "erl", "-noshell", "-pa", folder.resolve("ebin").toString(), "-run", "torture_server", "main", String.valueOf(port),
            folder.resolve("log").toString(), folder.resolve("violations").toString()).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        BufferedReader said = server.inputReader(StandardCharsets.UTF_8);
        String line = said.readLine();
        while (line != null && !line.contains("listening")) line = said.readLine();
        assertNotNull(line, "the server ended");
        return server;
    }

    private static int freePort() throws IOException {
        try (ServerSocket holder = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return holder.getLocalPort();
        }
    }

    @Test void whatIsAckedAsDurableIsInTheLogOnceInOrderWhateverDies() throws Exception {
        int port = freePort();
        int total = 20_000;
        ClientConfig config = new ClientConfig("127.0.0.1", port).durability(Durability.DURABLE)
            .backoff(Duration.ofMillis(5), Duration.ofMillis(100)).batches(500, Duration.ofMillis(1));
        Random random = new Random(17);
        Process server = server(port);
        try (Client client = Client.connect(config)) {
            int dies = 2000;
            for (int i = 1; i <= total; i++) {
                client.send(bytes(String.valueOf(i)));
                if (i != dies) continue;
                // Somewhere between what is acked and what is sent.
                long until = i - random.nextInt(500);
                while (client.watermarks().acked() < until) Thread.sleep(1);
                server.destroyForcibly().waitFor();
                server = server(port);
                dies += 3000 + random.nextInt(3000);
            }
            client.flush(LONG);
            assertEquals(1, client.epoch());
            assertEquals(total, client.watermarks().acked());
            client.drain(LONG);
            assertEquals(State.OVER, client.state());
            assertEquals(IntStream.rangeClosed(1, total).mapToObj(String::valueOf).toList(), log(config, total));
        } finally {
            server.destroyForcibly().waitFor();
        }
        assertFalse(Files.exists(folder.resolve("violations")));
    }

    /** All that is in the log, and what would come behind it. */
    private static List<String> log(ClientConfig config, int total) throws InterruptedException {
        LinkedBlockingQueue<String> read = new LinkedBlockingQueue<>();
        List<String> log = new ArrayList<>();
        try (Client reader = Client.connect(config.producer(new byte[16], 1))) {
            reader.subscribe(new Subscription("log", push -> {
                assertEquals(0, push.gap());
                push.messages().forEach(message -> read.add(Golden.string(message)));
            }).from(1).credit(100));
            for (String next = read.poll(60, TimeUnit.SECONDS); next != null; ) {
                log.add(next);
                next = read.poll(log.size() < total ? 60_000 : 100, TimeUnit.MILLISECONDS);
            }
        }
        return log;
    }
}
