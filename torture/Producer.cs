// A producer of the torture test by the C# client; torture/producer.py says what it takes and does.
using System;
using System.Diagnostics;
using System.IO;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using Aldis.Transport;

internal static class Producer
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);
    private static readonly byte[] Pattern = MakePattern();

    private static byte[] MakePattern()
    {
        var pattern = new byte[65536 + 256];
        for (int i = 0; i < pattern.Length; i++)
        {
            pattern[i] = unchecked((byte)(131 * i + 17 * (i >> 8)));
        }
        return pattern;
    }

    // The bytes of a message: messages.py has the rule.
    private static byte[] Message(byte[] producer, uint epoch, ulong sequence)
    {
        ulong mixed = unchecked((sequence + 7919UL * epoch) * 2654435761UL) & 0xFFFFFFFF;
        ulong kind = mixed >> 24;
        int filling = (int)(mixed & (kind < 4 ? 0xFFFFUL : kind < 128 ? 0x3FUL : 0x3FFUL));
        var message = new byte[28 + filling];
        producer.CopyTo(message, 0);
        for (int i = 0; i < 4; i++)
        {
            message[16 + i] = unchecked((byte)(epoch >> (8 * i)));
        }
        for (int i = 0; i < 8; i++)
        {
            message[20 + i] = unchecked((byte)(sequence >> (8 * i)));
        }
        Array.Copy(Pattern, (int)(sequence & 0xFF), message, 28, filling);
        return message;
    }

    private static byte[] Hex(string text)
    {
        var bytes = new byte[text.Length / 2];
        for (int i = 0; i < bytes.Length; i++)
        {
            bytes[i] = Convert.ToByte(text.Substring(2 * i, 2), 16);
        }
        return bytes;
    }

    // A line goes out in one write, so that a kill never leaves half of an earlier one.
    private static void Note(FileStream journal, string what, ulong upto)
    {
        byte[] line = Encoding.ASCII.GetBytes(what + " " + upto + "\n");
        lock (journal)
        {
            journal.Write(line, 0, line.Length);
            journal.Flush();
        }
    }

    // The first connection may be cut like any other.
    private static async Task<Client> Connected(ClientOptions options)
    {
        Stopwatch since = Stopwatch.StartNew();
        while (true)
        {
            try
            {
                return await Client.ConnectAsync(options);
            }
            catch (TransportException) when (since.Elapsed < Patience)
            {
                await Task.Delay(50);
            }
        }
    }

    private static async Task<int> Main(string[] words)
    {
        byte[] producer = Hex(words[1]);
        uint epoch = uint.Parse(words[2]);
        using var journal = new FileStream(words[3], FileMode.Append, FileAccess.Write, FileShare.ReadWrite, 1);
        var options = new ClientOptions("127.0.0.1", int.Parse(words[0]))
        {
            Producer = producer,
            Epoch = epoch,
            Durability = Durability.Durable,
            MaxKeptBytes = 1 << 20,
            MostBackoff = TimeSpan.FromMilliseconds(200),
            PingAfter = TimeSpan.FromSeconds(2),
            OnAck = marks => Note(journal, "acked", marks.Acked),
        };
        using Client client = await Connected(options);
        ulong sequence = client.Watermarks.Acked;
        Note(journal, "acked", sequence);
        // Standard input ends when there is enough.
        Task enough = Task.Run(() => Console.In.ReadToEnd());
        for (uint batch = 1; !enough.IsCompleted; await Task.Delay(2))
        {
            batch = batch * 31 % 61;
            Note(journal, "sending", sequence + batch);
            for (uint i = 0; i < batch; i++)
            {
                ulong given = await client.SendAsync(Message(producer, epoch, ++sequence));
                if (given != sequence)
                {
                    Console.Error.WriteLine("message " + sequence + " got the number " + given);
                    return 1;
                }
            }
        }
        await client.FlushAsync(Patience);
        if (client.Epoch != epoch)
        {
            Console.Error.WriteLine("the server has forgotten this producer");
            return 1;
        }
        return 0;
    }
}
