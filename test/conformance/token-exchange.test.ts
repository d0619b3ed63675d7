import { expect, it } from "vitest";
import { knownIssuer } from "../identity/known-issuer.ts";
import { expectRefusal } from "./refusal.ts";
import { conformance } from "./target.ts";
import { unique } from "./unique.ts";

const { client, clientFor, org } = await conformance();
const { options, token } = knownIssuer();

it("a token is exchanged once, for one with the rights of the policy", async () => {
  const policy = unique("trusted");
  const trusted = { issuer: options.url, repository: "acme/web", flows: [unique("flow")] };
  await client.createTrustPolicy({ body: { name: policy, ...trusted } });
  const { audience } = (await client.getTokenAudience({ org })).body;
  const body = { token: token(audience), org, policy };
  const exchanged = await client.exchangeToken({ body });
  expect(exchanged.body).toMatchObject({ tokenType: "Bearer", expiresIn: 900, policy });
  await expectRefusal(
    client.exchangeToken({ body }),
    401,
    "Unauthorized: the token was already used: request another one from its issuer",
  );

  const workflow = clientFor(exchanged.body.accessToken);
  const [flowName = ""] = trusted.flows;
  const attestation = { attestationName: "unit", isCompliant: true };
  const attested = await workflow.attestGeneric({ flowName, trailName: "v1", body: attestation });
  expect(attested.status).toBe(201);
  expect((await workflow.listFlows({})).body).toMatchObject([{ name: flowName }]);
});
