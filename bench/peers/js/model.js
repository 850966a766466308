// The account of FBE as libraries with a model object over a buffer read and write it: our own writing, in the style of FBE's generated
// code, which cannot be had here. Each field is an object that knows its place in the record; each access goes through the buffer with
// an offset looked up and a call, each record is made of values with a class of their own, and text goes through TextDecoder and
// TextEncoder.
class Balance {
  constructor(currency = "", amount = 0) {
    this.currency = currency;
    this.amount = amount;
  }
}

class Order {
  constructor(id = 0, symbol = "", side = "buy", type = "market", price = 0, volume = 0) {
    Object.assign(this, { id, symbol, side, type, price, volume });
  }
}

class Account {
  constructor(id = 0, name = "", state = 6, wallet = new Balance(), asset = null, orders = []) {
    Object.assign(this, { id, name, state, wallet, asset, orders });
  }
}

/** Memory that grows, and where the record begins that is at work. */
class Memory {
  constructor() {
    this.bytes = new Uint8Array(64);
    this.size = 0;
    this.shift = 0;
  }

  attach(bytes) {
    this.bytes = bytes;
    this.size = bytes.length;
    this.shift = 0;
  }

  allocate(size) {
    const at = this.size;
    if (at + size > this.bytes.length) {
      const more = new Uint8Array(Math.max(at + size, 2 * this.bytes.length));
      more.set(this.bytes.subarray(0, at));
      this.bytes = more;
    }
    this.size += size;
    return at;
  }

  view(at, size) {
    const place = this.shift + at;
    if (place + size > this.size) throw new Error("beyond the buffer");
    return new DataView(this.bytes.buffer, this.bytes.byteOffset + place, size);
  }
}

/** A field: where it is in its record. */
class Field {
  constructor(memory, offset) {
    this.memory = memory;
    this.offset = offset;
  }

  within(at, run) {
    this.memory.shift += at;
    try {
      return run();
    } finally {
      this.memory.shift -= at;
    }
  }
}

const scalar = (width, read, write) =>
  class extends Field {
    get size() {
      return width;
    }

    get() {
      return read(this.memory.view(this.offset, width));
    }

    set(value) {
      write(this.memory.view(this.offset, width), value);
    }
  };

const Int32 = scalar(4, (v) => v.getInt32(0, true), (v, value) => v.setInt32(0, value, true));
const UInt32 = scalar(4, (v) => v.getUint32(0, true), (v, value) => v.setUint32(0, value, true));
const Byte = scalar(1, (v) => v.getUint8(0), (v, value) => v.setUint8(0, value));
const Double = scalar(8, (v) => v.getFloat64(0, true), (v, value) => v.setFloat64(0, value, true));

const named = (names) =>
  class extends Byte {
    get() {
      const number = super.get();
      return names[number] ?? number;
    }

    set(value) {
      super.set(typeof value === "number" ? value : names.indexOf(value));
    }
  };

const Side = named(["buy", "sell"]);
const Type = named(["market", "limit", "stop"]);

class Text extends Field {
  get size() {
    return 4;
  }

  get() {
    const at = new UInt32(this.memory, this.offset).get();
    if (at === 0) return "";
    const size = new UInt32(this.memory, at).get();
    const view = this.memory.view(at + 4, size);
    return new TextDecoder().decode(new Uint8Array(view.buffer, view.byteOffset, size));
  }

  set(value) {
    const encoded = new TextEncoder().encode(value);
    const at = this.memory.allocate(4 + encoded.length) - this.memory.shift;
    new UInt32(this.memory, this.offset).set(at);
    new UInt32(this.memory, at).set(encoded.length);
    this.memory.bytes.set(encoded, this.memory.shift + at + 4);
  }
}

/** A record's fields, one behind the other after its head of size and type. */
class Model extends Field {
  constructor(memory, offset, type, fields) {
    super(memory, offset);
    this.type = type;
    let at = 8;
    this.fields = new Map();
    for (const [name, make] of Object.entries(fields)) {
      const field = make(memory, at);
      this.fields.set(name, field);
      at += field.size;
    }
    this.body = at;
  }

