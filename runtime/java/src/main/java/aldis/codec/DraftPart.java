package aldis.codec;

/** A record in a message whose fields are set where they lie: what generated classes of drafts stand on. */
public abstract class DraftPart {
    /** The memory; its end is where the record of the whole message begins. */
    protected final Out o;
    /** A copy of the message, in which values are tried that may be refused when parts of them are stored. */
    protected final Out trial;
    /** How much farther than that the fields of this record lie. */
    protected final int shift;

    DraftPart(Out o, Out trial) {
        this.o = o;
        this.trial = trial;
        shift = 0;
    }

    protected DraftPart(DraftPart of, int shift) {
        o = of.o;
        trial = of.trial;
        this.shift = of.shift + shift;
    }
}
