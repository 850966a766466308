#nullable enable
using System;
using System.Collections.Generic;
using System.Text;

namespace Aldis.Codec
{
    /// <summary>The shapes of all types, and JSON text read. Offsets of faults are in what was given.</summary>
    public static class Json
    {
        /// <summary>The version of this package, which generated code names as far as it needs it.</summary>
        public const string Version = "0.1.0";

        public static object Read(Shape shape, string json)
        {
            var from = new JsonParser(json);
            object value = shape.Read(from)!;
            if (!from.Ends()) throw JsonParser.Bad(from.At, "expected the end, found " + from.Found());
            return value;
        }

        public static object Read(Shape shape, ReadOnlySpan<byte> json)
        {
            // A byte that is no UTF-8 is a lone surrogate, which takes one byte below, and the parser refuses it in its place.
            string text = Texts.Read(json);
            try
            {
                return Read(shape, text);
            }
            catch (CodecException fault)
            {
                int at = (int)Math.Min(Math.Max(fault.Offset, 0), text.Length);
                int place = 0;
                for (int i = 0; i < at; i++)
                {
                    char c = text[i];
                    bool isPair = char.IsHighSurrogate(c) && i + 1 < text.Length && char.IsLowSurrogate(text[i + 1]);
                    place += c < 0x80 || (char.IsSurrogate(c) && !isPair) ? 1 : c < 0x800 ? 2 : isPair ? 4 : 3;
                    if (isPair) i++;
                }
                fault.At(place);
                throw;
            }
        }

        internal static CodecException Refused(Code code, string detail) => new CodecException(code, -1, detail);

        internal static void Quote(StringBuilder text, string content)
        {
            text.Append('"');
            foreach (char c in content)
            {
                int escape = "\"\\\b\f\n\r\t".IndexOf(c);
                if (escape >= 0) text.Append('\\').Append("\"\\bfnrt"[escape]);
                else if (c < 0x20) text.Append("\\u").Append(((int)c).ToString("x4"));
                else text.Append(c);
            }
            text.Append('"');
        }

        public static readonly Shape I8 = new OfInteger(sbyte.MinValue, sbyte.MaxValue, v => unchecked((sbyte)v));
        public static readonly Shape U8 = new OfInteger(0, byte.MaxValue, v => unchecked((byte)v));
        public static readonly Shape I16 = new OfInteger(short.MinValue, short.MaxValue, v => unchecked((short)v));
        public static readonly Shape U16 = new OfInteger(0, ushort.MaxValue, v => unchecked((ushort)v));
        public static readonly Shape I32 = new OfInteger(int.MinValue, int.MaxValue, v => unchecked((int)v));
        public static readonly Shape U32 = new OfInteger(0, uint.MaxValue, v => unchecked((uint)v));
        public static readonly Shape I64 = new OfInteger(long.MinValue, long.MaxValue, v => v);
        public static readonly Shape U64 = new OfInteger(0, ulong.MaxValue, v => unchecked((ulong)v));
        public static readonly Shape BOOL = new OfBool();
        public static readonly Shape UTF8 = new OfUtf8();
        public static readonly Shape LATIN1 = new OfLatin1();
        public static readonly Shape CHAR = new OfChar();
        public static readonly Shape UUID = new OfUuid();
        public static readonly Shape DECIMAL = new OfDecimal();
        public static readonly Shape BYTES = new OfBytes();
        public static readonly Shape NOTHING = new OfNothing();
        public static readonly Shape F32 = new OfFloat(true, true);
        public static readonly Shape F64 = new OfFloat(false, true);
        public static readonly Shape F32_FINITE = new OfFloat(true, false);
        public static readonly Shape F64_FINITE = new OfFloat(false, false);

        public static readonly Shape OPAQUE = new OfOpaque();
        public static readonly Shape HEX = new OfHex();
        public static readonly Shape BYTE_ARRAY = new OfByteArray();

        public static Shape Optional(Shape inner) => new OfOptional(inner, false);

        /// <summary>The same, and null in a list is an empty value.</summary>
        public static Shape OrEmpty(Shape inner) => new OfOptional(inner, true);

        /// <summary>Numbers that may be given as text.</summary>
        public static Shape Loose(Shape number) => new OfLoose(number, false);

