import { spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { parseCheckpoint } from "../../../../src/evidence/log/note.ts";
import { openDataFolder } from "../../../../src/service/store/sqlite/open-store.ts";
import { FSCK, WITH_FSCK } from "../../../go-programs.ts";
import { send } from "../../requests.ts";
import { ORG, startTestService, type TestService } from "../../running-service.ts";
import { addEvents } from "./add-events.ts";

/** Around full tiles of the two lower levels, and the example of the specification. */
const SIZES = [1, 2, 255, 256, 257, 511, 512, 5_000, 65_535, 65_536, 65_537, 70_000];
const OPTIONS = ["-ui=false", "-N=4"];

/** Its exit status is 0 for some damaged logs, so only its last line counts. */
async function fsck(program: string, service: TestService) {
  const policy = await send(service, { path: `/log/${ORG}/policy` });
  const key = join(service.dataFolder, "key.txt");
  await writeFile(key, /^log (\S+)$/m.exec(policy.text)?.[1] ?? "");
  const checked = spawn(
    program,
    [
      ...OPTIONS,
      `-storage_url=${service.address}/api/v2/log/${ORG}/`,
      `-public_key=${key}`,
      `-bearer_token=${service.keys.member}`,
    ],
    { timeout: 60_000, stdio: ["ignore", "pipe", "pipe"] },
  );
  const [stdout, stderr] = await Promise.all([text(checked.stdout), text(checked.stderr)]);
  return /Successfully fsck'd log with size (\d+) and root (\S+)/.exec(stdout + stderr)?.slice(1) ?? stderr;
}

test.skipIf(FSCK === undefined)(
  `logs of each size are accepted (${WITH_FSCK})`,
  async () => {
    const service = await startTestService();
    const store = await openDataFolder(service.dataFolder);
    try {
      const { id } = await store.read
        .selectFrom("organizations")
        .select("id")
        .where("name", "=", ORG)
        .executeTakeFirstOrThrow();
      for (const size of SIZES) {
        const [{ rows } = { rows: 0 }] = await store.read
          .selectFrom("events")
          .select(({ fn }) => fn.countAll<number>().as("rows"))
          .where("org_id", "=", id)
          .execute();
        const [last] = await addEvents(store, { orgId: id, count: size - rows });
        const proven = await send(service, { path: `/log/${ORG}/proof?event_id=${last}` });
        expect(proven.body.size).toBe(size);
        const checkpoint = parseCheckpoint((await send(service, { path: `/log/${ORG}/checkpoint` })).text);
        expect(await fsck(FSCK ?? "", service)).toEqual([
          String(size),
          Buffer.from(checkpoint.root).toString("base64"),
        ]);
      }
    } finally {
      await store.close();
      await service.dispose();
    }
  },
  240_000,
);
