#nullable enable
using System;
using System.Collections.Generic;
using System.Text;
using System.Threading.Tasks;

namespace Aldis.Transport
{
    /// <summary>The client's half of aldis/1 without sockets, tasks or clocks: frames go in, frames and events come out. It outlives
    /// connections: what is not acked is sent again in the next one. Moments are ticks of any origin that is 0 or later.</summary>
    internal sealed class Session
    {
        /// <summary>Bytes of answers that wait to be written, beyond which the server is not read.</summary>
        internal const int MostControl = 1 << 20;

        /// <summary>NACKs of damage without progress in between before the connection is given up.</summary>
        private const int MostNacks = 8;

        /// <summary>No server has less: the handshake alone may be this long.</summary>
        private const int SmallestMaxFrame = 64;

        /// <summary>Frames are kept in one array each.</summary>
        private const int LargestMaxFrame = 1 << 30;

        private readonly ClientOptions options;
        private readonly Subscriptions subscriptions = new Subscriptions();
        private readonly Requests requests = new Requests();
        private List<Action> events = new List<Action>();
        private bool greeted;
        private bool begun;
        private bool pushes;

        /// <summary>Since when a PING waits for any answer.</summary>
        private long? pinged;
        private int nacks;

        /// <summary>Refusals of the handler without progress in between, and the last one's words.</summary>
        private int refusals;
        private string refusal = "";

        /// <summary>A message's sequence in this epoch is its sequence less this.</summary>
        private ulong based;
        private ulong highestSent;
        private ulong flush;
        private Window credit;
        private int maxFrame = 1 << 20;
        private long heard;
        private long openSince;
        private long? heldUntil;
        private Bytes control = new Bytes(1024);

        internal Session(ClientOptions options)
        {
            this.options = options;
            Outbox = new Outbox(options.BatchBytes);
            Epoch = options.Epoch;
        }

        internal ClientState State { get; private set; } = ClientState.Connecting;

        internal Outbox Outbox { get; }

        internal Watermarks Marks { get; private set; } = new Watermarks(0, 0, 0, 0, 0);

        internal uint Epoch { get; private set; }

        /// <summary>The server has been told that nothing follows.</summary>
        internal bool IsLeaving { get; private set; }

        internal bool IsUp => greeted && (State == ClientState.Ready || State == ClientState.Draining);

        internal bool HasControl => control.Size > 0;

        internal bool IsBehind => control.Size > MostControl;

        /// <summary>The longest message that the server takes.</summary>
        internal int MaxMessage => MaxEntries - Entries.Head;

        /// <summary>The longest request, and the longest answer to one: without kind, correlation, and deadline or code.</summary>
        internal int MaxRequest => maxFrame - 1 - 12;

        /// <summary>Bytes of entries in a frame: without kind, first, count, checksum, schema and template.</summary>
        private int MaxEntries => maxFrame - 1 - 16 - (options.Schema == null ? 0 : 8);

        /// <summary>A stream is there: says HELLO.</summary>
        internal void Connected(long now)
        {
            State = ClientState.Connecting;
            greeted = false;
            pinged = null;
            heard = now;
            refusals = 0;
            heldUntil = null;
            control.Size = 0;
            uint features = (options.Checksum ? 0 : Frame.NoChecksum) | (options.Schema == null ? 0 : Frame.HasSchema) | Frame.HasPush;
            new Frame.Hello
            {
                Features = features, Producer = new ArraySegment<byte>(options.Id), Epoch = Epoch,
                AuthMethod = new ArraySegment<byte>(options.AuthMethod), AuthData = new ArraySegment<byte>(options.AuthData),
                Durability = options.Durability, Window = options.Window,
            }.Write(control);
        }

        /// <summary>The stream is gone. With "over" there will be no other.</summary>
        internal void Disconnected(TransportException why, bool over)
        {
            control.Size = 0;
            greeted = false;
            requests.Fail(new TransportException(TransportCode.Disconnected, why.Text, why));
            SetState(over ? ClientState.Over : ClientState.Connecting, why);
        }

