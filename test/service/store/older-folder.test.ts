import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type RunningService, startService } from "../../../src/service/service.ts";
import { databaseFile } from "../../../src/service/store/data-folder.ts";

/*
 * `older-folder/records.sql` is the database of a service of the version before, killed right after its last reports.
 * `older-folder/answers.json` is what that version answered about it, by path, but for what is told otherwise since:
 * the `pipeline` of an artifact without a flow, how the history of an artifact begins, the `state` of a snapshot, and the
 * namespace of repositories. Scaling is answered with false.
 */

const KEY = `de_${"k".repeat(43)}`;
const sample = (name: string) => readFile(new URL(`older-folder/${name}`, import.meta.url), "utf8");

let folder: string;
let service: RunningService;
let answers: Record<string, unknown>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "evidence-older-"));
  const database = new DatabaseSync(databaseFile(folder), { enableForeignKeyConstraints: false });
  database.exec(await sample("records.sql"));
  database.close();
  answers = JSON.parse(await sample("answers.json"));
  const options = { host: "127.0.0.1", port: 0, version: "1", log: () => undefined };
  service = await startService({ ...options, dataFolder: folder, now: () => 1_800_100_000 });
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

async function ask(path: string): Promise<unknown> {
  const answer = await fetch(`${service.address}/api/v2${path}`, {
    headers: { authorization: `Bearer ${KEY}` },
  });
  const text = (await answer.text()).replaceAll(service.address, "ADDRESS");
  return answer.headers.get("content-type")?.startsWith("application/json") ? JSON.parse(text) : text;
}

it("a folder of the version before answers as it did, also what was reported just before it was killed", async () => {
  expect(Object.keys(answers).length).toBeGreaterThan(40);
  const today: Record<string, unknown> = {};
  for (const path of Object.keys(answers)) today[path] = await ask(path);
  expect(today).toEqual(answers);
});

it("takes the next report as a change to what ran", async () => {
  const path = `${service.address}/api/v2/environments/acme/files/report/server`;
  const report = (fingerprint: string) =>
    fetch(path, {
      method: "PUT",
      headers: { authorization: `Bearer ${KEY}`, "content-type": "application/json" },
      body: JSON.stringify({
        type: "server",
        artifacts: [{ digests: { "/opt/app": fingerprint }, creationTimestamp: 1_799_999_000 }],
      }),
    });
  expect((await report("d".repeat(64))).status).toBe(200);
  expect((await report("e".repeat(64))).status).toBe(201);
  expect(await ask("/environments/acme/files/events")).toMatchObject([
    { snapshot_index: 2, sha256: "d".repeat(64), type: "exited" },
    { snapshot_index: 2, sha256: "e".repeat(64), type: "started-non-compliant" },
    { snapshot_index: 1, sha256: "d".repeat(64), type: "started-non-compliant" },
  ]);
});
