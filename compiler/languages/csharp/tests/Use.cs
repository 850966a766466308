// The calls that users make of generated code, and names that C# or the code around them needs: prints what is not as it should be, then done.
using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using Addressbook;
using Aldis;
using Aldis.Codec;
using System_;

static class Use
{
    static int wrong;

    internal static void That(bool holds, string what)
    {
        if (holds) return;
        wrong++;
        Console.WriteLine("wrong: " + what);
    }

    internal static CodecException Fault(Action action)
    {
        try
        {
            action();
        }
        catch (CodecException fault)
        {
            return fault;
        }
        return new CodecException(Code.BadValue, -2, "nothing was thrown");
    }

    internal static Wide Filled()
    {
        var wide = new Wide
        {
            Absent = 5, Value = "tëxt", Other = Side.Buy, Marks = Marks.A | (Marks)64, Account = new Account { Id = 7 }, Price = 1.10m,
            Total = -79228162514264337593543950335m, Id = Guid.Parse("00112233-4455-6677-8899-aabbccddeeff"), Letter = (byte)'x', Rate = 0.1,
        };
        wide.List.Add(null);
        wide.List.Add(new Account { Id = 8, Account_ = 9 });
        wide.Numbers.Add(3);
        wide.Numbers.Add(null);
        wide.Pairs.Add("b", 2);
        wide.Pairs.Add("a", 1);
        wide.Names.Add("\U0001F600");
        wide.Names.Add("\uFB01");
        wide.Owners.Add(new Account { Id = 3, Account_ = 4 });
        wide.Scores = new[] { 1, -2 };
        return wide;
    }

    static void Values()
    {
        Wide wide = Filled();
        That(new Wide().Side == Side.Sell && new Wide().Absent1 == null, "defaults of the schema");
        That(wide.Side.ToName() == "sell" && ((Side)77).ToName() == null, "names of enumerants");
        That(wide.Pairs.Keys.SequenceEqual(new[] { "a", "b" }), "maps are in order");
        That(wide.Names.First() == "\uFB01", "texts are in the order of their bytes");
        That(wide.Equals(wide.Clone()) && wide.GetHashCode() == wide.Clone().GetHashCode(), "a copy is equal");
        Wide copy = wide.Clone();
        copy.List[1]!.Id = 1;
        That(!wide.Equals(copy) && wide.List[1]!.Id == 8, "a copy is its own");
        wide.Clone().Owners.First().Account_ = 5;
        That(wide.Owners.First().Account_ == 4, "a set of a copy has records of its own");
        That(wide.ToString().StartsWith("Wide{absent=5, absent1=null"), "text for people: " + wide);
        That(wide.IsMissing("absent1") && !wide.IsMissing("absent"), "missing fields");
        copy.Clear();
        That(copy.Equals(new Wide()) && copy.Side == Side.Sell && copy.List.Count == 0 && wide.List.Count == 2, "a cleared value is as a new one");
        wide.Absent1 = 1;
        wide.Ratio = 2;
        That(wide.Absent1 == 1 && wide.Ratio == 2f, "optional numbers that are set");
        wide.Absent1 = null;
        That(wide.Absent1 == null, "optional numbers that are cleared");
        try
        {
            wide.Value = null!;
            That(false, "a text that must be there is null");
        }
        catch (ArgumentNullException)
        {
        }
    }