        /// <summary>Takes a frame's kind and body. A request of the server is given back, to be answered.</summary>
        internal Frame.Numbered? Received(byte kind, ArraySegment<byte> body, long now)
        {
            heard = now;
            pinged = null;
            Frame frame;
            try
            {
                frame = Frame.Read(kind, body, false);
            }
            catch (TransportException fault)
            {
                throw End.Broken(fault);
            }
            if (frame is Frame.Unknown) return null;
            if (frame is Frame.Coded close && kind == Frame.Coded.Close) throw End.Lost(new TransportException(close.Code, close.Text));
            if (frame is Frame.Welcome welcome) Welcomed(welcome);
            else if (!greeted) throw End.Broken(TransportCode.Protocol, "the server's first frame is no WELCOME");
            else Take(frame, now);
            return kind == Frame.Numbered.Request ? (Frame.Numbered)frame : null;
        }

        private void Take(Frame frame, long now)
        {
            switch (frame)
            {
                case Frame.Ack ack:
                    Acked(ack);
                    break;
                case Frame.Coded coded when coded.Kind == Frame.Coded.Nack:
                    Nacked(coded, now);
                    break;
                case Frame.Coded coded:
                    subscriptions.Ended(coded, events);
                    break;
                case Frame.Numbered numbered when numbered.Kind == Frame.Numbered.Request:
                    break;
                case Frame.Numbered numbered when numbered.Kind == Frame.Numbered.Reply:
                    requests.Answer(numbered);
                    break;
                case Frame.Numbered numbered when numbered.Kind == Frame.Numbered.Push:
                    subscriptions.Pushed(numbered, control, events);
                    break;
                case Frame.Opaque opaque:
                    if (opaque.Kind == Frame.Opaque.Ping) new Frame.Opaque(Frame.Opaque.Pong, opaque.Value).Write(control);
                    break;
                case Frame.Drain drain:
                    // Behind the last batch, so that the server need not wait longer than for its acks.
                    if (State == ClientState.Ready) drain.Write(control);
                    SetState(ClientState.Draining, new TransportException(TransportCode.Draining, "the server drains"));
                    break;
                default:
                    throw End.Broken(TransportCode.Protocol, "a frame of kind " + frame.Kind + " from the server");
            }
        }

        /// <summary>The work that time brings: pings, the end of patience, requests that nobody answered.</summary>
        internal void Tick(long now)
        {
            requests.Expire(now);
            long silent = now - heard;
            if (!greeted && silent >= options.ConnectTimeout.Ticks) throw Idle("no WELCOME in time", false);
            if (now - pinged >= options.PingAfter.Ticks) throw Idle("the server answers no PING", true);
            if (greeted && silent >= options.PingAfter.Ticks && pinged == null)
            {
                pinged = now;
                new Frame.Opaque(Frame.Opaque.Ping, 0).Write(control);
            }
        }

        private static End Idle(string text, bool tell) => new End(new TransportException(TransportCode.Idle, text), false, tell);

        /// <summary>When Tick has something to do, or Next.</summary>
        internal long NextTime()
        {
            long patience = (pinged ?? heard) + (greeted ? options.PingAfter : options.ConnectTimeout).Ticks;
            long time = Math.Min(requests.Earliest, patience);
            if (State != ClientState.Ready) return time;
            // A refused message waits, and all behind it.
            if (heldUntil != null) return Math.Min(time, heldUntil.Value);
            // While a closed chunk waits for credit the open one lingers on.
            return Outbox.HasOpen && !Outbox.HasNext ? Math.Min(time, openSince + options.Linger.Ticks) : time;
        }

        /// <summary>The next batch, as far as credit, linger and the server allow; null when there is none. Its checksum is not made.</summary>
        internal Frame.Batch? Next(long now)
        {
            if (State != ClientState.Ready || now < heldUntil) return null;
            heldUntil = null;
            bool due = flush > Outbox.Sent || now >= openSince + options.Linger.Ticks;
            if (!Outbox.HasNext && due) Outbox.CloseChunk();
            Frame.Batch? batch = Outbox.Next(credit, MaxEntries);
            if (batch == null) return null;
            if (batch.Entries.Count > MaxEntries)
            {
                int size = batch.Entries.Count - Entries.Head;
                string text = "a message that is kept has " + size + " bytes; the server takes " + MaxMessage;
                throw End.ForGood(TransportCode.FrameTooLarge, text);
            }
            highestSent = Math.Max(highestSent, Outbox.Sent);
            batch.First -= based;
            batch.Schema = options.Schema;
            return batch;
        }

