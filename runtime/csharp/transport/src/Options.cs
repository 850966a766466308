#nullable enable
using System;
using System.Collections.Generic;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using System.Threading.Tasks;

namespace Aldis.Transport
{
    /// <summary>The schema and the template of all messages of a client.</summary>
    public sealed class SchemaId
    {
        public SchemaId(uint schema, uint template)
        {
            Schema = schema;
            Template = template;
        }

        public uint Schema { get; }

        public uint Template { get; }
    }

    /// <summary>How the server is known, and how this client shows itself. The server's certificate and its name are always checked.</summary>
    public sealed class TlsOptions
    {
        /// <summary>The authorities to trust, and no others; those of the system where there are none.</summary>
        public X509Certificate2Collection Authorities { get; } = new X509Certificate2Collection();

        /// <summary>This client's certificate with its key, where the server asks for one.</summary>
        public X509Certificate2? Identity { get; set; }

        /// <summary>The name that the server's certificate must have, where that is not the host that is connected to.</summary>
        public string? Name { get; set; }

        /// <summary>Trusts the certificates in a text of PEM.</summary>
        public TlsOptions Trust(string pem)
        {
            const string Begin = "-----BEGIN CERTIFICATE-----", Ending = "-----END CERTIFICATE-----";
            int found = 0;
            for (int at = pem.IndexOf(Begin, StringComparison.Ordinal); at >= 0; at = pem.IndexOf(Begin, at, StringComparison.Ordinal))
            {
                at += Begin.Length;
                int end = pem.IndexOf(Ending, at, StringComparison.Ordinal);
                if (end < 0) break;
                try
                {
#pragma warning disable SYSLIB0057 // The loader that is advised is not in .NET Standard.
                    Authorities.Add(new X509Certificate2(Convert.FromBase64String(pem.Substring(at, end - at))));
#pragma warning restore SYSLIB0057
                    found++;
                }
                catch (Exception fault) when (fault is FormatException || fault is CryptographicException)
                {
                    throw new TransportException(TransportCode.Misused, "a certificate cannot be read: " + fault.Message, fault);
                }
            }
            if (found == 0) throw new TransportException(TransportCode.Misused, "there is no certificate in this text");
            return this;
        }
    }

    /// <summary>How to connect, whose messages they are, and how they are batched. Callbacks run on the client's tasks, one at a time for
    /// what comes from the server; they must not block.</summary>
    public sealed class ClientOptions
    {
        internal readonly struct Server
        {
            internal readonly string Host;
            internal readonly int Port;

            internal Server(string host, int port)
            {
                if (port < 1 || port > 65535) throw Misused("a port is a number from 1 to 65535");
                Host = host;
                Port = port;
            }

            public override string ToString() => Host + ":" + Port;
        }

        internal List<Server> Servers = new List<Server>();
        // A random one, without the system's OpenSSL, which older versions of .NET need for other random bytes.
        internal byte[] Id = Guid.NewGuid().ToByteArray();
        internal byte[] AuthMethod = Array.Empty<byte>();
        internal byte[] AuthData = Array.Empty<byte>();

        /// <summary>A client of that server, as a producer that nobody else is.</summary>
        public ClientOptions(string host, int port) => OrElse(host, port);

        /// <summary>Another server with the same log: when one cannot be reached or is lost, the next is tried, in turn.</summary>
        public ClientOptions OrElse(string host, int port)
        {
            Servers.Add(new Server(host, port));
            return this;
        }

        /// <summary>TLS, with the server's certificate and name checked.</summary>
        public TlsOptions? Tls { get; set; }

        /// <summary>16 bytes. Keep them and the epoch to go on after a restart of the process; they are random without.</summary>
        public byte[] Producer
        {
            get => (byte[])Id.Clone();
            set => Id = value.Length == 16 ? (byte[])value.Clone() : throw Misused("a producer is 16 bytes");
        }

