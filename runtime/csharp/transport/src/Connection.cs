#nullable enable
using System;
using System.IO;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Threading;
using System.Threading.Tasks;

namespace Aldis.Transport
{
    /// <summary>A connected stream that one task reads and another writes: TCP, or TLS over it.</summary>
    internal sealed class Connection : IDisposable
    {
        private readonly TcpClient tcp;

        internal Connection(TcpClient tcp, Stream stream)
        {
            this.tcp = tcp;
            Stream = stream;
        }

        internal Stream Stream { get; }

        /// <summary>Writes all; ends the connection when the server takes nothing for so long.</summary>
        internal async Task WriteAsync(Bytes bytes, TimeSpan patience)
        {
            Task written = Stream.WriteAsync(bytes.Array, 0, bytes.Size);
            if (!written.IsCompleted)
            {
                using var done = new CancellationTokenSource();
                if (await Task.WhenAny(written, Task.Delay(patience, done.Token)).ConfigureAwait(false) != written) Dispose();
                done.Cancel();
            }
            await written.ConfigureAwait(false);
            await Stream.FlushAsync().ConfigureAwait(false);
        }

        /// <summary>Ends both directions, so that whoever reads or writes goes on.</summary>
        internal void Shutdown()
        {
            try
            {
                tcp.Client?.Shutdown(SocketShutdown.Both);
            }
            catch (Exception gone) when (gone is SocketException || gone is ObjectDisposedException)
            {
                // It needs no end.
            }
        }

        public void Dispose() => tcp.Dispose();
    }

    /// <summary>The servers of a client, which are tried in turn.</summary>
    internal sealed class Connector
    {
        private readonly ClientOptions options;

        /// <summary>The number of attempts, whose server is tried first the next time.</summary>
        private int attempts;

        internal Connector(ClientOptions options) => this.options = options;

        /// <summary>Whether all servers have been tried.</summary>
        internal bool WasLast => attempts >= options.Servers.Count;

        /// <summary>Tries each server once. Throws what the last one said.</summary>
        internal async Task<Connection> ConnectAsync(CancellationToken stop)
        {
            End? last = null;
            for (int i = 0; i < options.Servers.Count && !stop.IsCancellationRequested; i++)
            {
                ClientOptions.Server server = options.Servers[attempts % options.Servers.Count];
                attempts++;
                try
                {
                    return await ConnectAsync(server, stop).ConfigureAwait(false);
                }
                catch (Exception fault) when (IsLoss(fault))
                {
                    last = End.Lost(server + ": " + fault.Message, fault);
                }
            }
            throw last ?? End.Lost("the client is closed");
        }

        /// <summary>The failures that streams have.</summary>
        internal static bool IsLoss(Exception fault) =>
            fault is IOException || fault is SocketException || fault is ObjectDisposedException || fault is AuthenticationException
            || fault is InvalidOperationException || fault is CryptographicException;

        private async Task<Connection> ConnectAsync(ClientOptions.Server server, CancellationToken stop)
        {
            var tcp = new TcpClient();
            Task<Connection> made = MadeAsync(tcp, server);
            using var done = CancellationTokenSource.CreateLinkedTokenSource(stop);
            bool isLate = await Task.WhenAny(made, Task.Delay(options.ConnectTimeout, done.Token)).ConfigureAwait(false) != made;
            done.Cancel();
            if (!isLate) return await made.ConfigureAwait(false);
            tcp.Dispose();
            // The failure of an attempt that is left is nobody's.
            _ = made.ContinueWith(left => left.Exception, TaskScheduler.Default);
            throw new IOException(stop.IsCancellationRequested ? "the client is closed" : "no connection in time");
        }

        private async Task<Connection> MadeAsync(TcpClient tcp, ClientOptions.Server server)
        {
            try
            {
                await tcp.ConnectAsync(server.Host, server.Port).ConfigureAwait(false);
                tcp.NoDelay = true;
                Stream stream = tcp.GetStream();
                if (options.Tls != null) stream = await SecuredAsync(stream, options.Tls, server.Host).ConfigureAwait(false);
                return new Connection(tcp, stream);
            }
            catch
            {
                tcp.Dispose();
                throw;
            }
        }

        private static async Task<Stream> SecuredAsync(Stream plain, TlsOptions tls, string host)
        {
            string? refusal = null;
            var secured = new SslStream(plain, false, (sender, certificate, chain, errors) =>
            {
                refusal = Refusal(tls, certificate, errors);
                return refusal == null;
            });
            var own = new X509CertificateCollection();
            if (tls.Identity != null) own.Add(tls.Identity);
            string name = tls.Name ?? host;
            try
            {
                await secured.AuthenticateAsClientAsync(name, own, SslProtocols.None, false).ConfigureAwait(false);
                return secured;
            }
            catch (AuthenticationException fault) when (refusal != null)
            {
                throw new AuthenticationException("the certificate is not accepted for " + name + ": " + refusal, fault);
            }
        }

        /// <summary>The reason for which a certificate is not accepted; null when it is.</summary>
        private static string? Refusal(TlsOptions tls, X509Certificate? certificate, SslPolicyErrors errors)
        {
            if ((errors & SslPolicyErrors.RemoteCertificateNotAvailable) != 0 || certificate == null) return "there is none";
            if ((errors & SslPolicyErrors.RemoteCertificateNameMismatch) != 0) return "it is for other names";
            if (tls.Authorities.Count == 0) return errors == SslPolicyErrors.None ? null : "no authority of the system vouches for it";
            using var chain = new X509Chain();
            chain.ChainPolicy.RevocationMode = X509RevocationMode.NoCheck;
            chain.ChainPolicy.VerificationFlags = X509VerificationFlags.AllowUnknownCertificateAuthority;
            // It must be one for servers.
            chain.ChainPolicy.ApplicationPolicy.Add(new Oid("1.3.6.1.5.5.7.3.1"));
            chain.ChainPolicy.ExtraStore.AddRange(tls.Authorities);
            using var server = new X509Certificate2(certificate);
            if (!chain.Build(server)) return Statuses(chain);
            X509ChainElement root = chain.ChainElements[chain.ChainElements.Count - 1];
            foreach (X509ChainStatus status in chain.ChainStatus)
            {
                // An authority that the system does not know is the point of naming it.
                if (status.Status != X509ChainStatusFlags.UntrustedRoot && status.Status != X509ChainStatusFlags.NoError) return Statuses(chain);
            }
            foreach (X509Certificate2 authority in tls.Authorities)
            {
                if (new ReadOnlySpan<byte>(authority.RawData).SequenceEqual(root.Certificate.RawData)) return null;
            }
            return "no authority that is trusted vouches for it";
        }

        private static string Statuses(X509Chain chain) =>
            string.Join(", ", Array.ConvertAll(chain.ChainStatus, status => status.Status.ToString()));
    }
}