        /// <summary>Numbers that are written as text too.</summary>
        public static Shape Wide(Shape number) => new OfLoose(number, true);

        /// <summary>Floats that may be given as null.</summary>
        public static Shape OrNaN(Shape number) => new OfOrNaN((OfFloat)number);

        /// <summary>Lists: of so many elements where the length is not below zero.</summary>
        public static Shape List<T>(Shape element, int length) => new OfList<T>(element, length, false);

        /// <summary>The same of numbers, which lie in arrays.</summary>
        public static Shape Array<T>(Shape element, int length) => new OfList<T>(element, length, true);

        public static Shape Set<T>(Shape element) => new OfSet<T>(element);

        /// <summary>Maps whose keys have a text are objects.</summary>
        public static Shape Map<TKey, TValue>(Shape key, Shape value) where TKey : notnull => new OfMap<TKey, TValue>(key, value, true);

        /// <summary>Other maps are arrays of pairs.</summary>
        public static Shape Pairs<TKey, TValue>(Shape key, Shape value) where TKey : notnull => new OfMap<TKey, TValue>(key, value, false);

        /// <summary>Enums: integers, and the names of some.</summary>
        public static Shape Enumeration(bool named, Shape repr, string[] names, long[] numbers) => new OfEnum(named, repr, names, numbers);

        /// <summary>Flags: integers, bits by name, and masks by further names.</summary>
        public static Shape Flags(bool named, Shape repr, string[] bits, long[] bitNumbers, string[] masks, long[] maskNumbers) =>
            new OfFlags(named, repr, (bits, bitNumbers), (masks, maskNumbers));

        /// <summary>Records: a fresh one without values, the fields that compare as keys, and all fields, which may be of records that
        /// come later.</summary>
        public static Shape Record(string version, Func<Structure> fresh, int[] keys, Func<Field[]> fields)
        {
            Check(version);
            return new OfRecord(fresh, keys, fields);
        }

        /// <summary>Records whose null fields are left out, and which skip keys that mean nothing.</summary>
        public static Shape Shape(string version, Func<Structure> fresh, Func<Field[]> fields)
        {
            Check(version);
            return new OfShape(fresh, fields);
        }

        private static void Check(string version)
        {
            if (Version.StartsWith(version + ".", StringComparison.Ordinal)) return;
            throw new InvalidOperationException("this code was generated for the Aldis runtime " + version + ", and meets " + Version
                + ": generate it again with the aldis of that version, or take the runtime " + version);
        }

        /// <summary>Unions, of a function that makes one of an arm's number and value. A member may tell which arm it is, and what that is
        /// called.</summary>
        public static Shape Choice<T>(Func<int, object?, T> of, string? told, string? called, bool emptyArms, Func<Field[]> arms)
            where T : struct, IChoice => new OfUnion((tag, held) => of(tag, held), told, called, emptyArms, arms);

        /// <summary>A field of a record: its key, its type, and what differs from most.</summary>
        public sealed class Field
        {
            internal readonly string Name;
            internal readonly Shape Shape;
            internal string Member;

            // The number of a union's arm; in front of its members where they are the object's around; a union without a name.
            internal int Number;
            internal string? Prefix;
            internal bool IsUnnamed;

            // The meaning of null, what a missing key does, what alone is allowed; each where there is such a rule.
            private Func<object?>? none;
            private Func<object?>? absent;
            private Func<object?>? given;

            public Field(string name, Shape shape)
            {
                Name = name;
                Shape = shape;
                Member = name;
                if (shape is OfOptional) absent = () => null;
            }

            public Field Key(string other)
            {
                Member = other;
                return this;
            }

            public Field Tag(int number)
            {
                Number = number;
                return this;
            }

            public Field Flatten(string front)
            {
                Prefix = front;
                return this;
            }

            public Field Unnamed()
            {
                IsUnnamed = true;
                return this;
            }

            public Field None(Func<object?> value)
            {
                none = value;
                return this;
            }

            public Field Absent(Func<object?> value)
            {
                absent = value;
                return this;
            }

            public Field Fixed(Func<object?> value)
            {
                given = value;
                return this;
            }

            internal object? Read(JsonParser from)
            {
                if (none != null && from.Word("null")) return none();
                int at = from.Place();
                object? value = Shape.Read(from);
                if (given != null && !Shape.SameNullable(given(), value)) throw JsonParser.Bad(at, "the schema fixes another value");
                return value;
            }

