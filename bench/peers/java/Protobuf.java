import account_protobuf.AccountOuterClass.Account;
import account_protobuf.AccountOuterClass.Balance;
import account_protobuf.AccountOuterClass.Order;
import account_protobuf.AccountOuterClass.Side;
import account_protobuf.AccountOuterClass.Type;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import java.io.IOException;

/** The account by Protocol Buffers (bench/peers/cpp/schemas/account.proto), of its generated classes. */
final class Protobuf {
    private Protobuf() {}

    private static Balance of(HandAccount.Balance v) {
        return Balance.newBuilder().setCurrency(v.currency).setAmount(v.amount).build();
    }

    static Account of(HandAccount.Account v) {
        Account.Builder made = Account.newBuilder().setId(v.id).setName(v.name).setState(v.state).setWallet(of(v.wallet));
        if (v.asset != null) made.setAsset(of(v.asset));
        for (int i = 0; i < v.orders.size(); i++) {
            HandAccount.Order one = v.orders.get(i);
            Order.Builder order = Order.newBuilder().setId(one.id).setSymbol(one.symbol).setSide(Side.forNumber(one.side));
            made.addOrders(order.setType(Type.forNumber(one.type)).setPrice(one.price).setVolume(one.volume));
        }
        return made.build();
    }

    static int write(byte[] b, Account v) {
        CodedOutputStream out = CodedOutputStream.newInstance(b);
        try {
            v.writeTo(out);
        } catch (IOException fault) {
            throw new AssertionError(fault);
        }
        return b.length - out.spaceLeft();
    }

    /** Its texts are asked for, as they are made then. */
    static int read(byte[] b) {
        try {
            Account v = Account.parseFrom(b);
            int sum = v.getName().length() + v.getWallet().getCurrency().length() + v.getAsset().getCurrency().length();
            for (int i = 0; i < v.getOrdersCount(); i++) sum += v.getOrders(i).getSymbol().length();
            return sum;
        } catch (InvalidProtocolBufferException fault) {
            throw new AssertionError(fault);
        }
    }
}
