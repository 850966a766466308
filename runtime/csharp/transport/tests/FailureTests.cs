#nullable enable
using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Linq;
using System.Text.RegularExpressions;
using System.Threading.Tasks;

namespace Aldis.Transport.Tests
{
    /// <summary>Connections and servers that fail, and servers that say what they may not.</summary>
    internal static class FailureTests
    {
        internal static readonly Func<Task>[] All =
        {
            AServerThatDiesAtRandomLosesNothing, NacksAreAnsweredAndTheNinthEnds, WhatIsRefusedIsTriedAgainOrEndsTheClient,
            CloseIsToldOrMended, WhatAServerMayNotSayEndsTheConnection, WhatIsNotGrantedEndsTheClient, LostMemoryBeginsANewEpoch,
            AMessageWithoutRoomEndsTheClient, SilenceIsAskedAndEnds, AServerThatReadsNothingIsLeft, AServerThatReadsNoAnswersAsksNoMore,
            AFlushWithoutConnectionSaysWhy, ACallbackThatFailsEndsTheClient,
        };

        private static readonly TimeSpan Short = TimeSpan.FromMilliseconds(10);

        private static async Task AServerThatDiesAtRandomLosesNothing()
        {
            const int Total = 3000;
            using var fake = new Fake();
            ClientOptions options = fake.Options;
            options.BatchBytes = 200;
            Task<Client> connecting = fake.Connect(options);
            var log = new List<string>();
            Task? sending = null;
            for (int round = 0; log.Count < Total; round++)
            {
                Peer peer = await fake.Accept();
                await peer.Greet((ulong)log.Count);
                sending ??= Task.Run(async () =>
                {
                    Client client = await connecting;
                    for (int i = 0; i < Total; i++) await client.SendAsync(Check.Bytes(i.ToString()));
                    await client.FlushAsync(Fake.Long);
                });
                for (int step = 0; step <= round % 13 && log.Count < Total; step++)
                {
                    var (first, texts) = await peer.Batch();
                    Check.True(first <= (ulong)log.Count + 1, "a gap");
                    log.AddRange(texts.Skip(log.Count + 1 - (int)first).ToList());
                    if (step % 3 == 0) await peer.Ack((ulong)log.Count);
                }
                if (log.Count == Total) await peer.Ack(Total);
                else if (round % 2 == 0) peer.Tcp.Dispose();
                else peer.Reset();
            }
            await sending!;
            Check.Equal(string.Join(" ", Enumerable.Range(0, Total)), string.Join(" ", log));
        }

        private static async Task NacksAreAnsweredAndTheNinthEnds()
        {
            using var fake = new Fake();
            ClientOptions options = fake.Options;
            options.BatchBytes = 16;
            var (client, peer) = await fake.Pair(options);
            for (int i = 0; i < 4; i++) await client.SendAsync(Check.Bytes("abcd"));
            Check.Equal((1ul, 3ul), ((await peer.Batch()).First, (await peer.Batch()).First));
            for (int i = 0; i < 8; i++)
            {
                await peer.Nack(2, TransportCode.Gap, "again");
                Check.Equal((2ul, 3ul), ((await peer.Batch()).First, (await peer.Batch()).First));
            }
            await peer.Nack(2, TransportCode.BadChecksum, "again");
            await peer.Expect("c 0 bad-checksum again");
            peer = await fake.Accept();
            await peer.Greet(2);
            Check.Equal(3ul, (await peer.Batch()).First);
            await peer.Ack(4);
            await client.FlushAsync(Fake.Long);
        }

