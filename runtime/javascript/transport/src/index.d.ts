/** The codes of docs/protocol.md (`code 77` for one that it has not), and those that only this side knows. */
export type Code =
  | "normal"
  | "protocol"
  | "frame-too-large"
  | "version"
  | "unauthorized"
  | "too-many-connections"
  | "idle"
  | "slow"
  | "draining"
  | "gap"
  | "bad-checksum"
  | "bad-count"
  | "refused"
  | "handler"
  | "credit"
  | "stale-epoch"
  | "deadline"
  | "unsupported"
  | "unavailable"
  | "superseded"
  | `code ${number}`
  /** The connection is lost, or there is none. */
  | "disconnected"
  /** This client was closed. */
  | "closed"
  /** The caller's mistake. */
  | "misused"
  /** More is kept that is not acked than `maxKeptBytes`. */
  | "full";

/** Why something failed: `frame-too-large: a message of 70 bytes; the server takes 64`. */
export class TransportError extends Error {
  constructor(code: Code, text?: string);
  readonly code: Code;
  readonly text: string;
}

export type State =
  | "connecting"
  | "ready"
  /** The server wants no new messages, or has been told that none follow. */
  | "draining"
  /** There will be no other connection. */
  | "over";

/** Up to where the server has come, in sequences of this client. */
export interface Watermarks {
  /** The watermark of the durability that was granted: these messages are done with. */
  readonly acked: number;
  readonly received: number;
  readonly handled: number;
  readonly durable: number;
  /** Messages that this connection sent twice and the server dropped. */
  readonly duplicates: number;
}

/** PEM texts. The certificate of the server and its name are always checked. */
export interface TlsOptions {
  /** The authorities to trust; Node's own without. */
  readonly authorities?: string | Uint8Array;
  /** This client's certificate chain and its key, where the server asks for them. */
  readonly certificate?: string | Uint8Array;
  readonly key?: string | Uint8Array;
  /** The name that the server's certificate must have; the host without. */
  readonly name?: string;
}

/** Times are milliseconds. */
export interface ClientOptions {
  readonly host?: string;
  readonly port: number;
  /** Servers with the same log: when one cannot be reached or is lost, the next is tried, in turn. */
  readonly others?: readonly { readonly host: string; readonly port: number }[];
  readonly tls?: TlsOptions;
  /** 16 bytes. Keep them and the epoch to go on after a restart of the process; a random one without. */
  readonly producer?: Uint8Array;
  readonly epoch?: number;
  readonly auth?: { readonly method: string | Uint8Array; readonly data?: string | Uint8Array };
  /** When a message counts as acked: `handled` unless said otherwise. */
  readonly durability?: "received" | "handled" | "durable";
  /** Wanted; 0: the server's choice. */
  readonly window?: { readonly messages: number; readonly bytes: number };
  readonly checksum?: boolean;
  /** The schema and the template of all messages. */
  readonly schema?: { readonly schema: number; readonly template: number };
  /** A batch goes out when it has so many bytes of entries (64 KiB), or when its first message is so old (1 ms). */
  readonly batchBytes?: number;
  readonly linger?: number;
  /** Bytes of entries sent and not acked that are kept: 64 MiB. */
  readonly maxKeptBytes?: number;
  readonly connectTimeout?: number;
  /** A server that is silent for so long (10 s) is asked, and left when it stays silent for as long again. */
  readonly pingAfter?: number;
  /** Between attempts to connect: doubles from the least (50 ms) to the most (5 s), half of it random. */
  readonly leastBackoff?: number;
  readonly mostBackoff?: number;
  /** A message that the server's handler refuses is sent again after longer and longer; with false the client is over. */
  readonly retryRefused?: boolean;
  readonly onAck?: (marks: Watermarks) => void;
  readonly onRefused?: (sequence: number, text: string) => void;
  readonly onState?: (state: State, why?: TransportError) => void;
  /** Answers a request of the server. A TransportError that it throws is told with its code. */
  readonly onRequest?: (bytes: Uint8Array) => Uint8Array | Promise<Uint8Array>;
}

export interface Subscription {
  /** At most 1,024 bytes. */
  readonly topic: string;
  /** The sequence of the topic to begin at; 0: what comes from now on. */
  readonly from?: number;
  /** Messages that the server may be ahead: 1,000. */
  readonly credit?: number;
  /** Messages from that sequence on. */
  readonly onPush: (first: number, messages: Uint8Array[]) => void;
  /** The server ended it; it does not come back by itself. */
  readonly onEnd?: (why: TransportError) => void;
}

/** A producer, asker and subscriber at one server. It connects again by itself; what is not acked is sent again. */
export class Client {
  private constructor();
  /** Connects and shakes hands. Whatever ends the first connection before fails it. */
  static connect(options: ClientOptions): Promise<Client>;
  /** Takes a message and gives its sequence. Throws TransportError: `full` while too much is kept, `frame-too-large`, or why it is over. */
  send(message: Uint8Array): number;
  /** When there is room for a message: `await client.ready(); client.send(message);` */
  ready(): Promise<void>;
  readonly hasRoom: boolean;
  /** When the message of that sequence is acked, and all before it. Fails when the client is over before. */
  acked(sequence: number): Promise<void>;
  /** Sends what lingers; when all messages are acked that were sent before. Fails with `deadline` after `timeout`. */
  flush(options?: { timeout?: number }): Promise<void>;
  /** Asks. Without a timeout the answer is waited for as long as the connection lasts. */
  request(bytes: Uint8Array, options?: { timeout?: number }): Promise<Uint8Array>;
  /** Gives the subscription's number. It outlives connections and goes on where it was. */
  subscribe(subscription: Subscription): number;
  unsubscribe(subscription: number): void;
  /** Flushes and tells the server that nothing follows; when it has closed, or the connection is lost: the client is over then. */
  drain(options?: { timeout?: number }): Promise<void>;
  /** Leaves at once; what is not acked is lost. */
  close(): void;
  /** Why the client is over, once it is. */
  readonly over: Promise<TransportError>;
  readonly state: State;
  /** The last sequence that was given out, or that the server had from this producer before. */
  readonly sent: number;
  readonly watermarks: Watermarks;
  readonly producer: Uint8Array;
  /** A server that has forgotten this producer makes it higher. */
  readonly epoch: number;
  /** Bytes of the longest message that the server takes. */
  readonly maxMessage: number;
}
