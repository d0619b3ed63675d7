import { once } from "node:events";
import { createServer } from "node:http";
import { expect, it } from "vitest";
import { openLogins } from "../../../../src/service/people/sign-in/logins.ts";
import { beginTransaction } from "../../../../src/service/people/sign-in/transaction.ts";
import { unreachableProvider } from "../../../identity/login-provider.ts";

it("only a provider of the operator's file may be at a private address", async () => {
  const asked: (string | undefined)[] = [];
  const server = createServer(({ url }, response) => {
    asked.push(url);
    response.writeHead(503).end();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  const issuer = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  const ofFile = unreachableProvider({ issuer });
  const logins = openLogins({
    ...{ providers: [ofFile], outgoing: { allowTargets: [], allowHttpTargets: true } },
    ...{ now: () => 1_800_000_000, log: () => {} },
  });
  const { checks } = beginTransaction({ provider: "company", purpose: "sign-in", next: "/" });
  const begin = (provider: typeof ofFile) =>
    logins.partyOf(provider).authorization("https://evidence.example.com", checks);
  // As the operators' organization adds one.
  await expect(begin({ ...ofFile, name: "acme.own" })).rejects.toThrow();
  expect(asked).toEqual([]);
  await expect(begin(ofFile)).rejects.toThrow();
  expect(asked).toHaveLength(1);
  await logins.close();
  server.close();
});
