#nullable enable
using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;

namespace Aldis.Transport.Tests
{
    /// <summary>The client against a server in this process.</summary>
    internal static class ClientTests
    {
        internal static readonly Func<Task>[] All =
        {
            MessagesAreBatchedAndFlushWaits, TheHandshakeSaysWhatIsConfigured, AnotherServerIsTried, NeitherFlushNorBigBatchesLinger,
            CreditIsKeptAndWhoSendsWaits, RequestsGoBothWays, SubscriptionsOutliveConnectionsAndTellGaps, DrainingGoesBothWays,
            WhatIsNoOptionIsTold,
        };

        private static readonly TimeSpan Short = TimeSpan.FromMilliseconds(1);

        internal static async Task<T> Next<T>(ConcurrentQueue<T> queue)
        {
            for (int i = 0; i < 60_000; i++)
            {
                if (queue.TryDequeue(out T? found)) return found;
                await Task.Delay(1);
            }
            throw new TimeoutException("nothing came");
        }

        private static async Task MessagesAreBatchedAndFlushWaits()
        {
            using var fake = new Fake();
            var marks = new ConcurrentQueue<Watermarks>();
            ClientOptions options = fake.Options;
            options.Linger = TimeSpan.FromMilliseconds(200);
            options.OnAck = marks.Enqueue;
            var (client, peer) = await fake.Pair(options);
            for (ulong i = 1; i <= 3; i++) Check.Equal(i, await client.SendAsync(Check.Bytes("m" + i)));
            var (first, texts) = await peer.Batch();
            Check.Equal((1ul, "m1 m2 m3"), (first, string.Join(" ", texts)));
            await Check.Fails("deadline: 3 messages are not acked: the server has not said yet that it has them", client.FlushAsync(Short));
            await peer.Send(new Frame.Ack(3, 3, 1, 5, Fake.Plenty));
            await client.FlushAsync(Fake.Long);
            Watermarks seen = await Next(marks);
            Check.Equal((3ul, 3ul, 3ul, 1ul, 5ul), (seen.Acked, seen.Received, seen.Handled, seen.Durable, seen.Duplicates));
            Check.Equal((3ul, 3ul), (client.Watermarks.Acked, client.Sent));
        }

        private static async Task TheHandshakeSaysWhatIsConfigured()
        {
            using var fake = new Fake();
            ClientOptions options = fake.Options.Auth("token", Check.Bytes("s3cret"));
            options.Producer = Check.Bytes("0123456789abcdef");
            options.Epoch = 9;
            options.Durability = Durability.Durable;
            options.Window = new Window(7, 8);
            options.Checksum = false;
            options.Schema = new SchemaId(5, 6);
            Task<Client> connecting = fake.Connect(options);
            Peer peer = await fake.Accept();
            string said = FramesTests.Said(await peer.Greet(41));
            string producer = BitConverter.ToString(options.Producer);
            Check.Equal("hello 1 13 " + producer + " 9 token s3cret Durable 7/8", said);
            Client client = await connecting;
            Check.Equal(41ul, client.Watermarks.Acked);
            Check.Equal(42ul, await client.SendAsync(Check.Bytes("a")));
            var batch = await peer.Read<Frame.Batch>();
            Check.Equal((42ul, 1u, 0u), (batch.First, batch.Count, batch.Crc));
            // The schema's ids stand where the entries begin without the feature.
            Check.Same(new byte[] { 5, 0, 0, 0, 6, 0, 0, 0, 1, 0, 0, 0, (byte)'a' }, Fields.Copy(batch.Entries));
        }

        private static async Task AnotherServerIsTried()
        {
            using var fake = new Fake();
            using var second = new Fake();
            using var gone = new Fake();
            var options = new ClientOptions("127.0.0.1", gone.Port) { Durability = Durability.Replicated, LeastBackoff = Short, MostBackoff = Short };
            gone.Stop();
            Task<Client> connecting = fake.Connect(options.OrElse("127.0.0.1", fake.Port).OrElse("127.0.0.1", second.Port));
            Peer peer = await fake.Accept();
            await peer.Greet(0);
            Client client = await connecting;
            await client.SendAsync(Check.Bytes("a"));
            Check.Equal(1ul, (await peer.Batch()).First);
            peer.Tcp.Dispose();
            peer = await second.Accept();
            await peer.Greet(0);
            Check.Equal("a", (await peer.Batch()).Texts.Single());
            await peer.Ack(1);
            await client.FlushAsync(Fake.Long);
        }

