#nullable enable
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Sockets;
using System.Threading.Tasks;

namespace Aldis.Transport.Tests
{
    /// <summary>A server in this process that does what a test says, frame by frame.</summary>
    internal sealed class Fake : IDisposable
    {
        internal static readonly TimeSpan Long = TimeSpan.FromSeconds(60);
        internal static readonly Window Plenty = new Window(1_000_000, 100_000_000);

        private readonly TcpListener listener = new TcpListener(IPAddress.Loopback, 0);
        private readonly List<IDisposable> open = new List<IDisposable>();
        private readonly Func<Stream, Task<Stream>>? secure;

        internal Fake(Func<Stream, Task<Stream>>? secure = null)
        {
            this.secure = secure;
            listener.Start();
        }

        internal int Port => ((IPEndPoint)listener.LocalEndpoint).Port;

        /// <summary>The settings of a test's client, which is patient with nothing.</summary>
        internal ClientOptions Options => new ClientOptions("127.0.0.1", Port)
        {
            LeastBackoff = TimeSpan.FromMilliseconds(1), MostBackoff = TimeSpan.FromMilliseconds(10),
        };

        internal async Task<Peer> Accept()
        {
            Task<TcpClient> accepted = listener.AcceptTcpClientAsync();
            TcpClient tcp = await InTime(accepted);
            tcp.NoDelay = true;
            open.Add(tcp);
            Stream stream = tcp.GetStream();
            return new Peer(tcp, secure == null ? stream : await InTime(secure(stream)));
        }

        internal static async Task<T> InTime<T>(Task<T> task)
        {
            if (await Task.WhenAny(task, Task.Delay(Long)) != task) throw new TimeoutException("nothing came");
            return await task;
        }

        internal async Task<Client> Connect(ClientOptions options)
        {
            Client client = await Client.ConnectAsync(options);
            open.Add(client);
            return client;
        }

        /// <summary>A client that has shaken hands.</summary>
        internal async Task<(Client Client, Peer Peer)> Pair(ClientOptions options, Action<Frame.Welcome>? change = null)
        {
            Task<Client> client = Connect(options);
            Peer peer = await Accept();
            await peer.Greet(0, change);
            return (await client, peer);
        }

        internal void Stop() => listener.Stop();

        public void Dispose()
        {
            listener.Stop();
            open.ForEach(one => one.Dispose());
        }
    }

    /// <summary>The server's end of a connection.</summary>
    internal sealed class Peer
    {
        internal readonly TcpClient Tcp;
        internal readonly Stream Stream;
        private readonly Inbox inbox = new Inbox();

        internal Peer(TcpClient tcp, Stream stream)
        {
            Tcp = tcp;
            Stream = stream;
        }

        /// <summary>The next frame; null when the connection has ended.</summary>
        internal async Task<Frame?> Read()
        {
            byte kind;
            ArraySegment<byte> body;
            while (!inbox.Next(out kind, out body))
            {
                try
                {
                    if (!await Fake.InTime(inbox.FillAsync(Stream))) return null;
                }
                catch (IOException)
                {
                    return null;
                }
            }
            return Frame.Read(kind, new ArraySegment<byte>(Fields.Copy(body)), false);
        }

        internal async Task<T> Read<T>() where T : Frame
        {
            Frame? frame = await Read();
            return frame as T ?? throw new Exception("no " + typeof(T).Name + " but " + (frame == null ? "the end" : FramesTests.Said(frame)));
        }

        /// <summary>The next frame's fields, as a text.</summary>
        internal async Task Expect(string said) => Check.Equal(said, FramesTests.Said(await Read<Frame>()));

        /// <summary>The connection's last frame has that code.</summary>
        internal async Task Closed(TransportCode code)
        {
            var close = await Read<Frame.Coded>();
            Check.Equal((Frame.Coded.Close, code.Number()), (close.Kind, close.Code));
        }

        /// <summary>First sequence and texts of a batch whose checksum is right; a slow test may be asked before it.</summary>
        internal async Task<(ulong First, List<string> Texts)> Batch()
        {
            Frame? frame = await Read();
            for (; frame is Frame.Opaque ping; frame = await Read()) await Send(new Frame.Opaque(Frame.Opaque.Pong, ping.Value));
            var batch = frame as Frame.Batch ?? throw new Exception("no BATCH but " + frame?.Kind);
            Check.Equal(batch.Checksum(), batch.Crc);
            return (batch.First, Entries.Of(batch.Entries, batch.Count, 0)!.Select(Check.Text).ToList());
        }

        internal async Task Send(Frame frame)
        {
            byte[] bytes = FramesTests.Written(frame);
            await Stream.WriteAsync(bytes, 0, bytes.Length);
            await Stream.FlushAsync();
        }

        /// <summary>HELLO comes, WELCOME goes.</summary>
        internal async Task<Frame.Hello> Greet(ulong last, Action<Frame.Welcome>? change = null)
        {
            var hello = await Read<Frame.Hello>();
            var welcome = new Frame.Welcome
            {
                Features = hello.Features, Last = last, Credit = Fake.Plenty, MaxFrame = 1 << 20, Durability = hello.Durability,
            };
            change?.Invoke(welcome);
            await Send(welcome);
            return hello;
        }

        internal Task Ack(ulong upto) => Send(new Frame.Ack(upto, upto, upto, 0, Fake.Plenty));

        internal Task Nack(ulong expected, TransportCode code, string text) =>
            Send(new Frame.Coded(Frame.Coded.Nack, expected, code.Number(), text));

        internal Task Close(uint code, string text) => Send(new Frame.Coded(Frame.Coded.Close, 0, code, text));

        /// <summary>Ends the connection by RST.</summary>
        internal void Reset()
        {
            Tcp.LingerState = new LingerOption(true, 0);
            Tcp.Dispose();
        }
    }
}
