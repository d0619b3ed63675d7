import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OperationShape } from "../../../src/api/operation.ts";
import { databaseFile } from "../../../src/service/store/sqlite/open-store.ts";
import { OPA } from "../../go-programs.ts";
import { type RequestToSend, send } from "../requests.ts";
import { startTestService, type TestService } from "../running-service.ts";
import { IN_ORDER, succeedingRequests } from "../succeeding-requests.ts";

let service: TestService;
let db: DatabaseSync;
let succeeding: (operation: OperationShape) => RequestToSend;
const recording = new Set<string>();

beforeAll(async () => {
  service = await startTestService({}, { opa: OPA });
  db = new DatabaseSync(databaseFile(service.dataFolder), { readOnly: true });
  succeeding = await succeedingRequests(service);
});
afterAll(async () => {
  db.close();
  await service.dispose();
});

interface Row {
  readonly id: string;
  readonly digest: string;
}

function eventsAfter(count: number): Row[] {
  const rows = db.prepare("select id, digest from events order by sequence limit -1 offset ?").all(count);
  return rows.map(({ id, digest }) => ({ id: String(id), digest: String(digest) }));
}

describe.each(IN_ORDER)("$name", (operation) => {
  it("names the events that it recorded, and no others", async () => {
    const { length } = eventsAfter(0);
    const answer = await send(service, succeeding(operation));
    expect(answer.status, answer.text).toBeLessThan(300);
    const isPublic = operation.access === "public";
    const recorded = eventsAfter(length).slice(0, 16);
    const expected = isPublic || recorded.length === 0 ? [undefined, undefined] : namesOf(recorded);
    expect([answer.headers["x-evidence-leaf"], answer.headers["x-evidence-event"]]).toEqual(expected);
    if (expected[0] !== undefined) recording.add(operation.method);
  });
});

function namesOf(rows: readonly Row[]): string[] {
  return [rows.map(({ digest }) => `sha256:${digest}`).join(", "), rows.map(({ id }) => id).join(", ")];
}

it("operations of every method but GET record", () => {
  expect([...recording].sort()).toEqual(["DELETE", "PATCH", "POST", "PUT"]);
});