        private static async Task NeitherFlushNorBigBatchesLinger()
        {
            using var fake = new Fake();
            ClientOptions options = fake.Options;
            options.BatchBytes = 40;
            options.Linger = TimeSpan.FromHours(1);
            var (client, peer) = await fake.Pair(options);
            for (int i = 0; i < 5; i++) await client.SendAsync(Check.Bytes("0123456789"));
            Check.Equal(3, (await peer.Batch()).Texts.Count);
            Task flushed = client.FlushAsync(Fake.Long);
            var (first, texts) = await peer.Batch();
            Check.Equal((4ul, 2), (first, texts.Count));
            await peer.Ack(5);
            await flushed;
        }

        private static async Task CreditIsKeptAndWhoSendsWaits()
        {
            using var fake = new Fake();
            var credit = new Window(3, 1000);
            ClientOptions options = fake.Options;
            options.MaxKeptBytes = 100;
            options.Linger = TimeSpan.FromHours(1);
            var (client, peer) = await fake.Pair(options, welcome => welcome.Credit = credit);
            Task all = Task.Run(async () =>
            {
                for (int i = 0; i < 50; i++) await client.SendAsync(Check.Bytes("0123456789"));
                await client.FlushAsync(Fake.Long);
            });
            ulong seen = 0, acked = 0;
            while (seen < 50)
            {
                var (first, texts) = await peer.Batch();
                Check.Equal(seen + 1, first);
                seen += (ulong)texts.Count;
                Check.True(seen - acked <= 3, "credit");
                acked = Math.Min(seen, acked + 1 + seen % 3);
                await peer.Send(new Frame.Ack(seen, acked, 0, 0, credit));
            }
            await peer.Ack(50);
            await all;
            while (client.TrySend(Check.Bytes("0123456789"), out _)) { }
            Check.Equal(58ul, client.Sent);
        }

        private static async Task<byte[]> Answer(byte[] asked)
        {
            await Task.Yield();
            switch (Check.Text(asked))
            {
                case "no": throw new TransportException(TransportCode.Refused, "nö");
                case "boom": throw new InvalidOperationException("boom");
                case "long": return new byte[1 << 20];
                default: return Check.Bytes(Check.Text(asked) + "!");
            }
        }

        private static Frame Request(ulong correlation, string text) =>
            new Frame.Numbered(Frame.Numbered.Request, 0, correlation, 0, new ArraySegment<byte>(Check.Bytes(text)), null);

        private static Frame Reply(ulong correlation, TransportCode code, string text) =>
            new Frame.Numbered(Frame.Numbered.Reply, 0, correlation, code.Number(), new ArraySegment<byte>(Check.Bytes(text)), null);

        private static async Task RequestsGoBothWays()
        {
            using var fake = new Fake();
            ClientOptions options = fake.Options;
            options.OnRequest = Answer;
            var (client, peer) = await fake.Pair(options);
            Task<byte[]> answer = client.RequestAsync(Check.Bytes("price?"), TimeSpan.FromSeconds(5));
            var asked = await peer.Read<Frame.Numbered>();
            Check.Equal("6 0 " + asked.Wide + " 5000 price?", FramesTests.Said(asked));
            await peer.Send(Reply(asked.Wide, TransportCode.Normal, "7"));
            Check.Equal("7", Check.Text(await answer));
            Task<byte[]> refused = client.RequestAsync(Check.Bytes("?"), TimeSpan.Zero);
            await peer.Send(Reply((await peer.Read<Frame.Numbered>()).Wide, TransportCode.Refused, "nö"));
            await Check.Fails("refused: nö", refused);
            await Check.Fails("deadline: no answer in time", client.RequestAsync(Check.Bytes("?"), TimeSpan.FromMilliseconds(20)));
            await peer.Read();
            foreach (var (question, said) in new[]
            {
                ("a", "0 a!"), ("no", "12 nö"), ("boom", "13 boom"), ("long", "2 an answer of 1048576 bytes; a frame takes 1048563"),
            })
            {
                await peer.Send(Request(ulong.MaxValue, question));
                await peer.Expect("7 0 " + ulong.MaxValue + " " + said);
            }
            Task<byte[]> pending = client.RequestAsync(Check.Bytes("?"), TimeSpan.Zero);
            peer.Tcp.Dispose();
            await Check.Fails(TransportCode.Disconnected, pending);
        }

