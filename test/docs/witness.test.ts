import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { pipeline } from "../service/requests.ts";
import { ORG, startTestService } from "../service/running-service.ts";
import { runCommandsIn } from "./shell-commands.ts";

const page = await readFile(new URL("../../docs/witness.md", import.meta.url), "utf8");
const blocks = [...page.matchAll(/^```sh\n(.*?)^```/gms)].map(([, code = ""]) => code);

test("the commands of the page make a key, keep checkpoints and prove a package with them", async () => {
  const service = await startTestService();
  const folder = await mkdtemp(join(tmpdir(), "witness-page-"));
  const env = {
    EVIDENCE_BASE_URL: service.address,
    EVIDENCE_ORG: ORG,
    EVIDENCE_API_KEY: service.keys.reader,
  };
  const run = (code = "") => runCommandsIn(folder, code, env);
  const [newKey, first, next, trust, consistency = "", verify = "", ...more] = blocks;
  expect([trust, more]).toEqual([expect.stringContaining(" trust github "), []]);
  try {
    const { flow, trail } = pipeline(service);
    await flow("web");
    await trail("web", "v1");
    const download = "npx delivery-evidence call getTrailAuditPackage flow_name=web trail_name=v1";
    await run(`${download} --output-file web-v1-audit-package.tgz`);
    const printed = await run(`${verify.split(" --policy")[0]} || true`);
    const size = Number(/, (\d+) entries/.exec(printed)?.[1]);
    await trail("web", "v2");
    await run(`${download} --output-file later.tgz`);

    expect(await run(newKey)).toMatch(/^acme\.example\/witness\+[0-9a-f]{8}\+\S+\n$/);
    expect(await run(first)).toMatch(/^Cosigned .* its first checkpoint here/);
    expect(await run(next)).toMatch(/^No new entries/);
    const kept = (await run("sed -n 2p checkpoints/*/checkpoint")).trim();
    expect(Number(kept)).toBeGreaterThan(size);
    await run(consistency.replace("from=8 to=12", `from=${size} to=${kept}`));
    expect(await run(verify)).toMatch(
      /^proven {5}trail\.json .*\nTrail v1 of the flow web\nCheckpoint .*\nYour checkpoint, \d+ entries, seen by own at \S+: the same log\nProven: /,
    );
  } finally {
    await rm(folder, { recursive: true });
    await service.dispose();
  }
});
