package aldis.transport;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/**
 * The frames of aldis/1, read and written (docs/protocol.md). Their bytes are a part of what they were read from. A u64 is a long with
 * the same bits.
 */
sealed interface Frame {
    /** Bytes of the length that each frame begins with. */
    int LENGTH = 4;
    int VERSION = 1;
    /** A server takes a HELLO of 4 KiB; so many bytes of it are for auth's method and data together. */
    int MAX_AUTH = 4096 - 43;

    int NO_CHECKSUM = 1;
    int SCHEMA = 4;
    int PUSH = 8;

    int kind();

    void writeBody(Bytes out);

    /** Appends the whole frame, its length first. */
    default void write(Bytes out) {
        int begin = out.size;
        out.u32(0);
        out.u8(kind());
        writeBody(out);
        out.endFrame(begin, 0);
    }

    record Hello(
            int version, long features, ByteBuffer producer, int epoch, ByteBuffer authMethod, ByteBuffer authData,
            Durability durability, Window window) implements Frame {
        @Override public int kind() {
            return 0x01;
        }

        @Override public void writeBody(Bytes out) {
            Fields.writeMagic(out);
            out.u8(version);
            out.u32(features);
            out.put(producer);
            out.u32(epoch);
            out.u8(authMethod.remaining());
            out.put(authMethod);
            out.u16(authData.remaining());
            out.put(authData);
            out.u8(durability.ordinal());
            out.window(window);
        }
    }

    record Welcome(int version, long features, long session, long last, Window credit, long maxFrame, Durability durability)
            implements Frame {
        @Override public int kind() {
            return 0x02;
        }

        @Override public void writeBody(Bytes out) {
            out.u8(version);
            out.u32(features);
            out.u64(session);
            out.u64(last);
            out.window(credit);
            out.u32(maxFrame);
            out.u8(durability.ordinal());
        }
    }

    /** The schema and the template of a batch's entries. */
    record SchemaId(int schema, int template) {}

    /** Whether {@code entries} are {@code count} entries, and whether {@code crc} is right, is not looked at when it is read. */
    record Batch(long first, long count, int crc, SchemaId schema, ByteBuffer entries) implements Frame {
        @Override public int kind() {
            return 0x03;
        }

        @Override public void writeBody(Bytes out) {
            out.u64(first);
            out.u32(count);
            out.u32(crc);
            if (schema != null) {
                out.u32(schema.schema);
                out.u32(schema.template);
            }
            out.put(entries);
        }

        /** The checksum that belongs into {@code crc}: over first, count and all that follows the checksum in the frame. */
        int checksum() {
            Bytes head = new Bytes(20);
            head.u64(first);
            head.u32(count);
            if (schema != null) {
                head.u32(schema.schema);
                head.u32(schema.template);
            }
            CRC32 crc32 = new CRC32();
            crc32.update(head.array, 0, head.size);
            crc32.update(entries.duplicate());
            return (int) crc32.getValue();
        }

        Batch withChecksum() {
            return new Batch(first, count, checksum(), schema, entries);
        }
    }

    record Ack(long received, long handled, long durable, long duplicates, Window credit) implements Frame {
        @Override public int kind() {
            return 0x04;
        }

        @Override public void writeBody(Bytes out) {
            out.u64(received);
            out.u64(handled);
            out.u64(durable);
            out.u64(duplicates);
            out.window(credit);
        }
    }

    record Nack(long expected, int code, String text) implements Frame {
        @Override public int kind() {
            return 0x05;
        }

        @Override public void writeBody(Bytes out) {
            out.u64(expected);
            out.u16(code);
            out.text(text);
        }
    }

    record Request(long correlation, long deadline, ByteBuffer bytes) implements Frame {
        @Override public int kind() {
            return 0x06;
        }

        @Override public void writeBody(Bytes out) {
            out.u64(correlation);
            out.u32(deadline);
            out.put(bytes);
        }
    }

    record Reply(long correlation, int code, ByteBuffer bytes) implements Frame {
        @Override public int kind() {
            return 0x07;
        }

        @Override public void writeBody(Bytes out) {
            out.u64(correlation);
            out.u32(code);
            out.put(bytes);
        }
    }

    record Pushed(int subscription, long first, long count, ByteBuffer entries) implements Frame {
        @Override public int kind() {
            return 0x08;
        }