        private static async Task WhatIsRefusedIsTriedAgainOrEndsTheClient()
        {
            using var fake = new Fake();
            var told = new ConcurrentQueue<string>();
            ClientOptions options = fake.Options;
            options.LeastBackoff = TimeSpan.FromMilliseconds(20);
            options.MostBackoff = TimeSpan.FromMilliseconds(50);
            options.OnRefused = (sequence, text) => told.Enqueue(sequence + " " + text);
            var (client, peer) = await fake.Pair(options);
            await client.SendAsync(Check.Bytes("a"));
            await peer.Batch();
            foreach (int pause in new[] { 20, 40, 50 })
            {
                var watch = System.Diagnostics.Stopwatch.StartNew();
                await peer.Nack(1, TransportCode.Refused, "not now");
                Check.Equal(1ul, (await peer.Batch()).First);
                Check.True(watch.ElapsedMilliseconds >= pause - 2, "a pause of " + watch.ElapsedMilliseconds + " ms");
                Check.Equal("1 not now", await ClientTests.Next(told));
            }
            await Check.Fails("deadline: 1 messages are not acked: the server's handler refuses message 1: not now", client.FlushAsync(Short));
            await peer.Ack(1);
            await client.FlushAsync(Fake.Long);

            options = fake.Options;
            options.RetryRefused = false;
            var (strict, other) = await fake.Pair(options);
            await strict.SendAsync(Check.Bytes("a"));
            await other.Batch();
            await other.Nack(1, TransportCode.Refused, "not today");
            await Check.Fails("refused: message 1: not today", strict.FlushAsync(Fake.Long));
            Check.Equal(ClientState.Over, strict.State);
        }

        private static async Task CloseIsToldOrMended()
        {
            using var fake = new Fake();
            var (client, peer) = await fake.Pair(fake.Options);
            await client.SendAsync(Check.Bytes("a"));
            for (uint code = 0; code <= 20; code++)
            {
                if (TransportCodeExtensions.Of(code).IsFatal()) continue;
                Check.Equal(1ul, (await peer.Batch()).First, "code " + code);
                await peer.Close(code, "later");
                peer = await fake.Accept();
                await peer.Greet(0);
            }
            for (uint code = 0; code <= 20; code++)
            {
                TransportCode name = TransportCodeExtensions.Of(code);
                if (!name.IsFatal()) continue;
                var (other, end) = await fake.Pair(fake.Options);
                await other.SendAsync(Check.Bytes("a"));
                await end.Close(code, "for good");
                await Check.Fails(name.ToWire() + ": for good", other.FlushAsync(Fake.Long));
                Check.Equal(name, (await other.WhenOverAsync()).Code);
            }
            Task<Client> first = fake.Connect(fake.Options);
            Peer refusing = await fake.Accept();
            await refusing.Read();
            await refusing.Close(TransportCode.Unavailable.Number(), "come back later");
            await Check.Fails("unavailable: come back later", first);
            await Check.Fails(TransportCode.Disconnected, Client.ConnectAsync(new ClientOptions("127.0.0.1", 1)));
        }

        private static async Task WhatAServerMayNotSayEndsTheConnection()
        {
            using var fake = new Fake();
            var (client, peer) = await fake.Pair(fake.Options);
            var rest = new ArraySegment<byte>(new byte[4]);
            foreach (var (frame, code) in new (Frame, TransportCode)[]
            {
                (new Frame.Ack(9, 9, 9, 0, Fake.Plenty), TransportCode.Protocol),
                (new Frame.Ack(ulong.MaxValue, ulong.MaxValue, ulong.MaxValue, 0, Fake.Plenty), TransportCode.Protocol),
                (new Frame.Coded(Frame.Coded.Nack, 5, TransportCode.Gap.Number(), ""), TransportCode.Protocol),
                (new Frame.Coded(Frame.Coded.Nack, ulong.MaxValue, TransportCode.Gap.Number(), ""), TransportCode.Protocol),
                (new Frame.Numbered(Frame.Numbered.Credit, 1, 1, 1, default, null), TransportCode.Protocol),
                (new Frame.Numbered(Frame.Numbered.Subscribe, 1, 1, 1, default, "log"), TransportCode.Protocol),
                (new Frame.Numbered(Frame.Numbered.Push, 1, 1, 2, rest, null), TransportCode.BadCount),
                (new Frame.Numbered(Frame.Numbered.Push, 1, 1, 0, default, null), TransportCode.BadCount),
            })
            {
                await peer.Send(frame);
                await peer.Closed(code);
                peer = await fake.Accept();
                await peer.Greet(0);
            }
            await peer.Stream.WriteAsync(new byte[] { 255, 255, 255, 255, 0 }, 0, 5);
            await peer.Closed(TransportCode.FrameTooLarge);
            peer = await fake.Accept();
            await peer.Read();
            await peer.Send(new Frame.Opaque(Frame.Opaque.Ping, 1));
            await peer.Closed(TransportCode.Protocol);
            peer = await fake.Accept();
            await peer.Greet(0, welcome => welcome.MaxFrame = 63);
            await peer.Closed(TransportCode.Protocol);
            peer = await fake.Accept();
            await peer.Greet(1);
            await peer.Closed(TransportCode.Superseded);
            Check.Equal(TransportCode.Superseded, (await client.WhenOverAsync()).Code);
        }

