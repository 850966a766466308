#nullable enable
using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using System.Threading.Tasks;

namespace Aldis.Transport
{
    /// <summary>Requests that wait for their answers. Moments are ticks; a deadline of Never waits as long as the connection lasts.</summary>
    internal sealed class Requests
    {
        internal const long Never = long.MaxValue;

        private readonly Dictionary<ulong, (TaskCompletionSource<byte[]> Source, long Deadline)> open =
            new Dictionary<ulong, (TaskCompletionSource<byte[]>, long)>();

        private ulong last;

        /// <summary>The moment when the first of them has waited enough.</summary>
        internal long Earliest { get; private set; } = Never;

        /// <summary>Gives the request's correlation. Who waits goes on elsewhere, so answers may be given with a lock held.</summary>
        internal ulong Open(TaskCompletionSource<byte[]> source, long deadline)
        {
            open.Add(++last, (source, deadline));
            Earliest = Math.Min(Earliest, deadline);
            return last;
        }

        /// <summary>An answer to a request that is not open, because it came too late, is nobody's.</summary>
        internal void Answer(Frame.Numbered reply)
        {
            if (!open.TryGetValue(reply.Wide, out var found)) return;
            open.Remove(reply.Wide);
            byte[] bytes = Fields.Copy(reply.Rest);
            if (reply.Narrow == TransportCode.Normal.Number()) found.Source.TrySetResult(bytes);
            else found.Source.TrySetException(new TransportException(reply.Narrow, Encoding.UTF8.GetString(bytes)));
        }

        /// <summary>Those whose deadline has passed get no answer.</summary>
        internal void Expire(long now)
        {
            if (now < Earliest) return;
            Fail(deadline => deadline <= now, () => new TransportException(TransportCode.Deadline, "no answer in time"));
            Earliest = open.Count == 0 ? Never : open.Values.Min(one => one.Deadline);
        }

        internal void Fail(TransportException why)
        {
            Fail(deadline => true, why.Again);
            Earliest = Never;
        }

        private void Fail(Func<long, bool> which, Func<TransportException> why)
        {
            foreach (var one in open.Where(one => which(one.Value.Deadline)).ToList())
            {
                open.Remove(one.Key);
                one.Value.Source.TrySetException(why());
            }
        }
    }

    /// <summary>The subscriptions of a client, and how far each has come.</summary>
    internal sealed class Subscriptions
    {
        private sealed class One
        {
            internal readonly Subscription Asked;

            /// <summary>The last sequence that came; 0: none.</summary>
            internal ulong Consumed;

            /// <summary>The sequence up to which CREDIT was said in this connection; null before its first PUSH.</summary>
            internal ulong? Granted;

            internal One(Subscription asked) => Asked = asked;

            /// <summary>The sequence of the next message; 0 where that is the server's word.</summary>
            internal ulong Next => Consumed == 0 ? Asked.From : Consumed + 1;
        }

        private readonly SortedDictionary<uint, One> open = new SortedDictionary<uint, One>();
        private uint last;

        internal uint Open(Subscription asked)
        {
            open.Add(++last, new One(asked));
            return last;
        }

        internal bool Close(uint id) => open.Remove(id);

        /// <summary>Says SUBSCRIBE for one: it goes on behind what has come of it.</summary>
        internal void Say(uint id, Bytes to)
        {
            if (!open.TryGetValue(id, out One? one)) return;
            new Frame.Numbered(Frame.Numbered.Subscribe, id, one.Next, one.Asked.Credit, default, one.Asked.Topic).Write(to);
        }

        /// <summary>Says SUBSCRIBE for all, in a new connection.</summary>
        internal void SayAll(Bytes to)
        {
            foreach (KeyValuePair<uint, One> one in open)
            {
                one.Value.Granted = null;
                Say(one.Key, to);
            }
        }

        /// <summary>Tells what is new, and grants more when half of the credit is used.</summary>
        internal void Pushed(Frame.Numbered push, Bytes to, List<Action> events)
        {
            open.TryGetValue(push.Subscription, out One? one);
            ulong begin = push.Wide;
            uint count = push.Narrow;
            ulong consumed = one == null ? 0 : one.Consumed;
            uint skip = consumed < begin ? 0 : (uint)Math.Min(consumed - begin + 1, count);
            List<byte[]>? messages = count > 0 ? Entries.Of(push.Rest, count, skip) : null;
            if (messages == null) throw End.Broken(TransportCode.BadCount, "a PUSH whose entries and count disagree");
            // Sequences that cannot be counted are nobody's.
            if (one == null || messages.Count == 0 || begin > ulong.MaxValue - count) return;
            ulong first = begin + skip;
            ulong gap = one.Next == 0 || first < one.Next ? 0 : first - one.Next;
            one.Consumed = begin + count - 1;
            one.Granted ??= begin == 0 ? 0 : begin - 1;
            events.Add(() => one.Asked.OnPush(new Push(first, gap, messages)));
            if (one.Consumed - one.Granted.Value < ((ulong)one.Asked.Credit + 1) / 2) return;
            one.Granted = one.Consumed;
            new Frame.Numbered(Frame.Numbered.Credit, push.Subscription, one.Consumed, one.Asked.Credit, default, null).Write(to);
        }

        /// <summary>The server ended one.</summary>
        internal void Ended(Frame.Coded end, List<Action> events)
        {
            if (!open.TryGetValue((uint)end.Number, out One? one)) return;
            open.Remove((uint)end.Number);
            var why = new TransportException(end.Code, end.Text);
            events.Add(() => one.Asked.OnEnd?.Invoke(why));
        }
    }
}
