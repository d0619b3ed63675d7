import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { parsePolicyFile } from "../../../../src/service/judging/policies/policy-file.ts";
import { createOrganization } from "../../../../src/service/people/accounts/organizations.ts";
import { findPolicy, listPolicies } from "../../../../src/service/runtime/policies/list.ts";
import { policyRow, putPolicy } from "../../../../src/service/runtime/policies/records.ts";
import { policyDumps } from "../../../../src/service/runtime/policies/versions.ts";
import { openDataFolder } from "../../../../src/service/store/sqlite/open-store.ts";
import type { Store } from "../../../../src/service/store/store.ts";

const SCHEMA = "_schema: https://schemas.example/v1";
const PROVENANCE = `${SCHEMA}\nartifacts: { provenance: { required: true } }`;

let folder: string;
let store: Store;
let organizations = 0;
let orgId = "";
let now = 1_800_000_000;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "evidence-policies-"));
  store = await openDataFolder(folder);
});
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});
beforeEach(async () => {
  orgId = await store.write((db) => createOrganization(db, `org-${++organizations}`, now));
});

interface Said {
  description?: string;
  comment?: string;
  accountName?: string;
}

/** Creates or changes the policy, ten seconds after the one before. */
const put = (
  name: string,
  source?: string,
  { description = "d", comment = "c", accountName = "ada" }: Said = {},
) =>
  store.write(async (db) => {
    now += 10;
    const written = source === undefined ? undefined : { source, controlIds: [], ...parsePolicyFile(source) };
    await putPolicy(db, { name, description, comment }, written, { orgId, accountName, now });
    return now;
  });
const found = (name: string) => findPolicy(store.read, orgId, name);

describe("a policy", () => {
  it("is stored with its first version as uploaded", async () => {
    const at = await put("prod", PROVENANCE);
    expect(await found("prod")).toEqual({
      name: "prod",
      description: "d",
      createdBy: "ada",
      createdAt: at,
      lastModifiedAt: at,
      archived: false,
      versions: [{ version: 1, comment: "c", timestamp: at, createdBy: "ada", policyYaml: PROVENANCE }],
      events: [{ type: "creation", timestamp: at, user: "ada", data: {} }],
      consumingEnvs: [],
    });
  });

  it("gets a version for each file that differs from the one before", async () => {
    const first = await put("prod", PROVENANCE);
    const second = await put("prod", SCHEMA, { comment: "less", accountName: "bob" });
    await put("prod", SCHEMA);
    const third = await put("prod", PROVENANCE, { comment: "more" });
    const { versions, events, lastModifiedAt, createdAt } = (await found("prod")) ?? {};
    expect(versions).toEqual([
      { version: 1, comment: "c", timestamp: first, createdBy: "ada", policyYaml: PROVENANCE },
      { version: 2, comment: "less", timestamp: second, createdBy: "bob", policyYaml: SCHEMA },
      { version: 3, comment: "more", timestamp: third, createdBy: "ada", policyYaml: PROVENANCE },
    ]);
    expect(events).toEqual([
      { type: "creation", timestamp: first, user: "ada", data: {} },
      { type: "new_version", timestamp: second, user: "bob", data: { version: 2 } },
      { type: "new_version", timestamp: third, user: "ada", data: { version: 3 } },
    ]);
    expect([createdAt, lastModifiedAt]).toEqual([first, third]);
  });

  it("gets a new description without a file, with the same file and with another", async () => {
    await put("prod", PROVENANCE);
    const alone = await put("prod", undefined, { description: "new" });
    expect(await found("prod")).toMatchObject({ description: "new", lastModifiedAt: alone });
    const same = await put("prod", PROVENANCE, { description: "e", accountName: "bob" });
    expect(await found("prod")).toMatchObject({ description: "e", lastModifiedAt: same });
    const other = await put("prod", SCHEMA, { description: "f" });
    const { events, versions, description } = (await found("prod")) ?? {};
    expect(events?.slice(1)).toEqual([
      { type: "metadata_update", timestamp: alone, user: "ada", data: { description: "new" } },
      { type: "metadata_update", timestamp: same, user: "bob", data: { description: "e" } },
      { type: "metadata_update", timestamp: other, user: "ada", data: { description: "f" } },
      { type: "new_version", timestamp: other, user: "ada", data: { version: 2 } },
    ]);
    expect([description, versions?.length]).toEqual(["f", 2]);
  });

  it("is identified by its name and its organization", async () => {
    await put("prod", PROVENANCE);
    await put("test", SCHEMA, { description: "of tests" });
    await put("test", PROVENANCE, { description: "of tests" });
    const ours = orgId;
    orgId = await store.write((db) => createOrganization(db, "another", now));
    await put("prod", SCHEMA, { description: "of another" });
    expect(await found("prod")).toMatchObject({ description: "of another", events: [{ type: "creation" }] });
    expect(await found("test")).toBeUndefined();
    orgId = ours;
    expect(await found("prod")).toMatchObject({ description: "d", versions: [{ policyYaml: PROVENANCE }] });
    expect(await found("test")).toMatchObject({
      description: "of tests",
      versions: [{ version: 1 }, { version: 2 }],
    });
  });
});

describe("a list of policies", () => {
  it("is sorted by name, limited to one organization, with history and without texts", async () => {
    expect(await listPolicies(store.read, orgId)).toEqual([]);
    await put("b", PROVENANCE);
    await put("a", PROVENANCE);
    await put("b", SCHEMA);
    const ours = orgId;
    orgId = await store.write((db) => createOrganization(db, "third", now));
    await put("c", SCHEMA);
    orgId = ours;
    const listed = await listPolicies(store.read, orgId);
    expect(
      listed.map(({ name, versions, events }) => [
        name,
        versions?.map((each) => [each.version, each.policyYaml]),
        events?.length,
      ]),
    ).toEqual([
      ["a", [[1, ""]], 1],
      [
        "b",
        [
          [1, ""],
          [2, ""],
        ],
        2,
      ],
    ]);
  });
});

describe("the requirements of versions", () => {
  it("are given in the names of the API, for those versions only", async () => {
    await put("prod", PROVENANCE);
    await put("prod", SCHEMA);
    await put("test", SCHEMA);
    const [prod, test] = [
      await policyRow(store.read, orgId, "prod"),
      await policyRow(store.read, orgId, "test"),
    ];
    const ids = [prod?.id ?? "", test?.id ?? ""] as const;
    const dumps = await policyDumps(store.read, [
      { id: ids[0], version: 1 },
      { id: ids[0], version: 2 },
      { id: ids[1], version: 2 },
    ]);
    expect([...dumps.keys()]).toEqual([ids[0]]);
    const rules = (isRequired: boolean) => ({
      schema_version: "1",
      artifacts: {
        provenance: { required: isRequired, exceptions: [] },
        trail_compliance: { required: false, exceptions: [] },
        attestations: [],
      },
    });
    expect([1, 2].map((version) => dumps.get(ids[0])?.get(version))).toEqual([rules(true), rules(false)]);
    expect(await policyDumps(store.read, [])).toEqual(new Map());
  });

  it("can be read for more versions than one statement may name", async () => {
    await put("long", PROVENANCE);
    await put("long", SCHEMA);
    const id = (await policyRow(store.read, orgId, "long"))?.id ?? "";
    const versions = Array.from({ length: 1_100 }, (_, n) => ({ id, version: n + 3 }));
    const dumps = await policyDumps(store.read, [{ id, version: 2 }, ...versions, { id, version: 1 }]);
    expect([...(dumps.get(id)?.keys() ?? [])]).toEqual([2, 1]);
  });
});