        /// <summary>Takes a message. Gives whether the writer has to look: a chunk was closed, or one that lingers begun.</summary>
        internal bool Send(ReadOnlySpan<byte> message, long now)
        {
            bool had = Outbox.HasOpen;
            if (!had) openSince = now;
            Outbox.Append(message);
            return !had || !Outbox.HasOpen;
        }

        internal void Flush(ulong upto) => flush = Math.Max(flush, upto);

        /// <summary>A deadline of zero milliseconds waits as long as the connection lasts.</summary>
        internal void Request(ReadOnlyMemory<byte> bytes, uint milliseconds, TaskCompletionSource<byte[]> source, long now)
        {
            long deadline = milliseconds > 0 ? now + milliseconds * TimeSpan.TicksPerMillisecond : Requests.Never;
            ulong correlation = requests.Open(source, deadline);
            var body = new ArraySegment<byte>(bytes.ToArray());
            new Frame.Numbered(Frame.Numbered.Request, 0, correlation, milliseconds, body, null).Write(control);
        }

        /// <summary>Answers a request of the server. An answer too long for a frame would end the connection, so the server is told that.</summary>
        internal void Reply(ulong correlation, uint code, byte[] bytes)
        {
            if (bytes.Length > MaxRequest)
            {
                string text = "an answer of " + bytes.Length + " bytes; a frame takes " + MaxRequest;
                code = TransportCode.FrameTooLarge.Number();
                bytes = Encoding.UTF8.GetBytes(text.Substring(0, Math.Min(text.Length, MaxRequest)));
            }
            new Frame.Numbered(Frame.Numbered.Reply, 0, correlation, code, new ArraySegment<byte>(bytes), null).Write(control);
        }

        /// <summary>Gives the subscription's number. It is said now, or when the connection is there again.</summary>
        internal uint Subscribe(Subscription asked)
        {
            if (!pushes) throw new TransportException(TransportCode.Unsupported, "the server has no subscriptions");
            uint id = subscriptions.Open(asked);
            if (IsUp) subscriptions.Say(id, control);
            return id;
        }

        internal void Unsubscribe(uint subscription)
        {
            if (!subscriptions.Close(subscription) || !IsUp) return;
            new Frame.Coded(Frame.Coded.Unsubscribe, subscription, TransportCode.Normal.Number(), "").Write(control);
        }

        /// <summary>Says that no batches follow; the server closes when it has acked all. However this connection ends, it is the last.</summary>
        internal void Drain(uint milliseconds)
        {
            IsLeaving = true;
            State = ClientState.Draining;
            new Frame.Drain(milliseconds).Write(control);
        }

        /// <summary>The reason for which nothing is acked now, as far as a session knows it; null while there is no connection.</summary>
        internal string? WaitsFor()
        {
            if (!IsUp) return null;
            return refusals > 0 ? "the server's handler refuses " + refusal : "the server has not said yet that it has them";
        }

        /// <summary>The frames that wait to be written, and empty bytes in their place.</summary>
        internal Bytes TakeControl(Bytes empty)
        {
            Bytes taken = control;
            control = empty;
            return taken;
        }

        /// <summary>Calls of the user's functions that what happened brings, once.</summary>
        internal List<Action> TakeEvents()
        {
            List<Action> taken = events;
            if (taken.Count > 0) events = new List<Action>();
            return taken;
        }

        private void SetState(ClientState next, TransportException? why)
        {
            if (State == next) return;
            State = next;
            events.Add(() => options.OnState?.Invoke(next, why));
        }

