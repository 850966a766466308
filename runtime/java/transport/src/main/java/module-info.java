/** The client of aldis/1: acknowledged messages, requests and subscriptions over TCP or TLS. */
module aldis.transport {
    exports aldis.transport;
}
