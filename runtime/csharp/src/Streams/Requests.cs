#nullable enable
using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using Aldis.Codec;

namespace Aldis.Streams
{
    /// <summary>The answer refuses the request.</summary>
    public sealed class RequestRejectedException : Exception
    {
        internal RequestRejectedException(Structure answer) : base(answer.ToString()) => Answer = answer;

        /// <summary>The message that says why.</summary>
        public Structure Answer { get; }
    }

    /// <summary>Requests that wait for their answers, found by the id that both have. It moves no bytes: requests go out by a sender, and
    /// whoever reads the other side's messages hands them in by Answer. Threads may share it if they may share the sender.</summary>
    public abstract class Requests
    {
        private sealed class Waiting
        {
            // Those who wait go on in threads of the pool, so that they may send, and the one that hands answers in goes on at once.
            internal readonly TaskCompletionSource<Structure> Source =
                new TaskCompletionSource<Structure>(TaskCreationOptions.RunContinuationsAsynchronously);

            private readonly Type response;
            private readonly Type[] rejects;

            internal Waiting(Type response, Type[] rejects)
            {
                this.response = response;
                this.rejects = rejects;
            }

            internal bool Expects(Type message) => message == response || Array.IndexOf(rejects, message) >= 0;

            internal bool Give(Structure message) => message.GetType() == response
                ? Source.TrySetResult(message)
                : Source.TrySetException(new RequestRejectedException(message));
        }

        private readonly ConcurrentDictionary<object, Waiting> waiting = new ConcurrentDictionary<object, Waiting>();
        private readonly FrameHandler sender;

        protected Requests(FrameHandler sender) => this.sender = sender;

        /// <summary>How many wait.</summary>
        public int Count => waiting.Count;

        private bool Remove(object id, Waiting own) =>
            ((ICollection<KeyValuePair<object, Waiting>>)waiting).Remove(new KeyValuePair<object, Waiting>(id, own));

        /// <summary>Sends a message, and gives what answers it. The task fails with RequestRejectedException as an answer says, with
        /// TimeoutException when nothing came in time, and with the cause of GiveUp; where it is stopped, the answer is not waited for
        /// any more. A message that cannot be sent does not wait.</summary>
        protected async Task<T> Send<T>(byte[] message, object id, TimeSpan timeout, CancellationToken stop, params Type[] rejects)
            where T : Structure
        {
            using var late = new CancellationTokenSource(timeout);
            stop.ThrowIfCancellationRequested();
            var own = new Waiting(typeof(T), rejects);
            if (!waiting.TryAdd(id, own))
            {
                throw new InvalidOperationException("a request with the id " + id + " still waits for its answer");
            }
            try
            {
                sender(message);
                var isLate = new TimeoutException("no answer to the request " + id + " in " + timeout);
                using (late.Token.Register(() => own.Source.TrySetException(isLate)))
                using (stop.Register(() => own.Source.TrySetCanceled(stop)))
                {
                    return (T)await own.Source.Task.ConfigureAwait(false);
                }
            }
            finally
            {
                Remove(id, own);
            }
        }

        protected bool Answer(object id, Structure message) =>
            waiting.TryGetValue(id, out Waiting? found) && found.Expects(message.GetType()) && Remove(id, found) && found.Give(message);

        /// <summary>Gives a message to the request that waits for it. False where none does: the answer came too late or twice, or is none
        /// of the messages that answer the request of that id.</summary>
        public abstract bool Answer(Structure message);

        /// <summary>Tells all requests that nothing will come, as when the connection is gone; gives how many there were.</summary>
        public int GiveUp(Exception cause)
        {
            int count = 0;
            foreach (Waiting gone in waiting.Values)
            {
                if (gone.Source.TrySetException(cause)) count++;
            }
            return count;
        }
    }
}