        private static async Task WhatIsNotGrantedEndsTheClient()
        {
            using var fake = new Fake();
            foreach (var (change, welcome, code) in new (Action<ClientOptions>, Action<Frame.Welcome>, TransportCode)[]
            {
                (options => { }, one => one.Spoken = 2, TransportCode.Version),
                (options => options.Durability = Durability.Durable, one => one.Durability = Durability.Handled, TransportCode.Unsupported),
                (options => options.Checksum = false, one => one.Features = 0, TransportCode.Unsupported),
                (options => options.Schema = new SchemaId(1, 2), one => one.Features = 0, TransportCode.Unsupported),
            })
            {
                ClientOptions options = fake.Options;
                change(options);
                Task<Client> refused = fake.Connect(options);
                Peer peer = await fake.Accept();
                await peer.Greet(0, welcome);
                await Check.Fails(code, refused);
                await peer.Closed(code);
            }
        }

        private static async Task LostMemoryBeginsANewEpoch()
        {
            using var fake = new Fake();
            ClientOptions options = fake.Options;
            options.Epoch = 3;
            var (client, peer) = await fake.Pair(options);
            await client.SendAsync(Check.Bytes("a"));
            await peer.Batch();
            await peer.Ack(1);
            await client.FlushAsync(Fake.Long);
            await client.SendAsync(Check.Bytes("b"));
            await peer.Batch();
            peer.Tcp.Dispose();
            peer = await fake.Accept();
            await peer.Greet(0);
            await peer.Closed(TransportCode.Unavailable);
            peer = await fake.Accept();
            Check.Equal(4u, (await peer.Greet(0)).Epoch);
            var (first, texts) = await peer.Batch();
            Check.Equal((1ul, "b"), (first, texts.Single()));
            await peer.Ack(1);
            await client.FlushAsync(Fake.Long);
            Check.Equal((4u, 2ul), (client.Epoch, client.Watermarks.Acked));
        }

        private static async Task AMessageWithoutRoomEndsTheClient()
        {
            using var fake = new Fake();
            var (client, peer) = await fake.Pair(fake.Options);
            Check.Equal(TransportCode.FrameTooLarge, Check.Fails(() => client.TrySend(new byte[client.MaxMessage + 1], out _)).Code);
            await client.SendAsync(new byte[100]);
            await peer.Read();
            peer.Tcp.Dispose();
            peer = await fake.Accept();
            await peer.Greet(0, welcome => welcome.MaxFrame = 64);
            await peer.Closed(TransportCode.FrameTooLarge);
            await Check.Fails("frame-too-large: a message that is kept has 100 bytes; the server takes 43", client.FlushAsync(Fake.Long));
        }

        private static async Task SilenceIsAskedAndEnds()
        {
            using var fake = new Fake();
            ClientOptions options = fake.Options;
            options.PingAfter = TimeSpan.FromMilliseconds(400);
            var (client, peer) = await fake.Pair(options);
            await peer.Expect("9 0");
            await peer.Send(new Frame.Opaque(Frame.Opaque.Pong, 0));
            await peer.Expect("9 0");
            await peer.Closed(TransportCode.Idle);
            peer = await fake.Accept();
            await peer.Greet(0);
            await peer.Send(new Frame.Opaque(Frame.Opaque.Ping, 7));
            await peer.Expect("a 7");
            client.Dispose();
            await peer.Expect("c 0 normal ");
            Check.Equal("closed: the client is closed", (await client.WhenOverAsync()).Message);
            options = fake.Options;
            options.ConnectTimeout = TimeSpan.FromMilliseconds(300);
            await Check.Fails(TransportCode.Idle, fake.Connect(options));
        }