        @Override public void writeBody(Bytes out) {
            out.u32(subscription);
            out.u64(first);
            out.u32(count);
            out.put(entries);
        }
    }

    record Ping(long opaque) implements Frame {
        @Override public int kind() {
            return 0x09;
        }

        @Override public void writeBody(Bytes out) {
            out.u64(opaque);
        }
    }

    record Pong(long opaque) implements Frame {
        @Override public int kind() {
            return 0x0A;
        }

        @Override public void writeBody(Bytes out) {
            out.u64(opaque);
        }
    }

    record Drain(long milliseconds) implements Frame {
        @Override public int kind() {
            return 0x0B;
        }

        @Override public void writeBody(Bytes out) {
            out.u32(milliseconds);
        }
    }

    record Close(int code, String text) implements Frame {
        @Override public int kind() {
            return 0x0C;
        }

        @Override public void writeBody(Bytes out) {
            out.u16(code);
            out.text(text);
        }
    }

    record Subscribe(int subscription, long from, long credit, String topic) implements Frame {
        @Override public int kind() {
            return 0x0D;
        }

        @Override public void writeBody(Bytes out) {
            out.u32(subscription);
            out.u64(from);
            out.u32(credit);
            out.text(topic);
        }
    }

    record Unsubscribe(int subscription, int code, String text) implements Frame {
        @Override public int kind() {
            return 0x0E;
        }

        @Override public void writeBody(Bytes out) {
            out.u32(subscription);
            out.u16(code);
            out.text(text);
        }
    }

    record Credit(int subscription, long consumed, long credit) implements Frame {
        @Override public int kind() {
            return 0x0F;
        }

        @Override public void writeBody(Bytes out) {
            out.u32(subscription);
            out.u64(consumed);
            out.u32(credit);
        }
    }

    /** A kind with the top bit set that this version does not know: to be skipped. */
    record Unknown(int kind, ByteBuffer body) implements Frame {
        @Override public void writeBody(Bytes out) {
            out.put(body);
        }
    }

    /**
     * Reads a frame from its kind and its body; with the feature SCHEMA batches say theirs. Throws {@code protocol} for a kind that is
     * not known and must not be skipped, and for a body that is no such frame's.
     */
    static Frame read(int kind, ByteBuffer body, boolean schema) {
        Fields from = new Fields(body);
        Frame frame = read(kind, from, schema);
        if (from.isExact()) return frame;
        String text = "a frame of kind " + kind + " cannot have this body of " + body.remaining() + " bytes";
        throw new TransportException(Code.PROTOCOL, text);
    }

    private static Frame read(int kind, Fields from, boolean schema) {
        return switch (kind) {
            case 0x01 -> readHello(from);
            case 0x02 -> new Welcome(
                from.u8(), from.u32(), from.u64(), from.u64(), from.window(), from.u32(), from.durability());
            case 0x03 -> new Batch(
                from.u64(), from.u32(), from.i32(), schema ? new SchemaId(from.i32(), from.i32()) : null, from.rest());
            case 0x04 -> new Ack(from.u64(), from.u64(), from.u64(), from.u64(), from.window());
            case 0x05 -> new Nack(from.u64(), from.u16(), from.text());
            case 0x06 -> new Request(from.u64(), from.u32(), from.rest());
            case 0x07 -> new Reply(from.u64(), from.i32(), from.rest());
            case 0x08 -> new Pushed(from.i32(), from.u64(), from.u32(), from.rest());
            case 0x09 -> new Ping(from.u64());
            case 0x0A -> new Pong(from.u64());
            case 0x0B -> new Drain(from.u32());
            case 0x0C -> new Close(from.u16(), from.text());
            case 0x0D -> new Subscribe(from.i32(), from.u64(), from.u32(), from.text());
            case 0x0E -> new Unsubscribe(from.i32(), from.u16(), from.text());
            case 0x0F -> new Credit(from.i32(), from.u64(), from.u32());
            default -> {
                if (kind < 0x80) throw new TransportException(Code.PROTOCOL, "there is no frame of kind " + kind);
                yield new Unknown(kind, from.rest());
            }
        };
    }

    private static Hello readHello(Fields from) {
        from.magic();
        return new Hello(
            from.u8(), from.u32(), from.bytes(16), from.i32(), from.bytes(from.u8()), from.bytes(from.u16()),
            from.durability(), from.window());
    }
}
