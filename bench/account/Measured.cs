// Generated C#: the program takes the folder where the messages are.
using System;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Text;
using Proto;

static class Measured
{
    const int Rounds = 25;
    const double RoundNs = 10_000_000;
    static long kept;

    static int Main(string[] args)
    {
        var target = new byte[4096];
        foreach (var form in new[] { "standard", "final" })
        {
            bool isFinal = form == "final";
            byte[] bytes = File.ReadAllBytes(Path.Combine(args[0], form + ".bin"));
            Account value = isFinal ? Account.DecodeFinal(bytes) : Account.Decode(bytes);
            Check((isFinal ? value.EncodeFinal() : value.Encode()).AsSpan().SequenceEqual(bytes), form);
            Row("serialize", form, bytes.Length, () =>
            {
                int written;
                bool fits = isFinal ? value.TryEncodeFinal(target, out written) : value.TryEncode(target, out written);
                return fits ? written : throw new InvalidOperationException();
            });
            Row("deserialize", form, bytes.Length, () => (isFinal ? Account.DecodeFinal(bytes) : Account.Decode(bytes)).Id);
            Row("verify", form, bytes.Length, () =>
            {
                if (isFinal) Account.VerifyFinal(bytes);
                else Account.Verify(bytes);
                return bytes[8];
            });
        }
        byte[] json = Encoding.UTF8.GetBytes(File.ReadAllText(Path.Combine(args[0], "account.json")).Trim());
        Account read = Account.FromJson(json);
        Check(read.ToJson() == Encoding.UTF8.GetString(json), "json");
        Row("serialize", "json", json.Length, () => read.ToJson().Length);
        Row("deserialize", "json", json.Length, () => Account.FromJson(json).Id);
        Check(kept != 0, "nothing ran");
        return 0;
    }

    static void Check(bool holds, string what)
    {
        if (!holds) throw new InvalidOperationException(what);
    }

    static double Run(Func<long> task, long times)
    {
        long start = Stopwatch.GetTimestamp();
        long sum = 0;
        for (long i = 0; i < times; i++) sum += task();
        kept += sum;
        return (Stopwatch.GetTimestamp() - start) * 1e9 / Stopwatch.Frequency;
    }

    static void Row(string operation, string form, int size, Func<long> task)
    {
        // Code is compiled again in the background after its first runs.
        for (int i = 0; i < 40; i++) Run(task, 2_000);
        System.Threading.Thread.Sleep(200);
        for (int i = 0; i < 40; i++) Run(task, 2_000);
        long times = Math.Max(1, (long)(RoundNs / (Run(task, 5_000) / 5_000)));
        var rounds = new double[Rounds];
        for (int i = 0; i < Rounds; i++) rounds[i] = Run(task, times) / times;
        Array.Sort(rounds);
        Console.WriteLine(string.Format(CultureInfo.InvariantCulture, "{0} {1} {2} {3:F1} {4:F1}", operation, form, size, rounds[0], rounds[Rounds / 2]));
    }
}
