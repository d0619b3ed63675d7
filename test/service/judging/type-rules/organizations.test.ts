import { Agent } from "undici";
import { expect, it } from "vitest";
import { type RequestToSend, send } from "../../requests.ts";
import { ORG, OTHER_ORG, startTestService } from "../../running-service.ts";

it("attestations are evaluated while another organization's rules never end", async () => {
  const service = await startTestService();
  const given = (org: string, key: string, dispatcher = service.dispatcher) => {
    const post = (message: RequestToSend) =>
      send({ ...service, dispatcher }, { method: "POST", key, ...message });
    return {
      type: (rule: string) =>
        post({
          path: `/custom-attestation-types/${org}`,
          form: { name: "checked", evaluator: { content_type: "jq", rules: [rule] } },
        }),
      attest: (trail: string) =>
        post({
          path: `/attestations/${org}/web/trail/${trail}/custom`,
          form: { attestation_name: "unit", type_name: "checked", attestation_data: { ok: true } },
        }),
      judged: (trail: string) =>
        post({ method: "GET", path: `/attestations/${org}/web/trail/${trail}/unit` }),
    };
  };
  const dispatcher = new Agent();
  const busy = given(ORG, service.keys.member, dispatcher);
  const honest = given(OTHER_ORG, service.keys.stranger);
  expect((await busy.type("def f: f; f")).status).toBe(201);
  expect((await honest.type(".ok")).status).toBe(201);

  let answered = 0;
  const endless = Array.from({ length: 10 }, (_, i) =>
    busy.attest(`t${i}`).then(
      () => ++answered,
      () => undefined,
    ),
  );
  // By the second one at the latest, the endless rules run or are queued.
  for (const trail of ["t0", "t1", "t2"]) expect((await honest.attest(trail)).status).toBe(201);
  expect(answered, "endless rules that used up their time").toBe(0);
  const [record] = (await honest.judged("t1")).body;
  expect(record.is_compliant).toBe(true);

  await dispatcher.destroy();
  await Promise.all(endless);
  await service.dispose();
});
