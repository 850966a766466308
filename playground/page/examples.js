// Schemas to begin with.

const fbe = `package market

enum Side : byte
{
    buy;
    sell;
}

struct Trade(7)
{
    [key] uint64 id;
    string symbol;
    Side side = Side.buy;
    decimal price;
    double quantity;
    string? venue;
}
`;

const sbe = `<?xml version="1.0" encoding="UTF-8"?>
<sbe:messageSchema xmlns:sbe="http://fixprotocol.io/2016/sbe"
                   package="market" id="91" version="1" byteOrder="littleEndian">
  <types>
    <composite name="messageHeader">
      <type name="blockLength" primitiveType="uint16"/>
      <type name="templateId" primitiveType="uint16"/>
      <type name="schemaId" primitiveType="uint16"/>
      <type name="version" primitiveType="uint16"/>
    </composite>
    <composite name="groupSizeEncoding">
      <type name="blockLength" primitiveType="uint16"/>
      <type name="numInGroup" primitiveType="uint16"/>
    </composite>
    <composite name="Price">
      <type name="mantissa" primitiveType="int64"/>
      <type name="exponent" primitiveType="int8" presence="constant">-4</type>
    </composite>
    <enum name="Side" encodingType="char">
      <validValue name="Buy">B</validValue>
      <validValue name="Sell">S</validValue>
    </enum>
    <type name="Symbol" primitiveType="char" length="8"/>
  </types>
  <sbe:message name="Book" id="3">
    <field name="symbol" id="1" type="Symbol"/>
    <field name="sequence" id="2" type="uint32"/>
    <group name="levels" id="3" dimensionType="groupSizeEncoding">
      <field name="side" id="4" type="Side"/>
      <field name="price" id="5" type="Price"/>
      <field name="size" id="6" type="uint32"/>
      <field name="orders" id="7" type="uint16" presence="optional" sinceVersion="1"/>
    </group>
  </sbe:message>
</sbe:messageSchema>
`;

const capnp = `@0xd5f3a2c1b4e69788;

enum Side { buy @0; sell @1; }

struct Book {
  symbol @0 :Text;
  sequence @1 :UInt32;
  levels @2 :List(Level);
  halted @3 :Bool;
}

struct Level {
  side @0 :Side;
  price @1 :Float64;
  size @2 :UInt32 = 100;
}
`;

export const EXAMPLES = {
  "FastBinaryEncoding": {
    name: "market.fbe",
    text: fbe,
    json: '{"id":5,"symbol":"EURUSD","side":1,"price":"1.10","quantity":3.5,"venue":"XPAR"}',
  },
  "Simple Binary Encoding": {
    name: "market.xml",
    text: sbe,
    json: `{"symbol":"EURUSD","sequence":17,"levels":[${[11012, 11013].map((mantissa) => `{"side":"Buy","price":{"mantissa":${mantissa}},"size":40,"orders":3}`)}]}`,
  },
  "Cap'n Proto": {
    name: "market.capnp",
    text: capnp,
    json: '{"symbol":"EURUSD","sequence":17,"levels":[{"side":"sell","price":1.1012,"size":100},{"price":1.1013,"size":40}]}',
  },
};