        private static async Task AServerThatReadsNothingIsLeft()
        {
            using var fake = new Fake();
            ClientOptions options = fake.Options;
            options.PingAfter = TimeSpan.FromMilliseconds(300);
            options.MaxKeptBytes = 1 << 28;
            var (client, peer) = await fake.Pair(options);
            for (int i = 0; i < 60; i++) await client.SendAsync(new byte[1 << 19]);
            Task<Peer> next = fake.Accept();
            while (!next.IsCompleted)
            {
                // The server speaks, but what the client writes is not read.
                try
                {
                    await peer.Send(new Frame.Opaque(Frame.Opaque.Pong, 1));
                }
                catch (System.IO.IOException)
                {
                    break;
                }
                await Task.Delay(10);
            }
            // A machine that is busy may lose the next connection, too.
            ulong seen = 0;
            while (seen < 60)
            {
                peer = await next;
                next = fake.Accept();
                await peer.Greet(seen);
                Frame? frame;
                while (seen < 60 && (frame = await peer.Read()) != null)
                {
                    if (!(frame is Frame.Batch batch)) continue;
                    Check.Equal(++seen, batch.First);
                    await peer.Ack(seen);
                }
            }
            await client.FlushAsync(Fake.Long);
        }

        private static async Task AServerThatReadsNoAnswersAsksNoMore()
        {
            const int Total = 3000;
            using var fake = new Fake();
            int asked = 0;
            byte[] answer = new byte[10_000];
            ClientOptions options = fake.Options;
            options.OnRequest = question =>
            {
                asked++;
                return Task.FromResult(answer);
            };
            var (_, peer) = await fake.Pair(options);
            Task asking = Task.Run(async () =>
            {
                for (ulong i = 0; i < Total; i++)
                {
                    await peer.Send(new Frame.Numbered(Frame.Numbered.Request, 0, i, 0, new ArraySegment<byte>(answer), null));
                }
            });
            for (int before = -1; asked != before; await Task.Delay(200)) before = asked;
            Check.True(asked < Total / 2, asked + " answers were made for nobody");
            for (ulong i = 0; i < Total; i++) Check.Equal(i, (await peer.Read<Frame.Numbered>()).Wide);
            await asking;
        }

        private static async Task AFlushWithoutConnectionSaysWhy()
        {
            using var fake = new Fake();
            var (client, peer) = await fake.Pair(fake.Options);
            await client.SendAsync(Check.Bytes("a"));
            fake.Stop();
            peer.Tcp.Dispose();
            const string Wanted = "^1 messages are not acked: there is no connection: 127\\.0\\.0\\.1:\\d+: ";
            for (int i = 0; ; i++)
            {
                TransportException late = await Check.Fails(client.FlushAsync(Short));
                Check.Equal(TransportCode.Deadline, late.Code);
                if (Regex.IsMatch(late.Text, Wanted)) return;
                Check.True(i < 1000, late.Text);
            }
        }

        private static async Task ACallbackThatFailsEndsTheClient()
        {
            using var fake = new Fake();
            ClientOptions options = fake.Options;
            options.OnAck = marks => throw new InvalidOperationException("a mistake");
            var (client, peer) = await fake.Pair(options);
            await client.SendAsync(Check.Bytes("a"));
            await peer.Batch();
            await peer.Ack(1);
            await peer.Expect("c 0 normal a callback failed: a mistake");
            TransportException why = await client.WhenOverAsync();
            Check.Equal("closed: a callback failed: a mistake", why.Message);
            Check.True(why.InnerException is InvalidOperationException, "the cause");
        }
    }
}
