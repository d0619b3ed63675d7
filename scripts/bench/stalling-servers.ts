import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

/** A server that stalls at one stage of an exchange, and reports when it does. */
export interface StallingServer extends AsyncDisposable {
  readonly url: string;
  /** Resolves when the stage is reached. */
  readonly stalled: Promise<unknown>;
  /** Number of open connections. */
  open(): number;
}

async function stalling(
  scheme: "http" | "https",
  stall: (socket: Socket, reached: () => void) => void,
): Promise<StallingServer> {
  const reached = Promise.withResolvers<void>();
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    socket.on("error", () => {});
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    stall(socket, reached.resolve);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `${scheme}://127.0.0.1:${port}`,
    stalled: reached.promise,
    open: () => sockets.size,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** Sends a text once a request has begun to arrive, and then nothing more. */
function saying(text: string) {
  return (socket: Socket, reached: () => void) =>
    socket.once("data", () => {
      socket.resume();
      socket.write(text);
      reached();
    });
}

const HEAD = "HTTP/1.1 201 Created\r\ncontent-type: application/json\r\n";

/** Stages at which a service can stall. */
export const STAGES: Readonly<Record<string, () => Promise<StallingServer>>> = {
  "before it accepts the connection": notAccepting,
  "before it says anything": () => stalling("http", (socket, reached) => socket.once("data", reached)),
  "in the TLS handshake": () => stalling("https", (socket, reached) => socket.once("data", reached)),
  "in the middle of its headers": () => stalling("http", saying("HTTP/1.1 201 Created\r\ncontent-ty")),
  "after an interim answer": () => stalling("http", saying("HTTP/1.1 103 Early Hints\r\n\r\n")),
  "after its headers": () => stalling("http", saying(`${HEAD}content-length: 100\r\n\r\n`)),
  "in the middle of its body": () => stalling("http", saying(`${HEAD}content-length: 100\r\n\r\n{"pa`)),
  "by a byte at a time for ever": () =>
    stalling("http", (socket, reached) =>
      socket.once("data", () => {
        socket.write(`${HEAD}content-length: 100000\r\n\r\n`);
        const drip = setInterval(() => socket.write(" "), 100);
        socket.on("close", () => clearInterval(drip));
        reached();
      }),
    ),
};

/** Reads nothing, so that an upload stalls. */
export function notReading(): Promise<StallingServer> {
  return stalling("http", (socket, reached) => {
    socket.pause();
    reached();
  });
}

const LISTEN_AND_BLOCK = `
const server = require("node:net").createServer();
server.listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => {
  require("node:fs").writeSync(1, server.address().port + "\\n");
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
});
`;

/** A process that listens but never accepts, with a full queue, so that connecting neither succeeds nor fails. */
async function notAccepting(): Promise<StallingServer> {
  const child = spawn(process.execPath, ["-e", LISTEN_AND_BLOCK], { stdio: ["ignore", "pipe", "ignore"] });
  const port = Number(String(await once(child.stdout, "data")));
  const FILLING = 4;
  let connected = 0;
  const queued = Array.from({ length: FILLING }, () =>
    connect(port, "127.0.0.1", () => connected++).on("error", () => {}),
  );
  while (connected + unansweredTo(port) < FILLING) await delay(10);
  const before = unansweredTo(port);
  const stalled = async () => {
    while (unansweredTo(port) <= before) await delay(10);
  };
  return {
    url: `http://127.0.0.1:${port}`,
    stalled: stalled(),
    open: () => 0,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      for (const socket of queued) socket.destroy();
    },
  };
}

/** Number of unanswered connection attempts to a local port, as the kernel reports them (state 02). */
function unansweredTo(port: number): number {
  const remote = `:${port.toString(16).toUpperCase().padStart(4, "0")} 02`;
  return readFileSync("/proc/net/tcp", "latin1")
    .split("\n")
    .filter((line) => line.includes(remote)).length;
}
