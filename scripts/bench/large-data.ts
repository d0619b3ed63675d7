import { createHash } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import type { Insertable } from "kysely";
import { repairSearch } from "../../src/service/evidence/search/index/differences.ts";
import { verdictsOf } from "../../src/service/judging/compliance/trail-verdict.ts";
import { createKey } from "../../src/service/people/accounts/keys.ts";
import { createServiceAccount } from "../../src/service/people/accounts/records.ts";
import { modifiedAt } from "../../src/service/store/evidence-tables.ts";
import { databaseFile, openDataFolder } from "../../src/service/store/sqlite/open-store.ts";
import { bindable, openSqlite } from "../../src/service/store/sqlite/sqlite.ts";
import type { Store } from "../../src/service/store/store.ts";
import type { Tables } from "../../src/service/store/tables.ts";

/** Sizes of an organization that has used the service for years. */
export const SIZES = {
  flows: 20,
  trails: 100_000,
  attestations: 1_000_000,
  environments: 10,
  snapshots: 10_000,
  artifactsPerSnapshot: 20,
} as const;

export const ORG = "bench";
/** The records are of the last year, since pages show the last weeks. */
export const END = Math.floor(Date.now() / 1000);
export const START = END - 365 * 86_400;
/** Times of records, evenly within the year. */
const timeOf = (index: number, all: number) => START + Math.floor(((END - START) * index) / all);
const TEMPLATE = {
  version: 1,
  attestations: [{ name: "check-0", type: "generic" }],
  artifacts: [{ name: "app", attestations: [{ name: "check-5", type: "generic" }] }],
};

export const flowName = (index: number) => `flow-${index}`;
export const environmentName = (index: number) => `env-${index}`;
export const trailSha = (index: number) => createHash("sha1").update(`trail ${index}`).digest("hex");
export const fingerprint = (index: number) => createHash("sha256").update(`artifact ${index}`).digest("hex");

/** Fills a new data folder and returns the key of an admin. */
export async function writeLargeData(dataFolder: string): Promise<{ apiKey: string }> {
  const orgId = id("0", 1);
  await (await openDataFolder(dataFolder)).close();
  const connection = openSqlite(databaseFile(dataFolder), { lockTimeout: 1000 });
  connection.database.exec("PRAGMA synchronous = OFF; PRAGMA cache_size = -200000; BEGIN");
  fill(connection.database, orgId);
  connection.database.exec("COMMIT");
  connection.database.close();

  const store = await openDataFolder(dataFolder);
  const apiKey = await adminKeyOf(store, orgId);
  await repairSearch(store);
  await store.close();
  return { apiKey };
}

/** Adds an admin to an organization, without an event. @returns its key */
export function adminKeyOf(store: Store, orgId: string): Promise<string> {
  return store.write(async (db) => {
    const account = { orgId, name: "bench", role: "admin" } as const;
    const accountId = await createServiceAccount(db, account, START);
    const { key } = await createKey(db, { accountId, description: "bench", expiresAt: null, now: START });
    return key;
  });
}

function fill(database: DatabaseSync, orgId: string): void {
  const insert = inserter(database);
  const template = JSON.stringify(TEMPLATE);
  insert("organizations", { id: orgId, name: ORG, created_at: START });
  for (let index = 0; index < SIZES.flows; index++) {
    insert("flows", {
      id: id("f", index),
      org_id: orgId,
      name: flowName(index),
      description: "",
      visibility: "private",
      repo_url: null,
      template,
      template_source: null,
      created_at: START,
      last_modified_at: START,
    });
    insert("repos", {
      id: id("b", index),
      org_id: orgId,
      provider: "github",
      repo_id: String(index),
      name: `acme/repo-${index}`,
      url: `https://github.com/acme/repo-${index}`,
      description: null,
      created_at: START,
      latest_activity_at: START,
    });
    fillSeries(insert, index, orgId);
  }
  for (let index = 0; index < SIZES.trails; index++) fillTrail(insert, index, { orgId, template });
  for (let index = 0; index < SIZES.environments; index++) {
    insert("environments", {
      id: id("e", index),
      org_id: orgId,
      name: environmentName(index),
      type: "K8S",
      description: "",
      include_scaling: 0,
      require_provenance: 0,
      created_at: START,
      last_modified_at: START,
      last_reported_at: START,
    });
  }
  for (let index = 0; index < SIZES.snapshots; index++) fillSnapshot(insert, index);
  database.exec(
    `update environments set latest_snapshot_id =
      (select id from snapshots where environment_id = environments.id order by number desc limit 1)`,
  );
  database.exec(
    `insert into latest_attestations
      select trail_id, coalesce(artifact_fingerprint, ''), '', '', name, type, '', max(sequence)
      from attestations group by 1, 2, 5, 6`,
  );
}

type Insert = <Name extends keyof Tables & string>(table: Name, row: Insertable<Tables[Name]>) => void;

