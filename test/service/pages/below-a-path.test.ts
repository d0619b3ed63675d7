import { once } from "node:events";
import { request as ask, createServer, type Server } from "node:http";
import { afterAll, beforeAll, expect, it } from "vitest";
import { closedPort } from "../../api/local-server.ts";
import { ORG, type TestService } from "../running-service.ts";
import { byParameters, crawl } from "./crawl.ts";
import { filledService } from "./filled.ts";
import { visitor } from "./visitor.ts";

/** The path below which the proxy serves the service. */
const BASE = "/tools/evidence";

let service: TestService;
let proxy: Server;
let address: string;
beforeAll(async () => {
  const port = await closedPort();
  address = `http://127.0.0.1:${port}`;
  service = await filledService({ publicUrl: `${address}${BASE}/` });
  proxy = startProxy(service.address);
  await once(proxy.listen(port, "127.0.0.1"), "listening");
});
afterAll(async () => {
  proxy.closeAllConnections();
  await once(proxy.close(), "close");
  await service.dispose();
});

/** A proxy that strips its path prefix, as `proxy_pass http://127.0.0.1:8800/` makes nginx do. */
function startProxy(target: string): Server {
  return createServer((incoming, answer) => {
    const { url = "", method, headers } = incoming;
    if (!url.startsWith(`${BASE}/`)) {
      answer.writeHead(404).end("The proxy serves nothing here");
      return;
    }
    const passed = ask(`${target}${url.slice(BASE.length)}`, { method, headers }, (reply) => {
      answer.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(answer);
    });
    incoming.pipe(passed);
  });
}

/** A visitor who enters by a page of the proxy, and the page it redirects to. */
async function enter(key: string, login = `${BASE}/login`) {
  const guest = visitor({ address, dispatcher: service.dispatcher });
  const { status, headers } = await guest.send(login, { action: `${BASE}/login`, key });
  expect(status).toBe(303);
  return { guest, location: headers["location"] };
}

it("every link of the pages is below the path of the proxy", async () => {
  const { guest, location } = await enter(service.keys.admin);
  expect(location).toBe(`${BASE}/`);
  const found = await crawl(guest, `${BASE}/`, byParameters);
  expect(found.length).toBeGreaterThan(100);
  const wrong = found.filter(({ status }) => status >= 400);
  expect(wrong.map(({ path, from, status }) => ({ path, from, status }))).toEqual([]);
});

it("sign-in leads to the requested page", async () => {
  const asked = `${BASE}/${ORG}/flows?q=web`;
  const { headers } = await visitor({ address, dispatcher: service.dispatcher }).get(asked);
  expect((await enter(service.keys.reader, String(headers["location"]))).location).toBe(asked);
});

it("a page beyond the end of a list leads back to the first", async () => {
  const { guest } = await enter(service.keys.reader);
  const { text } = await guest.get(`${BASE}/${ORG}/flows?page=2`);
  expect(text).toContain(`<a href="${BASE}/${ORG}/flows">First page</a>`);
});