    static void Bytes()
    {
        Wide wide = Filled();
        byte[] bytes = wide.Encode();
        That(Wide.Decode(bytes).Equals(wide), "standard bytes and back");
        That(Wide.DecodeFinal(wide.EncodeFinal()).Equals(wide), "final bytes and back");
        That(Wide.Decode(bytes).Price.ToString() == "1.10", "decimals keep their scale");
        That(bytes.AsSpan().IndexOf(new byte[] { 0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77 }) > 0, "uuids in the order of their text");
        var target = new byte[bytes.Length + 8];
        That(wide.TryEncode(target, out int written) && written == bytes.Length, "into bytes of the caller's");
        That(target.AsSpan(0, written).SequenceEqual(bytes), "the same bytes");
        That(!wide.TryEncode(new byte[9], out written) && written == bytes.Length, "no room");
        That(SystemSchema.Decode(bytes).Equals(wide) && SystemSchema.Identify(bytes) == "system.Wide", "the message that bytes are");
        for (int size = 0; size < bytes.Length; size++)
        {
            CodecException fault = Fault(() => Wide.Decode(bytes.AsSpan(0, size)));
            That(fault.Offset >= 0 && fault.Offset <= size, "cut to " + size + ": " + fault.Message);
        }
        That(Fault(() => Wide.Decode(bytes, new Limits(0, 8, 1024, true))).Code == Code.TooDeep, "a limit of depth");
        That(Fault(() => Wide.Decode(bytes, new Limits(9, 0, 16, true))).Code == Code.TooLarge, "a budget");
        That(Wide.Decode(bytes, Limits.Reference).Equals(wide), "the limits of the reference");
        wide.Value = "\ud800";
        CodecException half = Fault(() => wide.Encode());
        That(half.Code == Code.BadValue && half.Path == "value" && half.Offset == -1, half.Message);
        wide.Value = "\udcff";
        That(Wide.Decode(wide.Encode()).Value == "\udcff", "a byte that is no UTF-8 passes through");
        That(Fault(() => wide.ToJson()).Code == Code.BadText, "JSON has no such text");
    }

    static void Text()
    {
        Wide wide = Filled();
        string json = wide.ToJson();
        That(Wide.FromJson(json).Equals(wide) && Wide.FromJson(Encoding.UTF8.GetBytes(json)).Equals(wide), "JSON and back");
        CodecException fault = Fault(() => Wide.FromJson("{\"absent\": 1e400}"));
        That(fault.Code == Code.OutOfRange && fault.Offset == 11 && fault.Path == "absent", fault.Message);
        That(fault.Message.StartsWith("out-of-range at byte 11 in absent: "), fault.Message);
        That(Fault(() => Wide.FromJson("{")).Code == Code.BadJson, "half of a text");
    }

    // A used object keeps the parts that it can.
    static void Used()
    {
        Wide wide = Filled(), used = Wide.Decode(wide.Encode());
        string text = used.Value;
        List<Account?> list = used.List;
        Account account = used.Account!, last = list[1]!;
        int[] scores = used.Scores;
        That(ReferenceEquals(Wide.Decode(wide.Encode(), used), used) && used.Equals(wide), "into a used object");
        That(ReferenceEquals(used.Account, account) && ReferenceEquals(used.Scores, scores), "records and arrays are kept");
        That(ReferenceEquals(used.List, list) && ReferenceEquals(list[1], last), "lists are kept with their records");
        wide.List.RemoveAt(0);
        wide.Absent1 = 6;
        wide.Value = "another text";
        That(Wide.DecodeFinal(wide.EncodeFinal(), used).Equals(wide) && used.List.Count == 1, "into a used object once more");
        wide.Absent1 = null;
        That(Wide.Decode(wide.Encode(), used).Absent1 == null && text == "tëxt", "a number that was there is absent");
        byte[] bytes = wide.Encode();
        Wide.Verify(bytes);
        Wide.VerifyFinal(wide.EncodeFinal());
        for (int size = 0; size < bytes.Length; size++)
        {
            CodecException decoding = Fault(() => Wide.Decode(bytes.AsSpan(0, size)));
            CodecException checking = Fault(() => Wide.Verify(bytes.AsSpan(0, size)));
            That(decoding.Message == checking.Message, "verify says " + checking.Message + ", decode " + decoding.Message);
        }
        That(Fault(() => Wide.Verify(bytes, new Limits(0, 8, 1024, true))).Code == Code.TooDeep, "a limit of depth for verify");
    }

