import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { FP, pipeline } from "../service/requests.ts";
import { ORG, startTestService } from "../service/running-service.ts";
import { runCommandsIn } from "./shell-commands.ts";

const page = await readFile(new URL("../../docs/auditors.md", import.meta.url), "utf8");
const blocks = [...page.matchAll(/^```sh\n(.*?)^```/gms)].map(([, code = ""]) => code);

test("the commands of the page list a population, sample it and prove that it is complete", async () => {
  const service = await startTestService();
  const folder = await mkdtemp(join(tmpdir(), "evidence-auditors-page-"));
  try {
    service.clock.time = Date.parse("2026-08-01") / 1000;
    const { flow, trail, artifact, environment, report } = pipeline(service);
    await flow("web");
    await trail("web", "v1");
    await artifact("web", "v1");
    await environment("production");
    const pod = { podName: "p", namespace: "prod", creationTimestamp: service.clock.time };
    await report("production", [{ ...pod, digests: { web: FP } }]);
    const env = {
      ...{ EVIDENCE_BASE_URL: service.address, EVIDENCE_ORG: ORG, EVIDENCE_API_KEY: service.keys.member },
    };
    const outputs: string[] = [];
    for (const block of blocks) outputs.push(await runCommandsIn(folder, block, env));
    const [listed = "", , verified, ranked] = outputs;
    const { count, members, sample } = JSON.parse(listed);
    expect([count, sample]).toEqual([1, members]);
    expect(verified).toMatch(/^complete {3}list\.csv {2}1 of environment production[\s\S]*\nProven: /);
    expect(ranked).toMatch(new RegExp(`^[0-9a-f]{64} {2}${members[0].id}\n$`));
  } finally {
    await rm(folder, { recursive: true });
    await service.dispose();
  }
});
