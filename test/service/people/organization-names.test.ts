import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createOrganization, listOrganizations } from "../../../src/service/people/accounts/organizations.ts";
import { ensureOrganization } from "../../../src/service/people/accounts/provisioning.ts";
import { openStore } from "../../../src/service/store/sqlite/open-store.ts";
import type { Store } from "../../../src/service/store/store.ts";

let folder = "";
let store: Store;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "evidence-organizations-"));
  store = await openStore(join(folder, "evidence.sqlite"));
});
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

const create = (name: string) => store.write((db) => createOrganization(db, name, 1));
const start = (org: string) => ensureOrganization(store, { org, adminKey: undefined, now: 1 });

describe("an organization", () => {
  it.each(["acme", "Acme-2.0_~", "apis", "x".repeat(255)])("can be called %s", async (name) => {
    await create(name);
    expect((await listOrganizations(store.read)).map((each) => each.name)).toContain(name);
  });

  it.each([
    ...["api", "login", "ready", "health", "metrics", "assets", "settings", "log", "Login"],
    ...["", ".", "..", "-a", "a b", "a/b", "é", "x".repeat(256)],
  ])("cannot be called %j, by any creator", async (name) => {
    await expect(create(name)).rejects.toThrow(`'${name}' is not a valid organization name`);
    await expect(start(name)).rejects.toThrow(`'${name}' is not a valid organization name`);
  });

  it("that an earlier version named otherwise is still served", async () => {
    await store.write((db) =>
      db.insertInto("organizations").values({ id: "o", name: "log", created_at: 1 }).execute(),
    );
    expect(await start("log")).toBeUndefined();
  });
});
