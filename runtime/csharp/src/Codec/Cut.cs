#nullable enable
using System;
using System.Collections.Generic;

namespace Aldis.Codec
{
    /// <summary>A run of bytes as faults and charges see it: its rows, and what those are charged beside their bytes.</summary>
    public sealed class Cut
    {
        private readonly long[] extras;
        private readonly Row[] rows;

        /// <summary>Extras are pairs of an end and the sum of all that lies before it.</summary>
        public Cut(long[] extras, params Row[] rows)
        {
            this.extras = extras;
            this.rows = rows;
        }

        /// <summary>A value in a run, or a record of some.</summary>
        public sealed class Row
        {
            internal readonly int At;
            internal readonly int End;
            internal readonly int Since;
            internal readonly int Reach;
            internal readonly string? Name;
            internal readonly Row[] Members;

            public Row(int at, int end, int since, int reach, string? name, params Row[] members)
            {
                At = at;
                End = end;
                Since = since;
                Reach = reach;
                Name = name;
                Members = members;
            }
        }

        /// <summary>The charge of what lies within so many bytes, beside them.</summary>
        public long ExtraWithin(long extent)
        {
            int last = extras.Length - 2;
            while (last >= 0 && extras[last] > extent) last -= 2;
            return last < 0 ? 0 : extras[last + 1];
        }

        // The fault of a head of which only so many bytes are there.
        internal CodecException Head(int left, int at)
        {
            foreach (Row row in rows)
            {
                if (row.End <= left) continue;
                var fault = new CodecException(Code.Truncated, at + Math.Min(row.At, left), "");
                if (row.Name != null) fault.Within(row.Name);
                return fault;
            }
            return new CodecException(Code.Truncated, at + left, "");
        }

        // The fault of a run of so many bytes, not all of which are there: it is in the first row that should be, and is not.
        internal CodecException Run(int left, int at, long extent, long version)
        {
            var path = new List<string>();
            int found = First(rows, left, extent, version, path);
            var fault = new CodecException(Code.Truncated, at + Math.Min(found < 0 ? left : found, left), "");
            for (int i = path.Count - 1; i >= 0; i--) fault.Within(path[i]);
            return fault;
        }

        private static int First(Row[] rows, int left, long extent, long version, List<string> path)
        {
            foreach (Row row in rows)
            {
                bool there = row.Since <= version && (extent < 0 || row.Reach <= extent);
                if (!there || row.End <= left) continue;
                if (row.Name != null) path.Add(row.Name);
                int inner = First(row.Members, left, extent, version, path);
                return inner < 0 ? row.At : inner;
            }
            return -1;
        }

        /// <summary>The charge of a record for the fields that its bytes end before: pairs of an end, or a version, and a cost.</summary>
        public sealed class Lacks
        {
            private readonly long[] block;
            private readonly long[] pointers;
            private readonly long[] parts;

            // A record with as many bytes lacks nothing, where only its block may be short.
            private readonly long whole;

            public Lacks(long[] block, long[] pointers, long[] parts)
            {
                this.block = block;
                this.pointers = pointers;
                this.parts = parts;
                whole = pointers.Length > 0 || parts.Length > 0 ? long.MaxValue : 0;
                for (int i = 0; i < block.Length; i += 2) whole = Math.Max(whole, block[i]);
            }

            public long Within(long bytes, long pointerBytes, long version)
            {
                if (bytes >= whole) return 0;
                return Beyond(block, bytes) + Beyond(pointers, pointerBytes) + Beyond(parts, version);
            }

            private static long Beyond(long[] rows, long there)
            {
                long sum = 0;
                for (int i = 0; i < rows.Length; i += 2) if (there >= 0 && rows[i] > there) sum += rows[i + 1];
                return sum;
            }
        }
    }
}
