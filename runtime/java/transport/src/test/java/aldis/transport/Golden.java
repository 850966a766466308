package aldis.transport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;

/** Files of the repository, and bytes. */
final class Golden {
    static final Path ROOT = Path.of("").toAbsolutePath().resolve("../../..").normalize();

    private Golden() {}

    static String text(String path) {
        try {
            return Files.readString(ROOT.resolve(path));
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
    }

    /** Hexadecimal bytes; what follows {@code #} in a line is said to people. */
    static byte[] hex(String path) {
        return HexFormat.of().parseHex(text("conformance/vectors/transport/" + path).replaceAll("#.*", "").replaceAll("\\s", ""));
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static String string(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
