#nullable enable
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.RegularExpressions;
using System.Threading.Tasks;

namespace Aldis.Transport.Tests
{
    /// <summary>The golden frames of conformance/vectors/transport, random and damaged bytes, and the protocol's page.</summary>
    internal static class FramesTests
    {
        internal static readonly Func<Task>[] All =
        {
            EveryKindIsAsTheGoldenFilesHaveIt, WhatCannotBeUnderstoodIsAFault, AnyBytesAreAFrameOrAFault, FramesComeWholeHoweverTheyAreCut,
            EntriesAreExactlySoMany, CodesAreThoseOfTheProtocol,
        };

        private const string Folder = "conformance/vectors/transport/";

        /// <summary>Hexadecimal bytes; what follows # in a line is said to people.</summary>
        private static byte[] Hex(string path)
        {
            string digits = Regex.Replace(Regex.Replace(Check.Read(path), "#.*", ""), "\\s", "");
            return Enumerable.Range(0, digits.Length / 2).Select(i => Convert.ToByte(digits.Substring(2 * i, 2), 16)).ToArray();
        }

        private static string[] Files(string folder) =>
            Directory.GetFiles(Path.Combine(Program.Root, folder), "*.hex").Select(file => folder + Path.GetFileName(file)).ToArray();

        internal static byte[] Written(Frame frame)
        {
            var to = new Bytes(1);
            frame.Write(to);
            return to.Array.Take(to.Size).ToArray();
        }

        internal static Frame Read(byte[] whole, bool schema = false) =>
            Frame.Read(whole[4], new ArraySegment<byte>(whole, 5, whole.Length - 5), schema);

        /// <summary>The fields of a frame, as a text.</summary>
        internal static string Said(Frame frame)
        {
            string Text(ArraySegment<byte> bytes) => Check.Text(Fields.Copy(bytes));
            string Of(Window window) => window.Messages + "/" + window.Bytes;
            switch (frame)
            {
                case Frame.Hello hello:
                    return "hello " + hello.Spoken + " " + hello.Features + " " + BitConverter.ToString(Fields.Copy(hello.Producer)) + " "
                        + hello.Epoch + " " + Text(hello.AuthMethod) + " " + Text(hello.AuthData) + " " + hello.Durability + " " + Of(hello.Window);
                case Frame.Welcome welcome:
                    return "welcome " + welcome.Spoken + " " + welcome.Features + " " + welcome.Session.ToString("x") + " " + welcome.Last + " "
                        + Of(welcome.Credit) + " " + welcome.MaxFrame + " " + welcome.Durability;
                case Frame.Batch batch:
                    string schema = batch.Schema == null ? "" : " " + batch.Schema.Schema + "/" + batch.Schema.Template;
                    return "batch " + batch.First + " " + batch.Count + " " + batch.Crc.ToString("x") + schema;
                case Frame.Ack ack:
                    return "ack " + ack.Received + " " + ack.Handled + " " + ack.Durable + " " + ack.Duplicates + " " + Of(ack.Credit);
                case Frame.Coded coded:
                    return coded.Kind.ToString("x") + " " + coded.Number + " " + TransportCodeExtensions.Of(coded.Code).ToWire() + " " + coded.Text;
                case Frame.Numbered numbered:
                    return numbered.Kind.ToString("x") + " " + numbered.Subscription + " " + numbered.Wide + " " + numbered.Narrow + " "
                        + (numbered.Topic ?? Text(numbered.Rest).Replace('\0', '0'));
                case Frame.Opaque opaque:
                    return opaque.Kind.ToString("x") + " " + opaque.Value.ToString("x");
                case Frame.Drain drain:
                    return "drain " + drain.Milliseconds;
                default:
                    return frame.Kind.ToString("x") + " " + Text(((Frame.Unknown)frame).Body);
            }
        }

        private static readonly Dictionary<string, string> Golden = new Dictionary<string, string>
        {
            ["hello"] = "hello 1 13 A0-A1-A2-A3-A4-A5-A6-A7-A8-A9-AA-AB-AC-AD-AE-AF 7 token s3cret Durable 4000/1048576",
            ["welcome"] = "welcome 1 12 1122334455667788 41 100000/8388608 1048576 Durable",
            ["batch"] = "batch 42 3 3856039e",
            ["batch-no-checksum"] = "batch 42 3 0",
            ["batch-schema"] = "batch 42 3 c191ee59 7/1001",
            ["ack"] = "ack 44 43 40 2 100000/8388608",
            ["nack"] = "5 42 gap 42 is missing",
            ["request"] = "6 0 9 250 ping?",
            ["request-empty"] = "6 0 10 0 ",
            ["reply"] = "7 0 9 0 pong!",
            ["reply-refused"] = "7 0 10 12 nö",
            ["push"] = "8 3 1000 2 \u0002000p1\u0002000p2",
            ["ping"] = "9 fedcba9876543210",
            ["pong"] = "a fedcba9876543210",
            ["drain"] = "drain 5000",
            ["close"] = "c 0 idle nothing came for 30 s",
            ["close-bare"] = "c 0 normal ",
            ["subscribe"] = "d 3 1 500 log",
            ["unsubscribe"] = "e 3 refused no topic logs",
            ["credit"] = "f 3 1001 500 ",
            ["unknown-skipped"] = "f0 later",
        };

