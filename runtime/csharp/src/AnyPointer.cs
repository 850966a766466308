#nullable enable
using System;

namespace Aldis
{
    /// <summary>A value whose type the schema leaves open: a flat message of one segment, whose root is the value. It never changes.
    /// Generated classes read it: <c>Person.DecodeCanonical(any.Bytes())</c>.</summary>
    public sealed class AnyPointer
    {
        private readonly byte[] bytes;

        public AnyPointer(byte[] bytes) => this.bytes = (byte[])bytes.Clone();

        /// <summary>The message, in canonical order but for what sections end with.</summary>
        public byte[] Bytes() => (byte[])bytes.Clone();

        public override bool Equals(object? other) => other is AnyPointer same && bytes.AsSpan().SequenceEqual(same.bytes);

        public override int GetHashCode()
        {
            int hash = 7;
            foreach (byte one in bytes) hash = unchecked(31 * hash + one);
            return hash;
        }

        public override string ToString() => "AnyPointer{" + bytes.Length + " bytes}";
    }
}
