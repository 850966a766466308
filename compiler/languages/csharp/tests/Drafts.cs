// A field that is set where it lies gives the bytes, or the fault, of the whole value with that field. Arguments: `CLASS SUFFIX FILE …`
// for each message, one after another, each ended by `;`.
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection;
using Aldis;
using Aldis.Codec;

static class Program
{
    const BindingFlags Own = BindingFlags.Public | BindingFlags.Instance | BindingFlags.DeclaredOnly;

    static int done;

    static void Main(string[] args)
    {
        var given = new List<string>();
        foreach (string arg in args)
        {
            if (arg == ";")
            {
                Message(given);
                given.Clear();
            }
            else
            {
                given.Add(arg);
            }
        }
        Check(done > 400, "only " + done + " fields were set");
        Console.WriteLine("done");
    }

    static void Check(bool holds, string what)
    {
        if (!holds) throw new InvalidOperationException(what);
    }

    // A draft of a record, and the properties that lead to it in drafts and in values.
    sealed class Place
    {
        internal readonly string[] Steps;
        internal readonly DraftPart Part;

        internal Place(string[] steps, DraftPart part)
        {
            Steps = steps;
            Part = part;
        }

        internal object? In(object? value)
        {
            foreach (string step in Steps) value = value?.GetType().GetProperty(step)!.GetValue(value);
            return value;
        }
    }

    static void Places(DraftPart part, string[] steps, List<Place> found)
    {
        found.Add(new Place(steps, part));
        foreach (PropertyInfo property in part.GetType().GetProperties(Own).Where(property => property.CanRead))
        {
            Places((DraftPart)property.GetValue(part)!, steps.Append(property.Name).ToArray(), found);
        }
    }

    static Func<byte[], Structure> DecoderOf(Type type, string suffix)
    {
        // Spans are no arguments of methods that are called by their names.
        MethodInfo read = typeof(Readers).GetMethod(type.Namespace + type.Name + suffix)!;
        return (Func<byte[], Structure>)read.CreateDelegate(typeof(Func<byte[], Structure>));
    }

    static void Message(List<string> given)
    {
        Type type = typeof(Program).Assembly.GetType(given[0], true)!;
        string suffix = given[1] == "-" ? "" : given[1];
        Func<byte[], Structure> decode = DecoderOf(type, suffix);
        List<Structure> values = given.Skip(2).Select(file => decode(File.ReadAllBytes(file))).ToList();
        MethodInfo encode = type.GetMethod("Encode" + suffix, new Type[0])!;
        foreach (Structure value in values)
        {
            var bytes = (byte[])encode.Invoke(value, null)!;
            Type draftType = typeof(Program).Assembly.GetType(given[0] + "Draft" + suffix, true)!;
            var draft = (Draft)Activator.CreateInstance(draftType, value)!;
            Check(draft.Encode().SequenceEqual(bytes), type + " begins with other bytes");
            Elsewhere(draft, bytes);
            var all = new List<Place>();
            Places(draft, new string[0], all);
            foreach (Place place in all.Where(place => place.In(value) != null))
            {
                foreach (PropertyInfo property in place.Part.GetType().GetProperties(Own).Where(property => property.CanWrite))
                {
                    Action<object?> put = to => property.SetMethod!.Invoke(place.Part, new[] { to });
                    foreach (object? to in Wanted(place, property.Name, property.PropertyType, values)) Set(draft, place, put, property.Name, to, value, encode, decode);
                }
                foreach (MethodInfo method in place.Part.GetType().GetMethods(Own).Where(method => !method.IsSpecialName))
                {
                    string name = method.Name.Substring(3);
                    Action<object?> put = to => method.Invoke(place.Part, new[] { to });
                    foreach (object? to in Wanted(place, name, method.GetParameters()[0].ParameterType, values)) Set(draft, place, put, name, to, value, encode, decode);
                }
            }
        }
    }

    // Values to set: those of other messages, and others that do not fit.
    static List<object?> Wanted(Place place, string name, Type taken, List<Structure> values)
    {
        var found = new List<object?>();
        foreach (Structure other in values)
        {
            object? record = place.In(other);
            if (record != null) found.Add(record.GetType().GetProperty(name)!.GetValue(record));
        }
        if (taken == typeof(double)) found.AddRange(new object[] { double.NaN, -0.0 });
        if (taken == typeof(float)) found.AddRange(new object[] { float.NaN, -0f });
        if (taken == typeof(bool)) found.AddRange(new object[] { true, false });
        if (taken == typeof(char)) found.AddRange(new object[] { 'x', '\u20ac' });
        if (taken == typeof(string)) found.AddRange(new object[] { new string('x', 300), "\ud800", "é", "" });
        if (taken.IsArray) found.Add(Array.CreateInstance(taken.GetElementType()!, 999));
        if (Nullable.GetUnderlyingType(taken) != null) found.Add(null);
        return found;
    }

    static string Said(CodecException fault, string path) => fault.Code + " " + fault.Offset + " " + path + " " + fault.Detail;

    static void Set(Draft draft, Place place, Action<object?> put, string name, object? to, Structure value, MethodInfo encode, Func<byte[], Structure> decode)
    {
        var memory = new byte[draft.Encode().Length];
        draft.Into(memory);
        byte[] before = draft.Encode();
        string? refused = null;
        try
        {
            put(to);
        }
        catch (TargetInvocationException error) when (error.InnerException is CodecException fault)
        {
            string inner = string.Join("", place.Steps.Select(step => step.ToLowerInvariant() + "."));
            refused = Said(fault, inner + fault.Path.ToLowerInvariant());
        }
        Structure whole = decode(before);
        object record = place.In(whole)!;
        string? wanted = null;
        byte[] bytes = before;
        try
        {
            record.GetType().GetProperty(name)!.SetValue(record, to);
            bytes = (byte[])encode.Invoke(whole, null)!;
        }
        catch (TargetInvocationException error) when (error.InnerException is CodecException fault)
        {
            wanted = Said(fault, fault.Path.ToLowerInvariant());
        }
        string what = place.Part.GetType() + "." + name + " of " + (to ?? "null");
        Check(refused == wanted, what + ": " + refused + ", not " + wanted);
        Check(draft.Encode().SequenceEqual(bytes), what + ": other bytes");
        done++;
    }

    // Anywhere in memory of others, whose bytes around it stay; what has no room is refused, and moves nothing.
    static void Elsewhere(Draft draft, byte[] bytes)
    {
        byte[] target = Enumerable.Repeat((byte)0xaa, bytes.Length + 20).ToArray();
        Check(draft.Into(target, 7) == bytes.Length + 7, "the message ends elsewhere");
        Check(target.Skip(7).Take(bytes.Length).SequenceEqual(bytes), "other bytes");
        Check(target.Take(7).Concat(target.Skip(bytes.Length + 7)).All(octet => octet == 0xaa), "bytes around it are other ones");
        foreach ((byte[] room, int at) in new[] { (target, 21), (target, -1), (new byte[bytes.Length - 1], 0), (new byte[9], 10) })
        {
            try
            {
                draft.Into(room, at);
            }
            catch (ArgumentOutOfRangeException)
            {
                Check(draft.Encode().SequenceEqual(bytes), "the draft moved");
                continue;
            }
            throw new InvalidOperationException("there is no room for it");
        }
    }
}