        private static Frame Push(uint id, ulong first, params string[] texts)
        {
            var entries = new Bytes(64);
            foreach (byte[] text in texts.Select(Check.Bytes))
            {
                entries.U32((uint)text.Length);
                entries.Put(text);
            }
            var rest = new ArraySegment<byte>(entries.Array, 0, entries.Size);
            return new Frame.Numbered(Frame.Numbered.Push, id, first, (uint)texts.Length, rest, null);
        }

        private static async Task SubscriptionsOutliveConnectionsAndTellGaps()
        {
            using var fake = new Fake();
            var (client, peer) = await fake.Pair(fake.Options);
            var got = new ConcurrentQueue<string>();
            uint id = client.Subscribe(new Subscription("log", push =>
                got.Enqueue(push.First + "+" + push.Gap + " " + string.Join(",", push.Messages.Select(Check.Text))))
            {
                From = 5, Credit = 4, OnEnd = why => got.Enqueue(why.Message),
            });
            await peer.Expect("d " + id + " 5 4 log");
            await peer.Send(Push(id, 5, "a"));
            await peer.Send(Push(id, 6, "b", "c"));
            await peer.Expect("f " + id + " 7 4 ");
            peer.Tcp.Dispose();
            peer = await fake.Accept();
            await peer.Greet(0);
            await peer.Expect("d " + id + " 8 4 log");
            await peer.Send(Push(id, 7, "c", "d"));
            await peer.Send(Push(id, 20, "e"));
            await peer.Send(Push(id, ulong.MaxValue, "nobody's"));
            await peer.Send(Push(id + 1, 1, "nobody's"));
            await peer.Send(new Frame.Coded(Frame.Coded.Unsubscribe, id, TransportCode.Refused.Number(), "no"));
            foreach (string wanted in new[] { "5+0 a", "6+0 b,c", "8+0 d", "20+11 e", "refused: no" }) Check.Equal(wanted, await Next(got));
            await peer.Expect("f " + id + " 8 4 ");
            await peer.Expect("f " + id + " 20 4 ");
            uint other = client.Subscribe(new Subscription("log", push => { }));
            await peer.Expect("d " + other + " 0 1000 log");
            client.Unsubscribe(other);
            await peer.Expect("e " + other + " normal ");
            var tooLong = new Subscription(new string('x', 1025), push => { });
            Check.Equal(TransportCode.Misused, Check.Fails(() => client.Subscribe(tooLong)).Code);
            Check.Equal(TransportCode.Misused, Check.Fails(() => client.Subscribe(new Subscription("log", push => { }) { Credit = 0 })).Code);
        }

        private static async Task DrainingGoesBothWays()
        {
            using var fake = new Fake();
            var states = new ConcurrentQueue<string>();
            ClientOptions options = fake.Options;
            options.OnState = (state, why) => states.Enqueue(state + " " + why?.Code);
            var (client, peer) = await fake.Pair(options);
            await peer.Send(new Frame.Drain(500));
            await peer.Expect("drain 500");
            await client.SendAsync(Check.Bytes("a"));
            await peer.Close(0, "");
            peer = await fake.Accept();
            await peer.Greet(0);
            await peer.Batch();
            Task drained = client.DrainAsync(Fake.Long);
            await peer.Ack(1);
            await peer.Read<Frame.Drain>();
            await Check.Fails("closed: the client drains", () => client.SendAsync(Check.Bytes("b")).AsTask());
            await peer.Close(0, "");
            await drained;
            Check.Equal("normal: drained", (await client.WhenOverAsync()).Message);
            foreach (string state in new[] { "Ready ", "Draining Draining", "Connecting Normal", "Ready ", "Over Normal" })
            {
                Check.Equal(state, await Next(states));
            }
        }

        private static async Task WhatIsNoOptionIsTold()
        {
            var wrong = new List<Action>
            {
                () => new ClientOptions("x", 0), () => new ClientOptions("x", 1) { Producer = new byte[3] },
                () => new ClientOptions("x", 1).Auth(new string('x', 256), new byte[0]), () => new ClientOptions("x", 1).Auth("token", new byte[4096]),
            };
            foreach (Action one in wrong) Check.Equal(TransportCode.Misused, Check.Fails(one).Code);
            var negative = new ClientOptions("x", 1) { PingAfter = TimeSpan.FromMilliseconds(-1) };
            await Check.Fails(TransportCode.Misused, Client.ConnectAsync(negative));
        }
    }
}
