package aldis.transport;

import java.util.List;

/**
 * Messages that came of a subscription.
 *
 * @param first the sequence of the first one; of the topic {@code log} it is the offset
 * @param gap how many sequences before it are gone: removed by age or size, or damaged on the disk
 * @param messages in order, one sequence behind the other
 */
public record Push(long first, long gap, List<byte[]> messages) {}