        private static Task EveryKindIsAsTheGoldenFilesHaveIt()
        {
            string[] files = Files(Folder);
            Check.Equal(Golden.Count, files.Length);
            foreach (string file in files)
            {
                string name = Path.GetFileNameWithoutExtension(file);
                byte[] bytes = Hex(file);
                Frame frame = Read(bytes, name == "batch-schema");
                Check.Equal(Golden[name], Said(frame), name);
                Check.Same(bytes, Written(frame), name);
                if (frame is Frame.Batch batch && batch.Crc != 0) Check.Equal(batch.Crc, batch.Checksum());
            }
            Check.Equal(0xCBF43926u, Crc32.Of(Check.Bytes("123456789")));
            Check.Equal(0xCBF43926u, Crc32.Of(Check.Bytes("6789"), Crc32.Of(Check.Bytes("12345"))));
            return Task.CompletedTask;
        }

        private static async Task<List<Frame>> Cut(byte[] stream, int chunk)
        {
            var found = new List<Frame>();
            var inbox = new Inbox();
            for (int at = 0; at < stream.Length; at += chunk)
            {
                await inbox.FillAsync(new MemoryStream(stream, at, Math.Min(chunk, stream.Length - at)));
                while (inbox.Next(out byte kind, out ArraySegment<byte> body))
                {
                    found.Add(Frame.Read(kind, new ArraySegment<byte>(Fields.Copy(body)), false));
                }
            }
            return found;
        }

        private static async Task WhatCannotBeUnderstoodIsAFault()
        {
            string[] files = Files(Folder + "malformed/");
            Check.True(files.Length > 5, "malformed frames");
            foreach (string file in files) await Check.Fails(TransportCode.Protocol, Cut(Hex(file), 1 << 16));
            await Check.Fails(TransportCode.FrameTooLarge, Cut(new byte[] { 0, 0, 0, 255 }, 4));
        }

        private static Task AnyBytesAreAFrameOrAFault()
        {
            var random = new Random(7);
            byte[][] golden = Files(Folder).Select(Hex).ToArray();
            int frames = 0;
            for (int i = 0; i < 200_000; i++)
            {
                byte[] whole = (byte[])golden[random.Next(golden.Length)].Clone();
                if (i % 2 == 0) whole = new byte[5 + random.Next(80)];
                // Sizes within a body are small numbers.
                if (i % 2 == 0) for (int j = 5; j < whole.Length; j++) whole[j] = (byte)(random.Next(2) == 0 ? random.Next(4) : random.Next(256));
                if (i % 2 == 0) whole[4] = (byte)(random.Next(4) == 0 ? random.Next(256) : 1 + random.Next(15));
                for (int damage = random.Next(4); damage > 0; damage--) whole[4 + random.Next(whole.Length - 4)] = (byte)random.Next(256);
                if (random.Next(4) == 0) Array.Resize(ref whole, 5 + random.Next(whole.Length - 4));
                try
                {
                    Frame frame = Read(whole, random.Next(2) == 0);
                    Check.Same(whole.Skip(4), Written(frame).Skip(4));
                    if (frame is Frame.Batch batch) Entries.Of(batch.Entries, batch.Count, 0);
                    if (frame is Frame.Numbered push) Entries.Of(push.Rest, push.Narrow, (uint)random.Next());
                    frames++;
                }
                catch (TransportException fault)
                {
                    Check.Equal(TransportCode.Protocol, fault.Code);
                }
            }
            Check.True(frames > 20_000, "frames: " + frames);
            return Task.CompletedTask;
        }

        private static async Task FramesComeWholeHoweverTheyAreCut()
        {
            List<byte[]> golden = Files(Folder).Where(file => !file.Contains("schema")).Select(Hex).ToList();
            byte[] stream = golden.SelectMany(bytes => bytes).ToArray();
            foreach (int size in new[] { 1, 2, 7, 64, stream.Length })
            {
                List<Frame> found = await Cut(stream, size);
                Check.Equal(string.Join("\n", golden.Select(bytes => Said(Read(bytes)))), string.Join("\n", found.Select(Said)));
            }
            byte[] longText = Written(new Frame.Coded(Frame.Coded.Close, 0, 0, new string('x', 1023) + "ö"));
            Check.Equal(new string('x', 1023), ((Frame.Coded)Read(longText)).Text);
        }

        private static Task EntriesAreExactlySoMany()
        {
            byte[] three = Check.Bytes("\u0003\0\0\0abc\0\0\0\0\u0005\0\0\0hello");
            Check.Equal("abc||hello", string.Join("|", Entries.Of(three, 3, 0)!.Select(Check.Text)));
            Check.Equal("hello", Check.Text(Entries.Of(three, 3, 2)!.Single()));
            foreach (uint count in new uint[] { 2, 4, uint.MaxValue }) Check.True(Entries.Of(three, count, 0) == null, "count " + count);
            Check.True(Entries.Of(three.Take(three.Length - 1).ToArray(), 3, 0) == null, "cut");
            Check.True(Entries.Of(new byte[] { 255, 255, 255, 255, 0 }, 1, 0) == null, "beyond");
            return Task.CompletedTask;
        }

        private static Task CodesAreThoseOfTheProtocol()
        {
            string page = Check.Read("docs/protocol.md");
            string[] Row(string what) => page.Split('\n')
                .Where(line => line.StartsWith("| CLOSE ") && line.EndsWith(what) && !line.Contains("with a code"))
                .SelectMany(line => line.Substring(8, line.Length - 8 - what.Length).Split(", ")).ToArray();
            string[] again = Row(" | connects again |"), over = Row(" | is over |");
            Check.Equal(20, again.Length + over.Length);
            for (uint number = 0; number < 20; number++)
            {
                TransportCode code = TransportCodeExtensions.Of(number);
                Check.Equal(number, code.Number());
                Check.True(page.Contains("| " + number + " | " + code.ToWire() + " |"), code.ToWire());
                Check.Equal(code.IsFatal(), over.Contains(code.ToWire()), code.ToWire());
            }
            Check.Equal("code 77: x", new TransportException(77, "x").Message);
            return Task.CompletedTask;
        }
    }
}
