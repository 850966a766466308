package aldis.transport;

/**
 * Up to where the server has come, in sequences of this client.
 *
 * @param acked the watermark of the durability that was granted: these messages are done with
 * @param received in the server's memory
 * @param handled the handler returned
 * @param durable in the log
 * @param duplicates messages that this connection sent twice and the server dropped
 */
public record Watermarks(long acked, long received, long handled, long durable, long duplicates) {}
