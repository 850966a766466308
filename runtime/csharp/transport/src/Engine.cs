#nullable enable
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Text;
using System.Threading;
using System.Threading.Tasks;

namespace Aldis.Transport
{
    /// <summary>The tasks of a client around its session: one that connects and writes, and one for each connection that reads.</summary>
    internal sealed class Engine
    {
        private sealed class Waiter
        {
            internal readonly Func<bool> IsDone;

            // A task that waits goes on in another thread, because it is told with the lock held.
            internal readonly TaskCompletionSource<bool> Source =
                new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);

            internal Waiter(Func<bool> isDone) => IsDone = isDone;
        }

        internal readonly object Gate = new object();
        internal readonly ClientOptions Options;
        internal readonly Session Session;
        private readonly Connector connector;
        private readonly Stopwatch clock = Stopwatch.StartNew();
        private readonly List<Waiter> waiters = new List<Waiter>();
        private readonly SemaphoreSlim work = new SemaphoreSlim(0, 1);
        private readonly CancellationTokenSource leaving = new CancellationTokenSource();
        private readonly Random random = new Random();

        /// <summary>Why the connection of now ends.</summary>
        private End? end;

        /// <summary>A connection has shaken hands since the last attempt.</summary>
        private bool wasUp;

        internal Engine(ClientOptions options)
        {
            Options = options;
            Session = new Session(options);
            connector = new Connector(options);
        }

        internal bool Begun { get; private set; }

        internal bool Leaving => leaving.IsCancellationRequested;

        /// <summary>Why the last connection ended, or the last attempt.</summary>
        internal TransportException? Lost { get; private set; }

        /// <summary>Why there will be no other connection.</summary>
        internal TransportException? Failure { get; private set; }

        internal long Now => clock.Elapsed.Ticks;

        internal void Start() => Task.Run(LiveAsync);

        /// <summary>With the lock: the writer has something to do.</summary>
        internal void Wake()
        {
            if (work.CurrentCount == 0) work.Release();
        }

        /// <summary>Ends whatever the tasks are at.</summary>
        internal void Leave()
        {
            leaving.Cancel();
            lock (Gate)
            {
                Wake();
                Look();
            }
        }

        /// <summary>With the lock: something changed.</summary>
        private void Look()
        {
            for (int i = waiters.Count - 1; i >= 0; i--)
            {
                if (!waiters[i].IsDone()) continue;
                waiters[i].Source.TrySetResult(true);
                waiters.RemoveAt(i);
            }
        }

        /// <summary>Waits until the test, which is made with the lock, is true; false where it is not in that time. Null waits for
        /// ever.</summary>
        internal async Task<bool> UntilAsync(Func<bool> isDone, TimeSpan? timeout, CancellationToken stop)
        {
            var waiter = new Waiter(isDone);
            lock (Gate)
            {
                if (isDone()) return true;
                waiters.Add(waiter);
            }
            using (var late = CancellationTokenSource.CreateLinkedTokenSource(stop))
            {
                await Task.WhenAny(waiter.Source.Task, Task.Delay(timeout ?? Timeout.InfiniteTimeSpan, late.Token)).ConfigureAwait(false);
                late.Cancel();
            }
            lock (Gate)
            {
                waiters.Remove(waiter);
                if (waiter.Source.Task.IsCompleted || isDone()) return true;
            }
            stop.ThrowIfCancellationRequested();
            return false;
        }

        /// <summary>Connects, serves, and connects again until that cannot help or nobody wants it.</summary>
        private async Task LiveAsync()
        {
            TimeSpan backoff = Options.LeastBackoff;
            try
            {
                while (true)
                {
                    End ended = await AttemptAsync().ConfigureAwait(false);
                    lock (Gate)
                    {
                        if (wasUp) backoff = Options.LeastBackoff;
                        wasUp = false;
                    }
                    if (Finished(ended)) return;
                    // A part is random, so that clients that lost a server together do not come back together.
                    var pause = TimeSpan.FromTicks((long)(backoff.Ticks * (0.5 + 0.5 * random.NextDouble())));
                    await UntilAsync(() => Leaving, pause, CancellationToken.None).ConfigureAwait(false);
                    backoff = TimeSpan.FromTicks(Math.Min(2 * backoff.Ticks, Math.Max(Options.MostBackoff.Ticks, Options.LeastBackoff.Ticks)));
                }
            }
            catch (Exception fault)
            {
                Failed(new TransportException(TransportCode.Closed, "a callback failed: " + fault.Message, fault));
            }
        }

