package aldis.transport;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Bytes that grow at their end, with the fields of frames. */
final class Bytes {
    byte[] array;
    int size;

    Bytes(int room) {
        array = new byte[room];
    }

    private int room(int more) {
        int at = size;
        if (array.length - at < more) {
            array = Arrays.copyOf(array, Math.max(Math.addExact(at, more), (int) Math.min(2L * array.length, Integer.MAX_VALUE - 8)));
        }
        size = at + more;
        return at;
    }

    void u8(int value) {
        // The room is made before the array is looked at, which it may replace.
        int at = room(1);
        array[at] = (byte) value;
    }

    private void little(long value, int width) {
        int at = room(width);
        for (int i = 0; i < width; i++) array[at + i] = (byte) (value >>> 8 * i);
    }

    void u16(int value) {
        little(value, 2);
    }

    void u32(long value) {
        little(value, 4);
    }

    void u64(long value) {
        little(value, 8);
    }

    void put(byte[] bytes, int at, int count) {
        int to = room(count);
        System.arraycopy(bytes, at, array, to, count);
    }

    void put(ByteBuffer bytes) {
        int to = room(bytes.remaining());
        bytes.duplicate().get(array, to, bytes.remaining());
    }

    void window(Window window) {
        u32(window.messages());
        u32(window.bytes());
    }

    /** As much of the text as its field takes, ending between characters. */
    void text(String text) {
        byte[] all = text.getBytes(StandardCharsets.UTF_8);
        int end = Math.min(all.length, Fields.MAX_TEXT);
        while (end < all.length && (all[end] & 0xC0) == 0x80) end--;
        u16(end);
        put(all, 0, end);
    }

    /** Writes the length of the frame that begins at that place, where so many bytes follow that belong to it. */
    void endFrame(int begin, int following) {
        int length = size - begin - Frame.LENGTH + following;
        for (int i = 0; i < Frame.LENGTH; i++) array[begin + i] = (byte) (length >>> 8 * i);
    }
}
