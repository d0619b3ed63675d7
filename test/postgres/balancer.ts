import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { Agent, type Dispatcher } from "undici";

/** A small load balancer like common ones: it polls `/ready`, and never sends anything twice. */
export interface Balancer {
  readonly address: string;
  /** Instances that were ready at the last check. */
  ready(): number;
  add(address: string): void;
  remove(address: string): void;
  close(): Promise<void>;
}

const ASK_EVERY_MS = 100;

export async function startBalancer(): Promise<Balancer> {
  const dispatcher = new Agent();
  const instances = new Map<string, boolean>();
  let turn = 0;

  async function askAll(): Promise<void> {
    for (const origin of [...instances.keys()]) {
      const answer = await dispatcher
        .request({ origin, path: "/ready", method: "GET" })
        .then(async ({ statusCode, body }) => {
          await body.dump();
          return statusCode === 200;
        })
        .catch(() => false);
      if (instances.has(origin)) instances.set(origin, answer);
    }
  }
  const asking = setInterval(() => void askAll(), ASK_EVERY_MS);

  const server = createServer(async (request, response) => {
    const open = [...instances].flatMap(([origin, isReady]) => (isReady ? [origin] : []));
    const origin = open[turn++ % open.length];
    if (origin === undefined) return void response.writeHead(502).end("No instance is ready");
    await forward(request, response, { dispatcher, origin }).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else response.writeHead(502).end(`The instance did not answer: ${error}`);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const bound = server.address();
  return {
    address: `http://127.0.0.1:${typeof bound === "object" && bound !== null ? bound.port : 0}`,
    ready: () => [...instances.values()].filter(Boolean).length,
    add: (address) => void instances.set(address, false),
    remove: (address) => void instances.delete(address),
    async close() {
      clearInterval(asking);
      server.closeAllConnections();
      server.close();
      await dispatcher.destroy();
    },
  };
}

async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  { dispatcher, origin }: { dispatcher: Dispatcher; origin: string },
): Promise<void> {
  const { method = "GET", url: path = "/", headers } = request;
  const { connection: _, "transfer-encoding": __, ...forwarded } = headers;
  const content: Buffer[] = [];
  for await (const part of request) content.push(part);
  const answer = await dispatcher.request({
    origin,
    path,
    method: method as Dispatcher.HttpMethod,
    headers: forwarded,
    ...(content.length === 0 ? {} : { body: Buffer.concat(content) }),
  });
  response.writeHead(answer.statusCode, { "content-type": String(answer.headers["content-type"]) });
  response.end(Buffer.from(await answer.body.arrayBuffer()));
}
