import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OperationShape } from "../../../src/api/operation.ts";
import { operations } from "../../../src/api/resources/operations.ts";
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
  service = await startTestService();
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
  it("is called and answers with success as the description says", async () => {
    const message = succeeding(operation);
    description.expectRequest(operation, message);
    const answer = await send(service, message);
    description.expectAnswer(operation, answer);
    expect([200, 201], answer.text).toContain(answer.status);
    expect(emptyLists(operation, answer.body), "lists without an item say nothing of their items").toEqual(
      [],
    );
    succeeded.add(operation.name);
  });

  it.each(withoutKey(operation))(
    "heeds no Idempotency-Key, of which the description says nothing",
    async () => {
      const headers = { "idempotency-key": USED_BEFORE };
      const { status, text } = await send(service, { ...succeeding(operation), headers });
      expect(status, text).not.toBe(422);
    },
  );

  it.each(refusalsOf(operation))("refuses $what as the description says", async ({ status, change }) => {
    const message = { ...sampleRequest(operation), key: service.keys.admin, ...change() };
    const answer = await send(service, message);
    expect(answer.status, answer.text).toBe(status);
    description.expectAnswer(operation, answer);
  });
});

/** The operation, where it makes something and is not said to take an `Idempotency-Key`. */
function withoutKey(operation: OperationShape): OperationShape[] {
  return operation.method === "POST" && !operation.takesIdempotencyKey ? [operation] : [];
}

interface Refusal {
  readonly what: string;
  readonly status: number;
  /** In what the request differs from one that is right. */
  readonly change: () => Partial<RequestToSend>;
}

/** How an operation can be made to refuse. */
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
  if (access !== "read" && access !== "public")
    add("too low a role", 403, () => ({ key: service.keys.reader }));
  if (body) {
    add("a body that is no JSON", 400, () => (body.kind === "json" ? { raw: "{" } : { form: "{" }));
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

/** A request that speaks of something that is not there. */
function missing(operation: OperationShape): Partial<RequestToSend> {
  const { path, form } = sampleRequest(operation);
  // Attesting makes the flow and the trail, and not the artifact.
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

/** The lists of an answer that have no item, where it is a list or holds one with its paging. */
function emptyLists({ name }: OperationShape, body: unknown): string[] {
  if (Array.isArray(body)) return body.length === 0 ? ["the answer"] : [];
  const lists = name.startsWith("list") ? Object.entries(Object(body)) : [];
  return lists.flatMap(([key, value]) => (Array.isArray(value) && value.length === 0 ? [key] : []));
}

describe("the walk", () => {
  it("saw every operation succeed", () => {
    expect(every.map(({ name }) => name).filter((name) => !succeeded.has(name))).toEqual([]);
  });

  it("would see an answer of another shape", () => {
    const check = description.checkOf({ $ref: "#/components/schemas/ListReposAnswer" });
    const whole = { page: 1, per_page: 15, total_pages: 0, total_count: 0, repos: [] };
    expect(check(whole)).toBe(true);
    expect(check({ ...whole, page: "1" })).toBe(false);
    expect(check({ ...whole, surplus: ORG })).toBe(false);
  });

  it("would see a request of another shape", () => {
    const check = description.checkOf({ $ref: "#/components/schemas/AttestGenericRequest" });
    expect(check({ attestation_name: "unit", is_compliant: true })).toBe(true);
    expect(check({ attestation_name: "a b", is_compliant: true })).toBe(false);
    expect(check({ attestation_name: "unit", is_compliant: true, surplus: 1 })).toBe(false);
  });
});
