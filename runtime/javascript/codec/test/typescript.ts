// Compiled, and run by typescript.test.js: modules that are TypeScript themselves (`--option output=ts`).
import { Decimal } from "@aldis/codec";
import { decode, decodeTrade, encodeTrade, newTrade, type Trade, verifyTrade } from "../../../../compiler/languages/javascript/tests/typescript/trades.ts";
import { tradeFromJson, tradeToJson } from "../../../../compiler/languages/javascript/tests/typescript/trades_json.ts";
import { receiver, sender } from "../../../../compiler/languages/javascript/tests/typescript/trades_stream.ts";
import { viewTrade } from "../../../../compiler/languages/javascript/tests/typescript/trades_view.ts";

const price = new Decimal(false, 125n, 2);
const trade: Trade = newTrade({ id: 7, price });
const bytes: Uint8Array = encodeTrade(trade);
const size: number = verifyTrade(bytes);

const out = sender();
out.send("trades.Trade", trade);
const seen: Trade[] = [];
receiver().feed(out.take(), { "trades.Trade": (value) => void seen.push(value) });

const any = decode(bytes);
export const found: { ids: number[]; size: number; length: number; price: Decimal; json: string } = {
  ids: [decodeTrade(bytes).id, viewTrade(bytes).id, tradeFromJson(tradeToJson(trade)).id, ...seen.map(({ id }) => id), any.value.id],
  size,
  length: bytes.length,
  // Busts have none.
  price: any.message === "trades.Trade" ? any.value.price : new Decimal(true, 0n, 0),
  json: tradeToJson(trade),
};

export const wrong = [
  // @ts-expect-error a field is missing
  (): string => tradeToJson({ id: 1 }),
  // @ts-expect-error there is no such field
  (): Trade => newTrade({ ids: 1 }),
  // @ts-expect-error an id is a number
  (): Uint8Array => encodeTrade({ id: "7", price }),
];
