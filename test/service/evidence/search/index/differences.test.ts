import { afterAll, beforeAll, expect, it } from "vitest";
import {
  repairSearch,
  searchDifferences,
} from "../../../../../src/service/evidence/search/index/differences.ts";
import { openDataFolder } from "../../../../../src/service/store/sqlite/open-store.ts";
import type { Store } from "../../../../../src/service/store/store.ts";
import { runHere } from "../../../../cli/terminal.ts";
import { COMMIT, pipeline, send } from "../../../requests.ts";
import { ORG, startTestService, type TestService } from "../../../running-service.ts";

let service: TestService;
let store: Store;
beforeAll(async () => {
  service = await startTestService();
  const { flow, trail, artifact, attest } = pipeline(service);
  await flow("web", "version: 1\n");
  await trail("web", "v1", { git_commit_info: { sha1: COMMIT, message: "Round amounts" } });
  await artifact("web", "v1", {});
  await attest("web", "v1", {});
  await trail("web", "v2", {});
  store = await openDataFolder(service.dataFolder);
});
afterAll(async () => {
  await store.close();
  await service.dispose();
});

async function problems(): Promise<string[]> {
  const found: string[] = [];
  for await (const { problem } of searchDifferences(store)) found.push(problem);
  return found.sort();
}

async function found(q: string): Promise<string[]> {
  const { body } = await send(service, { path: `/search/${ORG}?kind=trail&q=${encodeURIComponent(q)}` });
  return body.groups.flatMap((group: { results: { name: string }[] }) =>
    group.results.map(({ name }) => name),
  );
}

it("verify reports a search index that differs, and --repair makes it equal to the records", async () => {
  expect(await problems()).toEqual([]);
  expect(await found("amounts")).toEqual(["v1"]);
  await store.write(async (db) => {
    const ofTrail = (name: string) => db.selectFrom("trails").select("id").where("name", "=", name);
    await db.deleteFrom("search_documents").where("record_id", "=", ofTrail("v2")).execute();
    await db
      .updateTable("search_documents")
      .set({ words: "none" })
      .where("record_id", "=", ofTrail("v1"))
      .execute();
  });
  expect(await problems()).toEqual(["differs from its records", "is missing"]);
  expect(await found("v2")).toEqual([]);
  const args = ["verify", "--data", service.dataFolder];
  const differing = await runHere(args);
  expect(differing.stdout).toMatch(/^search index of trail \S+: is missing$/m);
  expect(differing.status).toBe(1);
  const repaired = await runHere([...args, "--repair"]);
  expect(repaired.stdout).toContain("Repaired the search index: 2 changes\n");
  expect(repaired).toMatchObject({ status: 0 });
  expect(await problems()).toEqual([]);
  expect(await repairSearch(store)).toBe(0);
  expect(await found("amounts")).toEqual(["v1"]);
  expect(await found("v2")).toEqual(["v2"]);
});

it("verify --repair refuses a backup", async () => {
  const refused = await runHere(["verify", "--from", service.dataFolder, "--repair"]);
  expect(refused.stderr).toContain("--repair cannot be used with --from: a backup is not changed");
});
