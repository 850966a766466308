#nullable enable
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Text;
using System.Threading.Tasks;

namespace Aldis.Transport.Tests
{
    /// <summary>Runs all tests, or those whose names contain the first argument. The last line says how many passed and failed.</summary>
    internal static class Program
    {
        private static readonly TimeSpan Most = TimeSpan.FromMinutes(2);
        private static readonly TimeSpan Slow = TimeSpan.FromSeconds(3);

        internal static readonly string Root = RootOf(Directory.GetCurrentDirectory());

        private static string RootOf(string folder) =>
            File.Exists(Path.Combine(folder, "docs", "protocol.md")) ? folder : RootOf(Path.GetDirectoryName(folder)!);

        private static async Task<int> Main(string[] arguments)
        {
            var all = FramesTests.All.Concat(SessionTests.All).Concat(ClientTests.All).Concat(FailureTests.All).Concat(TlsTests.All)
                .Concat(ErlangTests.All);
            int passed = 0, failed = 0, skipped = 0;
            foreach (Func<Task> test in all.Where(test => arguments.Length == 0 || test.Method.Name.Contains(arguments[0])))
            {
                var watch = Stopwatch.StartNew();
                try
                {
                    Task run = Task.Run(test);
                    if (await Task.WhenAny(run, Task.Delay(Most)) != run) throw new TimeoutException("it does not end");
                    await run;
                    if (watch.Elapsed > Slow) Console.WriteLine(test.Method.Name + ": " + watch.ElapsedMilliseconds + " ms");
                    passed++;
                }
                catch (SkippedException why)
                {
                    Console.WriteLine("skipped: " + test.Method.Name + ": " + why.Message);
                    skipped++;
                }
                catch (Exception fault)
                {
                    Console.WriteLine("FAILED: " + test.Method.Name + ": " + fault);
                    failed++;
                }
            }
            Console.WriteLine(passed + " passed, " + failed + " failed, " + skipped + " skipped on .NET " + Environment.Version);
            return failed == 0 ? 0 : 1;
        }
    }

    /// <summary>A test needs what is not here.</summary>
    internal sealed class SkippedException : Exception
    {
        internal SkippedException(string why) : base(why)
        {
        }
    }

    internal static class Check
    {
        internal static void Equal<T>(T wanted, T seen, string about = "")
        {
            if (!EqualityComparer<T>.Default.Equals(wanted, seen)) throw new Exception(about + " wanted " + wanted + ", seen " + seen);
        }

        internal static void True(bool seen, string about)
        {
            if (!seen) throw new Exception(about);
        }

        internal static void Same(IEnumerable<byte> wanted, IEnumerable<byte> seen, string about = "") =>
            Equal(BitConverter.ToString(wanted.ToArray()), BitConverter.ToString(seen.ToArray()), about);

        internal static TransportException Fails(Action run)
        {
            try
            {
                run();
            }
            catch (TransportException fault)
            {
                return fault;
            }
            throw new Exception("it does not fail");
        }

        internal static async Task<TransportException> Fails(Task run)
        {
            try
            {
                await run;
            }
            catch (TransportException fault)
            {
                return fault;
            }
            throw new Exception("it does not fail");
        }

        internal static Task Fails(string message, Func<Task> run) => Fails(message, Task.Run(run));

        internal static async Task Fails(string message, Task run) => Equal(message, (await Fails(run)).Message);

        internal static async Task Fails(TransportCode code, Task run) => Equal(code, (await Fails(run)).Code);

        internal static byte[] Bytes(string text) => Encoding.UTF8.GetBytes(text);

        internal static string Text(byte[] bytes) => Encoding.UTF8.GetString(bytes);

        internal static string Read(string path) => File.ReadAllText(Path.Combine(Program.Root, path));

        /// <summary>Runs a command to its end; what is not there skips the test.</summary>
        internal static void Run(string command, string arguments)
        {
            using Process process = Started(command, arguments);
            process.StandardOutput.ReadToEnd();
            if (process.StartInfo.RedirectStandardError) process.StandardError.ReadToEnd();
            process.WaitForExit();
            Equal(0, process.ExitCode, command);
        }

        internal static Process Started(string command, string arguments)
        {
            var start = new ProcessStartInfo(command, arguments) { RedirectStandardOutput = true, RedirectStandardError = command == "openssl", UseShellExecute = false };
            try
            {
                return Process.Start(start)!;
            }
            catch (System.ComponentModel.Win32Exception)
            {
                throw new SkippedException("there is no " + command + " here");
            }
        }
    }
}