            internal object? WhenAbsent(JsonParser from)
            {
                if (absent == null) throw JsonParser.Bad(from.At, "the field is required");
                return absent();
            }
        }

        internal class OfRecord : Shape
        {
            internal readonly Func<Structure> Fresh;
            private readonly int[] keys;
            private readonly Lazy<(Field[] All, Dictionary<string, int> Places)> fields;

            internal OfRecord(Func<Structure> fresh, int[] keys, Func<Field[]> made)
            {
                Fresh = fresh;
                this.keys = keys;
                fields = new Lazy<(Field[], Dictionary<string, int>)>(() =>
                {
                    Field[] all = made();
                    var places = new Dictionary<string, int>(all.Length, StringComparer.Ordinal);
                    for (int i = 0; i < all.Length; i++) places[all[i].Member] = i;
                    return (all, places);
                });
            }

            internal Field[] Fields => fields.Value.All;

            internal override void Write(StringBuilder text, object? value)
            {
                var structure = (Structure)value!;
                Field[] all = Fields;
                text.Append('{');
                for (int i = 0; i < all.Length; i++)
                {
                    if (i > 0) text.Append(',');
                    Quote(text, all[i].Member);
                    text.Append(':');
                    object? item = structure.Field(i);
                    try
                    {
                        if (item == null) text.Append("null");
                        else all[i].Shape.Write(text, item);
                    }
                    catch (CodecException fault) when (fault.Within(all[i].Member))
                    {
                        throw;
                    }
                }
                text.Append('}');
            }

            internal override object? Read(JsonParser from)
            {
                Field[] all = Fields;
                from.Enter(all.Length);
                from.Expect('{', "an object");
                Structure structure = Fresh();
                var given = new bool[all.Length];
                for (bool first = true; !from.Closes('}', first); first = false)
                {
                    int at = from.Place();
                    string key = from.Text();
                    try
                    {
                        if (!fields.Value.Places.TryGetValue(key, out int place)) throw JsonParser.Bad(at, "no field is called so");
                        if (given[place]) throw JsonParser.Bad(at, "the field is given twice");
                        given[place] = true;
                        from.Expect(':', "`:`");
                        structure.Put(place, all[place].Read(from));
                    }
                    catch (CodecException fault) when (fault.Within(key))
                    {
                        throw;
                    }
                }
                for (int i = 0; i < all.Length; i++) if (!given[i]) PutAbsent(structure, i, from);
                from.Leave();
                return structure;
            }

            private protected void PutAbsent(Structure structure, int field, JsonParser from)
            {
                try
                {
                    structure.Put(field, Fields[field].WhenAbsent(from));
                }
                catch (CodecException fault) when (fault.Within(Fields[field].Member))
                {
                    throw;
                }
            }

            internal override int Compare(object a, object b)
            {
                foreach (int key in keys)
                {
                    int found = Fields[key].Shape.CompareNullable(((Structure)a).Field(key), ((Structure)b).Field(key));
                    if (found != 0) return found;
                }
                return 0;
            }

            internal override object Copy(object value)
            {
                Structure made = Fresh();
                for (int i = 0; i < Fields.Length; i++) made.Put(i, Fields[i].Shape.CopyNullable(((Structure)value).Field(i)));
                return made;
            }

            internal override bool Same(object a, object b)
            {
                Field[] all = Fields;
                for (int i = 0; i < all.Length; i++)
                {
                    if (!all[i].Shape.SameNullable(((Structure)a).Field(i), ((Structure)b).Field(i))) return false;
                }
                return true;
            }

            internal override int Hash(object value)
            {
                int hash = 1;
                for (int i = 0; i < Fields.Length; i++)
                {
                    hash = unchecked(31 * hash + Fields[i].Shape.HashNullable(((Structure)value).Field(i)));
                }
                return hash;
            }

            internal override void Show(StringBuilder text, object value)
            {
                text.Append(value.GetType().Name).Append('{');
                for (int i = 0; i < Fields.Length && text.Length < 4096; i++)
                {
                    text.Append(i == 0 ? "" : ", ").Append(Fields[i].Name).Append('=');
                    Fields[i].Shape.ShowNullable(text, ((Structure)value).Field(i));
                }
                text.Append('}');
            }
        }
    }
}
