import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { onTestFinished } from "vitest";

/**
 * A registry that takes one package from npm, and shows it until the test is over.
 *
 * @param document the package that it has already
 */
export async function sampleRegistry(document?: unknown) {
  const published: string[] = [];
  const server = createServer(async (request, response) => {
    if (request.method === "PUT") {
      document = await json(request);
      published.push(request.url ?? "");
      return response.writeHead(201).end("{}");
    }
    if (document === undefined) return response.writeHead(404).end('{"error":"not found"}');
    return response.setHeader("content-type", "application/json").end(JSON.stringify(document));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return {
    /** The packages that were published, in their order. */
    published,
    /** What npm's file of settings says to use it. */
    config: `registry=http://${address}\n//${address}:_authToken=sample\nupdate-notifier=false\n`,
  };
}