    static void Pointers()
    {
        var ada = new Person { Id = 7, Name = "Ada", Employment = PersonEmployment.Employer("MIT") };
        ada.Phones = new List<PersonPhoneNumber> { new PersonPhoneNumber { Number = "1", Type = PersonPhoneNumberType.Work } };
        That(Person.Decode(ada.Encode()).Equals(ada) && Person.DecodeCanonical(ada.EncodeCanonical()).Equals(ada), "words and back");
        That(Person.DecodePacked(ada.EncodePacked()).Equals(ada), "packed words and back");
        That(ada.EncodePacked().Length < ada.EncodeCanonical().Length, "packed words are fewer bytes");
        var target = new byte[ada.Encode().Length];
        That(ada.TryEncode(target, out int written) && target.SequenceEqual(ada.Encode()), "words into bytes of the caller's");
        That(ada.TryEncodePacked(target, out written) && target.AsSpan(0, written).SequenceEqual(ada.EncodePacked()), "packed words there");
        That(!ada.TryEncode(new byte[8], out written) && written == target.Length, "no room for words");
        Person used = Person.Decode(ada.Encode());
        PersonPhoneNumber phone = used.Phones![0];
        Person.DecodePacked(ada.EncodePacked(), used);
        That(ReferenceEquals(used.Phones![0], phone) && used.Equals(ada), "words into a used object");
        That(ada.Employment.Which() == PersonEmployment.Arm.Employer && ada.Employment.AsEmployer() == "MIT", "an arm");
        That(!ada.Employment.Equals(PersonEmployment.School("MIT")) && ada.Clone().Equals(ada), "arms are told apart");
        That(ada.ToString().Contains("employment=employer(\"MIT\")"), ada.ToString());
        try
        {
            ada.Employment.AsSchool();
            That(false, "the value of another arm");
        }
        catch (InvalidOperationException)
        {
        }
        ada.Employment = PersonEmployment.SelfEmployed();
        That(Person.Decode(ada.Encode()).Employment.Which() == PersonEmployment.Arm.SelfEmployed, "an arm without a value");
        That(Person.FromJson(ada.ToJson()).Equals(ada), "JSON of unions");
        byte[] packed = ada.EncodePacked(), bytes = ada.Encode();
        Person.VerifyPacked(packed);
        for (int size = 0; size < bytes.Length; size++) That(Fault(() => Person.Verify(bytes.AsSpan(0, size))).Offset >= 0, "cut words");
        for (int size = 0; size < packed.Length; size++) That(Fault(() => Person.VerifyPacked(packed.AsSpan(0, size))).Offset == -1, "cut packed words");
    }

    // Floats are written with their shortest digits, on old runtimes too.
    static void Digits()
    {
        foreach (string digits in new[] { "47470376747465500.0", "171918838233142000.0", "-9007199254740992.0", "1.7976931348623157e+308",
            "-6.2773490077855e-310", "5e-324", "0.1", "5.684341886080802e-14" })
        {
            Wide wide = Filled();
            wide.Rate = double.Parse(digits, System.Globalization.CultureInfo.InvariantCulture);
            That(wide.ToJson().Contains("\"rate\":" + digits + ","), "digits of " + digits + ": " + wide.ToJson());
        }
        foreach (string digits in new[] { "65806530.0", "1e-45", "3.4028235e+38", "16777216.0", "0.3" })
        {
            Wide wide = Filled();
            wide.Ratio = float.Parse(digits, System.Globalization.CultureInfo.InvariantCulture);
            That(wide.ToJson().Contains("\"ratio\":" + digits + ","), "digits of " + digits + ": " + wide.ToJson());
        }
    }

    static int Main()
    {
        Values();
        Bytes();
        Text();
        Digits();
        Used();
        Pointers();
        Streams.Run();
        Asks.Run();
        Attempts.Run();
        Unions.Run();
        Plenties.Run();
        Views.Run();
        Glances.Run();
        Quicks.Run();
        QuickReads.Run();
        Console.WriteLine(wrong == 0 ? "done" : wrong + " are wrong");
        return wrong;
    }
}