        private void Welcomed(Frame.Welcome welcome)
        {
            if (greeted) throw End.Broken(TransportCode.Protocol, "a second WELCOME");
            if (welcome.Spoken != Frame.Version) throw End.ForGood(TransportCode.Version, "the server speaks version " + welcome.Spoken);
            if (welcome.Durability < options.Durability) throw Unsupported("the server grants less durability than is wanted");
            if (!options.Checksum && (welcome.Features & Frame.NoChecksum) == 0) throw Unsupported("the server wants checksums");
            if (options.Schema != null && (welcome.Features & Frame.HasSchema) == 0) throw Unsupported("the server takes no schema ids");
            if (welcome.MaxFrame < SmallestMaxFrame) throw End.Broken(TransportCode.Protocol, "a max frame of " + welcome.MaxFrame);
            Resume(welcome.Last);
            greeted = true;
            nacks = 0;
            credit = welcome.Credit;
            maxFrame = (int)Math.Min(welcome.MaxFrame, (uint)LargestMaxFrame);
            pushes = (welcome.Features & Frame.HasPush) != 0;
            if (pushes) subscriptions.SayAll(control);
            SetState(ClientState.Ready, null);
        }

        private static End Unsupported(string text) => End.ForGood(TransportCode.Unsupported, text);

        /// <summary>A mark of the server in sequences of this client; one that cannot be counted is the last that can.</summary>
        private ulong Known(ulong mark) => mark > ulong.MaxValue - based ? ulong.MaxValue : based + mark;

        /// <summary>The server has this producer's messages up to that one: forgets those, and sends all others again.</summary>
        private void Resume(ulong last)
        {
            ulong known = Known(last);
            if (!begun)
            {
                if (known > long.MaxValue) throw End.Broken(TransportCode.Protocol, "a WELCOME with more messages than there can be");
                begun = true;
                Outbox.BeginAfter(known);
                Marks = new Watermarks(known, 0, 0, 0, 0);
                highestSent = known;
                return;
            }
            if (known > highestSent)
            {
                throw End.ForGood(TransportCode.Superseded, "the server has messages of this producer that this client did not send");
            }
            if (known < Outbox.Acked)
            {
                // The server has forgotten messages that it had acked. They count as sent; the others begin a new epoch.
                Epoch = unchecked(Epoch + 1);
                based = highestSent = Outbox.Acked;
                Outbox.Rewind(Outbox.Acked + 1);
                throw End.Broken(TransportCode.Unavailable, "the server has forgotten this producer; a new epoch begins");
            }
            if (known > Outbox.Acked)
            {
                Advance(known);
                TellAcked();
            }
            Outbox.Rewind(Outbox.Acked + 1);
        }

        private void Advance(ulong sequence)
        {
            Outbox.Ack(sequence);
            Marks = new Watermarks(sequence, Marks.Received, Marks.Handled, Marks.Durable, Marks.Duplicates);
            nacks = 0;
            refusals = 0;
        }

        private void TellAcked()
        {
            Watermarks told = Marks;
            if (options.OnAck != null) events.Add(() => options.OnAck(told));
        }

        private void Acked(Frame.Ack ack)
        {
            ulong level = options.Durability == Durability.Received ? ack.Received
                : options.Durability == Durability.Handled ? ack.Handled : ack.Durable;
            ulong mark = Known(level);
            if (mark > highestSent) throw End.Broken(TransportCode.Protocol, "an ACK of " + mark + ", which was not sent");
            Marks = new Watermarks(Marks.Acked, Known(ack.Received), Known(ack.Handled), Known(ack.Durable), ack.Duplicates);
            credit = ack.Credit;
            if (mark > Outbox.Acked) Advance(mark);
            TellAcked();
        }

        private void Nacked(Frame.Coded nack, long now)
        {
            ulong sequence = Known(nack.Number);
            if (sequence <= Outbox.Acked || sequence > highestSent + 1)
            {
                throw End.Broken(TransportCode.Protocol, "a NACK of " + sequence + ", which is acked or was not sent");
            }
            if (nack.Code == TransportCode.Refused.Number()) Refused(sequence, nack.Text, now);
            else if (++nacks > MostNacks) throw End.Broken(new TransportException(nack.Code, nack.Text));
            Outbox.Rewind(sequence);
        }

        private void Refused(ulong sequence, string text, long now)
        {
            refusal = "message " + sequence + ": " + text;
            if (!options.RetryRefused) throw End.ForGood(TransportCode.Refused, refusal);
            double pause = Math.Min(options.LeastBackoff.Ticks * Math.Pow(2, refusals), options.MostBackoff.Ticks);
            heldUntil = now + (long)pause;
            refusals++;
            events.Add(() => options.OnRefused?.Invoke(sequence, text));
        }
    }
}
