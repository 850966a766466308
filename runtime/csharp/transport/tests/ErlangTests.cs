#nullable enable
using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Sockets;
using System.Threading.Tasks;

namespace Aldis.Transport.Tests
{
    /// <summary>The real server, killed and started again in the middle.</summary>
    internal static class ErlangTests
    {
        internal static readonly Func<Task>[] All = { WhatIsAckedAsDurableIsInTheLogOnce };

        private const int Total = 20_000;

        private static void Compile(string to)
        {
            string source = Path.Combine(Program.Root, "runtime", "erlang", "src");
            string include = Path.Combine(Program.Root, "runtime", "erlang", "include");
            Directory.CreateDirectory(to);
            var files = new[] { source, Path.Combine(source, "transport"), Path.Combine(Program.Root, "torture") }
                .SelectMany(folder => Directory.GetFiles(folder, "*.erl"));
            string failing = Path.Combine(Program.Root, "runtime", "erlang", "test", "aldis_failing_files.erl");
            Check.Run("erlc", "-I " + include + " -o " + to + " " + failing + " " + string.Join(" ", files));
            File.Copy(Path.Combine(source, "aldis.app.src"), Path.Combine(to, "aldis.app"));
        }

        /// <summary>A server with a durable log, once it listens.</summary>
        private static Process Server(string folder, int port)
        {
            Process server = Check.Started("erl", "-noshell -pa " + Path.Combine(folder, "ebin") + " -run torture_server main " + port + " "
                + Path.Combine(folder, "log") + " " + Path.Combine(folder, "violations"));
            string? line = server.StandardOutput.ReadLine();
            while (line != null && !line.Contains("listening")) line = server.StandardOutput.ReadLine();
            return line == null ? throw new Exception("the server ended") : server;
        }

        private static void Kill(Process server)
        {
            server.Kill();
            server.WaitForExit();
        }

        private static async Task WhatIsAckedAsDurableIsInTheLogOnce()
        {
            string folder = Path.Combine(Path.GetTempPath(), "aldis-erlang-" + Guid.NewGuid().ToString("n"));
            try
            {
                Compile(Path.Combine(folder, "ebin"));
                var holder = new TcpListener(IPAddress.Loopback, 0);
                holder.Start();
                int port = ((IPEndPoint)holder.LocalEndpoint).Port;
                holder.Stop();
                await Killed(folder, port);
                Check.True(!File.Exists(Path.Combine(folder, "violations")), "the handler got a message twice");
            }
            finally
            {
                Directory.Delete(folder, true);
            }
        }

        private static async Task Killed(string folder, int port)
        {
            ClientOptions Options() => new ClientOptions("127.0.0.1", port)
            {
                Durability = Durability.Durable, BatchBytes = 500, LeastBackoff = TimeSpan.FromMilliseconds(5),
                MostBackoff = TimeSpan.FromMilliseconds(100),
            };
            var random = new Random(17);
            Process server = Server(folder, port);
            try
            {
                using Client client = await Client.ConnectAsync(Options());
                int dies = 2000;
                for (int i = 1; i <= Total; i++)
                {
                    await client.SendAsync(Check.Bytes(i.ToString()));
                    if (i != dies) continue;
                    // Somewhere between what is acked and what is sent.
                    ulong until = (ulong)(i - random.Next(500));
                    while (client.Watermarks.Acked < until) await Task.Delay(1);
                    Kill(server);
                    server = Server(folder, port);
                    dies += 3000 + random.Next(3000);
                }
                await client.FlushAsync(Fake.Long);
                Check.Equal((1u, (ulong)Total), (client.Epoch, client.Watermarks.Acked));
                await client.DrainAsync(Fake.Long);
                Check.Equal(ClientState.Over, client.State);
                Check.Equal(string.Join(" ", Enumerable.Range(1, Total)), string.Join(" ", await Log(Options())));
            }
            finally
            {
                Kill(server);
            }
        }

        /// <summary>All that is in the log, and what would come behind it.</summary>
        private static async Task<List<string>> Log(ClientOptions options)
        {
            using Client reader = await Client.ConnectAsync(options);
            var read = new ConcurrentQueue<string>();
            reader.Subscribe(new Subscription("log", push =>
            {
                Check.Equal(0ul, push.Gap);
                foreach (byte[] message in push.Messages) read.Enqueue(Check.Text(message));
            }) { From = 1, Credit = 100 });
            for (int i = 0; i < 60_000 && read.Count < Total; i++) await Task.Delay(1);
            await Task.Delay(100);
            return read.ToList();
        }
    }
}
