import { expect, onTestFinished, test } from "vitest";
import { FP, pipeline, send } from "../requests.ts";
import { ORG, startTestService } from "../running-service.ts";
import { workflowToken } from "../workflow-token.ts";

test("records of a workflow keep the proof of its origin", async () => {
  const service = await startTestService();
  onTestFinished(() => service.dispose());
  const { environment } = pipeline(service, service.keys.admin);
  await environment("prod");
  const key = await workflowToken(service);
  const write = pipeline(service, key);
  const post = (path: string, json: object) => send(service, { method: "POST", path, json, key });
  const override = { attestation_name: "unit", reason: "known", new_compliance_status: false };
  const answers = [
    await write.flow("web"),
    await write.trail("web", "t1"),
    await write.artifact("web", "t1"),
    await write.attest("web", "t1"),
    await post(`/attestations/${ORG}/web/trail/t1/override`, {
      ...override,
      original_attestation_type: "generic",
    }),
    await post(`/approvals/${ORG}/web`, { artifact_fingerprint: FP, description: "", src_commit_list: [] }),
    await write.report("prod", []),
  ];
  expect(answers.filter(({ status }) => status > 201).map(({ text }) => text)).toEqual([]);
  const read = async (path: string) => (await send(service, { path, key })).body;
  const [attested] = await read(`/attestations/${ORG}/web/trail/t1/unit`);
  const records = [
    await read(`/trails/${ORG}/web/t1`),
    await read(`/artifacts/${ORG}/web/fingerprint/${FP}`),
    attested,
    await read(`/approvals/${ORG}/web/1`),
    await read(`/snapshots/${ORG}/prod/-1`),
  ];
  const name = "github:acme/web build.yml run 123 attempt 1";
  expect(records.map(({ origin }) => origin?.name)).toEqual(records.map(() => name));
});
