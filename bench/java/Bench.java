import aldis.Limits;
import aldis.codec.In;
import com.example.book.AddressBook;
import com.example.proto.Account;
import com.example.proto.Order;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** Generated Java, codecs by hand and peers: the account of FBE and the address book. */
public final class Bench {
    static final In IN = new In();

    private Bench() {}

    /** The folder with the messages. */
    public static void main(String[] args) throws Exception {
        Path folder = Path.of(args[0]);
        Race race = new Race();
        byte[] standard = Files.readAllBytes(folder.resolve("account.bin"));
        account(race, standard);
        fbeStyle(race, standard);
        Final.add(race, Files.readAllBytes(folder.resolve("final.bin")));
        protobuf(race, standard);
        Flat.add(race);
        Cars.add(race, Files.readAllBytes(folder.resolve("car.bin")));
        Numbers.add(race);
        book(race, Files.readAllBytes(folder.resolve("book.bin")));
        race.run();
    }

    static In in(byte[] bytes, int at, int size) {
        return IN.of(bytes, at, size, Limits.DEFAULT);
    }

    static In in(byte[] bytes) {
        return in(bytes, 0, bytes.length);
    }

    static void check(boolean holds, String what) {
        if (!holds) throw new AssertionError(what);
    }

    static boolean same(byte[] target, int size, byte[] bytes) {
        return size == bytes.length && Arrays.equals(target, 0, size, bytes, 0, size);
    }

    /** The same account with other texts. */
    static Account other(Account account) {
        Account other = account.copy();
        other.name(other.name().toUpperCase());
        other.wallet().currency("EUR");
        if (other.asset() != null) other.asset().currency("GBP");
        for (Order order : other.orders()) order.symbol(order.symbol().toLowerCase());
        return other;
    }

    static HandAccount.Account hand(byte[] bytes) {
        HandAccount.Account hand = new HandAccount.Account();
        check(HandAccount.read(bytes, 0, bytes.length, hand), "the floor reads it");
        return hand;
    }

    private static void account(Race race, byte[] bytes) {
        byte[] target = new byte[bytes.length + 64];
        HandAccount.Account hand = hand(bytes);
        check(same(target, HandAccount.write(target, 0, hand), bytes) && HandAccount.verify(bytes, 0, bytes.length), "and writes it");
        Account own = Account.decode(bytes);
        byte[] changed = other(own).encode();
        check(Arrays.equals(own.encode(), bytes) && hand(changed).name.equals(hand.name.toUpperCase()), "so does generated code");
        race.add("FBE account, encode", "by hand", 1, () -> HandAccount.write(target, 0, hand));
        race.add("FBE account, encode", "aldis", 1, () -> {
            return own.encode(target, 0);
        });
        HandAccount.Account read = hand(bytes);
        race.add("FBE account, decode", "by hand", 2, () -> {
            boolean is = HandAccount.read(bytes, 0, bytes.length, read) && HandAccount.read(changed, 0, changed.length, read);
            return is ? read.id : 0;
        });
        Account used = Account.decode(bytes);
        race.add("FBE account, decode", "aldis", 2, () -> Account.decode(in(bytes), used).id() + Account.decode(in(changed), used).id());
        HandAccount.Account kept = hand(bytes);
        race.add("FBE account, decode, texts kept", "by hand", 1, () -> HandAccount.read(bytes, 0, bytes.length, kept) ? kept.id : 0);
        Account again = Account.decode(bytes);
        race.add("FBE account, decode, texts kept", "aldis", 1, () -> Account.decode(in(bytes), again).id());
        race.add("FBE account, decode, fresh", "by hand", 1, () -> {
            HandAccount.Account fresh = new HandAccount.Account();
            return HandAccount.read(bytes, 0, bytes.length, fresh) ? fresh.id : 0;
        });
        race.add("FBE account, decode, fresh", "aldis", 1, () -> Account.decode(bytes).id());
        race.add("FBE account, verify", "by hand", 1, () -> HandAccount.verify(bytes, 0, bytes.length) ? bytes[8] : 0);
        race.add("FBE account, verify", "aldis", 1, () -> {
            Account.verify(in(bytes));
            return bytes[8];
        });
    }