        private void Failed(TransportException why)
        {
            lock (Gate)
            {
                Failure ??= why;
                Look();
            }
        }

        private async Task<End> AttemptAsync()
        {
            try
            {
                using Connection made = await connector.ConnectAsync(leaving.Token).ConfigureAwait(false);
                return await ServeAsync(made).ConfigureAwait(false);
            }
            catch (End fault)
            {
                return fault;
            }
        }

        /// <summary>Tells how the connection ended; whether there will be no other.</summary>
        private bool Finished(End ended)
        {
            bool over;
            TransportException why = ended.Why;
            List<Action> events;
            lock (Gate)
            {
                over = ended.Fatal || Session.IsLeaving || Leaving || (!Begun && connector.WasLast);
                if (Session.IsLeaving) why = new TransportException(TransportCode.Normal, "drained");
                else if (Leaving) why = new TransportException(TransportCode.Closed, "the client is closed");
                Lost = ended.Why;
                Session.Disconnected(over ? why : ended.Why, over);
                events = Session.TakeEvents();
            }
            try
            {
                events.ForEach(run => run());
            }
            finally
            {
                if (over) Failed(why);
            }
            return over;
        }

        /// <summary>Writes until the connection is at its end, while another task reads.</summary>
        private async Task<End> ServeAsync(Connection to)
        {
            lock (Gate)
            {
                end = null;
                Session.Connected(Now);
            }
            Task reading = Task.Run(() => ReadAsync(to));
            End ended = await WriteAsync(to).ConfigureAwait(false);
            to.Shutdown();
            await reading.ConfigureAwait(false);
            return ended;
        }

        /// <summary>The first end that was found, by whichever task.</summary>
        private End Ending(End found)
        {
            lock (Gate)
            {
                end ??= found;
                Wake();
                Look();
                return end;
            }
        }

        private async Task<End> WriteAsync(Connection to)
        {
            var patience = TimeSpan.FromTicks(Math.Min(2 * Options.PingAfter.Ticks, ClientOptions.Longest.Ticks));
            var bytes = new Bytes(4096);
            try
            {
                while (true)
                {
                    bytes.Size = 0;
                    Frame.Batch? batch = await NextWorkAsync().ConfigureAwait(false);
                    if (batch == null)
                    {
                        lock (Gate)
                        {
                            bytes = Session.TakeControl(bytes);
                            Look();
                        }
                    }
                    else
                    {
                        if (Options.Checksum) batch.Crc = batch.Checksum();
                        batch.Write(bytes);
                    }
                    await to.WriteAsync(bytes, patience).ConfigureAwait(false);
                }
            }
            catch (End found)
            {
                return await SayCloseAsync(to, Ending(found), patience).ConfigureAwait(false);
            }
            catch (Exception fault) when (Connector.IsLoss(fault))
            {
                return Ending(End.Lost("the connection is lost: " + fault.Message, fault));
            }
        }

        /// <summary>Waits for what is to be written: a batch, or null where control frames are.</summary>
        private async Task<Frame.Batch?> NextWorkAsync()
        {
            while (true)
            {
                long left;
                lock (Gate)
                {
                    if (end != null) throw end;
                    if (Leaving) throw new End(new TransportException(TransportCode.Normal, ""), true, true);
                    long now = Now;
                    Session.Tick(now);
                    if (Session.HasControl) return null;
                    Frame.Batch? batch = Session.Next(now);
                    if (batch != null) return batch;
                    left = Session.NextTime() - now;
                }
                var wait = TimeSpan.FromTicks(Math.Min(Math.Max(left, 0), ClientOptions.Longest.Ticks) + TimeSpan.TicksPerMillisecond - 1);
                await work.WaitAsync(wait).ConfigureAwait(false);
            }
        }

