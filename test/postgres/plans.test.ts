import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { askPostgres, newDatabase } from "../records.ts";
import { FP, type RequestToSend, send } from "../service/requests.ts";
import { ORG, startTestService, type TestService } from "../service/running-service.ts";
import { IN_ORDER, succeedingRequests } from "../service/succeeding-requests.ts";
import { largeData } from "./large-data.ts";
import { type RecordedStatement, recordStatements } from "./recorded-statements.ts";

/** How many attestations there are; of everything else there is a part of it. */
const ROWS = Number(process.env["TEST_PLAN_ROWS"] ?? 40_000);
/** A table that has as many rows is never read from end to end. */
const LARGE = 10_000;

let url: string;
let service: TestService;
/** What the service asked of the database to carry out each operation. */
const asked = new Map<string, RecordedStatement[]>();

beforeAll(async () => {
  url = await newDatabase();
  service = await startTestService({}, { database: { url } });
  const requestOf = await succeedingRequests(service);
  // What refers to what is known to be there.
  const fill = (statement: string) =>
    askPostgres(url, `set session_replication_role = replica; ${statement}`);
  for (const statement of largeData(ROWS)) await fill(statement);
  await askPostgres(url, "vacuum analyze");
  const { recorded, stop } = recordStatements();
  const ask = async (name: string, message: RequestToSend) => {
    const { status, text } = await send(service, { key: service.keys.admin, ...message });
    if (status >= 300) throw new Error(`${name}: ${status} ${text}`);
    asked.set(name, recorded.splice(0));
  };
  for (const [name, path] of Object.entries(FILTERED)) await ask(name, { path });
  for (const operation of IN_ORDER) await ask(operation.name, requestOf(operation));
  stop();
}, 60_000 + ROWS);
afterAll(() => service.dispose());

/** Lists by what they can be filtered and sorted by. */
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
  // What counts all that an organization has goes through its index, as connections of the service are told to.
  await client.query(`set enable_seqscan = ${/^select count\(\*\)/.test(text) ? "off" : "on"}`);
  const { rows } = await client.query({
    text: `explain (${options}, format json) ${text}`,
    values: [...values],
  });
  return tablesReadWhole(rows[0]["QUERY PLAN"][0].Plan);
}

it("there is much of everything that grows", async () => {
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

// Statements are prepared: PostgreSQL may plan one for the values it gets, or once for whatever values come.
it.each([
  { plan: "for the values given", generic: false },
  { plan: "for whatever values come", generic: true },
])("planned $plan, no operation reads a large table from end to end", async ({ generic }) => {
  const large = await largeTables();
  const client = new pg.Client(url);
  await client.connect();
  const whole: string[] = [];
  const seen = new Set<string>();
  for (const [operation, statements] of asked) {
    // The audience is made of the name that is asked about. What is recorded beside it is of the service's own jobs.
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
