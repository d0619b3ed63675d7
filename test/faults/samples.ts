import { expect } from "vitest";
import { actions, root } from "../../src/actions/actions.ts";
import { SHA } from "../actions/bundle-run.ts";
import { trailWith } from "../actions/trail.ts";
import { COMPLIANT, DIGEST } from "../actions/verdict.ts";
import { httpServer, json, type LocalServer } from "../api/local-server.ts";
import { annotations, type EndedStep, type RunningStep, runStep, type StepCall, startStep } from "./step.ts";

const POD = {
  metadata: { name: "web-1", namespace: "shop", creationTimestamp: "2026-11-20T09:30:00Z" },
  spec: { containers: [{ name: "app", image: "reg.example/app:1" }] },
  status: {
    phase: "Running",
    containerStatuses: [
      { name: "app", image: "reg.example/app:1", imageID: `reg.example/app@sha256:${DIGEST}` },
    ],
  },
};

/** An action with all inputs it needs to succeed, and the one request it makes. */
export interface Sample {
  readonly name: string;
  readonly inputs: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  /** The service's response to a request for this path. */
  answer(path: string): unknown;
  readonly writes: boolean;
  /** A POST creates a new record each time, a PUT the same one. */
  readonly posts: boolean;
}

/** The simplest use of every action, except replay, which needs more than the service: see `replaySample`. */
export const SAMPLES: readonly Sample[] = [
  {
    name: "attest",
    inputs: { flow: "web", name: "unit", compliant: "true", attachments: "report.txt" },
    files: { "report.txt": "all is well\n" },
    answer: () => "OK",
    writes: true,
    posts: true,
  },
  { name: "begin-trail", inputs: { flow: "web" }, answer: () => "OK", writes: true, posts: false },
  {
    name: "assert-artifact",
    inputs: { fingerprint: DIGEST },
    answer: () => COMPLIANT,
    writes: false,
    posts: false,
  },
  {
    name: "report-env",
    inputs: { environment: "prod", "pods-file": "pods.json" },
    files: { "pods.json": JSON.stringify({ kind: "PodList", apiVersion: "v1", items: [POD] }) },
    answer: () => "Report processed successfully, snapshot #1 created",
    writes: true,
    posts: false,
  },
  {
    name: "comment",
    inputs: { flow: "web", "pull-request": "7" },
    answer: () => trailWith({}),
    writes: false,
    posts: false,
  },
  {
    name: "set-flow-action",
    inputs: { name: "tell", emails: "a@example.com" },
    // The action then reads the number of what it has written.
    answer: (path) => (path.endsWith("/flows") ? "OK" : []),
    writes: true,
    posts: false,
  },
  {
    name: "root",
    inputs: { operation: "listRepos" },
    answer: () => ({ page: 1, per_page: 15, total_pages: 1, total_count: 0, repos: [] }),
    writes: false,
    posts: false,
  },
  {
    name: "running-commit",
    inputs: { flow: "web", environment: "prod" },
    answer: (path) => (path.includes("/artifact-commit/") ? { commit_sha: SHA } : []),
    writes: false,
    posts: false,
  },
  {
    name: "evaluate",
    inputs: { policy: "policy.rego", trails: "web/v1", "run-on": "service" },
    files: { "policy.rego": "package policy\n\nallow := true\n" },
    answer: () => evaluationWith({ allow: true, violations: [], skipped: "a hotfix" }),
    writes: true,
    posts: true,
  },
];

/** The response after an evaluation, of a service with only the fields that each has. */
export function evaluationWith(result: {
  readonly allow: boolean;
  readonly violations: readonly string[];
  readonly skipped?: string;
}) {
  const times = { requested_at: 1_764_000_000.5, recorded_at: 1_764_000_001 };
  return { id: "e1", status: "completed", ...times, result, error: null, decision_attestation_id: "" };
}

export const WRITERS = SAMPLES.filter(({ writes }) => writes);

/** The sample of one action. */
export function sampleOf(name: string): Sample {
  return SAMPLES.find((sample) => sample.name === name) ?? expect.fail(`no sample of ${name}`);
}

/** A service that accepts everything. */
export function contentService(sample: Sample, status = 201): Promise<LocalServer> {
  return httpServer((response, { path }) => json(response, status, sample.answer(path)));
}

type Change = Partial<StepCall> & { readonly baseUrl?: string | undefined };

/** Starts the real bundle. */
export function startSample(sample: Sample, change: Change = {}): RunningStep {
  return startStep(sample.name, changed(sample, change));
}

/** Runs the real bundle to its end. */
export function runSampleBundle(sample: Sample, change: Change = {}): Promise<EndedStep> {
  return startSample(sample, change).ended;
}

/** Runs the action from its source, which costs a tenth of a bundle. */
export function runSample(sample: Sample, change: Change = {}): Promise<EndedStep> {
  return runStep(sample.name, changed(sample, change));
}

function changed(sample: Sample, { baseUrl, inputs = {}, files = {}, env = {}, ...rest }: Change): StepCall {
  return {
    inputs: { ...sample.inputs, ...(baseUrl !== undefined && { "base-url": baseUrl }), ...inputs },
    files: { ...sample.files, ...files },
    env: { ...sample.env, ...env },
    ...rest,
  };
}

/** Maximum of concurrent steps. More would only wait for each other. */
const AT_ONCE = 4;

/** Runs a check for each of the samples. A failure names the action. */
export async function each(
  samples: readonly Sample[],
  check: (sample: Sample) => Promise<unknown>,
): Promise<void> {
  const waiting = [...samples];
  const work = async () => {
    for (let sample = waiting.shift(); sample; sample = waiting.shift()) {
      try {
        await check(sample);
      } catch (error) {
        if (error instanceof Error) error.message = `${sample.name}: ${error.message}`;
        throw error;
      }
    }
  };
  // All are awaited, so that none outlives its test.
  const ended = await Promise.allSettled(Array.from({ length: AT_ONCE }, work));
  for (const one of ended) if (one.status === "rejected") throw one.reason;
}

/** Expectations common to all failures: one annotation for the cause, every output set, and no text of Node's own. */
export function expectFailure(sample: Sample, step: EndedStep, ...expected: (string | RegExp)[]): void {
  expect(step).toMatchObject({ status: 1, signal: null, stderr: "" });
  const errors = annotations(step.stdout);
  expect(errors).toHaveLength(1);
  expect(errors[0]?.length).toBeLessThanOrEqual(4096);
  for (const text of expected)
    expect(errors[0]).toMatch(text instanceof RegExp ? text : new RegExp(escaped(text)));
  expect(Object.keys(step.outputs).sort()).toEqual(outputsOf(sample.name));
  if ("compliant" in step.outputs && sample.name === "assert-artifact") {
    expect(step.outputs["compliant"]).toBe("false");
  }
}

export function expectSuccess(sample: Sample, step: EndedStep): void {
  expect(annotations(step.stdout)).toEqual([]);
  expect(step).toMatchObject({ status: 0, signal: null, stderr: "" });
  expect(Object.keys(step.outputs).sort()).toEqual(outputsOf(sample.name));
}

function outputsOf(name: string): string[] {
  const action = [...actions, root].find((one) => one.name === name);
  return Object.keys(action?.outputs ?? {}).sort();
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}