function fillTrail(
  insert: Insert,
  index: number,
  { orgId, template }: { orgId: string; template: string },
): void {
  const flow = index % SIZES.flows;
  const trailId = id("a", index);
  const sha = trailSha(index);
  const at = timeOf(index, SIZES.trails);
  const checks = Array.from({ length: CHECKS }, (_, number) => ({
    sequence: number,
    id: id("d", index * CHECKS + number),
    name: `check-${number}`,
    type: "generic",
    compliant: (index + number) % 17 !== 0,
    fingerprint: number < CHECKS / 2 ? null : fingerprint(index),
    commitSha: sha,
    overriddenId: null,
    targets: [],
  }));
  const artifact = {
    sequence: 1,
    id: id("c", index),
    fingerprint: fingerprint(index),
    filename: "app.tgz",
    templateName: "app",
    commitSha: sha,
    declaredCompliant: null,
  };
  const verdicts = verdictsOf({ template: TEMPLATE, artifacts: [artifact], attestations: checks });
  insert("trails", {
    id: trailId,
    org_id: orgId,
    flow_id: id("f", flow),
    name: sha,
    description: "",
    git_commit_info: JSON.stringify({
      sha1: sha,
      message: `Change ${index}`,
      author: "Ada <ada@example.com>",
      branch: "main",
    }),
    origin_url: null,
    external_urls: null,
    user_data: "{}",
    template,
    template_source: null,
    compliance_state: verdicts.trail.state,
    compliance_since: at,
    compliance_reason: verdicts.trail.reason,
    created_by: "admin",
    created_at: at,
    ...modifiedAt(at),
  });
  insert("trail_repos", { trail_id: trailId, repo_id: id("b", flow) });
  insert("artifacts", {
    id: artifact.id,
    org_id: orgId,
    flow_id: id("f", flow),
    trail_id: trailId,
    fingerprint: artifact.fingerprint,
    is_build: 1,
    filename: artifact.filename,
    template_name: artifact.templateName,
    commit_sha: sha,
    is_compliant: null,
    build_url: "https://ci.example/1",
    commit_url: `https://git.example/${sha}`,
    repo_url: null,
    repo_id: id("b", flow),
    details: "{}",
    compliance_state: verdicts.artifacts[0]?.state ?? null,
    compliance_since: at,
    compliance_reason: verdicts.artifacts[0]?.reason ?? null,
    created_by: "admin",
    created_at: at,
  });
  for (const [number, check] of checks.entries()) {
    insert("attestations", {
      id: check.id,
      org_id: orgId,
      flow_id: id("f", flow),
      series_id: seriesId(flow, number, Number(check.compliant)),
      trail_id: trailId,
      name: check.name,
      type: check.type,
      is_compliant: Number(check.compliant),
      artifact_fingerprint: check.fingerprint,
      commit_sha: sha,
      repo_id: id("b", flow),
      details: '{"user_data":{}}',
      created_by: "admin",
      created_at: at + number / 100,
    });
  }
}

/** Attestations of each trail. */
const CHECKS = SIZES.attestations / SIZES.trails;

/** The series of a check in a flow. All its attestations have the same outcome. */
function seriesId(flow: number, check: number, isCompliant: number): string {
  return id("7", (flow * CHECKS + check) * 2 + isCompliant);
}

function fillSeries(insert: Insert, flow: number, orgId: string): void {
  for (let check = 0; check < CHECKS; check++) {
    for (const isCompliant of [0, 1]) {
      insert("attestation_series", {
        id: seriesId(flow, check, isCompliant),
        org_id: orgId,
        flow_id: id("f", flow),
        name: `check-${check}`,
        type: "generic",
        is_compliant: isCompliant,
      });
    }
  }
}

function fillSnapshot(insert: Insert, index: number): void {
  const number = Math.floor(index / SIZES.environments) + 1;
  const isLatest = index + SIZES.environments >= SIZES.snapshots;
  const environmentId = id("e", index % SIZES.environments);
  insert("snapshots", {
    id: id("9", index),
    environment_id: environmentId,
    number,
    artifact_set: createHash("sha256").update(String(index)).digest("hex"),
    conditions: "",
    compliant: 0,
    policies: "[]",
    created_at: timeOf(index, SIZES.snapshots),
  });
  for (let each = 0; each < SIZES.artifactsPerSnapshot; each++) {
    insert("running_intervals", {
      environment_id: environmentId,
      name: `reg.example/app-${each}`,
      fingerprint: fingerprint((number + each * 1000) % SIZES.trails),
      since: number,
      until: isLatest ? null : number + 1,
      change: "started-non-compliant",
      instances_before: 0,
      // Most reports are of pods that move; one service changes.
      is_deployment: Number(number % SIZES.artifactsPerSnapshot === each),
      instance_count: 1,
      ended: isLatest ? 0 : 1,
      compliant: null,
      allowed: 0,
      origins: "[]",
      instances: JSON.stringify([
        { podName: `app-${each}`, namespace: "prod", creationTimestamp: START, owners: [] },
      ]),
      decisions: "[]",
      flows: "[]",
    });
  }
}

export function inserter(database: DatabaseSync): Insert {
  const statements = new Map<string, ReturnType<DatabaseSync["prepare"]>>();
  return (table, row) => {
    const columns = Object.keys(row);
    let statement = statements.get(table);
    if (!statement) {
      const marks = columns.map(() => "?").join(", ");
      statement = database.prepare(`insert into ${table} (${columns.join(", ")}) values (${marks})`);
      statements.set(table, statement);
    }
    statement.run(...Object.values(row).map(bindable));
  };
}

/** Ids in the service's form: 8-4-4-4-8 hex digits. */
function id(kind: string, index: number): string {
  const digits = kind + index.toString(16).padStart(27, "0");
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    digits.slice(12, 16),
    digits.slice(16, 20),
    digits.slice(20),
  ].join("-");
}
