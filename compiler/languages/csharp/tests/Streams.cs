// Messages in streams of every framing, in chunks of every size; and what is wrong with streams.
using System;
using System.Collections.Generic;
using System.Linq;
using Addressbook;
using Aldis.Streams;
using System_;

static class Streams
{
    internal static void Run()
    {
        byte[] fbe = new Wide { Value = "a text" }.Encode();
        byte[] other = new Wide().Encode();
        var person = new Person { Id = 7, Name = "Ada", Email = "ada@example.com" };
        foreach (Framing framing in new[] { Framing.U16Le, Framing.U16Be, Framing.U32Le, Framing.U32Be, Framing.Sofh, Framing.SofhBe })
        {
            All(framing, new byte[] { 1, 2, 3 }, Array.Empty<byte>(), fbe);
        }
        All(Framing.Fbe, fbe, other);
        All(Framing.FbeBuffer, fbe, other, fbe);
        All(Framing.Length(0, 32, false, 8), fbe, other);
        All(Framing.Capnp, person.Encode(), new Person().Encode());
        All(Framing.CapnpPacked, person.EncodePacked(), new Person().EncodePacked(), person.EncodePacked());
        Faults(fbe);
        Handlers();
    }

    static void All(Framing framing, params byte[][] messages)
    {
        var sender = new FrameSender(framing);
        foreach (byte[] message in messages) sender.Send(message);
        byte[] stream = sender.Take();
        for (int chunk = 1; chunk <= stream.Length; chunk++)
        {
            var receiver = new FrameReceiver(framing);
            var seen = new List<byte[]>();
            for (int at = 0; at < stream.Length; at += chunk)
            {
                receiver.Feed(stream.AsSpan(at, Math.Min(chunk, stream.Length - at)), message => seen.Add(message.ToArray()));
            }
            receiver.Finish();
            Use.That(seen.Count == messages.Length, seen.Count + " messages in chunks of " + chunk);
            Use.That(seen.Zip(messages, (a, b) => a.SequenceEqual(b)).All(same => same), "the same messages in chunks of " + chunk);
        }
    }

    static void Refused(string what, StreamCode code, Framing framing, int most, params byte[] stream)
    {
        var receiver = new FrameReceiver(framing, most);
        for (int again = 0; again < 2; again++)
        {
            try
            {
                receiver.Feed(stream, message => { });
                receiver.Finish();
                Use.That(false, what);
            }
            catch (StreamException fault)
            {
                Use.That(fault.Code == code && fault.Offset == 0, what + ": " + fault.Message);
            }
        }
    }

    static void Thrown(string what, StreamCode code, long offset, Action action)
    {
        try
        {
            action();
            Use.That(false, what);
        }
        catch (StreamException fault)
        {
            Use.That(fault.Code == code && fault.Offset == offset, what + ": " + fault.Message);
        }
    }

    static void Faults(byte[] fbe)
    {
        Refused("a frame beyond the limit", StreamCode.FrameTooLarge, Framing.U32Le, 100, 200, 0, 0, 0);
        Refused("a length of 4 GiB", StreamCode.FrameTooLarge, Framing.U32Be, 1 << 20, 255, 255, 255, 255);
        Refused("less than a head", StreamCode.FrameTooSmall, Framing.Fbe, 100, 3, 0, 0, 0);
        Refused("the end within a frame", StreamCode.Cut, Framing.U16Le, 100, 3, 0, 1);
        Refused("segments", StreamCode.TooManySegments, Framing.Capnp, 100, 255, 1, 0, 0);
        Refused("a table's words", StreamCode.FrameTooLarge, Framing.Capnp, 100, 0, 0, 0, 0, 0, 1, 0, 0);
        Refused("a run beyond the table", StreamCode.BadPacking, Framing.CapnpPacked, 100, 0, 3);
        var receiver = new FrameReceiver(Framing.FbeBuffer);
        receiver.Feed(fbe, message => { });
        Thrown("a root before its message", StreamCode.BadRoot, fbe.Length, () => receiver.Feed(fbe, message => { }));
        var sender = new FrameSender(Framing.FbeBuffer);
        sender.Send(fbe);
        byte[] far = (byte[])fbe.Clone();
        far.AsSpan(4, 4).Fill(255);
        Thrown("a root beyond 4 GiB", StreamCode.BadRoot, fbe.Length, () => sender.Send(far));
        Use.That(sender.Take().Length == fbe.Length, "a message that cannot be sent adds nothing");
        Thrown("70,000 bytes behind 16 bits", StreamCode.FrameTooLarge, 0, () => new FrameSender(Framing.U16Le).Send(new byte[70000]));
    }

    // A handler that throws loses its own message alone.
    static void Handlers()
    {
        var sender = new FrameSender(Framing.U16Le);
        for (byte i = 0; i < 4; i++) sender.Send(new[] { i });
        byte[] stream = sender.Take();
        var receiver = new FrameReceiver(Framing.U16Le);
        var seen = new List<int>();
        for (int turn = 0; turn < 3; turn++)
        {
            try
            {
                receiver.Feed(turn == 0 ? stream : Array.Empty<byte>(), message =>
                {
                    seen.Add(message[0] < 2 ? -message[0] - 1 : message[0]);
                    if (message[0] < 2) throw new InvalidOperationException();
                });
                Use.That(turn == 2, "two handlers throw");
            }
            catch (InvalidOperationException)
            {
            }
        }
        receiver.Finish();
        Use.That(seen.SequenceEqual(new[] { -1, -2, 2, 3 }), "messages behind those whose handlers threw");
    }
}
