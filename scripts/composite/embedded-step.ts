import { stat } from "node:fs/promises";
import { delimiter, resolve } from "node:path";
import type { RunStep, UsesStep } from "./action-file.ts";
import { type ContextValue, conditionHolds, fillTemplate, type Scope } from "./expressions.ts";
import { createStepFiles, fileVariables, type StepFiles } from "./file-commands.ts";
import { type Job, runnerVariables } from "./job.ts";
import { type Effects, obeyFiles } from "./step-effects.ts";
import type { StepLog } from "./step-log.ts";
import { runScript, SHELL_ARGUMENTS } from "./step-process.ts";

/** Result of a step within an action. `conclusion` is `success` if a failure was allowed. */
export interface StepResult {
  outcome: "success" | "failure" | "skipped";
  conclusion: "success" | "failure" | "skipped";
  outputs: Record<string, string>;
}

/** Replaces an action that a composite action uses. */
export type PlayedAction = (use: {
  uses: string;
  with: Readonly<Record<string, string>>;
  env: Readonly<Record<string, string>>;
  workspace: string;
}) => Promise<{
  outcome: "success" | "failure";
  outputs?: Readonly<Record<string, string>>;
  /** Its output, whose workflow commands are executed. */
  stdout?: string;
}>;

export type PlayedActions = Readonly<Record<string, PlayedAction>>;

/** State that the steps of one action share. */
export interface ActionRun extends Effects {
  readonly job: Job & { uses?: PlayedActions };
  /** `github`, `runner`, `job`, `strategy` and `matrix`. */
  readonly contexts: Readonly<{ github: Record<string, ContextValue>; runner: Record<string, string> }> &
    Readonly<Record<string, ContextValue>>;
  readonly machine: Readonly<Record<string, string>>;
  inputs: Record<string, string>;
  readonly steps: Record<string, StepResult>;
  rawStdout: string;
  rawStderr: string;
  failed: boolean;
  /** Exit code of the last step that failed the action; 0 if none did. */
  exitCode: number;
}

interface Ended {
  succeeded: boolean;
  exitCode?: number;
  outputs: Record<string, string>;
}

/**
 * Finds the replacement of an action.
 *
 * @throws when there is none, because the action would otherwise be skipped silently
 */
export function playedAction(uses: string, played: PlayedActions = {}): PlayedAction {
  const action = played[uses] ?? played[uses.replace(/@.*$/, "")];
  if (action === undefined) throw new Error(`The action uses '${uses}', which has no replacement here`);
  return action;
}

/** Runs one step if its condition is true, and records its result. */
export async function runStep(step: RunStep | UsesStep, run: ActionRun): Promise<void> {
  const { log } = run;
  let ended: Ended | undefined;
  let forgiven = false;
  try {
    const env = { ...run.job.env, ...run.env };
    const scope = (): Scope => ({
      contexts: { ...run.contexts, inputs: run.inputs, steps: stepsContext(run.steps), env },
      status: { failed: run.failed, cancelled: false },
    });
    const own = Object.entries(step.env ?? {}).map(
      ([name, text]) => [name, fillTemplate(text, scope())] as const,
    );
    Object.assign(env, Object.fromEntries(own));
    if (conditionHolds(step.if ?? "", scope())) {
      forgiven = fillTemplate(step["continue-on-error"] ?? "", scope()) === "true";
      ended =
        "uses" in step ? await useAction(step, scope(), env, run) : await runCommand(step, scope(), env, run);
    }
  } catch (error) {
    log.annotate("error", error instanceof Error ? error.message : String(error));
    ended = { succeeded: false, outputs: {} };
  }
  const succeeded = ended === undefined || (ended.succeeded && !log.commandFailed);
  log.commandFailed = false;
  if (!succeeded && !forgiven) {
    run.failed = true;
    run.exitCode = ended?.exitCode || 1;
  }
  if (step.id === undefined) return;
  const outcome = ended === undefined ? "skipped" : succeeded ? "success" : "failure";
  const conclusion = outcome === "failure" && forgiven ? "success" : outcome;
  run.steps[step.id] = { outcome, conclusion, outputs: ended?.outputs ?? {} };
}

