import { fileURLToPath } from "node:url";
import { parseActionFile } from "../../../scripts/composite/action-file.ts";
import {
  type Annotation,
  type GitHubContext,
  type PlayedAction,
  type PlayedActions,
  runComposite,
  runSteps,
} from "../../../scripts/composite/composite.ts";
import type { ContextValue } from "../../../scripts/composite/expressions.ts";
import { type Job, REPOSITORY } from "../workflow-files.ts";

/** A machine for one job: its folders, and simulations of third-party actions. */
export interface Machine {
  readonly workspace: string;
  readonly tempDir: string;
  readonly played: PlayedActions;
}

export interface JobCall {
  readonly id: string;
  readonly job: Job;
  readonly machine: Machine;
  readonly github: GitHubContext;
  readonly env: Readonly<Record<string, string>>;
  readonly inputs: Readonly<Record<string, string>>;
  /** `secrets`, `needs` and `vars`. */
  readonly contexts: Readonly<Record<string, ContextValue>>;
}

export interface JobRun {
  readonly result: "success" | "failure" | "skipped";
  readonly outputs: Readonly<Record<string, string>>;
  /** Output of its own commands. */
  readonly printed: string;
  /** Summary of its steps, and of the actions they use. */
  readonly annotations: readonly Annotation[];
}

export const SKIPPED: JobRun = { result: "skipped", outputs: {}, printed: "", annotations: [] };

/** Runs the steps of a job with our actions from this repository. */
export async function runJob({ id, job, machine, ...call }: JobCall): Promise<JobRun> {
  const annotations: Annotation[] = [];
  const { workspace, tempDir, played } = machine;
  const secrets = Object.values(call.contexts["secrets"] ?? {}).filter(
    (secret) => typeof secret === "string",
  );
  const masks = secrets.filter((secret) => secret !== "");
  const ours: PlayedAction = async ({ uses, with: inputs, env }) => {
    const actionFolder = folderOf(uses);
    const run = await runComposite({
      ...{ actionFolder, with: inputs, env, workspace, tempDir, github: call.github, uses: played, masks },
    });
    annotations.push(...run.annotations);
    return { outcome: run.outcome, outputs: run.outputs };
  };
  const names = (job.steps ?? []).flatMap(({ uses = "" }) => (isOurs(uses) ? [uses] : []));
  const run = await runSteps(actionOf(id, job, Object.keys(call.inputs)), {
    ...{ workspace, tempDir, masks, github: call.github, env: call.env, contexts: call.contexts },
    with: call.inputs,
    uses: { ...played, ...Object.fromEntries(names.map((name) => [name, ours])) },
  });
  annotations.push(...run.annotations);
  return { result: run.outcome, outputs: run.outputs, printed: run.rawStdout, annotations };
}

/** The steps of a job as those of a composite action. Only the shell differs, which a job need not set. */
function actionOf(name: string, { steps = [], outputs = {} }: Job, inputs: readonly string[]) {
  return parseActionFile(name, {
    name,
    inputs: Object.fromEntries(inputs.map((input) => [input, null])),
    outputs: Object.fromEntries(Object.entries(outputs).map(([output, value]) => [output, { value }])),
    runs: {
      using: "composite",
      steps: steps.map((step) => (step.run === undefined ? step : { shell: "bash", ...step })),
    },
  });
}

function isOurs(uses: string): boolean {
  return uses.startsWith(`${REPOSITORY}/`) || uses.startsWith("$/");
}

function folderOf(uses: string): string {
  const path = uses.replace(/@.*$/, "").replace(/^\$\//, "").replace(`${REPOSITORY}/`, "");
  return fileURLToPath(new URL(`../../../${path}`, import.meta.url));
}
