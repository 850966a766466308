// Compiled, never run: what a strict TypeScript program may write, and what it may not.
import { CodecError, type Code, Decimal, fromDate, referenceLimits, toDate } from "@aldis/codec";
import { decode, decodeTradeAt, encode, encodeTrade, encodeTradeInto, newTrade, type Trade } from "../../../../compiler/languages/javascript/tests/types/trades.js";
import { receiver as trades, sender as tradesOut } from "../../../../compiler/languages/javascript/tests/types/trades_stream.js";
import { viewTrade } from "../../../../compiler/languages/javascript/tests/types/trades_view.js";
import { draftTrade } from "../../../../compiler/languages/javascript/tests/types/trades_draft.js";
import { tradeFromJson, tradeToJson } from "../../../../compiler/languages/javascript/tests/types/trades_json.js";

const [trade, end]: [Trade, number] = decodeTradeAt(new Uint8Array(64), 8, { ...referenceLimits, depth: 8 });
const price: Decimal = trade.price;
const text: string = tradeToJson({ id: 1, price }) + toDate(fromDate(new Date()) + BigInt(end));

const bytes: Uint8Array = encodeTrade(newTrade({ id: 1 }));
const stop: number = encodeTradeInto(tradeFromJson(bytes), bytes, 8);
encode({ message: "trades.Bust", value: { id: stop } });

const seen: number = viewTrade(bytes).id;
encodeTrade(viewTrade(bytes));
// @ts-expect-error a view is not written to
viewTrade(bytes).id = seen;

const draft = draftTrade({ id: 1 });
draft.id = stop;
draft.price = price;
const behind: number = draft.$into(draft.$bytes.slice(), stop);
// @ts-expect-error a draft takes what encoding takes
draft.id = "one";
// @ts-expect-error there is no such field
draft.idd = behind;
// @ts-expect-error a draft cannot be read
const read: number = draft.id;
// @ts-expect-error a draft is no value
encodeTrade(draft);

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
// @ts-expect-error a bust is no trade
encode({ message: "trades.Trade", value: { id: 1 } });
// @ts-expect-error there is no such field
newTrade({ ids: 1 });
// @ts-expect-error a fault is not changed by who catches it
new CodecError().offset = 1;

const out = tradesOut();
out.send("trades.Bust", { id: 1 });
// @ts-expect-error a bust has no price
out.send("trades.Bust", { id: 1, price });
trades("u32le").feed(out.take(), { "trades.Trade": (value) => value.price satisfies Decimal }, (name, rest) => [name?.length, rest.length]);
export async function names(source: ReadableStream<Uint8Array>): Promise<void> {
  for await (const { message } of trades().read(source)) message satisfies "trades.Trade" | "trades.Bust";
  for await (const any of trades("fbe", { unknown: "keep" }).read([bytes])) {
    if (any.message === null) any.value satisfies Uint8Array;
    // @ts-expect-error the message may be unknown
    any.message.length;
  }
}
