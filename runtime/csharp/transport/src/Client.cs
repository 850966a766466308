#nullable enable
using System;
using System.Text;
using System.Threading;
using System.Threading.Tasks;

namespace Aldis.Transport
{
    /// <summary>A producer, asker and subscriber at one server. It connects again by itself, and what is not acked is sent again. Any thread
    /// may call; failures are TransportExceptions.</summary>
    public sealed class Client : IDisposable
    {
        private readonly Engine engine;

        private Client(Engine engine) => this.engine = engine;

        /// <summary>Connects and shakes hands; later connections come back by themselves. Whatever ends the first connection before is
        /// thrown, and Misused for options that cannot be.</summary>
        public static async Task<Client> ConnectAsync(ClientOptions options, CancellationToken stop = default)
        {
            var engine = new Engine(options.Checked());
            engine.Start();
            try
            {
                await engine.UntilAsync(() => engine.Begun || engine.Failure != null, null, stop).ConfigureAwait(false);
                lock (engine.Gate)
                {
                    if (!engine.Begun) throw engine.Failure!.Again();
                }
                return new Client(engine);
            }
            catch
            {
                engine.Leave();
                throw;
            }
        }

        /// <summary>Takes a message, whose bytes may be used again when this is done, and gives its sequence; it is acked when the watermark
        /// has come so far. Waits while too much is kept already.</summary>
        public ValueTask<ulong> SendAsync(ReadOnlyMemory<byte> message, CancellationToken stop = default) =>
            TrySend(message.Span, out ulong sequence) ? new ValueTask<ulong>(sequence) : new ValueTask<ulong>(SendLaterAsync(message, stop));

        private async Task<ulong> SendLaterAsync(ReadOnlyMemory<byte> message, CancellationToken stop)
        {
            while (true)
            {
                // Acks of what lingers would be waited for as long as it lingers.
                Flush();
                await engine.UntilAsync(() => !IsFull || Ended() != null, null, stop).ConfigureAwait(false);
                if (TrySend(message.Span, out ulong sequence)) return sequence;
            }
        }

        /// <summary>As SendAsync, but false while too much is kept.</summary>
        public bool TrySend(ReadOnlySpan<byte> message, out ulong sequence)
        {
            sequence = 0;
            lock (engine.Gate)
            {
                Refuse("a message", message.Length, engine.Session.MaxMessage);
                RefuseEnded();
                if (IsFull) return false;
                if (engine.Session.Send(message, engine.Now)) engine.Wake();
                sequence = engine.Session.Outbox.Appended;
                return true;
            }
        }

        /// <summary>Sends what lingers; done when all messages are acked that were sent before. Fails with Deadline, which says what is waited
        /// for, when that takes longer, or with the reason for which there is no connection any more.</summary>
        public async Task FlushAsync(TimeSpan timeout, CancellationToken stop = default)
        {
            ClientOptions.CheckTime(timeout);
            ulong upto = Flush();
            Outbox outbox = engine.Session.Outbox;
            await engine.UntilAsync(() => outbox.Acked >= upto || engine.Failure != null, timeout, stop).ConfigureAwait(false);
            lock (engine.Gate)
            {
                if (outbox.Acked >= upto) return;
                if (engine.Failure != null) throw engine.Failure.Again();
                string? why = engine.Session.WaitsFor();
                why ??= "there is no connection" + (engine.Lost == null ? "" : ": " + engine.Lost.Text);
                throw new TransportException(TransportCode.Deadline, upto - outbox.Acked + " messages are not acked: " + why);
            }
        }

        /// <summary>Asks. Fails with the server's refusal, Deadline or Disconnected. A timeout of zero waits as long as the connection
        /// lasts.</summary>
        public async Task<byte[]> RequestAsync(ReadOnlyMemory<byte> bytes, TimeSpan timeout, CancellationToken stop = default)
        {
            ClientOptions.CheckTime(timeout);
            var source = new TaskCompletionSource<byte[]>(TaskCreationOptions.RunContinuationsAsynchronously);
            lock (engine.Gate)
            {
                RefuseEnded();
                if (!engine.Session.IsUp) throw new TransportException(TransportCode.Disconnected, "not connected now");
                Refuse("a request", bytes.Length, engine.Session.MaxRequest);
                engine.Session.Request(bytes, (uint)Math.Ceiling(timeout.TotalMilliseconds), source, engine.Now);
                engine.Wake();
            }
            using (stop.Register(() => source.TrySetCanceled(stop))) return await source.Task.ConfigureAwait(false);
        }

