// Compiled, never run: what a strict TypeScript program may write, and what it may not.
import { decode, encode, encodeInto, EtfError, type Term } from "@aldis/etf";
import * as terms from "@aldis/etf/terms";
import { etf, longPoll, vsn } from "@aldis/etf/phoenix";
import { LongPoll, Socket } from "phoenix";

const term: Term = decode(new ArrayBuffer(2), { integers: "bigint", tuples: "array", maxDepth: 64 });
const bytes: Uint8Array<ArrayBuffer> = encode({ now: new Date() }, { bigint: "integer" });
const size: number = encodeInto(term, new Uint8Array(64));
const message = (error: unknown) => (error instanceof EtfError ? `${error.code} ${error.offset}` : "");

const socket = new Socket("/socket", { ...etf(), params: { token: "t" } });

const polling = new Socket("/socket", { ...etf({ up: "auto", maxNodes: Infinity }), transport: longPoll(LongPoll) });
const pair: terms.Tuple<terms.Term> = terms.tuple<terms.Term>(terms.atom("ok"), 1, null);
const written: Uint8Array = terms.encode(new Map<terms.Value, terms.Value>([[pair, { a: new Float32Array(1) }]]), { objectKeys: "atom" });
const value: terms.Term = terms.decode(written, { binaries: "bytes", keys: "bytes" });
const kind = value instanceof terms.Opaque ? value.kind : value instanceof terms.Atom ? value.name : undefined;

// @ts-expect-error undefined is no term
terms.encode([undefined]);
// @ts-expect-error atoms are made by atom()
new terms.Atom("ok");
// @ts-expect-error an option's word must be one of those listed
decode(bytes, { tuples: "tuple" });
// @ts-expect-error a string is no frame
decode("text");
// @ts-expect-error the target is bytes
encodeInto(1, new ArrayBuffer(8));
// @ts-expect-error modes are json and etf
etf({ up: "text" });

export const version: string = etf({ up: "etf", bigint: "integer" }).vsn + vsn;
export { kind, message, polling, size, socket };
