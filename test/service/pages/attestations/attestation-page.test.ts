import { expect, test } from "vitest";
import { pipeline, send } from "../../requests.ts";
import { ORG, startTestService } from "../../running-service.ts";
import { signedIn } from "../visitor.ts";

test("the page of an attestation shows its place in the log once a checkpoint has it", async () => {
  const service = await startTestService();
  try {
    const { flow, trail, attest } = pipeline(service);
    await flow("web");
    await trail("web", "v1");
    await attest("web", "v1", { attestation_name: "unit" });
    const listed = await send(service, { path: `/attestations/${ORG}?name=unit` });
    const id = listed.body.data[0].attestation_id;
    const reader = await signedIn(service, service.keys.reader);
    const page = `/${ORG}/flows/web/trails/v1/attestations/${id}`;
    const { body } = await send(service, { path: `/log/${ORG}/proof?attestation_id=${id}` });
    const { text } = await reader.get(page);
    expect(text).toContain(`In the log at index ${body.index}, `);
    expect(text).toMatch(new RegExp(`<a href="[^"]*${page}/proof"`));
    expect((await reader.get(`${page}/proof`)).text).toBe(body.proof);
  } finally {
    await service.dispose();
  }
});
