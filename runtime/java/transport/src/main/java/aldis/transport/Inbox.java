package aldis.transport;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Bytes from a stream to whole frames. */
final class Inbox {
    private static final int INITIAL = 64 << 10;
    /** The longest frame that is believed, in bytes. */
    private static final int MAX_LENGTH = 64 << 20;

    private byte[] buffer = new byte[INITIAL];
    private int begin;
    private int end;

    /** The kind and the body of a frame; the body is the inbox's until bytes are added. */
    record Raw(int kind, ByteBuffer body) {}

    /** Adds what comes next; false at the end of the stream. Memory grows with what has come, not with what a length claims. */
    boolean fill(InputStream from) throws IOException {
        System.arraycopy(buffer, begin, buffer, 0, end - begin);
        end -= begin;
        begin = 0;
        if (end == buffer.length) buffer = Arrays.copyOf(buffer, 2 * end);
        int size = from.read(buffer, end, buffer.length - end);
        if (size < 0) return false;
        end += size;
        return true;
    }

    /** The next whole frame; null when more must come first. Throws for a length that cannot be. */
    Raw next() {
        if (end - begin < Frame.LENGTH) return null;
        long length = 0;
        for (int i = 0; i < Frame.LENGTH; i++) length |= (buffer[begin + i] & 0xFFL) << 8 * i;
        if (length == 0) throw new TransportException(Code.PROTOCOL, "a frame without a kind came");
        if (length > MAX_LENGTH) throw new TransportException(Code.FRAME_TOO_LARGE, "a frame of " + length + " bytes came");
        int at = begin + Frame.LENGTH;
        if (end - at < length) return null;
        begin = at + (int) length;
        return new Raw(buffer[at] & 0xFF, ByteBuffer.wrap(buffer, at + 1, (int) length - 1));
    }
}
