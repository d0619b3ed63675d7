import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { onTestFinished } from "vitest";

interface Package {
  readonly [field: string]: unknown;
  readonly versions: Readonly<Record<string, unknown>>;
}

/** Number of requests that still see a package as it was before the last publication. */
const LAG = 2;

/**
 * A registry that accepts one package from npm and serves it until the test ends. It shows publications with a delay,
 * as registries do.
 *
 * @param document the package that it already has
 */
export async function sampleRegistry(document?: Package) {
  const published: string[] = [];
  let before = document;
  let lag = 0;
  const server = createServer(async (request, response) => {
    if (request.method === "PUT") {
      const sent = (await json(request)) as Package;
      before = document;
      lag = LAG;
      document = { ...document, ...sent, versions: { ...document?.versions, ...sent.versions } };
      published.push(...Object.keys(sent.versions));
      return response.writeHead(201).end("{}");
    }
    const shown = lag-- > 0 ? before : document;
    if (shown === undefined) return response.writeHead(404).end('{"error":"not found"}');
    return response.setHeader("content-type", "application/json").end(JSON.stringify(shown));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return {
    /** The published versions, in order. */
    published,
    /** The npm settings that select it. */
    config: `registry=http://${address}\n//${address}:_authToken=sample\nupdate-notifier=false\n`,
  };
}
