import { createHash, randomBytes } from "node:crypto";
import { appendFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { request } from "undici";
import { expect, test } from "vitest";
import { pipeline, send } from "../service/requests.ts";
import { ORG, startTestService } from "../service/running-service.ts";
import { runCommandsIn } from "./shell-commands.ts";

const page = await readFile(new URL("../../docs/evidence-log.md", import.meta.url), "utf8");
const blocks = [...page.matchAll(/^```sh\n(.*?)^```/gms)].map(([, code = ""]) => code);
/** The commands of the one block that contains a text. */
const block = (words: string): string => {
  const found = blocks.filter((each) => each.includes(words));
  expect(found, words).toHaveLength(1);
  return found[0] ?? "";
};

test("the commands of the page prove an attestation, check a package and do the same by hand", async () => {
  const service = await startTestService();
  const folder = await mkdtemp(join(tmpdir(), "evidence-log-page-"));
  try {
    const { flow, trail, attest } = pipeline(service);
    await flow("web");
    await trail("web", "v1");
    await attest("web", "v1", { attestation_name: "unit" });
    const listed = await send(service, { path: `/attestations/${ORG}?name=unit` });
    const env = {
      ...{ EVIDENCE_BASE_URL: service.address, EVIDENCE_ORG: ORG, EVIDENCE_API_KEY: service.keys.member },
      ATTESTATION_ID: listed.body.data[0].attestation_id,
    };
    const proven = JSON.parse(await runCommandsIn(folder, block("getLogProof attestation_id"), env));
    const event = { ...env, EVENT_ID: JSON.parse(proven.event).id };
    const byEvent = JSON.parse(await runCommandsIn(folder, block("getLogProof event_id"), event));
    expect(byEvent).toMatchObject({ index: proven.index, details: expect.any(String) });
    await runCommandsIn(folder, block("getLogCheckpoint"), env);
    const [, size] = (await readFile(join(folder, "checkpoint"), "utf8")).split("\n");
    expect(Number(size)).toBe(proven.size);
    await writeFile(
      join(folder, "receipt.json"),
      JSON.stringify({
        record: listed.body.data[0],
        leaf: `sha256:${createHash("sha256").update(byEvent.event).digest("hex")}`,
        ...{ index: byEvent.index, event: byEvent.event, details: byEvent.details, proof: byEvent.proof },
        checkpoint: byEvent.proof.slice(byEvent.proof.indexOf("\n\n") + 2),
      }),
    );
    expect(await runCommandsIn(folder, block("receipt.json"))).toMatch(
      /^proven {5}unit .*\nCheckpoint .*\nProven/,
    );
    const from = block("getLogConsistency").replace("120", "1");
    expect(JSON.parse(await runCommandsIn(folder, from, env))).toMatchObject({ from: 1, to: proven.size });

    const name = "web-v1-audit-package.tgz";
    const answer = await request(`${service.address}/api/v2/trails/${ORG}/web/v1/audit_package`, {
      dispatcher: service.dispatcher,
      headers: { authorization: `Bearer ${service.keys.member}` },
    });
    await writeFile(join(folder, name), await answer.body.bytes());
    expect(await runCommandsIn(folder, block("tgz --policy policy.txt"))).toMatch(
      /^proven {5}trail\.json.*\nproven.*\nTrail v1 of the flow web\nCheckpoint .*\nProven: /,
    );

    await runCommandsIn(folder, `tar -xzf ${name}`);
    const path = await runCommandsIn(folder, block("index=6").replace("index=6", `index=${proven.index}`));
    const [root, signed] = path.trim().split("\n");
    expect(root).toMatch(/^[0-9a-f]{64}$/);
    expect(root).toBe(signed);
    // A witness signed too, and the log had another key before.
    const [checkpoint, keys] = [join(folder, "log/checkpoint"), join(folder, "policy.txt")];
    await appendFile(checkpoint, `— witness.example ${randomBytes(76).toString("base64")}\n`);
    const former = `log former+00000000+${randomBytes(33).toString("base64")}`;
    await writeFile(keys, `${former}\n${await readFile(keys, "utf8")}`);
    expect(await runCommandsIn(folder, block("openssl pkeyutl"))).toContain(
      "Signature Verified Successfully",
    );
  } finally {
    await rm(folder, { recursive: true });
    await service.dispose();
  }
});
