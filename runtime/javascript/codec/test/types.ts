// Compiled, never run: what a strict TypeScript program may write, and what it may not.
import { CodecError, type Code, Decimal, fromDate, referenceLimits, toDate } from "@aldis/codec";
import { decode, decodeTradeAt, type Trade } from "../../../../compiler/languages/javascript/golden/trades.js";
import { tradeToJson } from "../../../../compiler/languages/javascript/golden/trades_json.js";

const [trade, end]: [Trade, number] = decodeTradeAt(new Uint8Array(64), 8, { ...referenceLimits, depth: 8 });
const price: Decimal = trade.price;
const text: string = tradeToJson({ id: 1, price }) + toDate(fromDate(new Date()) + BigInt(end));

const any = decode(new Uint8Array(0));
switch (any.message) {
  case "trades.Trade":
    any.value.price satisfies Decimal;
    break;
  case "trades.Bust":
    // @ts-expect-error busts have no price
    any.value.price;
}

export const code = (error: unknown): Code | string => (error instanceof CodecError ? error.code : text);

// @ts-expect-error a field is missing
tradeToJson({ id: 1 });
// @ts-expect-error a fault is not changed by who catches it
new CodecError().offset = 1;
