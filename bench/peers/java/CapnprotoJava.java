import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import org.capnproto.FromPointerBuilder;
import org.capnproto.MessageBuilder;
import org.capnproto.MessageReader;
import org.capnproto.SegmentBuilder;
import org.capnproto.SegmentReader;
import org.capnproto.Serialize;
import org.capnproto.StructBuilder;
import org.capnproto.StructFactory;
import org.capnproto.StructList;
import org.capnproto.StructReader;
import org.capnproto.StructSize;
import org.capnproto.Text;

/**
 * Seven integers and the address book by capnproto-java: its runtime, and by hand what its compiler's plugin writes for a schema, which
 * is in no registry: a factory, a builder and a reader a record.
 */
final class CapnprotoJava {
    private CapnprotoJava() {}

    static final class IntsBuilder extends StructBuilder {
        IntsBuilder(SegmentBuilder segment, int data, int pointers, int dataSize, short pointerCount) {
            super(segment, data, pointers, dataSize, pointerCount);
        }

        void set(HandInts v) {
            _setLongField(0, v.a);
            _setLongField(1, v.b);
            _setIntField(4, (int) v.c);
            _setIntField(5, v.d);
            _setShortField(12, (short) v.e);
            _setShortField(13, v.f);
            _setByteField(28, (byte) v.g);
        }
    }

    static final class IntsReader extends StructReader {
        IntsReader(SegmentReader segment, int data, int pointers, int dataSize, short pointerCount, int nestingLimit) {
            super(segment, data, pointers, dataSize, pointerCount, nestingLimit);
        }

        void get(HandInts v) {
            v.a = _getLongField(0);
            v.b = _getLongField(1);
            v.c = _getIntField(4) & 0xffffffffL;
            v.d = _getIntField(5);
            v.e = _getShortField(12) & 0xffff;
            v.f = _getShortField(13);
            v.g = _getByteField(28) & 0xff;
        }
    }

    static final class IntsFactory extends StructFactory<IntsBuilder, IntsReader> {
        private static final StructSize SIZE = new StructSize((short) 4, (short) 0);

        @Override public StructSize structSize() {
            return SIZE;
        }

        @Override public IntsBuilder constructBuilder(SegmentBuilder segment, int data, int pointers, int dataSize, short pointerCount) {
            return new IntsBuilder(segment, data, pointers, dataSize, pointerCount);
        }

        @Override public IntsReader constructReader(SegmentReader segment, int data, int pointers, int dataSize, short pointerCount, int nestingLimit) {
            return new IntsReader(segment, data, pointers, dataSize, pointerCount, nestingLimit);
        }

        @Override public IntsReader asReader(IntsBuilder builder) {
            throw new UnsupportedOperationException();
        }
    }

    static final class PhoneBuilder extends StructBuilder {
        PhoneBuilder(SegmentBuilder segment, int data, int pointers, int dataSize, short pointerCount) {
            super(segment, data, pointers, dataSize, pointerCount);
        }

        void setNumber(String value) {
            _setPointerField(Text.factory, 0, new Text.Reader(value));
        }

        void setType(int value) {
            _setShortField(0, (short) value);
        }
    }

    static final class PhoneReader extends StructReader {
        PhoneReader(SegmentReader segment, int data, int pointers, int dataSize, short pointerCount, int nestingLimit) {
            super(segment, data, pointers, dataSize, pointerCount, nestingLimit);
        }

        String getNumber() {
            return _getPointerField(Text.factory, 0, null, 0, 0).toString();
        }

        int getType() {
            return _getShortField(0) & 0xffff;
        }
    }

    static final class PhoneFactory extends StructFactory<PhoneBuilder, PhoneReader> {
        private static final StructSize SIZE = new StructSize((short) 1, (short) 1);

        @Override public StructSize structSize() {
            return SIZE;
        }

        @Override public PhoneBuilder constructBuilder(SegmentBuilder segment, int data, int pointers, int dataSize, short pointerCount) {
            return new PhoneBuilder(segment, data, pointers, dataSize, pointerCount);
        }

