import { expect, onTestFinished, test } from "vitest";
import { items } from "../../../src/api/client/all-pages.ts";
import { EvidenceClient } from "../../../src/api/client/client.ts";
import { KEY } from "../connections.ts";
import { httpServer, json } from "../local-server.ts";

const snapshot = (index: number) => ({
  index,
  from: 1,
  to: 2,
  compliant: true,
  state: true,
  duration: 1,
});
const link = (id: string) => ({
  ...{ id, kind: "badge", place: "web", description: "" },
  ...{ created_by: "ann", created_at: 1, expires_at: 2 },
});
const entry = (id: string) => ({
  ...{ id, created_at: 1, act: "api_key.created", account: "ann", details: {}, changes: {} },
  resource: { type: "api_key", name: "ann" },
});

/** A client of a server that gives these bodies one after the other, the last one repeatedly. */
async function clientOf(...bodies: readonly unknown[]) {
  const server = await httpServer((response, _, count) =>
    json(response, 200, bodies[count - 1] ?? bodies.at(-1)),
  );
  const client = new EvidenceClient({ apiKey: KEY, org: "acme", baseUrl: server.url });
  onTestFinished(() => client.close());
  return { server, client };
}

async function collect<T>(all: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const each of all) found.push(each);
  return found;
}

test("an uncounted list ends when the server repeats a page, which is not returned twice", async () => {
  const { server, client } = await clientOf([snapshot(2), snapshot(1)]);
  const found = await collect(items(client, "listSnapshots", { envName: "prod", perPage: 2 }));
  expect(found.map(({ index }) => index)).toEqual([2, 1]);
  expect(server.received).toHaveLength(2);
});

test("a counted list continues after a page that new items have shifted", async () => {
  const page = (number: number, ...ids: string[]) => ({
    data: ids.map(link),
    pagination: { total: 3, page: number, per_page: 1, page_count: 3 },
  });
  const { client } = await clientOf(page(1, "b"), page(2, "b"), page(3, "a"));
  const found = await collect(items(client, "listShareLinks", { perPage: 1 }));
  expect(found.map(({ id }) => id)).toEqual(["b", "a"]);
});

test("a list with cursors ends when they form a circle, or always lead to the same page", async () => {
  const page = (id: string, after: string) => ({ data: [entry(id)], _links: { next: { after } } });
  const circle = await clientOf(page("a", "1"), page("b", "2"), page("c", "1"));
  const found = await collect(items(circle.client, "listAuditLog", {}));
  expect(found.map(({ id }) => id)).toEqual(["a", "b", "c"]);

  const same = await clientOf(page("a", "1"), page("a", "2"), page("a", "3"));
  expect(await collect(items(same.client, "listAuditLog", {}))).toHaveLength(1);
  expect(same.server.received).toHaveLength(2);
});

test("an empty page with a next page is not a repeat", async () => {
  const empty = (after: string) => ({ data: [], _links: { next: { after } } });
  const { client } = await clientOf(empty("1"), empty("2"), { data: [entry("a")], _links: {} });
  expect(await collect(items(client, "listAuditLog", {}))).toHaveLength(1);
});
