package aldis.codec;

import aldis.Code;
import aldis.CodecException;
import java.util.ArrayList;
import java.util.List;

/** A run of bytes as faults and charges see it: its rows, and what those are charged beside their bytes. */
public final class Cut {
    private final long[] extras;
    private final Row[] rows;

    /** Extras are pairs of an end and the sum of all that lies before it. */
    public Cut(long[] extras, Row... rows) {
        this.extras = extras;
        this.rows = rows;
    }

    /** The rows of parts, one behind the other. */
    public static Row[] rows(Row[]... parts) {
        List<Row> rows = new ArrayList<>();
        for (Row[] part : parts) rows.addAll(List.of(part));
        return rows.toArray(new Row[0]);
    }

    /** A value in a run, or a record of some. */
    public static final class Row {
        final int at;
        final int end;
        final int since;
        final int reach;
        final String name;
        final Row[] members;

        public Row(int at, int end, int since, int reach, String name, Row... members) {
            this.at = at;
            this.end = end;
            this.since = since;
            this.reach = reach;
            this.name = name;
            this.members = members;
        }
    }

    /** The charge for a run of so many bytes, beside the bytes themselves. */
    public long extraWithin(long extent) {
        int last = extras.length - 2;
        while (last >= 0 && extras[last] > extent) last -= 2;
        return last < 0 ? 0 : extras[last + 1];
    }

    /** A head of which only so many bytes are there. */
    CodecException head(In f, int at) {
        int left = f.end - at;
        for (Row row : rows) {
            if (row.end <= left) continue;
            CodecException fault = f.fail(Code.TRUNCATED, at + Math.min(row.at, left));
            return row.name == null ? fault : fault.within(row.name);
        }
        return f.fail(Code.TRUNCATED, at + left);
    }

    /** A run of so many bytes, not all of which are there: the fault is in the first row that should be, and is not. */
    CodecException run(In f, int at, long extent, long version) {
        int left = f.end - at;
        List<String> path = new ArrayList<>();
        int found = first(rows, left, extent, version, path);
        CodecException fault = f.fail(Code.TRUNCATED, at + Math.min(found < 0 ? left : found, left));
        for (int i = path.size() - 1; i >= 0; i--) fault = fault.within(path.get(i));
        return fault;
    }

    private static int first(Row[] rows, int left, long extent, long version, List<String> path) {
        for (Row row : rows) {
            boolean there = row.since <= version && (extent < 0 || row.reach <= extent);
            if (!there || row.end <= left) continue;
            if (row.name != null) path.add(row.name);
            int inner = first(row.members, left, extent, version, path);
            return inner < 0 ? row.at : inner;
        }
        return -1;
    }

    /** The charge of a record for the fields that its bytes end before: pairs of an end, or a version, and a cost. */
    public static final class Lacks {
        private final long[] block;
        private final long[] pointers;
        private final long[] parts;
        /** From these on nothing lacks. */
        private final long wholeBlock;
        private final long wholePointers;
        private final long wholeParts;

        public Lacks(long[] block, long[] pointers, long[] parts) {
            this.block = block;
            this.pointers = pointers;
            this.parts = parts;
            wholeBlock = last(block);
            wholePointers = last(pointers);
            wholeParts = last(parts);
        }

        private static long last(long[] rows) {
            long last = 0;
            for (int i = 0; i < rows.length; i += 2) last = Math.max(last, rows[i]);
            return last;
        }

        public long within(long bytes, long pointerBytes, long version) {
            boolean isWhole = bytes >= wholeBlock && pointerBytes >= wholePointers && version >= wholeParts;
            return isWhole ? 0 : lacking(bytes, pointerBytes, version);
        }

        private long lacking(long bytes, long pointerBytes, long version) {
            return beyond(block, bytes) + beyond(pointers, pointerBytes) + beyond(parts, version);
        }

        private static long beyond(long[] rows, long there) {
            long sum = 0;
            for (int i = 0; i < rows.length; i += 2) if (there >= 0 && rows[i] > there) sum += rows[i + 1];
            return sum;
        }
    }
}
