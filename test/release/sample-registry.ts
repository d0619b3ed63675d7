import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { onTestFinished } from "vitest";

interface Package {
  readonly [field: string]: unknown;
  readonly versions: Readonly<Record<string, unknown>>;
}

interface Shown {
  readonly document: Package | undefined;
  readonly before: Package | undefined;
  readonly lag: number;
}

const NOTHING: Shown = { document: undefined, before: undefined, lag: 0 };

/** Number of requests that still see a package as it was before the first publication. Each is a start of npm. */
const LAG = 2;

/**
 * A registry that accepts packages from npm and serves them until the test ends. It shows the first publication with a
 * delay, as registries do.
 *
 * @param known a package that it already has
 */
export async function sampleRegistry(known?: Package & { readonly name: string }) {
  const published: string[] = [];
  const packages = new Map<string, Shown>();
  if (known) packages.set(known.name, { document: known, before: known, lag: 0 });
  const server = createServer(async (request, response) => {
    const name = decodeURIComponent(request.url?.slice(1) ?? "");
    const { document, before, lag } = packages.get(name) ?? NOTHING;
    if (request.method === "PUT") {
      const sent = (await json(request)) as Package;
      const after = { ...document, ...sent, versions: { ...document?.versions, ...sent.versions } };
      packages.set(name, { document: after, before: document, lag: published.length === 0 ? LAG : 0 });
      published.push(...Object.keys(sent.versions).map((version) => `${name}@${version}`));
      return response.writeHead(201).end("{}");
    }
    if (lag > 0) packages.set(name, { document, before, lag: lag - 1 });
    const shown = lag > 0 ? before : document;
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
