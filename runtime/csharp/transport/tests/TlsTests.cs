#nullable enable
using System;
using System.IO;
using System.Linq;
using System.Net.Security;
using System.Security.Authentication;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Threading.Tasks;

namespace Aldis.Transport.Tests
{
    /// <summary>The same client over TLS, with certificates on both sides.</summary>
    internal static class TlsTests
    {
        internal static readonly Func<Task>[] All =
        {
            BatchesGoOverTlsWithACertificateThatTheServerAsksFor, CertificatesAndNamesAreChecked, AServerThatDoesNotShakeHandsIsLeft,
        };

        private static string? folder;

        /// <summary>A certificate of its own for these names with its key, and the text of PEM that has it.</summary>
        private static (X509Certificate2 Own, string Pem) Identity(string names, string use = "serverAuth")
        {
            if (Environment.Version.Major < 5) throw new SkippedException("this .NET finds no OpenSSL that it knows here");
            folder = Path.Combine(Path.GetTempPath(), "aldis-tls-" + Guid.NewGuid().ToString("n"));
            Directory.CreateDirectory(folder);
            try
            {
                string key = Path.Combine(folder, "key"), certificate = Path.Combine(folder, "pem"), both = Path.Combine(folder, "p12");
                Check.Run("openssl", "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=test -addext subjectAltName="
                    + names + " -addext extendedKeyUsage=" + use + " -keyout " + key + " -out " + certificate);
                Check.Run("openssl", "pkcs12 -export -passout pass: -inkey " + key + " -in " + certificate + " -out " + both);
#pragma warning disable SYSLIB0057 // The loader that is advised is not in older versions.
                return (new X509Certificate2(File.ReadAllBytes(both), ""), File.ReadAllText(certificate));
#pragma warning restore SYSLIB0057
            }
            finally
            {
                Directory.Delete(folder, true);
            }
        }

        private const string Names = "DNS:localhost,DNS:feed.example,IP:127.0.0.1";

        private static Fake Serving(X509Certificate2 certificate, string? wanted) => new Fake(async plain =>
        {
            var secured = new SslStream(plain, false, (sender, shown, chain, errors) => wanted == null || shown?.GetCertHashString() == wanted);
            await secured.AuthenticateAsServerAsync(certificate, wanted != null, SslProtocols.None, false);
            return secured;
        });

        private static ClientOptions Over(Fake fake, TlsOptions tls)
        {
            ClientOptions options = fake.Options;
            options.Tls = tls;
            return options;
        }

        private static async Task BatchesGoOverTlsWithACertificateThatTheServerAsksFor()
        {
            var (own, pem) = Identity(Names, "serverAuth,clientAuth");
            using Fake fake = Serving(own, own.GetCertHashString());
            var (client, peer) = await fake.Pair(Over(fake, new TlsOptions { Identity = own }.Trust(pem)));
            await client.SendAsync(new byte[1 << 19]);
            await client.SendAsync(Check.Bytes("a"));
            Check.Equal(1 << 19, (await peer.Batch()).Texts.Single().Length);
            Check.Equal("a", (await peer.Batch()).Texts.Single());
            await peer.Ack(2);
            await client.FlushAsync(Fake.Long);
        }

        private static async Task CertificatesAndNamesAreChecked()
        {
            var (own, pem) = Identity(Names);
            using Fake fake = Serving(own, null);
            await Refused(fake, new TlsOptions(), "no authority of the system vouches for it");
            await Refused(fake, new TlsOptions { Name = "other.example" }.Trust(pem), "other.example: it is for other names");
            await Refused(fake, new TlsOptions { Name = "127.0.0.2" }.Trust(pem), "127.0.0.2: it is for other names");
            var (_, stranger) = Identity(Names);
            await Refused(fake, new TlsOptions().Trust(stranger), "");
            foreach (TlsOptions tls in new[] { new TlsOptions().Trust(stranger).Trust(pem), new TlsOptions { Name = "feed.example" }.Trust(pem) })
            {
                var (client, peer) = await fake.Pair(Over(fake, tls));
                await client.SendAsync(Check.Bytes("a"));
                Check.Equal("a", (await peer.Batch()).Texts.Single());
            }
            foreach (string text in new[] { "nothing", "-----BEGIN CERTIFICATE-----AAAA-----END CERTIFICATE-----" })
            {
                Check.Equal(TransportCode.Misused, Check.Fails(() => new TlsOptions().Trust(text)).Code);
            }
            // A certificate that is for something else than servers.
            var (mail, mailPem) = Identity(Names, "emailProtection");
            using Fake mailing = Serving(mail, null);
            await Refused(mailing, new TlsOptions().Trust(mailPem), "");
        }

        private static async Task Refused(Fake fake, TlsOptions tls, string words)
        {
            Task<Client> client = fake.Connect(Over(fake, tls));
            try
            {
                Peer peer = await fake.Accept();
                Check.True(await peer.Read() == null, "HELLO came");
            }
            catch (Exception alert) when (alert is IOException || alert is AuthenticationException)
            {
                // The client says that it does not believe the certificate.
            }
            TransportException why = await Check.Fails(client);
            Check.Equal(TransportCode.Disconnected, why.Code);
            Check.True(why.Text.Contains(words), why.Text);
        }

        private static async Task AServerThatDoesNotShakeHandsIsLeft()
        {
            var (_, pem) = Identity(Names);
            using var fake = new Fake();
            ClientOptions options = Over(fake, new TlsOptions().Trust(pem));
            options.ConnectTimeout = TimeSpan.FromMilliseconds(50);
            await Check.Fails(TransportCode.Disconnected, fake.Connect(options));
        }
    }
}
