#nullable enable
using System;
using System.Collections.Generic;
using System.ComponentModel;
using System.Text;

namespace Aldis.Codec
{
    /// <summary>What a type's values are in JSON, as values and as keys, which order they have, and how they are copied.</summary>
    public abstract class Shape
    {
        private protected Shape() {}

        internal abstract void Write(StringBuilder text, object? value);

        internal abstract object? Read(JsonParser from);

        // The text of an empty value, where there is one.
        internal virtual string? Empty => null;

        // Whether null is a value.
        internal virtual bool TakesNull => false;

        // A value within a list or a map.
        internal void WriteElement(StringBuilder text, object? value)
        {
            if (value == null && !TakesNull) throw Json.Refused(Code.BadValue, "null, but the element must have a value");
            Write(text, value);
        }

        // As the name of an object's member.
        internal virtual void WriteKey(StringBuilder text, object value)
        {
            text.Append('"');
            Write(text, value);
            text.Append('"');
        }

        internal virtual object? ReadKey(string text, int at) => throw JsonParser.Bad(at, "such values are no keys");

        internal virtual int Compare(object a, object b) => throw new InvalidOperationException("such values have no order");

        internal virtual object Copy(object value) => value;

        internal virtual bool Same(object a, object b) => a.Equals(b);

        internal virtual int Hash(object value) => value.GetHashCode();

        internal virtual void Show(StringBuilder text, object value) => text.Append(value);

        internal int CompareNullable(object? a, object? b) =>
            a == null || b == null ? (a != null).CompareTo(b != null) : Compare(a, b);

        internal object? CopyNullable(object? value) => value == null ? null : Copy(value);

        internal bool SameNullable(object? a, object? b) => a == null || b == null ? a == b : Same(a, b);

        internal int HashNullable(object? value) => value == null ? 0 : Hash(value);

        internal void ShowNullable(StringBuilder text, object? value)
        {
            if (value == null) text.Append("null");
            else Show(text, value);
        }

        /// <summary>The same, of a name space that refers to another; fails where that was made from another schema or with other
        /// options.</summary>
        [EditorBrowsable(EditorBrowsableState.Never)]
        public Shape Linked(string own, string other, string wanted, string digest)
        {
            if (wanted == digest) return this;
            throw new InvalidOperationException(own + " was generated for another " + other
                + ": generate both again, with the same options");
        }

        /// <summary>The order of keys: null first.</summary>
        public IComparer<T> Order<T>() => new KeyOrder<T>(this);

        private sealed class KeyOrder<T> : IComparer<T>
        {
            private readonly Shape shape;

            internal KeyOrder(Shape shape) => this.shape = shape;

#pragma warning disable CS8767 // The frameworks differ in whether T may be null here.
            public int Compare(T a, T b) => shape.CompareNullable(a, b);
#pragma warning restore CS8767
        }
    }
}
