import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { OPA } from "../go-programs.ts";
import { askPostgres, newDatabase } from "../records.ts";
import { FP, type RequestToSend, send } from "../service/requests.ts";
import { ORG, startTestService, type TestService } from "../service/running-service.ts";
import { IN_ORDER, succeedingRequests } from "../service/succeeding-requests.ts";
import { largeData } from "./large-data.ts";
import { type RecordedStatement, recordStatements } from "./recorded-statements.ts";

/** The number of attestations; of other records there is a fraction of it. */
const ROWS = Number(process.env["TEST_PLAN_ROWS"] ?? 40_000);
/** A table with this many rows is never fully scanned. */
const LARGE = 10_000;

let url: string;
let service: TestService;
/** The statements of each operation. */
const statementsOf = new Map<string, RecordedStatement[]>();

beforeAll(async () => {
  url = await newDatabase();
  service = await startTestService({}, { database: { url }, opa: OPA });
  const requestOf = await succeedingRequests(service);
  // References to known records.
  const fill = (statement: string) =>
    askPostgres(url, `set session_replication_role = replica; ${statement}`);
  for (const statement of largeData(ROWS)) await fill(statement);
  await askPostgres(url, "vacuum analyze");
  const { recorded, stop } = recordStatements();
  const ask = async (name: string, message: RequestToSend) => {
    const { status, text } = await send(service, { key: service.keys.admin, ...message });
    if (status >= 300) throw new Error(`${name}: ${status} ${text}`);
    statementsOf.set(name, recorded.splice(0));
  };
  for (const [name, path] of Object.entries(FILTERED)) await ask(name, { path });
  for (const operation of IN_ORDER) await ask(operation.name, requestOf(operation));
  stop();
}, 60_000 + ROWS);
afterAll(() => service.dispose());

/** Lists by their filters and sort orders. */
const FILTERED: Readonly<Record<string, string>> = {
  "attestations by their name": `/attestations/${ORG}?name=check-3`,
  "attestations of a flow and a type": `/attestations/${ORG}?flow=flow-3&type=generic`,
  "attestations of a time": `/attestations/${ORG}?from_timestamp=1800000000&to_timestamp=1800000100`,
  "trails in a state": `/trails/${ORG}?compliance_state=NON-COMPLIANT`,
  "trails of an artifact": `/trails/${ORG}?fingerprint=${FP}`,
  "trails of tagged flows": `/trails/${ORG}?flow_tag=team%3Dweb`,
  "a page of the trails of a flow": `/trails/${ORG}/flow-3?page=2&per_page=20`,
  "flows by their latest activity": `/flows/${ORG}?sort=latest_activity&sort_direction=desc`,
  "environments by their latest change": `/environments/${ORG}?sort=last_changed_at`,
  "deployments of a flow and a repository": `/deployments/${ORG}?flow=sample&repo_name=sample`,
  "deployments without a review": `/deployments/${ORG}?review=unknown&env_name=sample`,
  "artifacts of a repository": `/artifacts/${ORG}?repo_name=sample`,
  "what was looked for by the start of a fingerprint": `/search/${ORG}/sha/${FP.slice(0, 7)}`,
};

interface Plan {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly Plans?: readonly Plan[];
}

function tablesReadWhole(plan: Plan): string[] {
  const own = plan["Node Type"] === "Seq Scan" && plan["Relation Name"] ? [plan["Relation Name"]] : [];
  return [...own, ...(plan.Plans ?? []).flatMap(tablesReadWhole)];
}

async function explain(
  client: pg.Client,
  options: string,
  { text, values }: RecordedStatement,
): Promise<string[]> {
  // Counting all records of an organization uses its index, as connections of the service are configured.
  await client.query(`set enable_seqscan = ${/^select count\(\*\)/.test(text) ? "off" : "on"}`);
  const { rows } = await client.query({
    text: `explain (${options}, format json) ${text}`,
    values: [...values],
  });
  return tablesReadWhole(rows[0]["QUERY PLAN"][0].Plan);
}

it("every growing table is large", async () => {
  expect((await largeTables()).sort()).toEqual(
    [
      ...[
        "answered_requests",
        "approvals",
        "artifacts",
        "attachments",
        "attestation_targets",
        "attestations",
      ],
      ...["control_decisions", "latest_attestations", "running_intervals", "snapshots", "events"],
      ...["trail_repos", "trails"],
    ].sort(),
  );
});

async function largeTables(): Promise<string[]> {
  const rows = await askPostgres(
    url,
    `select relname from pg_class where relkind = 'r' and reltuples >= ${LARGE} and relnamespace = 'public'::regnamespace`,
  );
  return rows.map(({ relname }) => String(relname));
}

// Statements are prepared: PostgreSQL may plan one for the values it gets, or once for any values.
it.each([
  { plan: "for the values given", generic: false },
  { plan: "for any values", generic: true },
])("planned $plan, no operation scans a large table", async ({ generic }) => {
  const large = await largeTables();
  const client = new pg.Client(url);
  await client.connect();
  const whole: string[] = [];
  const seen = new Set<string>();
  for (const [operation, statements] of statementsOf) {
    // The audience is derived from the requested host. Other recorded statements are of the service's own jobs.
    if (operation !== "getTokenAudience") expect(statements.length, operation).toBeGreaterThan(0);
    for (const statement of statements) {
      if (seen.has(statement.text) || !/^\s*(select|with|update|delete|insert)\b/i.test(statement.text))
        continue;
      seen.add(statement.text);
      const tables = generic
        ? await explain(client, "generic_plan", { ...statement, values: [] })
        : await explain(client, "costs off", statement);
      for (const table of tables)
        if (large.includes(table)) whole.push(`${operation}: ${table}: ${statement.text}`);
    }
  }
  await client.end();
  expect(seen.size).toBeGreaterThan(150);
  expect(whole).toEqual([]);
});
