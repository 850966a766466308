#nullable enable
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading.Tasks;

namespace Aldis.Transport.Tests
{
    /// <summary>The outbox against a plain list, and the session against a server that is a list, without sockets: connections end anywhere,
    /// frames are cut, acks come late.</summary>
    internal static class SessionTests
    {
        internal static readonly Func<Task>[] All = { TheOutboxAgreesWithAPlainList, NothingIsLostDoubledOrBeyondItsCredit };

        private const int Total = 300;

        private static long Kept(IEnumerable<byte[]> messages) => messages.Sum(message => message.Length + 4L);

        private static Task TheOutboxAgreesWithAPlainList()
        {
            for (int seed = 0; seed < 1000; seed++) Compare(new Random(seed));
            return Task.CompletedTask;
        }

        private static void Compare(Random random)
        {
            var outbox = new Outbox(1 + random.Next(200));
            var all = new List<byte[]>();
            int sent = 0, acked = 0;
            for (int step = 0; step < 200; step++)
            {
                int what = random.Next(11);
                if (what < 4)
                {
                    all.Add(new byte[random.Next(30)]);
                    random.NextBytes(all[all.Count - 1]);
                    Check.Equal((ulong)all.Count, outbox.Append(all[all.Count - 1]));
                }
                else if (what < 6)
                {
                    outbox.CloseChunk();
                }
                else if (what < 8)
                {
                    var credit = new Window(1 + (uint)random.Next(20), 1 + (uint)random.Next(300));
                    Frame.Batch? batch = outbox.Next(credit, 100);
                    if (batch == null) continue;
                    Check.Equal((ulong)sent + 1, batch.First);
                    foreach (byte[] entry in Entries.Of(batch.Entries, batch.Count, 0)!) Check.Same(all[sent++], entry);
                    bool fits = sent - acked <= credit.Messages && Kept(all.Skip(acked).Take(sent - acked)) <= credit.Bytes;
                    Check.True(sent - acked == 1 || fits, "credit");
                }
                else if (what < 10)
                {
                    acked = Math.Min(sent, acked + random.Next(20));
                    outbox.Ack((ulong)acked);
                }
                else
                {
                    sent = Math.Max(acked, sent - random.Next(20));
                    outbox.Rewind((ulong)sent + 1);
                }
                Check.Equal(((ulong)sent, (ulong)acked, Kept(all.Skip(acked))), (outbox.Sent, outbox.Acked, outbox.KeptBytes));
            }
        }

        /// <summary>The server's side, by the rules of docs/protocol.md.</summary>
        private sealed class Model
        {
            internal readonly List<string> Log = new List<string>();
            internal readonly Random Random;
            internal Inbox Inbox = new Inbox();
            internal ulong Acked;
            internal bool Ignores;
            internal bool Greeted;
            private readonly Window credit = new Window(7, 200);
            private readonly Session session;

            internal Model(Session session, Random random)
            {
                this.session = session;
                Random = random;
            }

            internal async Task Take(byte[] stream)
            {
                await Inbox.FillAsync(new MemoryStream(stream));
                while (Inbox.Next(out byte kind, out ArraySegment<byte> body))
                {
                    Frame frame = Frame.Read(kind, body, false);
                    if (frame is Frame.Hello hello) Greet(hello);
                    else Batch((Frame.Batch)frame);
                }
            }

            private void Greet(Frame.Hello hello)
            {
                Greeted = true;
                Say(new Frame.Welcome
                {
                    Features = hello.Features, Last = (ulong)Log.Count, Credit = credit, MaxFrame = 1 << 20, Durability = hello.Durability,
                });
            }

            private void Batch(Frame.Batch batch)
            {
                List<byte[]> entries = Entries.Of(batch.Entries, batch.Count, 0)!;
                Check.Equal(batch.Checksum(), batch.Crc);
                ulong next = (ulong)Log.Count + 1, last = batch.First + batch.Count - 1;
                Check.True(last - Acked <= credit.Messages || (batch.Count == 1 && batch.First == Acked + 1), "credit");
                if (Ignores && batch.First > next) return;
                Ignores = Random.Next(6) == 0;
                if (Ignores)
                {
                    Say(new Frame.Coded(Frame.Coded.Nack, next, TransportCode.BadChecksum.Number(), "damaged"));
                    return;
                }
                Check.True(batch.First <= next, "a gap");
                Log.AddRange(entries.Skip((int)(next - batch.First)).Select(Check.Text));
            }

            internal void Ack()
            {
                Acked = Math.Max(Acked, (ulong)Math.Max(Log.Count - Random.Next(3), 0));
                Say(new Frame.Ack((ulong)Log.Count, Acked, 0, 0, credit));
            }

            private void Say(Frame frame)
            {
                byte[] bytes = FramesTests.Written(frame);
                session.Received(frame.Kind, new ArraySegment<byte>(bytes, 5, bytes.Length - 5), 0);
            }
        }

        private static async Task NothingIsLostDoubledOrBeyondItsCredit()
        {
            int ends = 0;
            for (int seed = 0; seed < 300; seed++) ends += await Run(new Random(seed));
            Check.True(ends > 600, "connections that ended: " + ends);
        }

        private static async Task<int> Run(Random random)
        {
            var told = new List<ulong>();
            var session = new Session(new ClientOptions("server", 1)
            {
                BatchBytes = 1 + random.Next(60), Linger = TimeSpan.Zero, OnAck = marks => told.Add(marks.Acked),
            });
            var model = new Model(session, random);
            int sent = 0, ends = 0;
            session.Connected(0);
            for (int step = 0; session.Outbox.Acked < Total; step++)
            {
                Check.True(step < 100_000, "it does not end");
                try
                {
                    int what = random.Next(8);
                    if (what < 3 && sent < Total && model.Greeted) session.Send(Check.Bytes((++sent).ToString()), 0);
                    else if (what < 6) await Write(session, model);
                    else if (what == 6 && session.IsUp) model.Ack();
                    else if (what == 7 && random.Next(20) == 0) throw End.Lost("cut");
                }
                catch (End end)
                {
                    Check.True(!end.Fatal, end.Message);
                    ends++;
                    session.Disconnected(end.Why, false);
                    session.Connected(0);
                    model.Inbox = new Inbox();
                    model.Ignores = false;
                    model.Acked = (ulong)model.Log.Count;
                }
                session.TakeEvents().ForEach(run => run());
            }
            Check.Equal(string.Join(" ", Enumerable.Range(1, Total)), string.Join(" ", model.Log));
            Check.True(told.SequenceEqual(told.OrderBy(mark => mark)), "acks in order");
            return ends;
        }

        /// <summary>What the session has to write goes to the server, or some of it is lost with the connection.</summary>
        private static async Task Write(Session session, Model model)
        {
            if (session.HasControl)
            {
                Bytes taken = session.TakeControl(new Bytes(64));
                await model.Take(taken.Array.Take(taken.Size).ToArray());
                return;
            }
            Frame.Batch? batch = session.Next(0);
            if (batch == null) return;
            batch.Crc = batch.Checksum();
            byte[] bytes = FramesTests.Written(batch);
            bool isCut = model.Random.Next(30) == 0;
            await model.Take(isCut ? bytes.Take(model.Random.Next(bytes.Length)).ToArray() : bytes);
            if (isCut) throw End.Lost("cut within a frame");
        }
    }
}
