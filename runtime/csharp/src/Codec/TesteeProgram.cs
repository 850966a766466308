#nullable enable
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;

namespace Aldis.Codec
{
    /// <summary>Answers requests of the testee protocol until standard input ends.</summary>
    public sealed class TesteeProgram
    {
        private readonly string list;
        private readonly Dictionary<string, Shape> shapes = new Dictionary<string, Shape>(StringComparer.Ordinal);
        private readonly Dictionary<string, Forms> forms = new Dictionary<string, Forms>(StringComparer.Ordinal);

        private sealed class Forms
        {
            internal readonly Dictionary<string, Func<byte[], Structure, Structure>> Decode = new Dictionary<string, Func<byte[], Structure, Structure>>();
            internal readonly Dictionary<string, Action<byte[]>> Verify = new Dictionary<string, Action<byte[]>>();
            internal readonly Dictionary<string, Func<byte[], Structure>> View = new Dictionary<string, Func<byte[], Structure>>();

            // The object that was decoded last, to be decoded into.
            internal readonly Dictionary<string, Structure> Used = new Dictionary<string, Structure>();
            internal readonly Dictionary<string, Func<Structure, Structure?, byte[]>> Encode = new Dictionary<string, Func<Structure, Structure?, byte[]>>();
            internal Func<byte[], string>? Identify;
            internal string? Header;
        }

        private sealed class Refusal : Exception
        {
            internal Refusal(string message)
                : base(message)
            {
            }
        }

        public TesteeProgram(string list) => this.list = list;

        private Forms Form(string name)
        {
            if (!forms.TryGetValue(name, out Forms? form)) forms.Add(name, form = new Forms());
            return form;
        }

        public void Message(string name, Shape shape) => shapes[name] = shape;

        public void Codec(
            string form,
            string name,
            Func<byte[], Structure, Structure> decode,
            Func<Structure, Structure?, byte[]> encode,
            Action<byte[]> verify,
            Func<byte[], Structure> view)
        {
            Form(form).View[name] = view;
            Form(form).Verify[name] = verify;
            Form(form).Decode[name] = decode;
            Form(form).Encode[name] = encode;
        }

        public void Identify(string form, Func<byte[], string> identify) => Form(form).Identify = identify;

        public void Header(string form, string name) => Form(form).Header = name;

        public void Answer()
        {
            var plain = new UTF8Encoding(false);
            using var requests = new StreamReader(Console.OpenStandardInput(), plain);
            using var answers = new StreamWriter(Console.OpenStandardOutput(), plain) { NewLine = "\n" };
            for (string? line = requests.ReadLine(); line != null; line = requests.ReadLine())
            {
                answers.WriteLine(Reply(line));
                answers.Flush();
            }
        }

        private string Reply(string line)
        {
            string[] fields = line.Split('\t');
            string id = fields[0] + "\t";
            try
            {
                bool isList = fields.Length == 2 && fields[1] == "list";
                bool isRequest = fields.Length == 6 && (fields[1] == "convert" || fields[1] == "view") && IsHex(fields[5]);
                if (!isList && !isRequest)
                {
                    return "-\terror\tbad-request\t-\texpected ID list, or ID convert|view MESSAGE FROM TO HEX, between TABs";
                }
                return id + "ok\t" + Hex(isList ? Encoding.UTF8.GetBytes(list) : Result(fields));
            }
            catch (Refusal refusal)
            {
                return id + "unsupported\t" + refusal.Message;
            }
            catch (CodecException fault)
            {
                string path = fault.Path;
                string words = (path.Length == 0 ? "" : path + ": ") + (fault.Detail.Length == 0 ? fault.Code.ToWire() : fault.Detail);
                string place = fault.Offset < 0 ? "-" : fault.Offset.ToString();
                return id + "error\t" + fault.Code.ToWire() + "\t" + place + "\t" + OneLine(words);
            }
            catch (Exception escaped)
            {
                return id + "error\tescaped\t-\t" + OneLine(escaped.ToString());
            }
        }

        private static string OneLine(string words) => words.Replace('\t', ' ').Replace('\r', ' ').Replace('\n', ' ');

        private static bool IsHex(string text) => text.Length % 2 == 0 && text.All(c => "0123456789abcdefABCDEF".IndexOf(c) >= 0);

        private static byte[] Bytes(string hex)
        {
            var bytes = new byte[hex.Length / 2];
            for (int i = 0; i < bytes.Length; i++) bytes[i] = Convert.ToByte(hex.Substring(2 * i, 2), 16);
            return bytes;
        }

        private static string Hex(byte[] bytes)
        {
            var text = new StringBuilder(2 * bytes.Length);
            foreach (byte one in bytes) text.Append("0123456789abcdef"[one >> 4]).Append("0123456789abcdef"[one & 15]);
            return text.ToString();
        }

        private byte[] Result(string[] fields)
        {
            string name = fields[2], from = fields[3], to = fields[4];
            foreach (string form in new[] { from, to })
            {
                if (form != "json" && !forms.ContainsKey(form)) throw new Refusal("this schema has no form " + form);
            }
            byte[] bytes = Bytes(fields[5]);
            if (name == "-")
            {
                if (from == "json") throw new Refusal("JSON does not say which message it is");
                Func<byte[], string>? identify = Form(from).Identify;
                if (identify == null) throw Unknown("messages of this form do not say what they are");
                name = identify(bytes);
            }
            if (!shapes.TryGetValue(name, out Shape? shape)) throw Unknown("the schema has no message " + name);
            Structure value = from == "json" ? (Structure)Json.Read(shape, bytes.AsSpan()) : Decoded(Form(from), name, bytes, fields[1] == "view");
            if (to == "json") return Encoding.UTF8.GetBytes(value.ToJson());
            Forms target = Form(to);
            bool hasHeader = target.Header != null && target.Header != name && from != "json";
            return target.Encode[name](value, hasHeader ? Decoded(target, target.Header!, bytes, false) : null);
        }

        // All fields of a view must be those of an object that was used before, into which the message, which was checked, is decoded.
        private Structure Decoded(Forms form, string name, byte[] bytes, bool isView)
        {
            Structure into = ((Json.OfRecord)shapes[name]).Fresh();
            if (!isView) return form.Decode[name](bytes, into);
            form.Verify[name](bytes);
            if (form.Used.TryGetValue(name, out Structure? used)) into = used;
            else form.Used.Add(name, into);
            Structure decoded = form.Decode[name](bytes, into), viewed = form.View[name](bytes);
            if (!viewed.Equals(decoded)) throw new InvalidOperationException("the view is " + viewed + ", and decoded is " + decoded);
            return viewed;
        }

        private static CodecException Unknown(string detail) => new CodecException(Code.UnknownMessage, -1, detail);
    }
}