        public uint Epoch { get; set; } = 1;

        /// <summary>Shows who this is, as "token" and its bytes: method and data have 4,053 bytes at most, and the method 255.</summary>
        public ClientOptions Auth(string method, byte[] data)
        {
            byte[] bytes = Encoding.UTF8.GetBytes(method);
            if (bytes.Length > 255 || bytes.Length + data.Length > Frame.MaxAuth)
            {
                throw Misused("an auth method takes 255 bytes, it and auth data together " + Frame.MaxAuth);
            }
            AuthMethod = bytes;
            AuthData = (byte[])data.Clone();
            return this;
        }

        /// <summary>When a message counts as acked.</summary>
        public Durability Durability { get; set; } = Durability.Handled;

        /// <summary>How much may be outstanding; 0: the server's choice.</summary>
        public Window Window { get; set; }

        /// <summary>Without it batches have no checksum.</summary>
        public bool Checksum { get; set; } = true;

        public SchemaId? Schema { get; set; }

        /// <summary>A batch goes out when it has so many bytes of entries, or when its first message is as old as Linger says.</summary>
        public int BatchBytes { get; set; } = 64 << 10;

        public TimeSpan Linger { get; set; } = TimeSpan.FromMilliseconds(1);

        /// <summary>Bytes of entries sent and not acked that are kept; SendAsync waits beyond.</summary>
        public long MaxKeptBytes { get; set; } = 64 << 20;

        /// <summary>The time that a connection with its handshakes may take.</summary>
        public TimeSpan ConnectTimeout { get; set; } = TimeSpan.FromSeconds(5);

        /// <summary>A server that is silent for so long is asked, and left when it stays silent for as long again.</summary>
        public TimeSpan PingAfter { get; set; } = TimeSpan.FromSeconds(10);

        /// <summary>Between attempts to connect: doubles from the least to the most, half of it random.</summary>
        public TimeSpan LeastBackoff { get; set; } = TimeSpan.FromMilliseconds(50);

        public TimeSpan MostBackoff { get; set; } = TimeSpan.FromSeconds(5);

        /// <summary>A message that the server's handler refuses is sent again after a pause that doubles like the one between attempts to
        /// connect, and all behind it waits. With false the client is over.</summary>
        public bool RetryRefused { get; set; } = true;

        /// <summary>Told of each ack.</summary>
        public Action<Watermarks>? OnAck { get; set; }

        /// <summary>Told of each message that the handler refuses, and why.</summary>
        public Action<ulong, string>? OnRefused { get; set; }

        /// <summary>Told of the state and, when a connection was lost, why.</summary>
        public Action<ClientState, TransportException?>? OnState { get; set; }

        /// <summary>Answers a request of the server; nothing else is taken from the server until it has. A TransportException that it
        /// throws is told with its code, any other as Handler.</summary>
        public Func<byte[], Task<byte[]>>? OnRequest { get; set; }

        /// <summary>A copy that its maker may no longer change, checked.</summary>
        internal ClientOptions Checked()
        {
            var copy = (ClientOptions)MemberwiseClone();
            copy.Servers = new List<Server>(Servers);
            foreach (TimeSpan time in new[] { Linger, ConnectTimeout, PingAfter, LeastBackoff, MostBackoff }) CheckTime(time);
            if (BatchBytes < 1 || MaxKeptBytes < 1) throw Misused("BatchBytes and MaxKeptBytes are 1 or more");
            return copy;
        }

        internal static void CheckTime(TimeSpan time)
        {
            if (time < TimeSpan.Zero || time > Longest) throw Misused("a time is from zero to " + Longest.TotalDays + " days");
        }

        /// <summary>No timer takes longer.</summary>
        internal static readonly TimeSpan Longest = TimeSpan.FromDays(24);

        internal static TransportException Misused(string text) => new TransportException(TransportCode.Misused, text);
    }
}
