import { expect, test } from "vitest";
import { evaluateOnService } from "../../../src/actions/evaluate/on-service.ts";
import { noResult } from "../../../src/actions/evaluate/outcome.ts";
import { ApiError } from "../../../src/api/client/errors.ts";
import type { PolicyFault } from "../../../src/evidence/rego/verdict.ts";
import type { ActionContext } from "../../../src/github/step/action.ts";
import { Deadline } from "../../../src/net/deadline.ts";

const ENFORCEMENT = { warnOnly: false, effectiveFrom: null };
const POLICY = { name: "release", files: { "policy.rego": "", "lib/x.rego": "" }, enforcement: ENFORCEMENT };
const SUBJECT = { trails: [{ flow: "web", trail: "v1" }] };
const PENDING = {
  ...{ id: "e1", status: "pending", requestedAt: 1, recordedAt: null },
  ...{ result: null, error: null, decisionAttestationId: "" },
};

const NOT_ENABLED = new ApiError({
  ...{ what: "The service does not evaluate policies", code: "evaluation.not_enabled", status: 400 },
  ...{ fieldErrors: {}, requestId: "r1", attempts: 1 },
});

/** Evaluates with a service that gives these responses in turn; the last one repeats. Without any, it has no opa. */
async function evaluated(answers: readonly object[], seconds: number) {
  const calls: string[] = [];
  const { signal } = new AbortController();
  const context = {
    async call({ name }: { name: string }) {
      calls.push(name);
      if (answers.length === 0) throw NOT_ENABLED;
      return { body: answers[Math.min(calls.length, answers.length) - 1] };
    },
    connection: {
      async within(work: (deadline: Deadline) => Promise<unknown>) {
        using deadline = new Deadline(seconds, signal);
        return await work(deadline);
      },
    },
    signal,
  };
  const values = { control: undefined, name: undefined };
  const work = evaluateOnService(
    SUBJECT,
    { policy: POLICY, params: {} },
    // It uses no other inputs without a control, and nothing else of the context.
    values as never,
    context as unknown as ActionContext,
  );
  return { calls, ended: await work.catch((fault: PolicyFault) => fault) };
}

test("a pending evaluation is requested again until it ends", async () => {
  const verdict = { allow: false, violations: ["no review"], skipped: null };
  const result = { ...verdict, engine: "opa 1.22.2", evaluatedAt: 1.5, inputDigest: "sha256:1" };
  const completed = { ...PENDING, status: "completed", recordedAt: 2, result };
  const { calls, ended } = await evaluated([PENDING, completed], 60);
  expect(calls).toEqual(["createEvaluation", "getEvaluation"]);
  expect(ended).toMatchObject({
    record: {
      ...{ engine: "opa 1.22.2", evaluated_by: "service", context: SUBJECT, evaluated_at: 1.5 },
      ...{ ...verdict, input_digest: "sha256:1" },
    },
    decision: undefined,
  });
});

test("an evaluation that does not end within the time limit gives no result", async () => {
  const { ended } = await evaluated([PENDING], 0.1);
  expect(ended).toMatchObject({ kind: "engine", message: expect.stringContaining("within 0.1 s") });
});

test("a service without opa leaves the result open", async () => {
  const { ended } = await evaluated([], 60);
  expect(ended).toMatchObject({ kind: "engine", message: "The service does not evaluate policies" });
  const { failure } = noResult(ended as PolicyFault, {}, { error() {} });
  expect(failure).toMatchObject({ code: "evaluation.not_enabled", undecided: true });
});

test.each([
  [
    "problems at lines of files",
    { kind: "policy", message: "policy.rego:3: var y is unsafe\nlib/x.rego: rego_parse_error\n\tx y" },
    "policy",
    [
      { message: "var y is unsafe", file: "policy.rego", line: 3 },
      { message: "rego_parse_error\n\tx y", file: "lib/x.rego" },
    ],
  ],
  [
    "a decision that cannot be recorded",
    { kind: "decision", message: "the trail ended" },
    "engine",
    [{ message: "the decision could not be recorded: the trail ended" }],
  ],
  ["a kind of the future", { kind: "quota", message: "later" }, "engine", [{ message: "later" }]],
])("a failed evaluation has %s", async (_, error, kind, problems) => {
  const { ended } = await evaluated([{ ...PENDING, status: "failed", error }], 60);
  expect(ended).toMatchObject({ kind, problems });
});
