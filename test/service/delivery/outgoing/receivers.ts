import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import {
  type GuardedAgentOptions,
  guardedAgent,
} from "../../../../src/service/delivery/outgoing/guarded-agent.ts";

export interface Receiver {
  readonly port: number;
  /** Number of connections that were made to it. */
  connections(): number;
}

/** Listens on this machine until the test is over. */
export async function listening(server: Server, host = "127.0.0.1"): Promise<Receiver> {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on("connection", (socket) => {
    connections++;
    sockets.add(socket.on("error", () => {}));
  });
  server.listen(0, host);
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, connections: () => connections };
}

/** A receiver with a given response. */
export function receiver(answer: RequestListener): Promise<Receiver> {
  return listening(createServer(answer));
}

/** A receiver that handles raw connections. */
export function rawReceiver(connected: (socket: Socket) => void): Promise<Receiver> {
  return listening(createTcpServer(connected));
}

/** An agent that is closed when the test ends. It reaches this machine by default. */
export function agentFor(options: Partial<GuardedAgentOptions> = {}) {
  const agent = guardedAgent({ allowTargets: ["127.0.0.0/8"], allowHttpTargets: true, ...options });
  onTestFinished(() => agent.close());
  return agent;
}
