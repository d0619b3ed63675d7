import type { GitHubContext } from "../../../scripts/composite/composite.ts";
import {
  type ContextValue,
  conditionHolds,
  fillTemplate,
  type Scope,
} from "../../../scripts/composite/expressions.ts";
import { isObject } from "../../../src/api/untyped.ts";
import { calledFile, callOf, type Job, type NamedText, readWorkflow } from "../workflow-files.ts";
import { type JobRun, type Machine, runJob, SKIPPED } from "./job-run.ts";

/** Data of a workflow run from its repository, its event and its machines. */
export interface WorkflowCall {
  readonly github: GitHubContext;
  readonly secrets: Readonly<Record<string, string>>;
  readonly vars?: Readonly<Record<string, string>>;
  readonly inputs?: Readonly<Record<string, string | boolean>>;
  /** Additional data of a job that may request tokens from GitHub. */
  readonly idToken?: Readonly<Record<string, string>>;
  /** Permissions that the calling job grants to those of a called workflow. */
  readonly granted?: Job["permissions"];
  /** Jobs of an earlier attempt of the run, which are not repeated. */
  readonly done?: JobRuns;
  /** Set for every job, also of a called workflow, in place of the workflow's own values. */
  readonly env: Readonly<Record<string, string>>;
  machine(): Promise<Machine>;
}

export type JobRuns = Readonly<Record<string, JobRun>>;

/** Runs the jobs of a workflow one after the other, each when the jobs it needs are done and its condition is true. */
export async function runWorkflow(file: NamedText, { done = {}, ...call }: WorkflowCall): Promise<JobRuns> {
  const workflow = readWorkflow(file);
  const runs: Record<string, JobRun> = { ...done };
  const waiting = new Map(Object.entries(workflow.jobs).filter(([id]) => !(id in done)));
  while (waiting.size > 0) {
    const next = [...waiting].find(([, job]) => needsOf(job).every((need) => need in runs));
    if (next === undefined) throw new Error(`${file.name}: jobs need each other: ${[...waiting.keys()]}`);
    const [id, job] = next;
    waiting.delete(id);
    const permissions = job.permissions ?? workflow.permissions ?? call.granted;
    const given = { ...call, granted: permissions, runs, workflowEnv: textsOf(workflow["env"]) };
    runs[id] = await runOne(id, job, given);
  }
  return runs;
}

interface OneCall extends WorkflowCall {
  readonly runs: JobRuns;
  readonly workflowEnv: Readonly<Record<string, string>>;
}

async function runOne(id: string, job: Job, call: OneCall): Promise<JobRun> {
  const { github, secrets, vars = {}, inputs = {}, runs } = call;
  const needed = needsOf(job).map((need): [string, JobRun] => [need, runs[need] ?? SKIPPED]);
  const needs = Object.fromEntries(
    needed.map(([need, { result, outputs }]): [string, ContextValue] => [need, { result, outputs }]),
  );
  const contexts = { secrets, vars, needs };
  const scope: Scope = { contexts: { ...contexts, github, inputs } };
  const failed = needed.some(([, { result }]) => result !== "success");
  const condition = { ...scope, status: { failed, cancelled: false } };
  if (!conditionHolds(String(job["if"] ?? ""), condition)) return SKIPPED;
  const fill = (texts: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, fillTemplate(text, scope)]));

  if (job.uses !== undefined) return await runCalled(job, call, fill);
  return await runJob({
    id,
    job,
    github,
    contexts,
    inputs: textsOf(inputs),
    machine: await call.machine(),
    env: {
      ...fill(call.workflowEnv),
      ...fill(textsOf(job["env"])),
      ...call.env,
      ...(textsOf(call.granted)["id-token"] === "write" && call.idToken),
    },
  });
}

/** Runs one of our workflows that a job calls, and returns the result as one job. */
async function runCalled(
  job: Job,
  call: OneCall,
  fill: (texts: Readonly<Record<string, string>>) => Readonly<Record<string, string>>,
): Promise<JobRun> {
  const file = calledFile(job.uses ?? "");
  if (file === undefined) throw new Error(`There is no workflow ${job.uses}`);
  const called = callOf(readWorkflow(file));
  const given = fill(textsOf(job.with));
  const inputs: Record<string, string | boolean> = {};
  for (const [name, { type, default: usual = "" }] of Object.entries(called?.inputs ?? {})) {
    const text = given[name] ?? String(usual);
    inputs[name] = type === "boolean" ? text === "true" : text;
  }
  const secrets = fill(textsOf(job.secrets));
  const runs = await runWorkflow(file, { ...call, inputs, secrets });
  const all = Object.values(runs);
  const contexts = {
    jobs: Object.fromEntries(Object.entries(runs).map(([id, { outputs }]) => [id, { outputs }])),
  };
  const outputs = Object.entries(called?.outputs ?? {}).map(
    ([name, { value }]) => [name, fillTemplate(value, { contexts })] as const,
  );
  return {
    result: all.some(({ result }) => result === "failure") ? "failure" : "success",
    outputs: Object.fromEntries(outputs),
    printed: all.map(({ printed }) => printed).join(""),
    annotations: all.flatMap(({ annotations }) => annotations),
  };
}

function needsOf({ needs = [] }: Job): readonly string[] {
  return [needs].flat();
}

function textsOf(given: unknown): Record<string, string> {
  if (!isObject(given)) return {};
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value ?? "")]));
}
