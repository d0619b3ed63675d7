import { mkdir } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { type ActionFile, readActionFile } from "./action-file.ts";
import {
  type ActionRun,
  type PlayedAction,
  type PlayedActions,
  playedAction,
  runStep,
  type StepResult,
  stepsContext,
  writeHeader,
} from "./embedded-step.ts";
import { type ContextValue, fillTemplate } from "./expressions.ts";
import { type GitHubContext, githubContext, type Job, machineVariables, runnerContext } from "./job.ts";
import { Masks } from "./masks.ts";
import { type Annotation, StepLog } from "./step-log.ts";

export type { Annotation, GitHubContext, PlayedAction, PlayedActions };

export interface CompositeCall extends StepsCall {
  /** The folder of the action's `action.yml`. */
  actionFolder: string;
}

/** Parameters for running the steps of an action or a whole job. */
export interface StepsCall extends Job {
  /** The folder of the action; a job has none. */
  actionFolder?: string;
  /** The inputs from the workflow. */
  with?: Readonly<Record<string, string>>;
  /** Replacements for the actions that this one uses: by `owner/name`, or by `owner/name@ref`. */
  uses?: PlayedActions;
  /** Contexts available only to the steps of a job: `secrets`, `needs`, `vars`. */
  contexts?: Readonly<Record<string, ContextValue>>;
  /** Values masked by earlier steps of the job. `github.token` always is. */
  masks?: readonly string[];
}

/** The outcome of one step of a job that used a composite action. */
export interface StepRun {
  outcome: "success" | "failure";
  /** Exit code of the process that failed the step; 1 if no process did, 0 on success. */
  exitCode: number;
  outputs: Record<string, string>;
  /** The job's log as a user reads it, secrets masked. */
  log: string;
  /** The log as the run's page shows it at first, with groups closed. */
  page: string;
  annotations: Annotation[];
  /** All masked values so far, to pass to the next step of the job. */
  masks: string[];
  /** Markdown, secrets masked. */
  summary: string;
  /** Content of GITHUB_ENV and GITHUB_PATH for later steps of the job. */
  env: Record<string, string>;
  path: string[];
  /** Results of the inner steps that have an id. */
  steps: Record<string, StepResult>;
  /** Output of the programs, including secrets. */
  rawStdout: string;
  rawStderr: string;
}

/**
 * Runs a composite action as one step of a job, the way GitHub's runner does, on this machine.
 *
 * An action that fails is a result, not an exception.
 *
 * @throws only if GitHub would not start it: the action file is invalid, or an action used within
 * is missing.
 *
 * @example
 * const { outcome, log } = await runComposite({ actionFolder: "actions/attest", with: { flow: "web"
 * }, workspace, tempDir });
 */
export async function runComposite(call: CompositeCall): Promise<StepRun> {
  const actionFolder = resolve(call.actionFolder);
  return await runSteps(await readActionFile(actionFolder), { ...call, actionFolder });
}

/**
 * Runs the steps of an action, or of a job written as one.
 *
 * @throws only if GitHub would not start them: an action used within is missing
 */
export async function runSteps(action: ActionFile, given: StepsCall): Promise<StepRun> {
  const call = { ...given, workspace: resolve(given.workspace), tempDir: resolve(given.tempDir) };
  for (const step of action.runs.steps) {
    // As on GitHub, every action must exist before the first step, whatever the condition of its step.
    if ("uses" in step) playedAction(step.uses, call.uses);
  }
  await mkdir(call.tempDir, { recursive: true });
  const run = await startRun(call);
  const { log, masks } = run;
  let outputs: Record<string, string> = {};
  try {
    run.inputs = resolveInputs(action, call.with ?? {}, run);
    writeHeader(log, basename(call.actionFolder ?? "job"), { with: run.inputs, env: call.env ?? {} });
    for (const step of action.runs.steps) await runStep(step, run);
    outputs = mapOutputs(action, run);
  } catch (error) {
    log.annotate("error", error instanceof Error ? error.message : String(error));
    run.failed = true;
  }
  const { env, path, steps, rawStdout, rawStderr } = run;
  return {
    outcome: run.failed ? "failure" : "success",
    exitCode: run.failed ? run.exitCode || 1 : 0,
    outputs,
    log: text(log.lines),
    page: text(log.page),
    annotations: log.annotations,
    masks: masks.values,
    summary: run.summaries.join("\n"),
    env,
    path,
    steps,
    rawStdout,
    rawStderr,
  };
}

function text(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}

async function startRun(call: StepsCall): Promise<ActionRun> {
  const token = call.github?.["token"];
  const masks = new Masks([...(call.masks ?? []), ...(typeof token === "string" ? [token] : [])]);
  return {
    job: call,
    contexts: {
      ...call.contexts,
      github: await githubContext(call, call.actionFolder ?? ""),
      runner: runnerContext(call),
      job: { status: "success" },
      strategy: {},
      matrix: {},
    },
    machine: machineVariables(call),
    masks,
    log: new StepLog(masks, { debug: call.debug === true }),
    inputs: {},
    steps: {},
    env: {},
    path: [],
    summaries: [],
    rawStdout: "",
    rawStderr: "",
    failed: false,
    exitCode: 0,
  };
}

/** The inputs for the steps: the given ones, with a warning for each unknown one, and the defaults. */
function resolveInputs(
  { inputs: declared = {} }: ActionFile,
  given: Readonly<Record<string, string>>,
  { contexts, log }: ActionRun,
): Record<string, string> {
  const inputs = { ...given };
  // Input names are case-insensitive.
  const names = new Set(Object.keys(given).map((name) => name.toLowerCase()));
  for (const [name, input] of Object.entries(declared)) {
    if (!names.delete(name.toLowerCase())) {
      inputs[name] = fillTemplate(input?.default ?? "", { contexts });
    } else if (input?.deprecationMessage !== undefined) {
      log.annotate(
        "warning",
        `Input '${name}' has been deprecated with message: ${input.deprecationMessage}`,
      );
    }
  }
  if (names.size > 0) {
    const unexpected = Object.keys(given).filter((name) => names.has(name.toLowerCase()));
    const valid = Object.keys(declared);
    log.annotate("warning", `Unexpected input(s) ${quoted(unexpected)}, valid inputs are [${quoted(valid)}]`);
  }
  return inputs;
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `'${name}'`).join(", ");
}

/** The outputs of the action. They are set even after a failure, from the finished steps. */
function mapOutputs({ outputs = {} }: ActionFile, run: ActionRun): Record<string, string> {
  const { inputs, env } = run;
  const contexts = {
    ...run.contexts,
    inputs,
    steps: stepsContext(run.steps),
    env: { ...run.job.env, ...env },
  };
  return Object.fromEntries(
    Object.entries(outputs).map(([name, { value }]) => [name, fillTemplate(value, { contexts })]),
  );
}
