// Compiled, never run: what a strict TypeScript program may write, and what it may not.
import { decode, encode, encodeInto, EtfError, type Term } from "@aldis/etf";
import { etf, vsn } from "@aldis/etf/phoenix";
import { Socket } from "phoenix";

const term: Term = decode(new ArrayBuffer(2), { integers: "bigint", tuples: "array", maxDepth: 64 });
const bytes: Uint8Array<ArrayBuffer> = encode({ now: new Date() }, { bigint: "integer" });
const size: number = encodeInto(term, new Uint8Array(64));
const message = (error: unknown) => (error instanceof EtfError ? `${error.code} ${error.offset}` : "");

const socket = new Socket("/socket", { ...etf(), params: { token: "t" } });

// @ts-expect-error an option's word must be one of those listed
decode(bytes, { tuples: "tuple" });
// @ts-expect-error a string is no frame
decode("text");
// @ts-expect-error the target is bytes
encodeInto(1, new ArrayBuffer(8));
// @ts-expect-error modes are json and etf
etf({ up: "text" });

export const version: string = etf({ up: "etf", bigint: "integer" }).vsn + vsn;
export { message, size, socket };
