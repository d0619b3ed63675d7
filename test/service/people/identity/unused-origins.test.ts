import { expect, onTestFinished, test } from "vitest";
import { tidyTokens } from "../../../../src/service/people/identity/exchange.ts";
import { knownIssuer } from "../../../identity/known-issuer.ts";
import { watchedService } from "../../delivery/rules/rows.ts";
import { expectRefusal, pipeline, send } from "../../requests.ts";
import { ORG } from "../../running-service.ts";
import { workflowToken } from "../../workflow-token.ts";

test("proven origins are kept for an hour after the token ends, and permanently with a record", async () => {
  const service = await watchedService();
  onTestFinished(() => service.dispose());
  const store = await service.openStore();
  onTestFinished(() => store.close());
  const tidy = () => tidyTokens({ store, now: () => service.clock.time }).run(new AbortController().signal);
  const origins = async () => Number((await service.ask("select count(*) as n from origins"))[0]?.["n"]);

  await workflowToken(service);
  const used = await workflowToken(service);
  expect((await pipeline(service, used).attest("web", "v1")).status).toBe(201);
  // A change of the policy ends its tokens at once.
  const json = { issuer: knownIssuer().options.url, repository_id: "4711", role: "member" };
  const path = `/trust-policies/${ORG}/workflow`;
  expect((await send(service, { method: "PUT", path, json, key: service.keys.admin })).status).toBe(200);
  const ended = await pipeline(service, used).attest("web", "v1");
  expectRefusal(ended, 401, "Unauthorized: the access token is not known");
  await workflowToken(service);

  service.clock.time += 15 * 60;
  await tidy();
  expect(await origins()).toBe(3);
  service.clock.time += 60 * 60;
  await tidy();
  expect(await origins()).toBe(1);
  expect(await service.ask("select id from access_tokens")).toEqual([]);
  const { body } = await send(service, { path: `/attestations/${ORG}/web/trail/v1/unit` });
  expect(body[0].origin).toMatchObject({ state: "verified", claims: { actor: "ada" } });
});