/** The `steps` context: results by id, as expression values. */
export function stepsContext(steps: Readonly<Record<string, StepResult>>): Record<string, ContextValue> {
  return Object.fromEntries(Object.entries(steps).map(([id, result]) => [id, { ...result }]));
}

/** Writes the runner's header of a step or an action. */
export function writeHeader(
  log: StepLog,
  title: string,
  sections: {
    lines?: readonly string[];
    with?: Readonly<Record<string, string>>;
    env?: Readonly<Record<string, string>>;
  },
): void {
  log.openGroup(`Run ${title}`);
  for (const line of sections.lines ?? []) log.write(line);
  for (const section of ["with", "env"] as const) {
    const values = Object.entries(sections[section] ?? {}).filter(
      ([, value]) => section === "env" || value !== "",
    );
    if (values.length > 0) log.write(`${section}:`);
    for (const [name, value] of values) log.write(`  ${name}: ${value}`);
  }
  log.closeGroup();
}

async function useAction(
  step: UsesStep,
  scope: Scope,
  env: Readonly<Record<string, string>>,
  run: ActionRun,
): Promise<Ended> {
  const given = Object.entries(step.with ?? {}).map(
    ([name, text]) => [name, fillTemplate(text, scope)] as const,
  );
  const inputs = Object.fromEntries(given);
  writeHeader(run.log, step.uses, { with: inputs, env });
  const play = playedAction(step.uses, run.job.uses);
  const {
    outcome,
    outputs = {},
    stdout = "",
  } = await play({
    uses: step.uses,
    with: inputs,
    env,
    workspace: run.job.workspace,
  });
  run.log.outputs.clear();
  for (const line of stdout.split(/\r?\n/)) if (line !== "") run.log.read(line);
  run.rawStdout += stdout;
  return {
    succeeded: outcome === "success",
    outputs: { ...Object.fromEntries(run.log.outputs), ...outputs },
  };
}

async function runCommand(
  step: RunStep,
  scope: Scope,
  env: Readonly<Record<string, string>>,
  run: ActionRun,
): Promise<Ended> {
  const { job, log } = run;
  const script = fillTemplate(step.run, scope);
  const workingDirectory = resolve(job.workspace, fillTemplate(step["working-directory"] ?? "", scope));
  const [title = ""] = script.trimStart().split("\n");
  const shell = `shell: ${step.shell} ${SHELL_ARGUMENTS[step.shell].join(" ")} {0}`;
  writeHeader(log, title, { lines: [...script.trimEnd().split("\n"), shell], env });
  // A missing folder would otherwise be reported as a missing shell.
  await stat(workingDirectory);
  const files = await createStepFiles(job.tempDir);
  log.outputs.clear();
  const { exitCode, stdout, stderr } = await runScript({
    shell: step.shell,
    script,
    workingDirectory,
    env: stepVariables(env, files, run),
    tempDir: job.tempDir,
    onLine: (line) => log.read(line),
  });
  run.rawStdout += stdout;
  run.rawStderr += stderr;
  if (exitCode !== 0) log.annotate("error", `Process completed with exit code ${exitCode}.`);
  const outputs = Object.fromEntries(log.outputs);
  const understood = await obeyFiles(files, outputs, run);
  return { succeeded: exitCode === 0 && understood, exitCode, outputs };
}

/** Environment of a step. A workflow cannot change the runner's variables. */
function stepVariables(
  env: Readonly<Record<string, string>>,
  files: StepFiles,
  run: ActionRun,
): Record<string, string> {
  const variables = {
    ...run.machine,
    ...env,
    ...runnerVariables(run.contexts.github, run.contexts.runner),
    ...fileVariables(files),
  };
  // A job's PATH is already in the machine's PATH, after the folder of Node.
  const path = env["PATH"] === run.job.env?.["PATH"] ? run.machine["PATH"] : env["PATH"];
  return { ...variables, PATH: [...run.path, path ?? ""].join(delimiter) };
}