        @Override public PhoneReader constructReader(SegmentReader segment, int data, int pointers, int dataSize, short pointerCount, int nestingLimit) {
            return new PhoneReader(segment, data, pointers, dataSize, pointerCount, nestingLimit);
        }

        @Override public PhoneReader asReader(PhoneBuilder builder) {
            throw new UnsupportedOperationException();
        }
    }

    static final class PersonBuilder extends StructBuilder {
        PersonBuilder(SegmentBuilder segment, int data, int pointers, int dataSize, short pointerCount) {
            super(segment, data, pointers, dataSize, pointerCount);
        }

        void setId(int value) {
            _setIntField(0, value);
        }

        void setName(String value) {
            _setPointerField(Text.factory, 0, new Text.Reader(value));
        }

        void setEmail(String value) {
            _setPointerField(Text.factory, 1, new Text.Reader(value));
        }

        StructList.Builder<PhoneBuilder> initPhones(int size) {
            return _initPointerField(PHONES, 2, size);
        }

        void setWork(int which, String place) {
            _setShortField(2, (short) which);
            if (place == null) _clearPointerField(3);
            else _setPointerField(Text.factory, 3, new Text.Reader(place));
        }
    }

    static final class PersonReader extends StructReader {
        PersonReader(SegmentReader segment, int data, int pointers, int dataSize, short pointerCount, int nestingLimit) {
            super(segment, data, pointers, dataSize, pointerCount, nestingLimit);
        }

        int getId() {
            return _getIntField(0);
        }

        String getName() {
            return _getPointerField(Text.factory, 0, null, 0, 0).toString();
        }

        String getEmail() {
            return _getPointerField(Text.factory, 1, null, 0, 0).toString();
        }

        StructList.Reader<PhoneReader> getPhones() {
            return _getPointerField(PHONES, 2);
        }

        int which() {
            return _getShortField(2) & 0xffff;
        }

        String getPlace() {
            return _getPointerField(Text.factory, 3, null, 0, 0).toString();
        }
    }

    static final class PersonFactory extends StructFactory<PersonBuilder, PersonReader> {
        private static final StructSize SIZE = new StructSize((short) 1, (short) 4);

        @Override public StructSize structSize() {
            return SIZE;
        }

        @Override public PersonBuilder constructBuilder(SegmentBuilder segment, int data, int pointers, int dataSize, short pointerCount) {
            return new PersonBuilder(segment, data, pointers, dataSize, pointerCount);
        }

        @Override public PersonReader constructReader(SegmentReader segment, int data, int pointers, int dataSize, short pointerCount, int nestingLimit) {
            return new PersonReader(segment, data, pointers, dataSize, pointerCount, nestingLimit);
        }

        @Override public PersonReader asReader(PersonBuilder builder) {
            throw new UnsupportedOperationException();
        }
    }

    static final class BookBuilder extends StructBuilder {
        BookBuilder(SegmentBuilder segment, int data, int pointers, int dataSize, short pointerCount) {
            super(segment, data, pointers, dataSize, pointerCount);
        }

        StructList.Builder<PersonBuilder> initPeople(int size) {
            return _initPointerField(PEOPLE, 0, size);
        }
    }

    static final class BookReader extends StructReader {
        BookReader(SegmentReader segment, int data, int pointers, int dataSize, short pointerCount, int nestingLimit) {
            super(segment, data, pointers, dataSize, pointerCount, nestingLimit);
        }

        StructList.Reader<PersonReader> getPeople() {
            return _getPointerField(PEOPLE, 0);
        }
    }

    static final class BookFactory extends StructFactory<BookBuilder, BookReader> {
        private static final StructSize SIZE = new StructSize((short) 0, (short) 1);

        @Override public StructSize structSize() {
            return SIZE;
        }

        @Override public BookBuilder constructBuilder(SegmentBuilder segment, int data, int pointers, int dataSize, short pointerCount) {
            return new BookBuilder(segment, data, pointers, dataSize, pointerCount);
        }

