// Compiled, never run.
import { Client, type Code, TransportError, type Watermarks } from "@aldis/transport";

const client = await Client.connect({ port: 7000, durability: "durable", tls: { authorities: "" }, onAck: (marks: Watermarks) => marks.durable });
await client.ready();
const sequence: number = client.send(new Uint8Array(3));
await client.acked(sequence);
const answer: Uint8Array = await client.request(new Uint8Array(1), { timeout: 200 });
client.subscribe({ topic: "log", onPush: (first, messages) => first + messages.length + answer.length });
const why: Code = (await client.over).code;
why satisfies string;
new TransportError("refused", "no");
// @ts-expect-error nobody makes one without connecting
new Client();
// @ts-expect-error there is no such durability
await Client.connect({ port: 1, durability: "kept" });
