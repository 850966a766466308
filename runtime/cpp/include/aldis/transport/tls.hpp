// TLS by OpenSSL 3. Include this file and link libssl to use it; nothing else here needs OpenSSL.
#pragma once

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <climits>
#include <memory>
#include <string>
#include <utility>

#include "stream.hpp"

namespace aldis::transport {

struct tls_options {
    // PEM file of the authorities to trust; empty: those of the system.
    std::string authorities;
    // PEM files of this client's certificate chain and key, where the server asks for them.
    std::string certificate;
    std::string key;
    // The name that the server's certificate must have; empty: the host that is connected to.
    std::string name;
};

namespace detail {

using shared_context = std::shared_ptr<SSL_CTX>;

inline error tls_error(const std::string& what) {
    const unsigned long number = ERR_get_error();
    const char* reason = number == 0 ? nullptr : ERR_reason_error_string(number);
    ERR_clear_error();
    return {error_code::disconnected, reason == nullptr ? what : what + ": " + reason};
}

inline result<shared_context> tls_context(const tls_options& options) {
    shared_context context(SSL_CTX_new(TLS_client_method()), &SSL_CTX_free);
    if (!context) {
        return tls_error("TLS");
    }
    SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION);
    SSL_CTX_set_verify(context.get(), SSL_VERIFY_PEER, nullptr);
    SSL_CTX_set_mode(context.get(), SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    const bool trusts = options.authorities.empty()
                            ? SSL_CTX_set_default_verify_paths(context.get()) == 1
                            : SSL_CTX_load_verify_file(context.get(), options.authorities.c_str()) == 1;
    if (!trusts) {
        return tls_error("cannot read authorities from " + options.authorities);
    }
    if (!options.certificate.empty() &&
        (SSL_CTX_use_certificate_chain_file(context.get(), options.certificate.c_str()) != 1 ||
         SSL_CTX_use_PrivateKey_file(context.get(), options.key.c_str(), SSL_FILETYPE_PEM) != 1 ||
         SSL_CTX_check_private_key(context.get()) != 1)) {
        return tls_error("cannot use certificate " + options.certificate + " with key " + options.key);
    }
    return context;
}

// OpenSSL writes without MSG_NOSIGNAL, so whoever writes must have SIGPIPE blocked, as the client's own thread has.
class tls_stream final : public byte_stream {
public:
    tls_stream(file_descriptor socket, SSL* ssl) : socket_(std::move(socket)), ssl_(ssl, &SSL_free) {}

    result<io_progress> read(std::span<std::byte> into) override {
        std::size_t size = 0;
        const int answer = SSL_read_ex(ssl_.get(), into.data(), into.size(), &size);
        return moved(answer, size, "TLS read");
    }

    result<io_progress> write(bytes_view head, bytes_view body) override {
        const bytes_view part = head.empty() ? body : head;
        std::size_t size = 0;
        const int answer = SSL_write_ex(ssl_.get(), part.data(), part.size(), &size);
        return moved(answer, size, "TLS write");
    }

    int descriptor() const override { return socket_.get(); }

    result<void> handshake(time_point deadline, int interrupt) {
        while (true) {
            const int answer = SSL_connect(ssl_.get());
            if (answer == 1) {
                return {};
            }
            const int wanted = SSL_get_error(ssl_.get(), answer);
            if (wanted != SSL_ERROR_WANT_READ && wanted != SSL_ERROR_WANT_WRITE) {
                const long verdict = SSL_get_verify_result(ssl_.get());
                return verdict == X509_V_OK ? tls_error("TLS handshake")
                                            : error{error_code::unauthorized, std::string("the server's certificate: ") +
                                                                                  X509_verify_cert_error_string(verdict)};
            }
            const short events = wanted == SSL_ERROR_WANT_READ ? POLLIN : POLLOUT;
            if (auto waited = wait_for(socket_.get(), events, deadline, interrupt); !waited) {
                return waited;
            }
        }
    }

private:
    result<io_progress> moved(int answer, std::size_t size, const char* what) {
        if (answer == 1) {
            return io_progress{size, 0};
        }
        switch (SSL_get_error(ssl_.get(), answer)) {
            case SSL_ERROR_WANT_READ: return io_progress{0, POLLIN};
            case SSL_ERROR_WANT_WRITE: return io_progress{0, POLLOUT};
            case SSL_ERROR_ZERO_RETURN: return error{error_code::disconnected, "the server closed the connection"};
            default: return tls_error(what);
        }
    }

    file_descriptor socket_;
    std::unique_ptr<SSL, decltype(&SSL_free)> ssl_;
};

inline result<std::unique_ptr<byte_stream>> connect_tls(const shared_context& context, const std::string& name,
                                                        const endpoint& address, time_point deadline, int interrupt) {
    auto socket = connect_tcp(address, deadline, interrupt);
    if (!socket) {
        return socket.error();
    }
    const std::string& expected = name.empty() ? address.host : name;
    SSL* ssl = SSL_new(context.get());
    if (ssl == nullptr || SSL_set_fd(ssl, socket->get()) != 1) {
        SSL_free(ssl);
        return tls_error("TLS");
    }
    auto stream = std::make_unique<tls_stream>(std::move(*socket), ssl);
    const bool is_address = X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), expected.c_str()) == 1;
    if (!is_address && (SSL_set1_host(ssl, expected.c_str()) != 1 || SSL_set_tlsext_host_name(ssl, expected.c_str()) != 1)) {
        return tls_error("TLS name " + expected);
    }
    ERR_clear_error();
    if (const auto shaken = stream->handshake(deadline, interrupt); !shaken) {
        return shaken.error();
    }
    return std::unique_ptr<byte_stream>(std::move(stream));
}

}  // namespace detail

// Connects by TLS 1.2 or 1.3. Files are read here, once; the server's certificate and name are always checked.
inline result<connect_function> tls(const tls_options& options) {
    auto context = detail::tls_context(options);
    if (!context) {
        return error{error_code::misused, context.error().text};
    }
    return connect_function(
        [context = *context, name = options.name](const endpoint& address, time_point deadline, int interrupt) {
            return detail::connect_tls(context, name, address, deadline, interrupt);
        });
}

}  // namespace aldis::transport
