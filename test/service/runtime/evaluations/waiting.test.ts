import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { send } from "../../requests.ts";
import { ORG, startTestService, type TestService } from "../../running-service.ts";

/** Allows every input, as soon as the file `opa.go` exists. `opa.input` is the last input. */
const OPA = `#!/bin/sh
case "$1" in
version) echo "Version: 1.0.0" ;;
capabilities) echo '{"builtins":[]}' ;;
*)
  while [ ! -e "$0.go" ]; do sleep 0.02; done
  cat >"$0.input"
  echo '{"result":[{"expressions":[{"value":[{"allow":true}]}]}]}'
  ;;
esac
`;
const files = { "policy.rego": "package policy\nallow := true\n" };
const decision = { control: "CTL", flow: "web", trail: "v1" };

const opa = join(mkdtempSync(join(tmpdir(), "opa-")), "opa");
let service: TestService;
beforeAll(async () => {
  writeFileSync(opa, OPA, { mode: 0o755 });
  service = await startTestService({}, { opa });
  await asked({ method: "POST", path: `/controls/${ORG}`, json: { identifier: "CTL", name: "n" } });
});
beforeEach(() => rmSync(`${opa}.go`, { force: true }));
afterAll(() => service.dispose());

async function asked(message: Parameters<typeof send>[1]) {
  const answer = await send(service, { key: service.keys.admin, ...message });
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.body;
}

const attest = () =>
  asked({
    ...{ method: "POST", path: `/attestations/${ORG}/web/trail/v1/generic` },
    form: { attestation_name: "unit", is_compliant: true },
  });

/** Requests an evaluation that waits for the one before it. */
async function requested(context: object, key = service.keys.admin) {
  const send = (json: object) => asked({ method: "POST", path: `/evaluations/${ORG}`, json, key });
  await send({ context, policy: { files } });
  const { id } = await send({ context, policy: { files }, decision });
  return async () => {
    writeFileSync(`${opa}.go`, "");
    const read = () => asked({ path: `/evaluations/${ORG}/${id}` });
    await expect.poll(async () => (await read()).status).not.toBe("pending");
    return read();
  };
}

it("reads and decides about the trail of its request, though its flow was renamed meanwhile", async () => {
  await attest();
  const { id } = await asked({ path: `/trails/${ORG}/web/v1` });
  const ended = await requested({ trails: [{ flow: "web", trail: "v1" }] });
  await asked({ method: "PUT", path: `/flows/${ORG}/web/rename`, json: { new_name: "former" } });
  await asked({ method: "PUT", path: `/flows/${ORG}`, json: { name: "web", description: "", template: [] } });
  await attest();
  const { status, decision_attestation_id } = await ended();
  expect(status).toBe("completed");
  expect(JSON.parse(readFileSync(`${opa}.input`, "utf8"))).toMatchObject([
    { trail: { id, flow: { name: "former" } } },
  ]);
  const path = `/attestations/${ORG}?attestation_id=${decision_attestation_id}`;
  expect(await asked({ path })).toMatchObject({ data: [{ flow_name: "former", trail_name: "v1" }] });
});

it.each(["its key is revoked", "its account becomes a reader"])(
  "records no decision if %s meanwhile",
  async (change) => {
    await attest();
    const accounts = `/service-accounts/${ORG}`;
    const name = change.replaceAll(" ", "-");
    await asked({ method: "POST", path: accounts, json: { name, privilege: "member" } });
    const keys = `${accounts}/${name}/api-keys`;
    const { id, key } = await asked({ method: "POST", path: keys, json: { description: "d" } });
    const ended = await requested({ trails: [{ flow: "web", trail: "v1" }] }, key);
    if (change.includes("revoked")) await asked({ method: "DELETE", path: `${keys}/${id}` });
    else await asked({ method: "PATCH", path: `${accounts}/${name}`, json: { privilege: "reader" } });
    expect(await ended()).toMatchObject({
      ...{ status: "failed", decision_attestation_id: "" },
      error: { kind: "decision", message: "The key of the request was revoked, or has another role now" },
    });
  },
);
