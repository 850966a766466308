#nullable enable
using System;
using System.Collections.Generic;
using System.Text;

namespace Aldis.Codec
{
    // The JSON of Cap'n Proto (compat/json): null fields are left out, keys that mean nothing are skipped, a union's arm may be a member of
    // the record around it, and so may the members of what is flattened.

    // Numbers that may be given as text, and are written so where they are wide.
    internal sealed class OfLoose : Shape
    {
        internal readonly Shape Number;
        private readonly bool wide;

        internal OfLoose(Shape number, bool wide)
        {
            Number = number;
            this.wide = wide;
        }

        internal override void Write(StringBuilder text, object? value)
        {
            if (wide) Number.WriteKey(text, value!);
            else Number.Write(text, value);
        }

        internal override object? Read(JsonParser from)
        {
            if (from.Peek() != '"') return Number.Read(from);
            int at = from.At;
            string text = from.Text();
            if (JsonParser.NumberEnd(text, 0) != text.Length) throw JsonParser.Bad(at, "expected an integer in the text");
            try
            {
                return Number.Read(new JsonParser(text));
            }
            catch (CodecException fault)
            {
                fault.At(at);
                throw;
            }
        }
    }

    // Floats that may be given as null.
    internal sealed class OfOrNaN : Shape
    {
        private readonly OfFloat number;

        internal OfOrNaN(OfFloat number) => this.number = number;

        internal override void Write(StringBuilder text, object? value) => number.Write(text, value);

        internal override object? Read(JsonParser from) => from.Word("null") ? number.Of(double.NaN) : number.Read(from);
    }

    // The members of an object as they are written.
    internal sealed class Members
    {
        internal readonly StringBuilder Text;
        private bool any;

        internal Members(StringBuilder text) => Text = text;

        internal StringBuilder Member(string key)
        {
            if (any) Text.Append(',');
            any = true;
            Json.Quote(Text, key);
            return Text.Append(':');
        }
    }

    // The places of an object's members, found before they are read: they come in any order.
    internal sealed class Found
    {
        internal readonly Dictionary<string, int> At = new Dictionary<string, int>(StringComparer.Ordinal);
        internal readonly int End;

        internal Found(JsonParser from)
        {
            from.Expect('{', "an object");
            for (bool first = true; !from.Closes('}', first); first = false)
            {
                int start = from.Place();
                string key = from.Text();
                from.Expect(':', "`:`");
                int place = from.Place();
                try
                {
                    if (At.ContainsKey(key)) throw JsonParser.Bad(start, "the field is given twice");
                    At.Add(key, place);
                    from.Skip(from.Levels);
                }
                catch (CodecException fault) when (fault.Within(key))
                {
                    throw;
                }
            }
            End = from.At;
        }
    }

    // An object whose members may be those of the object around it.
    internal interface IFlat
    {
        bool IsShaped();

        void Put(object? value, string prefix, Members to);

        bool IsGiven(Found members, string prefix, int depth);

        object? From(JsonParser from, Found members, string prefix);
    }

    internal static class Shaped
    {
        // The value of a record or union to which no member gave one.
        internal static readonly object Nothing = new object();

        // The type of a member, whether it may be null or not.
        internal static IFlat Flat(Json.Field field) => (IFlat)(field.Shape is OfOptional optional ? optional.Inner : field.Shape);

        internal static object? Read(IFlat type, JsonParser from)
        {
            var members = new Found(from);
            object? value = type.From(from, members, "");
            from.At = members.End;
            return value;
        }

        internal static void Write(IFlat type, StringBuilder text, object? value)
        {
            text.Append('{');
            type.Put(value, "", new Members(text));
            text.Append('}');
        }

        // When a null is written: a record's field if it is nothing but null, a union's arm as another member tells.
        internal enum Nulls
        {
            Never,
            Always,
            Empty,
            Told,
        }

        private static string? NullText(Shape shape, Nulls nulls, bool flat)
        {
            bool nothing = shape == Json.NOTHING;
            if (nulls == Nulls.Always || (nulls == Nulls.Never && nothing)) return "null";
            if (nulls == Nulls.Never || (nulls == Nulls.Told && nothing) || flat) return null;
            return shape.Empty ?? "null";
        }

