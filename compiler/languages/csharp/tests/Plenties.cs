// A record whose codecs are made of parts.
using System;
using System.Text;
using Plenty;

static class Plenties
{
    static readonly string[] Values =
    {
        "7", "\"a text\"", "2.5", "-3", "[1,2,3]", "true", "\"\"", "{\"number\":5,\"text\":\"inner\"}",
    };

    internal static void Run()
    {
        var json = new StringBuilder("{");
        for (int field = 0; field < 320; field++)
        {
            json.Append(field == 0 ? "" : ",").Append("\"f").Append(field).Append("\":").Append(Values[field % Values.Length]);
        }
        Many many = Many.FromJson(json.Append('}').ToString());
        byte[] bytes = many.Encode(), shorter = many.EncodeFinal();
        Use.That(Many.Decode(bytes).Equals(many) && Many.DecodeFinal(shorter).Equals(many), "many fields and back");
        var used = new Many();
        Use.That(Many.Decode(bytes, used) == used && used.Equals(many), "many fields into a used object");
        Use.That(Many.Decode(new Many().Encode(), used).Equals(new Many()), "nothing of what was there is left");
        Use.That(Many.DecodeFinal(shorter, used).Equals(many), "many fields into a used object again");
        for (int size = 0; size < bytes.Length; size += 7)
        {
            byte[] cut = bytes.AsSpan(0, size).ToArray();
            string wrong = Use.Fault(() => Many.Decode(cut)).Message;
            Use.That(wrong == Use.Fault(() => Many.Verify(cut)).Message && wrong != "", "one fault: " + wrong);
        }
    }
}
