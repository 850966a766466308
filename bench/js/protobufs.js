// The account by the libraries of Protocol Buffers, from one definition. protobufjs makes functions of it while it runs; what it says
// of the definition is what protobuf-es reads, too.
const PROTO = `syntax = "proto3";
message Order { int32 id = 1; string symbol = 2; uint32 side = 3; uint32 type = 4; double price = 5; double volume = 6; }
message Balance { string currency = 1; double amount = 2; }
message Account { int32 id = 1; string name = 2; uint32 state = 3; Balance wallet = 4; Balance asset = 5; repeated Order orders = 6; }
`;

const SIDES = ["buy", "sell"];
const TYPES = ["market", "limit", "stop"];

/** The account with numbers for names. */
const numbered = (account) => ({
  ...account,
  orders: account.orders.map((order) => ({ ...order, side: SIDES.indexOf(order.side), type: TYPES.indexOf(order.type) })),
});

export async function protobufjs(account) {
  const { default: protobuf } = await import("protobufjs");
  const Account = protobuf.parse(PROTO).root.lookupType("Account");
  const value = Account.create(numbered(account));
  const bytes = Account.encode(value).finish();
  return { bytes, decode: () => Account.decode(bytes), encode: () => Account.encode(value).finish() };
}

export async function protobufEs(account) {
  const { default: protobuf } = await import("protobufjs");
  const { default: descriptor } = await import("protobufjs/ext/descriptor.js");
  const { create, createFileRegistry, fromBinary, toBinary } = await import("@bufbuild/protobuf");
  const { FileDescriptorSetSchema } = await import("@bufbuild/protobuf/wkt");
  const set = protobuf.parse(PROTO).root.toDescriptor("proto3");
  const files = fromBinary(FileDescriptorSetSchema, descriptor.FileDescriptorSet.encode(set).finish());
  const schema = createFileRegistry(files).getMessage("Account");
  const value = create(schema, numbered(account));
  const bytes = toBinary(schema, value);
  return { bytes, decode: () => fromBinary(schema, bytes), encode: () => toBinary(schema, value) };
}
