#!/usr/bin/env python3
"""A schema of many messages, as large venues have them, for figures of compile time.

    bench/cpp/many.py MESSAGES fbe|sbe|capnp [plain]    writes it to standard output

Messages have numbers, texts, enumerations, flags, a list of records of their own and two records that some of them share; plain ones
have eight numbers and a list of records. The same count gives the same schema.
"""

import sys

FBE = """\
enum Side{0} : byte {{ buy; sell; }}
flags Conditions{0} : byte {{ none = 0; open = 1; closed = 2; }}
struct Level{0} {{ int64 price; uint64 size; uint32 orders = 1; }}
struct Party{0} {{ uint64 id; string name; string? desk; }}
"""
FBE_MESSAGE = """\
struct Entry{0} {{ uint64 id; Side{1} side; int64 price; Level{1}? level; string note; }}
message Message{0}({2}) {{
    uint64 sequence; timestamp time; string symbol; string venue; Side{1} side; Conditions{1} conditions; Party{1} party;
    int64 price; uint64 size; double rate; decimal fee; bytes signature; Entry{0}[] entries; int32<string> positions;
    uint32? limit; Level{1}[] levels; bool firm; uuid session;
}}
"""
SBE_HEAD = """\
<sbe:messageSchema xmlns:sbe="http://fixprotocol.io/2016/sbe" package="many" id="1" version="0"><types>
<composite name="messageHeader"><type name="blockLength" primitiveType="uint16"/><type name="templateId" primitiveType="uint16"/>
<type name="schemaId" primitiveType="uint16"/><type name="version" primitiveType="uint16"/></composite>
<composite name="groupSizeEncoding"><type name="blockLength" primitiveType="uint16"/>
<type name="numInGroup" primitiveType="uint16"/></composite>
<composite name="varDataEncoding"><type name="length" primitiveType="uint16"/>
<type name="varData" primitiveType="uint8" length="0"/></composite>
<type name="Symbol" primitiveType="char" length="12"/>
"""
SBE = """\
<composite name="Price{0}"><type name="mantissa" primitiveType="int64"/><type name="exponent" primitiveType="int8"/></composite>
<enum name="Side{0}" encodingType="uint8"><validValue name="buy">1</validValue><validValue name="sell">2</validValue></enum>
<set name="Conditions{0}" encodingType="uint8"><choice name="open">0</choice><choice name="closed">1</choice></set>
"""
SBE_MESSAGE = """\
<sbe:message name="Message{0}" id="{2}"><field name="sequence" id="1" type="uint64"/><field name="time" id="2" type="uint64"/>
<field name="symbol" id="3" type="Symbol"/><field name="side" id="4" type="Side{1}"/>
<field name="conditions" id="5" type="Conditions{1}"/><field name="price" id="6" type="Price{1}"/>
<field name="size" id="7" type="uint32" presence="optional"/><field name="rate" id="8" type="double"/>
<group name="entries" id="9"><field name="id" id="10" type="uint64"/><field name="price" id="11" type="Price{1}"/>
<field name="size" id="12" type="int32"/><group name="orders" id="13"><field name="id" id="14" type="uint64"/></group></group>
<data name="note" id="15" type="varDataEncoding"/><data name="signature" id="16" type="varDataEncoding"/></sbe:message>
"""
CAPNP = """\
enum Side{0} {{ buy @0; sell @1; }}
struct Level{0} {{ price @0 :Int64; size @1 :UInt64; orders @2 :UInt32 = 1; }}
"""
CAPNP_MESSAGE = """\
struct Message{0} {{
  sequence @0 :UInt64; time @1 :UInt64; symbol @2 :Text; venue @3 :Text; side @4 :Side{1}; price @5 :Int64; size @6 :UInt64;
  rate @7 :Float64; signature @8 :Data; levels @9 :List(Level{1}); entries @10 :List(Entry); numbers @11 :List(UInt32);
  limit :union {{ none @12 :Void; price @13 :Int64; level @14 :Level{1}; }}
  struct Entry {{ id @0 :UInt64; side @1 :Side{1}; price @2 :Int64; note @3 :Text; }}
}}
"""
FBE_PLAIN = """\
struct Entry{0} {{ int32 position; int64 price; }}
message Message{0}({2}) {{
    int8 a; uint8 b; int16 c; uint16 d; int32 e; uint32 f; int64 g; double h; Entry{0}[] entries;
}}
"""
SBE_PLAIN = """\
<sbe:message name="Message{0}" id="{2}"><field name="a" id="1" type="int8"/><field name="b" id="2" type="uint8"/>
<field name="c" id="3" type="int16"/><field name="d" id="4" type="uint16"/><field name="e" id="5" type="int32"/>
<field name="f" id="6" type="uint32"/><field name="g" id="7" type="int64"/><field name="h" id="8" type="double"/>
<group name="entries" id="9"><field name="position" id="10" type="int32"/><field name="price" id="11" type="int64"/></group></sbe:message>
"""
CAPNP_PLAIN = """\
struct Message{0} {{
  a @0 :Int8; b @1 :UInt8; c @2 :Int16; d @3 :UInt16; e @4 :Int32; f @5 :UInt32; g @6 :Int64; h @7 :Float64;
  entries @8 :List(Entry);
  struct Entry {{ position @0 :Int32; price @1 :Int64; }}
}}
"""
SHARED_BY = 10


def schema(count, form, plain=False):
    """
    >>> len(schema(3, "fbe").splitlines())
    23
    >>> len(schema(3, "fbe", plain=True).splitlines())
    13
    """
    head, shared, message, between, end = {
        "fbe": ("package many\n", FBE, FBE_MESSAGE, "", ""),
        "sbe": (SBE_HEAD, SBE, SBE_MESSAGE, "</types>\n", "</sbe:messageSchema>\n"),
        "capnp": ("@0xa93fc509624c72d9;\n", CAPNP, CAPNP_MESSAGE, "", ""),
    }[form]
    if plain:
        shared, message = "", {"fbe": FBE_PLAIN, "sbe": SBE_PLAIN, "capnp": CAPNP_PLAIN}[form]
    groups = "".join(shared.format(group) for group in range((count + SHARED_BY - 1) // SHARED_BY))
    messages = "".join(message.format(number, number // SHARED_BY, number + 1) for number in range(count))
    return head + groups + between + messages + end


if __name__ == "__main__":
    sys.stdout.write(schema(int(sys.argv[1]), sys.argv[2], plain=sys.argv[3:] == ["plain"]))
