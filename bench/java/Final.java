import com.example.proto.Account;
import java.util.Arrays;

/** FBE's account in Final form. */
final class Final {
    private Final() {}

    static void add(Race race, byte[] bytes) {
        byte[] target = new byte[bytes.length + 64];
        HandFinal reader = new HandFinal();
        HandAccount.Account hand = new HandAccount.Account();
        Bench.check(reader.read(bytes, 0, bytes.length, hand) && Bench.same(target, HandFinal.write(target, 0, hand), bytes), "the floor of Final");
        Account own = Account.decodeFinal(bytes);
        byte[] changed = Bench.other(own).encodeFinal();
        Bench.check(Arrays.equals(own.encodeFinal(), bytes), "generated code of Final");
        FbeFinalStyle style = new FbeFinalStyle();
        FbeStyle.Account value = new FbeStyle.Account();
        style.buffer.attach(bytes);
        style.deserialize(value);
        FbeFinalStyle writer = new FbeFinalStyle();
        int size = writer.serialize(value);
        Bench.check(Bench.same(writer.buffer.data, size, bytes), "FBE's style of Final");
        race.add("FBE Final, encode", "by hand", 1, () -> HandFinal.write(target, 0, hand));
        race.add("FBE Final, encode", "aldis", 1, () -> {
            return own.encodeFinal(target, 0);
        });
        race.add("FBE Final, encode", "FBE's style", 1, () -> writer.serialize(value));
        HandAccount.Account read = new HandAccount.Account();
        race.add("FBE Final, decode", "by hand", 2, () -> {
            boolean is = reader.read(bytes, 0, bytes.length, read) && reader.read(changed, 0, changed.length, read);
            return is ? read.id : 0;
        });
        Account used = Account.decodeFinal(bytes);
        race.add("FBE Final, decode", "aldis", 2, () -> Account.decodeFinal(Bench.in(bytes), used).id() + Account.decodeFinal(Bench.in(changed), used).id());
        race.add("FBE Final, decode", "FBE's style", 1, () -> {
            style.buffer.attach(bytes);
            style.deserialize(value);
            return value.id;
        });
    }
}
