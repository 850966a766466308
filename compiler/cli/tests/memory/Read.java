import aldis.CodecException;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads one message and prints its verdict. */
public final class Read {
    private Read() {}

    public static void main(String[] args) throws Exception {
        String name = switch (args[2]) {
            case "decode" -> "decode";
            case "final" -> "decodeFinal";
            default -> "fromJson";
        };
        var method = Class.forName(args[0] + "." + args[1]).getMethod(name, byte[].class);
        byte[] bytes = Files.readAllBytes(Path.of(args[3]));
        String verdict = "ok";
        try {
            method.invoke(null, (Object) bytes);
        } catch (InvocationTargetException thrown) {
            if (!(thrown.getCause() instanceof CodecException fault)) {
                throw thrown;
            }
            verdict = fault.code().wire();
        }
        System.out.print(verdict);
    }
}