        internal static void WriteMember(Members to, string prefix, Json.Field field, object? value, Nulls nulls, string? called)
        {
            bool flat = field.Prefix != null && called == null;
            string key = prefix + (called ?? field.Member);
            if (value == null)
            {
                string? text = NullText(field.Shape, nulls, flat);
                if (text != null) to.Member(key).Append(text);
            }
            else if (flat)
            {
                Flat(field).Put(value, prefix + field.Prefix, to);
            }
            else
            {
                field.Shape.Write(to.Member(key), value);
            }
        }

        // The value of a field or arm, where one of its members is given.
        internal static object? MemberOf(JsonParser from, Json.Field field, Found members, string prefix)
        {
            if (field.Prefix == null) return AtKey(from, prefix + field.Member, field, members);
            IFlat type = Flat(field);
            string inner = prefix + field.Prefix;
            return type.IsGiven(members, inner, from.Levels) ? type.From(from, members, inner) : Nothing;
        }

        internal static object? AtKey(JsonParser from, string key, Json.Field field, Found members)
        {
            if (!members.At.TryGetValue(key, out int at)) return Nothing;
            from.At = at;
            return Framed(key, () => field.Read(from));
        }

        internal static bool IsMemberGiven(Json.Field field, Found members, string prefix, int depth)
        {
            if (field.Prefix != null) return Flat(field).IsGiven(members, prefix + field.Prefix, depth);
            if (field.IsUnnamed) return Flat(field).IsGiven(members, prefix, depth);
            return members.At.ContainsKey(prefix + field.Member);
        }

        internal static T Framed<T>(string key, Func<T> read)
        {
            try
            {
                return read();
            }
            catch (CodecException fault) when (fault.Within(key))
            {
                throw;
            }
        }

        internal static CodecException Refused(string key, int at, string detail)
        {
            CodecException fault = JsonParser.Bad(at, detail);
            fault.Within(key);
            return fault;
        }

        // Skips what a key that means nothing leads to.
        internal static void Skip(JsonParser from, string key, int at, HashSet<string> skipped)
        {
            if (!skipped.Add(key)) throw Refused(key, at, "the key is given twice");
            from.Expect(':', "`:`");
            Framed(key, () =>
            {
                from.Skip(from.Levels);
                return true;
            });
        }
    }

    // Records whose null fields are left out.
    internal sealed class OfShape : Json.OfRecord, IFlat
    {
        private readonly Lazy<Dictionary<string, (int Index, Json.Field Field, OfUnion? Union)>> places;

        internal OfShape(Func<Structure> fresh, Func<Json.Field[]> made)
            : base(fresh, Array.Empty<int>(), made)
        {
            places = new Lazy<Dictionary<string, (int, Json.Field, OfUnion?)>>(Places);
        }

        // The place of each key: to a field, or to an arm of a union without a name.
        private Dictionary<string, (int Index, Json.Field Field, OfUnion? Union)> Places()
        {
            var found = new Dictionary<string, (int, Json.Field, OfUnion?)>(StringComparer.Ordinal);
            void Put(int index, Json.Field field, OfUnion? union)
            {
                if (!found.ContainsKey(field.Member)) found.Add(field.Member, (index, field, union));
            }
            for (int i = 0; i < Fields.Length; i++) if (!Fields[i].IsUnnamed) Put(i, Fields[i], null);
            for (int i = 0; i < Fields.Length; i++)
            {
                if (!Fields[i].IsUnnamed) continue;
                var union = (OfUnion)Fields[i].Shape;
                foreach (Json.Field arm in union.Arms) Put(i, arm, union);
            }
            return found;
        }

        internal override string? Empty => "{}";

        public bool IsShaped()
        {
            foreach (Json.Field field in Fields) if (field.Prefix != null || (field.IsUnnamed && Shaped.Flat(field).IsShaped())) return true;
            return false;
        }

