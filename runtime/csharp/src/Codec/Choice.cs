#nullable enable
using System;
using System.ComponentModel;
using System.Text;

namespace Aldis.Codec
{
    /// <summary>A value of a union: the arm's number and its value as an object, for what is the same for all unions. It never changes,
    /// but what it holds may.</summary>
    public abstract class Choice
    {
        [EditorBrowsable(EditorBrowsableState.Never)]
        protected Choice(int tag, object? held)
        {
            Tag = tag;
            Held = held;
        }

        /// <summary>The number of the arm, which a newer schema may have added.</summary>
        public int Tag { get; }

        /// <summary>The arm's value, null where it has none.</summary>
        [EditorBrowsable(EditorBrowsableState.Never)]
        public object? Held { get; }

        [EditorBrowsable(EditorBrowsableState.Never)]
        protected abstract Shape Layout();

        /// <summary>The value of an arm, of which it is asked whether it is that one.</summary>
        [EditorBrowsable(EditorBrowsableState.Never)]
        protected object? Holding(int tag)
        {
            if (tag != Tag) throw new InvalidOperationException("the union holds the arm " + Tag + ", not " + tag);
            return Held;
        }

        public sealed override bool Equals(object? other) =>
            ReferenceEquals(this, other) || (other is Choice && other.GetType() == GetType() && Layout().Same(this, other));

        public sealed override int GetHashCode() => Layout().Hash(this);

        public sealed override string ToString()
        {
            var text = new StringBuilder();
            Layout().Show(text, this);
            return text.ToString();
        }
    }
}