        /// <summary>Says why this side goes.</summary>
        private static async Task<End> SayCloseAsync(Connection to, End found, TimeSpan patience)
        {
            if (!found.Tell) return found;
            var last = new Bytes(64);
            new Frame.Coded(Frame.Coded.Close, 0, found.Why.Number, found.Why.Text).Write(last);
            try
            {
                await to.WriteAsync(last, patience).ConfigureAwait(false);
            }
            catch (Exception fault) when (Connector.IsLoss(fault))
            {
                // The connection ends in any case.
            }
            return found;
        }

        private async Task ReadAsync(Connection from)
        {
            End found;
            try
            {
                var inbox = new Inbox();
                while (await inbox.FillAsync(from.Stream).ConfigureAwait(false)) await TakeAsync(inbox).ConfigureAwait(false);
                found = End.Lost("the server closed the connection");
            }
            catch (End fault)
            {
                found = fault;
            }
            catch (Exception fault) when (Connector.IsLoss(fault))
            {
                found = End.Lost("the connection is lost: " + fault.Message, fault);
            }
            catch (Exception fault)
            {
                found = new End(new TransportException(TransportCode.Closed, "the client's task has ended: " + fault.Message, fault), true, true);
            }
            // Only what the writer has still to say keeps it from being stopped.
            if (!Ending(found).Tell) from.Shutdown();
        }

        private async Task TakeAsync(Inbox inbox)
        {
            while (Next(inbox, out byte kind, out ArraySegment<byte> body))
            {
                List<Action> events;
                Frame.Numbered? asked;
                byte[] question = Array.Empty<byte>();
                bool isBehind;
                lock (Gate)
                {
                    asked = Session.Received(kind, body, Now);
                    if (asked != null) question = Fields.Copy(asked.Rest);
                    if (Session.IsUp) Begun = wasUp = true;
                    // Those of a frame that ends the connection are told with its end.
                    events = Session.TakeEvents();
                    isBehind = Session.IsBehind;
                    Wake();
                    Look();
                }
                Tell(events);
                if (asked != null) await AnswerAsync(asked.Wide, question).ConfigureAwait(false);
                // A server that does not read its answers asks no more.
                if (isBehind) await UntilAsync(() => !Session.IsBehind || end != null, null, CancellationToken.None).ConfigureAwait(false);
            }
        }

        private static bool Next(Inbox inbox, out byte kind, out ArraySegment<byte> body)
        {
            try
            {
                return inbox.Next(out kind, out body);
            }
            catch (TransportException fault)
            {
                throw End.Broken(fault);
            }
        }

        /// <summary>Calls back, with no lock held. A callback that fails would fail again: it ends the client.</summary>
        private static void Tell(List<Action> events)
        {
            try
            {
                events.ForEach(run => run());
            }
            catch (Exception fault)
            {
                throw new End(new TransportException(TransportCode.Closed, "a callback failed: " + fault.Message, fault), true, true);
            }
        }

        private async Task AnswerAsync(ulong correlation, byte[] question)
        {
            uint code = TransportCode.Normal.Number();
            byte[] answer;
            try
            {
                if (Options.OnRequest == null) throw new TransportException(TransportCode.Unsupported, "this client answers no requests");
                answer = await Options.OnRequest(question).ConfigureAwait(false);
            }
            catch (Exception fault)
            {
                // Normal would be an answer, and a code that only this side knows has no number.
                code = fault is TransportException known && known.Number != 0 ? known.Number : TransportCode.Handler.Number();
                answer = Encoding.UTF8.GetBytes(fault is TransportException said ? said.Text : fault.Message);
            }
            lock (Gate)
            {
                Session.Reply(correlation, code, answer);
                Wake();
            }
        }
    }
}