        public void Put(object? value, string prefix, Members to)
        {
            for (int i = 0; i < Fields.Length; i++)
            {
                Json.Field field = Fields[i];
                object? item = ((Structure)value!).Field(i);
                if (field.IsUnnamed)
                {
                    Shaped.Flat(field).Put(item, prefix, to);
                    continue;
                }
                try
                {
                    Shaped.WriteMember(to, prefix, field, item, Shaped.Nulls.Never, null);
                }
                catch (CodecException fault) when (fault.Within(field.Name))
                {
                    throw;
                }
            }
        }

        internal override void Write(StringBuilder text, object? value) => Shaped.Write(this, text, value);

        public bool IsGiven(Found members, string prefix, int depth)
        {
            if (depth == 0) return false;
            foreach (Json.Field field in Fields) if (Shaped.IsMemberGiven(field, members, prefix, depth - 1)) return true;
            return false;
        }

        public object? From(JsonParser from, Found members, string prefix)
        {
            from.Enter(Fields.Length);
            Structure made = Fresh();
            for (int i = 0; i < Fields.Length; i++)
            {
                Json.Field field = Fields[i];
                object? value = field.IsUnnamed
                    ? Shaped.Flat(field).From(from, members, prefix)
                    : Shaped.MemberOf(from, field, members, prefix);
                made.Put(i, value == Shaped.Nothing ? field.WhenAbsent(from) : value);
            }
            from.Leave();
            return made;
        }

        internal override object? Read(JsonParser from)
        {
            if (IsShaped()) return Shaped.Read(this, from);
            from.Enter(Fields.Length);
            from.Expect('{', "an object");
            Structure made = Fresh();
            var given = new bool[Fields.Length];
            var skipped = new HashSet<string>(StringComparer.Ordinal);
            for (bool first = true; !from.Closes('}', first); first = false)
            {
                int at = from.Place();
                string key = from.Text();
                if (!places.Value.TryGetValue(key, out (int Index, Json.Field Field, OfUnion? Union) place))
                {
                    Shaped.Skip(from, key, at, skipped);
                    continue;
                }
                if (given[place.Index]) throw Shaped.Refused(key, at, "the field, or another arm of the union, is given already");
                given[place.Index] = true;
                from.Expect(':', "`:`");
                object? value = Shaped.Framed(key, () => place.Field.Read(from));
                made.Put(place.Index, place.Union == null ? value : place.Union.Of(place.Field.Number, value));
            }
            for (int i = 0; i < Fields.Length; i++) if (!given[i]) PutAbsent(made, i, from);
            from.Leave();
            return made;
        }
    }

    internal sealed class OfUnion : Shape, IFlat
    {
        internal readonly Func<int, object?, object> Of;
        private readonly string? told;
        private readonly string? called;
        private readonly bool emptyArms;
        private readonly Lazy<Json.Field[]> arms;

        internal OfUnion(Func<int, object?, object> of, string? told, string? called, bool emptyArms, Func<Json.Field[]> made)
        {
            Of = of;
            this.told = told;
            this.called = called;
            this.emptyArms = emptyArms;
            arms = new Lazy<Json.Field[]>(made);
        }

        internal Json.Field[] Arms => arms.Value;

        private Json.Field? ArmOf(object value) => ArmOf(((IChoice)value).Tag);

        private Json.Field? ArmOf(int tag)
        {
            foreach (Json.Field arm in Arms) if (arm.Number == tag) return arm;
            return null;
        }

        internal bool SameArm(int tag, object? a, object? b) => ArmOf(tag)?.Shape.SameNullable(a, b) ?? true;

        internal int HashArm(int tag, object? value) => ArmOf(tag)?.Shape.HashNullable(value) ?? 0;

        internal override string? Empty => "{}";

        internal override object Copy(object value)
        {
            var choice = (IChoice)value;
            return Of(choice.Tag, ArmOf(value)?.Shape.CopyNullable(choice.Object()));
        }

        internal override bool Same(object a, object b)
        {
            IChoice first = (IChoice)a, second = (IChoice)b;
            return first.Tag == second.Tag && SameArm(first.Tag, first.Object(), second.Object());
        }