        @Override public BookReader constructReader(SegmentReader segment, int data, int pointers, int dataSize, short pointerCount, int nestingLimit) {
            return new BookReader(segment, data, pointers, dataSize, pointerCount, nestingLimit);
        }

        @Override public BookReader asReader(BookBuilder builder) {
            throw new UnsupportedOperationException();
        }
    }

    private static final IntsFactory INTS = new IntsFactory();
    private static final BookFactory BOOK = new BookFactory();
    private static final StructList.Factory<PhoneBuilder, PhoneReader> PHONES = new StructList.Factory<>(new PhoneFactory());
    private static final StructList.Factory<PersonBuilder, PersonReader> PEOPLE = new StructList.Factory<>(new PersonFactory());

    /** Bytes that a message is written to. */
    private static final class Target implements WritableByteChannel {
        final ByteBuffer bytes;

        Target(byte[] bytes) {
            this.bytes = ByteBuffer.wrap(bytes);
        }

        @Override public int write(ByteBuffer from) {
            int size = from.remaining();
            bytes.put(from);
            return size;
        }

        @Override public boolean isOpen() {
            return true;
        }

        @Override public void close() {}
    }

    private static int put(MessageBuilder message, byte[] target) {
        Target to = new Target(target);
        try {
            Serialize.write(to, message);
        } catch (IOException fault) {
            throw new AssertionError(fault);
        }
        return to.bytes.position();
    }

    private static MessageReader open(byte[] bytes) {
        try {
            return Serialize.read(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN));
        } catch (IOException fault) {
            throw new AssertionError(fault);
        }
    }

    private static <T> T root(MessageBuilder message, FromPointerBuilder<T> factory) {
        return message.initRoot(factory);
    }

    static int write(byte[] target, HandInts v) {
        MessageBuilder message = new MessageBuilder();
        root(message, INTS).set(v);
        return put(message, target);
    }

    static void read(byte[] bytes, HandInts v) {
        open(bytes).getRoot(INTS).get(v);
    }

    static int write(byte[] target, HandBook v) {
        MessageBuilder message = new MessageBuilder();
        StructList.Builder<PersonBuilder> people = root(message, BOOK).initPeople(v.people.size());
        for (int i = 0; i < v.people.size(); i++) {
            HandBook.Person one = v.people.get(i);
            PersonBuilder person = people.get(i);
            person.setId((int) one.id);
            person.setName(one.name);
            person.setEmail(one.email);
            StructList.Builder<PhoneBuilder> phones = person.initPhones(one.phones.size());
            for (int j = 0; j < one.phones.size(); j++) {
                PhoneBuilder phone = phones.get(j);
                phone.setNumber(one.phones.get(j).number);
                phone.setType(one.phones.get(j).type);
            }
            person.setWork(one.work, one.place);
        }
        return put(message, target);
    }

    static HandBook readBook(byte[] bytes) {
        HandBook made = new HandBook();
        StructList.Reader<PersonReader> people = open(bytes).getRoot(BOOK).getPeople();
        made.people.ensureCapacity(people.size());
        for (int i = 0; i < people.size(); i++) made.people.add(person(people.get(i)));
        return made;
    }

    private static HandBook.Person person(PersonReader one) {
        HandBook.Person person = new HandBook.Person();
        person.id = one.getId() & 0xffffffffL;
        person.name = one.getName();
        person.email = one.getEmail();
        phones(one.getPhones(), person.phones);
        person.work = one.which();
        if (person.work == 1 || person.work == 2) person.place = one.getPlace();
        return person;
    }

    private static void phones(StructList.Reader<PhoneReader> phones, ArrayList<HandBook.Phone> made) {
        made.ensureCapacity(phones.size());
        for (int i = 0; i < phones.size(); i++) {
            HandBook.Phone phone = new HandBook.Phone();
            phone.number = phones.get(i).getNumber();
            phone.type = phones.get(i).getType();
            made.add(phone);
        }
    }
}
