// Requests over a stream, answered, refused, late, given up.
using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using Aldis.Streams;
using Ask;

static class Asks
{
    static readonly TimeSpan Long = TimeSpan.FromMinutes(5);

    internal static void Run()
    {
        var output = new FrameSender(Framing.Fbe);
        var requests = new AskRequests(output.Send);
        Task<Price> first = requests.Send(new Ask.Ask { Id = 1, Symbol = "EURUSD" }, Long);
        Task<Price> second = requests.Send(new Ask.Ask { Id = 2 }, Long);
        Task third = requests.Send(new Cancel { Id = 3 }, Long);
        Use.That(string.Join(" ", Seen(output.Take())) == "ask.Ask ask.Ask ask.Cancel", "requests are sent");
        Use.That(Fault(requests.Send(new Cancel { Id = 2 }, Long)) is InvalidOperationException, "two requests have one id");
        Use.That(output.Size == 0 && requests.Count == 3, "what cannot wait is not sent");
        Use.That(!requests.Answer(new Price { Id = 9 }), "nobody waits for it");
        Use.That(!requests.Answer(new Price { Id = 3 }), "no price answers that");
        Use.That(!requests.Answer(new Ask.Ask { Id = 1 }), "a request is no answer");
        Use.That(requests.Answer(new Price { Id = 1, Rate = 1.5 }) && first.Result.Rate == 1.5, "an answer");
        Use.That(!requests.Answer(new Price { Id = 1 }), "an answer comes once");
        Use.That(requests.Answer(new Refused { Id = 2, Why = "closed" }), "a refusal");
        Use.That(Fault(second) is RequestRejectedException why && ((Refused)why.Answer).Why == "closed", "it says why");
        Use.That(!third.IsCompleted && requests.GiveUp(new ApplicationException("gone")) == 1, "one waits");
        Use.That(Fault(third) is ApplicationException && requests.Count == 0, "it was given up");
        Use.That(Fault(requests.Send(new Ask.Ask { Id = 1 }, TimeSpan.FromMilliseconds(1))) is TimeoutException, "nothing came in time");
        using (var stop = new CancellationTokenSource())
        {
            Task<Price> stopped = requests.Send(new Ask.Ask { Id = 1 }, Long, stop.Token);
            stop.Cancel();
            Use.That(Fault(stopped) is OperationCanceledException, "it was stopped");
        }
        Use.That(requests.Count == 0, "what is late or stopped does not wait");
        var broken = new AskRequests(message => throw new NotSupportedException());
        Use.That(Fault(broken.Send(new Ask.Ask { Id = 1 }, Long)) is NotSupportedException && broken.Count == 0, "it was not sent");
    }

    static Exception? Fault(Task task)
    {
        try
        {
            return task.Wait(TimeSpan.FromMinutes(1)) ? null : new InvalidOperationException("it still waits");
        }
        catch (AggregateException fault)
        {
            return fault.InnerException;
        }
    }

    static List<string> Seen(byte[] stream)
    {
        var seen = new List<string>();
        new FrameReceiver(Framing.Fbe).Feed(stream, message => seen.Add(AskSchema.Identify(message)));
        return seen;
    }
}