  get size() {
    return 4;
  }

  getAt(at, value) {
    return this.within(at, () => {
      const size = new UInt32(this.memory, 0).get();
      if (size < 8 || new UInt32(this.memory, 4).get() !== this.type) throw new Error("another record");
      for (const [name, field] of this.fields) if (field.offset + field.size <= size) value[name] = field.get();
      return value;
    });
  }

  setAt(at, value) {
    this.within(at, () => {
      new UInt32(this.memory, 0).set(this.body);
      new UInt32(this.memory, 4).set(this.type);
      for (const [name, field] of this.fields) field.set(value[name]);
    });
  }

  allocate() {
    return this.memory.allocate(this.body) - this.memory.shift;
  }

  get() {
    return this.getAt(new UInt32(this.memory, this.offset).get(), this.fresh());
  }

  set(value) {
    const at = this.allocate();
    new UInt32(this.memory, this.offset).set(at);
    this.setAt(at, value);
  }
}

class BalanceModel extends Model {
  constructor(memory, offset) {
    super(memory, offset, 2, { currency: (m, at) => new Text(m, at), amount: (m, at) => new Double(m, at) });
  }

  fresh() {
    return new Balance();
  }
}

class OrderModel extends Model {
  constructor(memory, offset) {
    super(memory, offset, 1, {
      id: (m, at) => new Int32(m, at), symbol: (m, at) => new Text(m, at), side: (m, at) => new Side(m, at),
      type: (m, at) => new Type(m, at), price: (m, at) => new Double(m, at), volume: (m, at) => new Double(m, at),
    });
  }

  fresh() {
    return new Order();
  }
}

class Optional extends Field {
  constructor(memory, offset) {
    super(memory, offset);
    this.flag = new Byte(memory, offset);
  }

  get size() {
    return 5;
  }

  get() {
    if (this.flag.get() === 0) return null;
    const at = new UInt32(this.memory, this.offset + 1).get();
    return this.within(at, () => new BalanceModel(this.memory, 0).get());
  }

  set(value) {
    this.flag.set(value === null ? 0 : 1);
    if (value === null) return;
    const at = this.memory.allocate(4) - this.memory.shift;
    new UInt32(this.memory, this.offset + 1).set(at);
    this.within(at, () => new BalanceModel(this.memory, 0).set(value));
  }
}

class Orders extends Field {
  get size() {
    return 4;
  }

  get() {
    const at = new UInt32(this.memory, this.offset).get();
    if (at === 0) return [];
    const count = new UInt32(this.memory, at).get();
    const found = [];
    for (let i = 0; i < count; i++) found.push(new OrderModel(this.memory, at + 4 + 4 * i).get());
    return found;
  }

  set(values) {
    const at = this.memory.allocate(4 + 4 * values.length) - this.memory.shift;
    new UInt32(this.memory, this.offset).set(at);
    new UInt32(this.memory, at).set(values.length);
    values.forEach((value, i) => new OrderModel(this.memory, at + 4 + 4 * i).set(value));
  }
}

class AccountModel extends Model {
  constructor(memory, offset) {
    super(memory, offset, 3, {
      id: (m, at) => new Int32(m, at), name: (m, at) => new Text(m, at), state: (m, at) => new Byte(m, at),
      wallet: (m, at) => new BalanceModel(m, at), asset: (m, at) => new Optional(m, at), orders: (m, at) => new Orders(m, at),
    });
  }

  fresh() {
    return new Account();
  }
}

const reading = new Memory();
const readModel = new AccountModel(reading, 4);

export function decodeAccount(bytes) {
  reading.attach(bytes);
  if (new UInt32(reading, 0).get() > bytes.length) throw new Error("cut");
  return readModel.get();
}

export function encodeAccount(value) {
  const memory = new Memory();
  const model = new AccountModel(memory, 4);
  memory.allocate(8);
  model.set(value);
  new UInt32(memory, 0).set(memory.size);
  return memory.bytes.slice(0, memory.size);
}