        internal override int Hash(object value) =>
            unchecked(31 * ((IChoice)value).Tag + (ArmOf(value)?.Shape.HashNullable(((IChoice)value).Object()) ?? 0));

        internal override void Show(StringBuilder text, object value)
        {
            Json.Field? arm = ArmOf(value);
            text.Append(arm?.Name ?? "arm " + ((IChoice)value).Tag).Append('(');
            arm?.Shape.ShowNullable(text, ((IChoice)value).Object());
            text.Append(')');
        }

        public bool IsShaped() => told != null || Array.Exists(Arms, arm => arm.Prefix != null);

        public void Put(object? value, string prefix, Members to)
        {
            if (value == null || !(ArmOf(value) is Json.Field arm)) return;
            Shaped.Nulls nulls = emptyArms ? Shaped.Nulls.Empty : arm.Number == 0 ? Shaped.Nulls.Never : Shaped.Nulls.Always;
            if (told != null)
            {
                nulls = Shaped.Nulls.Told;
                Json.Quote(to.Member(prefix + told), arm.Member);
            }
            try
            {
                Shaped.WriteMember(to, prefix, arm, ((IChoice)value).Object(), nulls, called);
            }
            catch (CodecException fault) when (fault.Within(arm.Name))
            {
                throw;
            }
        }

        internal override void Write(StringBuilder text, object? value) => Shaped.Write(this, text, value);

        public bool IsGiven(Found members, string prefix, int depth)
        {
            if (depth == 0) return false;
            if (told != null && members.At.ContainsKey(prefix + told)) return true;
            return Array.Exists(Arms, arm => Shaped.IsMemberGiven(arm, members, prefix, depth - 1));
        }

        private object FirstArm(JsonParser from, int at)
        {
            Json.Field? first = Array.Find(Arms, arm => arm.Number == 0);
            return first != null ? Of(0, first.WhenAbsent(from)) : throw JsonParser.Bad(at, "one member of the union must be given");
        }

        // The arm that a member of its own tells, null where there is no such member.
        private Json.Field? ArmTold(JsonParser from, Found members, string prefix)
        {
            if (told == null || !members.At.TryGetValue(prefix + told, out int at)) return null;
            from.At = at;
            string name = Shaped.Framed(prefix + told, from.Text);
            return Array.Find(Arms, arm => arm.Member == name)
                ?? throw Shaped.Refused(prefix + told, at, "no member of the union is called so");
        }

        public object? From(JsonParser from, Found members, string prefix)
        {
            Json.Field? arm = ArmTold(from, members, prefix);
            if (arm != null)
            {
                object? value = called == null
                    ? Shaped.MemberOf(from, arm, members, prefix)
                    : Shaped.AtKey(from, prefix + called, arm, members);
                return Of(arm.Number, value == Shaped.Nothing ? arm.WhenAbsent(from) : value);
            }
            object? found = null;
            foreach (Json.Field one in Arms)
            {
                object? value = Shaped.MemberOf(from, one, members, prefix);
                if (value == Shaped.Nothing) continue;
                if (found != null) throw Shaped.Refused(one.Name, members.End, "two members of one union are given");
                found = Of(one.Number, value);
            }
            return found ?? FirstArm(from, members.End);
        }

        internal override object? Read(JsonParser from)
        {
            if (IsShaped()) return Shaped.Read(this, from);
            int start = from.Place();
            from.Expect('{', "an object");
            object? found = null;
            var skipped = new HashSet<string>(StringComparer.Ordinal);
            for (bool first = true; !from.Closes('}', first); first = false)
            {
                int at = from.Place();
                string key = from.Text();
                Json.Field? arm = Array.Find(Arms, known => known.Member == key);
                if (arm == null)
                {
                    Shaped.Skip(from, key, at, skipped);
                    continue;
                }
                if (found != null) throw Shaped.Refused(key, at, "one member of a union was given already");
                from.Expect(':', "`:`");
                found = Of(arm.Number, Shaped.Framed(key, () => arm.Read(from)));
            }
            return found ?? FirstArm(from, start);
        }
    }
}
