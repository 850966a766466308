#nullable enable
using System;
using System.ComponentModel;
using System.Text;

namespace Aldis.Codec
{
    /// <summary>A value of a record. Its fields are also told by their index, for what is the same for all: JSON, equality, copies.</summary>
    public abstract class Structure
    {
        /// <summary>A field's value as an object, null where it has none.</summary>
        [EditorBrowsable(EditorBrowsableState.Never)]
        protected abstract object? Get(int field);

        [EditorBrowsable(EditorBrowsableState.Never)]
        protected abstract void Set(int field, object? value);

        [EditorBrowsable(EditorBrowsableState.Never)]
        protected abstract Shape Layout();

        internal object? Field(int field) => Get(field);

        internal void Put(int field, object? value) => Set(field, value);

        internal void Assign(object?[] values)
        {
            for (int i = 0; i < values.Length; i++) Set(i, values[i]);
        }

        [EditorBrowsable(EditorBrowsableState.Never)]
        protected void Take(Structure from)
        {
            for (int i = 0; i < Record.Fields.Length; i++) Set(i, from.Get(i));
        }

        private protected Json.OfRecord Record => (Json.OfRecord)Layout();

        /// <summary>Whether a field has no value: it is null, or the message's bytes ended before it. Fields are called as in the
        /// schema.</summary>
        public bool IsMissing(string field)
        {
            Json.Field[] all = Record.Fields;
            int index = Array.FindIndex(all, found => found.Name == field);
            if (index < 0) throw new ArgumentException("there is no field " + field, nameof(field));
            return Get(index) == null;
        }

        /// <summary>Its JSON text, as the command line writes it; throws CodecException for what JSON cannot say.</summary>
        public string ToJson()
        {
            var text = new StringBuilder();
            Layout().Write(text, this);
            return text.ToString();
        }

        [EditorBrowsable(EditorBrowsableState.Never)]
        protected Structure Copied() => (Structure)Layout().Copy(this);

        public sealed override bool Equals(object? other) =>
            ReferenceEquals(this, other) || (other is Structure && other.GetType() == GetType() && Layout().Same(this, other));

        public sealed override int GetHashCode() => Layout().Hash(this);

        /// <summary>A short text for people: long texts and lists are cut, control characters are question marks.</summary>
        public sealed override string ToString()
        {
            var text = new StringBuilder();
            Layout().Show(text, this);
            return text.ToString();
        }
    }
}
