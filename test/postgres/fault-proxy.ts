import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** A proxy between a service and its database that simulates network faults. */
export interface FaultProxy {
  readonly port: number;
  /** The address of a database through this proxy. */
  through(url: string): string;
  /** Leads new connections to another port. */
  leadTo(port: number): void;
  /** Resets every connection, and refuses new ones until {@link FaultProxy.heal}. */
  cut(): void;
  /** Resets every connection, once. */
  reset(): void;
  /** Drops all data in both directions without an error. */
  silence(): void;
  /** Delays all data by this time. */
  delay(milliseconds: number): void;
  /** Resets the next connection on which the client sends the one and the server then the other, before the client gets it. */
  loseAnswer(query: string, answer: string): Promise<void>;
  /** Resets the next connection on which a response is longer than this, after so much of it was sent. */
  breakAnswerAfter(bytes: number): Promise<void>;
  heal(): void;
  close(): Promise<void>;
}

type Pair = readonly [client: Socket, upstream: Socket];
type Inspect = (answer: Buffer, pair: Pair) => { pass: Buffer; reset: boolean };

export async function startFaultProxy(target: number): Promise<FaultProxy> {
  let port = target;
  let isCut = false;
  let isSilent = false;
  let lateness = 0;
  let judge: Inspect | undefined;
  let awaited: { query: string; by: Set<Pair> } | undefined;
  const pairs = new Set<Pair>();
  const resetAll = () => {
    for (const sockets of pairs) for (const socket of sockets) socket.resetAndDestroy();
  };

  const server = createServer({ noDelay: true }, (client) => {
    if (isCut) {
      client.on("error", () => {});
      client.resetAndDestroy();
      return;
    }
    const upstream = connect({ port, host: "127.0.0.1", noDelay: true });
    const pair = [client, upstream] as const;
    pairs.add(pair);
    const drop = () => {
      pairs.delete(pair);
      client.resetAndDestroy();
      upstream.resetAndDestroy();
    };
    const send = (to: Socket, data: Buffer) => {
      if (lateness === 0) to.write(data);
      else setTimeout(() => to.write(data), lateness);
    };
    client.on("data", (data) => {
      if (awaited && data.includes(awaited.query)) awaited.by.add(pair);
      if (!isSilent) send(upstream, data);
    });
    upstream.on("data", (data) => {
      if (isSilent) return;
      const { pass, reset } = judge?.(data, pair) ?? { pass: data, reset: false };
      if (pass.length > 0) send(client, pass);
      // Earlier data is sent first.
      if (reset) client.end(drop);
    });
    for (const socket of pair) {
      socket.on("error", drop);
      socket.on("close", drop);
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const ownPort = typeof address === "object" && address !== null ? address.port : 0;

  const resetWhen = (decide: (answer: Buffer, pair: Pair) => Buffer | undefined) =>
    new Promise<void>((resolve) => {
      judge = (answer, pair) => {
        const pass = decide(answer, pair);
        if (pass === undefined) return { pass: answer, reset: false };
        judge = undefined;
        resolve();
        return { pass, reset: true };
      };
    });

  return {
    port: ownPort,
    through(url) {
      const proxied = new URL(url);
      proxied.port = String(ownPort);
      return proxied.href;
    },
    leadTo(next) {
      port = next;
    },
    cut() {
      isCut = true;
      resetAll();
    },
    reset: resetAll,
    silence() {
      isSilent = true;
    },
    delay(milliseconds) {
      lateness = milliseconds;
    },
    loseAnswer(query, text) {
      const by = new Set<Pair>();
      awaited = { query, by };
      return resetWhen((answer, pair) =>
        by.has(pair) && answer.includes(text) ? Buffer.alloc(0) : undefined,
      );
    },
    breakAnswerAfter: (bytes) =>
      resetWhen((answer) => (answer.length > bytes ? answer.subarray(0, bytes) : undefined)),
    heal() {
      // Held data is lost: no earlier connection can be trusted.
      if (isSilent) resetAll();
      isCut = false;
      isSilent = false;
      lateness = 0;
      judge = undefined;
    },
    async close() {
      resetAll();
      server.close();
      await once(server, "close");
    },
  };
}
