import { mkdtempDisposable, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { request } from "undici";
import { expect, test } from "vitest";
import { FP, pipeline, send } from "../service/requests.ts";
import { ORG, startTestService } from "../service/running-service.ts";
import { runCommandsIn } from "./shell-commands.ts";

const page = await readFile(new URL("../../docs/statements.md", import.meta.url), "utf8");
const blocks = [...page.matchAll(/^```sh\n(.*?)^```/gms)].map(([, code = ""]) => code);
const block = (words: string): string => blocks.find((each) => each.includes(words)) ?? `missing: ${words}`;

test("the commands of the page sign a result, verify it by openssl, and verify it in a package", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "statements-page-"));
  const service = await startTestService();
  try {
    const { flow, trail, artifact, attest } = pipeline(service);
    await flow("web");
    await trail("web", "v1");
    await artifact("web", "v1");
    await attest("web", "v1", { attestation_name: "unit" });
    const listed = await send(service, { path: `/attestations/${ORG}?name=unit` });
    const env = {
      ...{ EVIDENCE_BASE_URL: service.address, EVIDENCE_ORG: ORG, EVIDENCE_API_KEY: service.keys.member },
      ...{ FINGERPRINT: FP, ATTESTATION_ID: listed.body.data[0].attestation_id },
    };
    await runCommandsIn(folder.path, block("stateVerdict"), env);
    await runCommandsIn(folder.path, block("stateAttestation"), env);
    await runCommandsIn(folder.path, block("curl"), env);
    const [keyId = ""] = /SHA256:\S+/.exec(await runCommandsIn(folder.path, block("ssh-keygen"), env)) ?? [];
    const envelope = JSON.parse(await readFile(join(folder.path, "vsa.intoto.json"), "utf8"));
    expect(envelope.signatures[0].keyid).toBe(keyId);
    expect(await runCommandsIn(folder.path, block("openssl dgst"), env)).toBe("Verified OK\n");
    const { predicate } = JSON.parse(await readFile(join(folder.path, "payload.json"), "utf8"));
    expect(predicate).toMatchObject({ verificationResult: "PASSED" });

    const answer = await request(`${service.address}/api/v2/trails/${ORG}/web/v1/audit_package`, {
      dispatcher: service.dispatcher,
      headers: { authorization: `Bearer ${service.keys.member}` },
    });
    await writeFile(join(folder.path, "web-v1-audit-package.tgz"), await answer.body.bytes());
    await runCommandsIn(folder.path, "npx delivery-evidence call getLogPolicy --output-file policy.txt", env);
    const verified = await runCommandsIn(folder.path, block("--keys"), env);
    expect(verified).toMatch(/^proven {5}statements.* PASSED$/m);
    expect(verified).toMatch(/^proven {5}statements.*attestation\/v1 .*$/m);
    expect(verified).toMatch(/^Proven: /m);
  } finally {
    await service.dispose();
  }
});
