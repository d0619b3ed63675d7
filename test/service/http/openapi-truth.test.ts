import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OperationShape } from "../../../src/api/operation.ts";
import { operations } from "../../../src/api/resources/operations.ts";
import { isAllowed } from "../../../src/service/kernel/access.ts";
import { OPA } from "../../go-programs.ts";
import { COMMIT, FP, type RequestToSend, sampleRequest, send } from "../requests.ts";
import { ORG, startTestService, type TestService } from "../running-service.ts";
import { readDescription, type ServedDescription } from "../served-description.ts";
import { IN_ORDER, succeedingRequests } from "../succeeding-requests.ts";

const every: readonly OperationShape[] = Object.values(operations);
const USED_BEFORE = "used before";
const UNKNOWN_FP = "b".repeat(64);
const succeeded = new Set<string>();

let service: TestService;
let description: ServedDescription;
let succeeding: (operation: OperationShape) => RequestToSend;

beforeAll(async () => {
  service = await startTestService({}, { opa: OPA });
  description = await readDescription(service);
  succeeding = await succeedingRequests(service);
  const first = { attestation_name: "first", is_compliant: true };
  await send(service, {
    ...sampleRequest(operations.attestGeneric),
    form: first,
    key: service.keys.admin,
    headers: { "idempotency-key": USED_BEFORE },
  });
});
afterAll(() => service.dispose());

describe.each(IN_ORDER)("$name", (operation) => {
  it("is called and answers with success as described", async () => {
    const message = succeeding(operation);
    description.expectRequest(operation, message);
    const answer = await send(service, message);
    description.expectAnswer(operation, answer);
    expect([200, 201], answer.text).toContain(answer.status);
    expect(emptyLists(operation, answer.body), "empty lists prove nothing about their items").toEqual([]);
    succeeded.add(operation.name);
  });

  it.each(withoutKey(operation))(
    "ignores an Idempotency-Key that the description does not mention",
    async () => {
      const headers = { "idempotency-key": USED_BEFORE };
      const { status, text } = await send(service, { ...succeeding(operation), headers });
      expect(status, text).not.toBe(422);
    },
  );

  it.each(refusalsOf(operation))("refuses $what as described", async ({ status, change }) => {
    const message = { ...sampleRequest(operation), key: service.keys.admin, ...change() };
    const answer = await send(service, message);
    expect(answer.status, answer.text).toBe(status);
    description.expectAnswer(operation, answer);
  });
});

/** The operation, if it creates something and its description has no `Idempotency-Key`. */
function withoutKey(operation: OperationShape): OperationShape[] {
  return operation.method === "POST" && !operation.takesIdempotencyKey ? [operation] : [];
}

interface Refusal {
  readonly what: string;
  readonly status: number;
  /** Differences between the request and a valid one. */
  readonly change: () => Partial<RequestToSend>;
}

/** Ways to make an operation refuse a request. */
function refusalsOf(operation: OperationShape): Refusal[] {
  const { path, access, body, errors, deniesUnknownOrg, takesIdempotencyKey } = operation;
  const refusals: Refusal[] = [];
  const add = (what: string, status: number, change: Refusal["change"]) =>
    refusals.push({ what, status, change });
  if (path.includes("{org}")) {
    add("a key from elsewhere", 403, () => ({ key: service.keys.stranger }));
    add("an unknown organization", deniesUnknownOrg ? 403 : 404, () => ({
      path: sampleRequest(operation, "nowhere").path,
    }));
  }
  if (!isAllowed("reader", access)) add("too low a role", 403, () => ({ key: service.keys.reader }));
  if (body) {
    add("a body that is not JSON", 400, () => (body.kind === "json" ? { raw: "{" } : { form: "{" }));
    add("a body that is compressed", 415, () => ({ headers: { "content-encoding": "br" } }));
  }
  if (takesIdempotencyKey) {
    const headers = { "idempotency-key": USED_BEFORE };
    add("the Idempotency-Key of another request", 422, () => ({ ...succeeding(operation), headers }));
  }
  if (errors?.[404] && /\{(?!org)/.test(path)) {
    add("what speaks of something that is not there", 404, () => missing(operation));
  }
  return refusals;
}

/** A request that names a missing resource. */
function missing(operation: OperationShape): Partial<RequestToSend> {
  const { path, form } = sampleRequest(operation);
  // An attestation creates the flow and the trail, but not the artifact.
  if (form && operation.path.startsWith("/attestations")) {
    return { form: { ...form, artifact_fingerprint: UNKNOWN_FP } };
  }
  return {
    path: path
      .replaceAll("/sample", "/nowhere")
      .replaceAll(/\/1\b/g, "/999")
      .replace(FP, UNKNOWN_FP)
      .replace(COMMIT, "d".repeat(40)),
  };
}

/** The empty lists of a response that is a list or contains one with its paging. */
function emptyLists({ name }: OperationShape, body: unknown): string[] {
  if (Array.isArray(body)) return body.length === 0 ? ["the answer"] : [];
  const lists = name.startsWith("list") ? Object.entries(Object(body)) : [];
  return lists.flatMap(([key, value]) => (Array.isArray(value) && value.length === 0 ? [key] : []));
}

describe("the whole run", () => {
  it("has seen every operation succeed", () => {
    expect(every.map(({ name }) => name).filter((name) => !succeeded.has(name))).toEqual([]);
  });

  it("would detect an undescribed response", () => {
    const check = description.checkOf({ $ref: "#/components/schemas/ListReposAnswer" });
    const whole = { page: 1, per_page: 15, total_pages: 0, total_count: 0, repos: [] };
    expect(check(whole)).toBe(true);
    expect(check({ ...whole, page: "1" })).toBe(false);
    expect(check({ ...whole, surplus: ORG })).toBe(false);
  });

  it("would detect an undescribed request", () => {
    const check = description.checkOf({ $ref: "#/components/schemas/AttestGenericRequest" });
    expect(check({ attestation_name: "unit", is_compliant: true })).toBe(true);
    expect(check({ attestation_name: "a b", is_compliant: true })).toBe(false);
    expect(check({ attestation_name: "unit", is_compliant: true, surplus: 1 })).toBe(false);
  });
});
