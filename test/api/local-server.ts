import { randomInt } from "node:crypto";
import { once } from "node:events";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Server as NetServer,
  type Socket,
} from "node:net";
import { onTestFinished } from "vitest";

/** A received request, with its whole body. */
export interface Received {
  readonly method: string;
  /** Raw path and query on the wire. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** All values of each header, even of one that is used only once. */
  readonly allHeaders: Readonly<IncomingMessage["headersDistinct"]>;
  readonly body: Buffer;
}

export interface LocalServer {
  /** Without a slash at the end. */
  readonly url: string;
  readonly port: number;
  readonly received: readonly Received[];
}

export type Answer = (response: ServerResponse, request: Received, count: number) => void;

/** A real server that reads each request to its end and then answers it, until the test ends. */
export async function httpServer(answer: Answer): Promise<LocalServer> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    request.on("error", () => {});
    whole(request).then(
      (got) => {
        received.push(got);
        answer(response, got, received.length);
      },
      () => {},
    );
  });
  const port = await listening(server);
  return { url: `http://127.0.0.1:${port}`, port, received };
}

/** A real server of bare connections: its output need not be HTTP. */
export async function tcpServer(
  onConnection: (socket: Socket, count: number) => void,
): Promise<{ url: string; port: number; connections: () => number }> {
  let count = 0;
  const server = createTcpServer((socket) => {
    socket.on("error", () => {});
    onConnection(socket, ++count);
  });
  const port = await listening(server);
  return { url: `http://127.0.0.1:${port}`, port, connections: () => count };
}

/** Listens on a free port of this machine until the test ends. */
export async function listening(server: Server | NetServer): Promise<number> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return port;
}

/**
 * A port on which nothing listens. It is below the range of automatically assigned ports, so that no concurrent test
 * gets it.
 */
export async function closedPort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 30_000);
    const server = createTcpServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once("error", () => resolve(false)).listen(port, "127.0.0.1", () => resolve(true));
    });
    if (!isFree) continue;
    server.close();
    await once(server, "close");
    return port;
  }
}

/** Answers with JSON, and with the header by which our service says that the template does not require it. */
export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
) {
  response.writeHead(status, {
    "content-type": "application/json",
    "x-template-match": "result=nothing-asked",
    ...headers,
  });
  response.end(JSON.stringify(body));
}

async function whole(request: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return {
    method: request.method ?? "",
    path: request.url ?? "",
    headers: request.headers,
    allHeaders: request.headersDistinct,
    body: Buffer.concat(chunks),
  };
}