    private static void fbeStyle(Race race, byte[] bytes) {
        FbeStyle reader = new FbeStyle();
        FbeStyle.Account value = new FbeStyle.Account();
        reader.buffer.attach(bytes);
        reader.deserialize(value);
        FbeStyle writer = new FbeStyle();
        int size = writer.serialize(value);
        check(reader.verify() && same(writer.buffer.data, size, bytes), "FBE's style writes what it read");
        race.add("FBE account, encode", "FBE's style", 1, () -> writer.serialize(value));
        race.add("FBE account, decode", "FBE's style", 1, () -> {
            reader.buffer.attach(bytes);
            reader.deserialize(value);
            return value.id;
        });
        race.add("FBE account, decode", "FBE's style, with its verify", 1, () -> {
            reader.buffer.attach(bytes);
            if (!reader.verify()) return 0;
            reader.deserialize(value);
            return value.id;
        });
        race.add("FBE account, verify", "FBE's style", 1, () -> {
            reader.buffer.attach(bytes);
            return reader.verify() ? bytes[8] : 0;
        });
    }

    private static void protobuf(Race race, byte[] bytes) {
        HandAccount.Account hand = hand(bytes);
        account_protobuf.AccountOuterClass.Account built = Protobuf.of(hand);
        byte[] wire = built.toByteArray();
        byte[] target = new byte[wire.length];
        check(Protobuf.write(target, built) == wire.length && Protobuf.read(wire) > 0, "protobuf reads what it wrote");
        race.add("FBE account, encode", "protobuf, of built objects", 1, () -> Protobuf.write(target, built));
        race.add("FBE account, encode", "protobuf, of values", 1, () -> Protobuf.write(target, Protobuf.of(hand)));
        race.add("FBE account, decode", "protobuf", 1, () -> Protobuf.read(wire));
    }

    private static void book(Race race, byte[] bytes) {
        byte[] target = new byte[bytes.length + 64];
        HandBook hand = new HandBook();
        check(hand.read(bytes, 0, bytes.length) && same(target, hand.write(target, 0), bytes), "the floor reads and writes the book");
        AddressBook own = AddressBook.decode(bytes);
        check(Arrays.equals(own.encode(), bytes), "so does generated code");
        byte[] wide = new byte[2 * bytes.length];
        CapnprotoJava.write(wide, hand);
        check(CapnprotoJava.readBook(bytes).people.get(49).name.equals(hand.people.get(49).name), "so does capnproto-java");
        race.add("address book of 50, encode", "by hand", 1, () -> hand.write(target, 0));
        race.add("address book of 50, encode", "aldis", 1, () -> {
            return own.encode(target, 0);
        });
        race.add("address book of 50, encode", "capnproto-java", 1, () -> CapnprotoJava.write(wide, hand));
        race.add("address book of 50, decode", "by hand", 1, () -> {
            HandBook fresh = new HandBook();
            return fresh.read(bytes, 0, bytes.length) ? fresh.people.size() : 0;
        });
        race.add("address book of 50, decode", "aldis", 1, () -> AddressBook.decode(bytes).people().size());
        race.add("address book of 50, decode", "capnproto-java", 1, () -> CapnprotoJava.readBook(bytes).people.size());
        HandBook kept = new HandBook();
        race.add("address book of 50, decode, texts kept", "by hand", 1, () -> kept.read(bytes, 0, bytes.length) ? kept.people.size() : 0);
        AddressBook used = AddressBook.decode(bytes);
        race.add("address book of 50, decode, texts kept", "aldis", 1, () -> AddressBook.decode(in(bytes), used).people().size());
    }
}
