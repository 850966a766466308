// The same client over TLS, against a server made of OpenSSL.
#include <aldis/transport/tls.hpp>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <filesystem>

#include "fake_server.hpp"

namespace {

using namespace fake;

// A key and a certificate for localhost that it signed itself, as PEM files.
class Identity {
public:
    Identity() {
        EVP_PKEY* key = EVP_EC_gen("P-256");
        X509* certificate = X509_new();
        X509_set_version(certificate, X509_VERSION_3);
        ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1);
        X509_gmtime_adj(X509_getm_notBefore(certificate), -60);
        X509_gmtime_adj(X509_getm_notAfter(certificate), 3600);
        X509_set_pubkey(certificate, key);
        X509_NAME* name = X509_get_subject_name(certificate);
        X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, reinterpret_cast<const unsigned char*>("localhost"), -1, -1, 0);
        X509_set_issuer_name(certificate, name);
        X509_EXTENSION* names = X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, "DNS:localhost");
        X509_add_ext(certificate, names, -1);
        X509_EXTENSION_free(names);
        X509_sign(certificate, key, EVP_sha256());
        FILE* file = std::fopen(certificate_path().c_str(), "w");
        PEM_write_X509(file, certificate);
        std::fclose(file);
        file = std::fopen(key_path().c_str(), "w");
        PEM_write_PrivateKey(file, key, nullptr, nullptr, 0, nullptr, nullptr);
        std::fclose(file);
        X509_free(certificate);
        EVP_PKEY_free(key);
    }
    ~Identity() { std::filesystem::remove_all(folder_); }

    std::string certificate_path() const { return folder_ / "certificate.pem"; }
    std::string key_path() const { return folder_ / "key.pem"; }

private:
    std::filesystem::path folder_ = [] {
        auto folder = std::filesystem::temp_directory_path() / ("aldis-tls-" + std::to_string(getpid()));
        std::filesystem::create_directories(folder);
        return folder;
    }();
};

// Does TLS in a thread between the fake server's peer and a real socket, so that tests read plain frames.
class TlsFront {
public:
    TlsFront(Server& behind, const Identity& identity, bool mutual) : behind_(behind) {
        context_.reset(SSL_CTX_new(TLS_server_method()));
        SSL_CTX_use_certificate_chain_file(context_.get(), identity.certificate_path().c_str());
        SSL_CTX_use_PrivateKey_file(context_.get(), identity.key_path().c_str(), SSL_FILETYPE_PEM);
        if (mutual) {
            SSL_CTX_load_verify_file(context_.get(), identity.certificate_path().c_str());
            SSL_CTX_set_verify(context_.get(), SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
        }
        thread_ = std::thread([this] { serve(); });
    }
    ~TlsFront() { thread_.join(); }

    endpoint address() const { return {"localhost", front_.address().port}; }

private:
    void serve() {
        signal(SIGPIPE, SIG_IGN);
        const Peer outside = front_.accept();
        const std::unique_ptr<SSL, decltype(&SSL_free)> ssl(SSL_new(context_.get()), &SSL_free);
        SSL_set_fd(ssl.get(), outside.descriptor());
        if (SSL_accept(ssl.get()) != 1) {
            return;
        }
        const auto inside = detail::connect_tcp(behind_.address(), steady_clock::now() + 5s, -1);
        ASSERT_TRUE(inside);
        fcntl(inside->get(), F_SETFL, 0);
        std::array<std::byte, 1000> bytes{};
        while (true) {
            pollfd wanted[] = {{outside.descriptor(), POLLIN, 0}, {inside->get(), POLLIN, 0}};
            if (SSL_pending(ssl.get()) == 0) {
                poll(wanted, 2, 5000);
            }
            if (SSL_pending(ssl.get()) > 0 || wanted[0].revents != 0) {
                const int got = SSL_read(ssl.get(), bytes.data(), bytes.size());
                if (got <= 0 || ::send(inside->get(), bytes.data(), static_cast<std::size_t>(got), MSG_NOSIGNAL) != got) {
                    return;
                }
            }
            if (wanted[1].revents != 0) {
                const ssize_t got = recv(inside->get(), bytes.data(), bytes.size(), 0);
                if (got <= 0 || SSL_write(ssl.get(), bytes.data(), static_cast<int>(got)) <= 0) {
                    return;
                }
            }
        }
    }

    Server front_;
    Server& behind_;
    std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)> context_{nullptr, &SSL_CTX_free};
    std::thread thread_;
};

client_config tls_config(const Server& server, const TlsFront& front, const tls_options& options) {
    client_config config = server.config();
    config.address = front.address();
    const auto connector = tls(options);
    EXPECT_TRUE(connector) << connector.error().text;
    config.connector = *connector;
    return config;
}

TEST(Tls, carries_batches_and_acks_with_certificates_on_both_sides) {
    const Identity identity;
    Server server;
    const TlsFront front(server, identity, true);
    const tls_options options{identity.certificate_path(), identity.certificate_path(), identity.key_path(), ""};
    Pair pair(server, tls_config(server, front, options));
    const std::string big(100000, 'x');
    auto sending = std::async(std::launch::async, [&] {
        for (int i = 0; i < 30; ++i) {
            EXPECT_TRUE(pair.client->send(bytes_of(big)));
        }
        return pair.client->flush(10s);
    });
    std::uint64_t seen = 0;
    while (seen < 30) {
        const Got got = pair.peer.read();
        const auto batch = got.as<batch_frame>();
        ASSERT_EQ(batch.first, seen + 1);
        ASSERT_EQ(batch.crc, batch_crc(batch));
        seen += batch.count;
        pair.peer.ack(seen);
    }
    EXPECT_TRUE(sending.get());
    pair.client->close();
}

TEST(Tls, trusts_nobody_it_was_not_told_of) {
    const Identity identity;
    Server server;
    const TlsFront front(server, identity, false);
    const auto connected = client::connect(tls_config(server, front, {}));
    ASSERT_FALSE(connected);
    EXPECT_EQ(connected.error().code, error_code::unauthorized) << connected.error().text;
}

TEST(Tls, wants_the_right_name) {
    const Identity identity;
    Server server;
    const TlsFront front(server, identity, false);
    const auto connected =
        client::connect(tls_config(server, front, {identity.certificate_path(), "", "", "elsewhere.example"}));
    ASSERT_FALSE(connected);
    EXPECT_EQ(connected.error().code, error_code::unauthorized) << connected.error().text;
}

TEST(Tls, says_which_file_cannot_be_read) {
    const auto connector = tls({"/nowhere/ca.pem", "", "", ""});
    ASSERT_FALSE(connector);
    EXPECT_NE(connector.error().text.find("/nowhere/ca.pem"), std::string::npos);
}

}  // namespace