        /// <summary>Gives the subscription's number. It outlives connections and goes on where it was.</summary>
        public uint Subscribe(Subscription subscription)
        {
            if (subscription.Credit == 0) throw ClientOptions.Misused("a subscription needs credit");
            if (Encoding.UTF8.GetByteCount(subscription.Topic) > Fields.MaxText)
            {
                throw ClientOptions.Misused("a topic takes " + Fields.MaxText + " bytes");
            }
            lock (engine.Gate)
            {
                RefuseEnded();
                uint id = engine.Session.Subscribe(subscription.Copy());
                engine.Wake();
                return id;
            }
        }

        public void Unsubscribe(uint subscription)
        {
            lock (engine.Gate)
            {
                engine.Session.Unsubscribe(subscription);
                engine.Wake();
            }
        }

        /// <summary>Flushes, tells the server that nothing follows, and waits until it has closed, or the connection is lost: the client is over
        /// then, with nothing left to ack. Fails as FlushAsync, after which the client goes on as before; or with Deadline when all is
        /// acked, but the server did not close in time.</summary>
        public async Task DrainAsync(TimeSpan timeout, CancellationToken stop = default)
        {
            ClientOptions.CheckTime(timeout);
            long deadline = engine.Now + timeout.Ticks;
            TimeSpan Left() => TimeSpan.FromTicks(Math.Max(deadline - engine.Now, 0));
            Session session = engine.Session;
            do
            {
                // Others may send until the server is told.
                await FlushAsync(Left(), stop).ConfigureAwait(false);
            }
            while (!Told(Left()));
            if (!engine.Leaving && !await engine.UntilAsync(() => engine.Failure != null, Left(), stop).ConfigureAwait(false))
            {
                throw new TransportException(TransportCode.Deadline, "all is acked, but the server did not close in time");
            }
        }

        /// <summary>Tells the server that nothing follows, once all is acked; where there is no server, the client leaves.</summary>
        private bool Told(TimeSpan left)
        {
            lock (engine.Gate)
            {
                Session session = engine.Session;
                if (session.Outbox.Acked < session.Outbox.Appended) return false;
                if (session.IsUp)
                {
                    session.Drain((uint)Math.Max(left.TotalMilliseconds, 1));
                    engine.Wake();
                    return true;
                }
            }
            engine.Leave();
            return true;
        }

        /// <summary>Waits until the client is over, which it is when connecting again cannot help, and gives why.</summary>
        public async Task<TransportException> WhenOverAsync(CancellationToken stop = default)
        {
            await engine.UntilAsync(() => engine.Failure != null, null, stop).ConfigureAwait(false);
            lock (engine.Gate) return engine.Failure!;
        }

        /// <summary>Leaves at once; what is not acked is lost. The last words are said after this is done.</summary>
        public void Dispose() => engine.Leave();

        public ClientState State
        {
            get
            {
                lock (engine.Gate) return engine.Session.State;
            }
        }

        /// <summary>Up to where the server has come.</summary>
        public Watermarks Watermarks
        {
            get
            {
                lock (engine.Gate) return engine.Session.Marks;
            }
        }

        /// <summary>The last sequence that was given out, or that the server had from this producer before.</summary>
        public ulong Sent
        {
            get
            {
                lock (engine.Gate) return engine.Session.Outbox.Appended;
            }
        }

        /// <summary>The producer's 16 bytes.</summary>
        public byte[] Producer => engine.Options.Producer;

        /// <summary>The epoch, which a server that has forgotten this producer makes higher.</summary>
        public uint Epoch
        {
            get
            {
                lock (engine.Gate) return engine.Session.Epoch;
            }
        }

        /// <summary>The longest message that the server takes, in bytes.</summary>
        public int MaxMessage
        {
            get
            {
                lock (engine.Gate) return engine.Session.MaxMessage;
            }
        }

        private bool IsFull => engine.Session.Outbox.KeptBytes >= engine.Options.MaxKeptBytes;

        private ulong Flush()
        {
            lock (engine.Gate)
            {
                ulong upto = engine.Session.Outbox.Appended;
                engine.Session.Flush(upto);
                engine.Wake();
                return upto;
            }
        }

        /// <summary>Why nothing can be sent any more.</summary>
        private TransportException? Ended()
        {
            if (engine.Failure != null) return engine.Failure.Again();
            if (engine.Leaving) return new TransportException(TransportCode.Closed, "the client is closed");
            return engine.Session.IsLeaving ? new TransportException(TransportCode.Closed, "the client drains") : null;
        }

        private void RefuseEnded()
        {
            TransportException? why = Ended();
            if (why != null) throw why;
        }

        private static void Refuse(string what, int size, int most)
        {
            if (size > most) throw new TransportException(TransportCode.FrameTooLarge, what + " of " + size + " bytes; the server takes " + most);
        }
    }
}
