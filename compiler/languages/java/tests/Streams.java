import addressbook.Person;
import aldis.stream.FrameReceiver;
import aldis.stream.FrameSender;
import aldis.stream.Framing;
import aldis.stream.StreamException;
import default_.Values;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Messages in streams of every framing, in chunks of every size; and what is wrong with streams. */
public final class Streams {
    public static void main(String[] args) {
        byte[] fbe = new Values().text("a text").encode();
        byte[] other = new Values().encode();
        Person person = new Person().id(7).name("Ada").email("ada@example.com");
        Framing[] prefixes = {Framing.U16LE, Framing.U16BE, Framing.U32LE, Framing.U32BE, Framing.SOFH, Framing.SOFH_BE};
        for (Framing framing : prefixes) all(framing, new byte[] {1, 2, 3}, new byte[0], fbe);
        all(Framing.FBE, fbe, other);
        all(Framing.FBE_BUFFER, fbe, other, fbe);
        all(Framing.length(0, 32, false, 8), fbe, other);
        all(Framing.CAPNP, person.encode(), new Person().encode());
        all(Framing.CAPNP_PACKED, person.encodePacked(), new Person().encodePacked(), person.encodePacked());
        faults(fbe);
        handlers();
        System.out.println("done");
    }

    private static void check(boolean holds, String what) {
        if (!holds) throw new AssertionError(what);
    }

    private static void all(Framing framing, byte[]... messages) {
        FrameSender sender = new FrameSender(framing);
        for (byte[] message : messages) sender.send(message);
        byte[] stream = sender.take();
        for (int chunk = 1; chunk <= stream.length; chunk++) {
            FrameReceiver receiver = new FrameReceiver(framing);
            List<byte[]> seen = new ArrayList<>();
            for (int at = 0; at < stream.length; at += chunk) {
                int size = Math.min(chunk, stream.length - at);
                receiver.feed(stream, at, size, (b, from, length) -> seen.add(Arrays.copyOfRange(b, from, from + length)));
            }
            receiver.finish();
            check(seen.size() == messages.length, seen.size() + " messages in chunks of " + chunk);
            for (int i = 0; i < messages.length; i++) check(Arrays.equals(seen.get(i), messages[i]), "message " + i);
        }
    }

    private static void refused(String what, StreamException.Code code, Framing framing, int most, int... bytes) {
        byte[] stream = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) stream[i] = (byte) bytes[i];
        FrameReceiver receiver = new FrameReceiver(framing, most);
        for (int again = 0; again < 2; again++) {
            try {
                receiver.feed(stream, 0, stream.length, (b, from, length) -> {});
                receiver.finish();
                throw new AssertionError(what);
            } catch (StreamException fault) {
                check(fault.code() == code && fault.offset() == 0, what + ": " + fault.getMessage());
            }
        }
    }

    private static void badRoot(String what, long offset, Runnable wrong) {
        try {
            wrong.run();
        } catch (StreamException fault) {
            check(fault.code() == StreamException.Code.BAD_ROOT && fault.offset() == offset, what + ": " + fault.getMessage());
            return;
        }
        throw new AssertionError(what);
    }

    private static void faults(byte[] fbe) {
        refused("a frame beyond the limit", StreamException.Code.FRAME_TOO_LARGE, Framing.U32LE, 100, 200, 0, 0, 0);
        refused("a length of 4 GiB", StreamException.Code.FRAME_TOO_LARGE, Framing.U32BE, 1 << 20, 255, 255, 255, 255);
        refused("less than a head", StreamException.Code.FRAME_TOO_SMALL, Framing.FBE, 100, 3, 0, 0, 0);
        refused("the end within a frame", StreamException.Code.CUT, Framing.U16LE, 100, 3, 0, 1);
        refused("segments", StreamException.Code.TOO_MANY_SEGMENTS, Framing.CAPNP, 100, 255, 1, 0, 0);
        refused("a table's words", StreamException.Code.FRAME_TOO_LARGE, Framing.CAPNP, 100, 0, 0, 0, 0, 0, 1, 0, 0);
        refused("a run beyond the table", StreamException.Code.BAD_PACKING, Framing.CAPNP_PACKED, 100, 0, 3);
        FrameReceiver receiver = new FrameReceiver(Framing.FBE_BUFFER);
        receiver.feed(fbe, 0, fbe.length, (b, from, length) -> {});
        badRoot("a root before its message", fbe.length, () -> receiver.feed(fbe, 0, fbe.length, (b, from, length) -> {}));
        FrameSender sender = new FrameSender(Framing.FBE_BUFFER);
        sender.send(fbe);
        byte[] far = fbe.clone();
        Arrays.fill(far, 4, 8, (byte) 0xff);
        badRoot("a root beyond 4 GiB", fbe.length, () -> sender.send(far));
        check(sender.take().length == fbe.length, "a message that cannot be sent adds nothing");
        try {
            new FrameSender(Framing.U16LE).send(new byte[70000]);
            throw new AssertionError("70,000 bytes behind 16 bits");
        } catch (StreamException fault) {
            check(fault.code() == StreamException.Code.FRAME_TOO_LARGE && fault.bound() == 65535, fault.getMessage());
        }
    }

    /** A handler that throws loses its own message alone. */
    private static void handlers() {
        FrameSender sender = new FrameSender(Framing.U16LE);
        for (int i = 0; i < 4; i++) sender.send(new byte[] {(byte) i});
        byte[] stream = sender.take();
        FrameReceiver receiver = new FrameReceiver(Framing.U16LE);
        List<Integer> seen = new ArrayList<>();
        for (int turn = 0; turn < 3; turn++) {
            try {
                receiver.feed(stream, 0, turn == 0 ? stream.length : 0, (b, from, length) -> {
                    if (b[from] < 2 && seen.add(-b[from] - 1)) throw new IllegalStateException();
                    seen.add((int) b[from]);
                });
            } catch (IllegalStateException expected) {
                check(turn < 2, "two handlers throw");
            }
        }
        receiver.finish();
        check(seen.equals(List.of(-1, -2, 2, 3)), seen.toString());
    }
}
