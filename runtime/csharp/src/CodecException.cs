#nullable enable
using System;
using System.Collections.Generic;
using System.ComponentModel;
using System.Text;

namespace Aldis
{
    /// <summary>The kinds of faults, called as in every language of Aldis.</summary>
    public enum Code : byte
    {
        Truncated,
        BadPointer,
        BadCount,
        BadText,
        BadValue,
        TooDeep,
        TooLarge,
        UnknownMessage,
        BadJson,
        OutOfRange,
    }

    public static class CodeExtensions
    {
        private static readonly string[] Spelt =
        {
            "truncated", "bad-pointer", "bad-count", "bad-text", "bad-value", "too-deep", "too-large", "unknown-message", "bad-json",
            "out-of-range",
        };

        /// <summary>The code as other languages and the command line spell it.</summary>
        public static string ToWire(this Code code) => Spelt[(int)code];
    }

    /// <summary>A message that cannot be read, or a value that cannot be written.</summary>
    public sealed class CodecException : Exception
    {
        // The steps from the fault outwards: names of fields and indices of elements.
        private readonly List<object> steps = new List<object>();

        /// <summary>A fault at a byte of the message, or -1 where there are no bytes.</summary>
        public CodecException(Code code, long offset, string detail)
        {
            Code = code;
            Offset = offset;
            Detail = detail;
        }

        public Code Code { get; }

        /// <summary>The byte of the message that is wrong, -1 where there is none.</summary>
        public long Offset { get; private set; }

        /// <summary>The fault in words, where the code does not say it.</summary>
        public string Detail { get; }

        /// <summary>The field that is wrong: <c>orders[2].symbol</c>.</summary>
        public string Path
        {
            get
            {
                var text = new StringBuilder();
                for (int i = steps.Count - 1; i >= 0; i--)
                {
                    if (steps[i] is int index) text.Append('[').Append(index).Append(']');
                    else text.Append(text.Length == 0 ? "" : ".").Append(steps[i]);
                }
                return text.ToString();
            }
        }

        public override string Message
        {
            get
            {
                string path = Path;
                return Code.ToWire() + (Offset < 0 ? "" : " at byte " + Offset) + (path.Length == 0 ? "" : " in " + path)
                    + (Detail.Length == 0 ? "" : ": " + Detail);
            }
        }

        /// <summary>Puts a field before the path. It gives false, so that a filter of exceptions, which calls it, catches nothing:
        /// the stack is unwound once, whatever the depth.</summary>
        [EditorBrowsable(EditorBrowsableState.Never)]
        public bool Within(string field)
        {
            steps.Add(field);
            return false;
        }

        /// <summary>Puts the index of an element before the path.</summary>
        [EditorBrowsable(EditorBrowsableState.Never)]
        public bool Within(int index)
        {
            steps.Add(index);
            return false;
        }

        internal CodecException At(long place)
        {
            Offset = place;
            return this;
        }
    }

    /// <summary>The work that the bytes of one message may ask for: levels of records, and visited bytes by the input's size. With a
    /// surcharge memory beyond the bytes counts too.</summary>
    public sealed class Limits
    {
        /// <summary>For input of any origin.</summary>
        public static readonly Limits Default = new Limits(64, 8, 262144, true);

        /// <summary>The limits of Cap'n Proto's own readers.</summary>
        public static readonly Limits Reference = new Limits(64, 0, 64L << 20, false);

        public Limits(int depth, long budgetFactor, long budgetBase, bool surcharge)
        {
            if (depth < 0 || budgetFactor < 0 || budgetBase < 0) throw new ArgumentOutOfRangeException(nameof(depth), "limits are not negative");
            Depth = depth;
            BudgetFactor = budgetFactor;
            BudgetBase = budgetBase;
            Surcharge = surcharge;
            long room = int.MaxValue - budgetBase;
            most = !surcharge || room < 0 ? -1 : budgetFactor == 0 ? int.MaxValue : room / budgetFactor;
        }

        // The most bytes whose budget has 31 bits.
        private readonly long most;

        public int Depth { get; }

        public long BudgetFactor { get; }

        public long BudgetBase { get; }

        public bool Surcharge { get; }

        /// <summary>The budget of so many bytes, or as much of it as 31 bits say, for a glance at a message, which pays all charges; too
        /// little where some are not to be paid.</summary>
        public long Left(int length) => length <= most ? BudgetFactor * length + BudgetBase : Surcharge ? int.MaxValue : -1;
    }
}
