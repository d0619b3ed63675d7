import { actions, root as rootAction } from "../../src/actions/actions.ts";
import { connect } from "../../src/api/client/connection.ts";
import { InputError, type InputProblem } from "../../src/api/client/errors.ts";
import { isObject } from "../../src/api/untyped.ts";
import { type Action, allInputs, sharedInputs } from "../../src/github/step/action.ts";
import type { ValuesOf } from "../../src/github/step/input.ts";
import { readInputs } from "../../src/github/step/inputs.ts";
import { type NamedText, REPOSITORY, readWorkflow } from "../workflows/workflow-files.ts";
import { evaluated, withStandIns } from "./stand-ins.ts";

/** A step that uses one of our actions. */
export interface ActionCall {
  /** The job, and the step by its number. */
  readonly where: string;
  readonly uses: string;
  /** Undefined for an unknown action. */
  readonly action: Action | undefined;
  readonly texts: Readonly<Record<string, string>>;
  /** The variables that the workflow, the job and the step set. */
  readonly env: Readonly<Record<string, string>>;
  /** The job may request a token from GitHub instead of a key. */
  readonly hasToken: boolean;
}

/** Parts that a fragment on a page may leave to the job around it. */
export const USUAL_ENV = { EVIDENCE_API_KEY: "key", EVIDENCE_ORG: "acme", EVIDENCE_FLOW: "web" };

/** Every step of a workflow that uses one of our actions. */
export function callsIn(file: NamedText): ActionCall[] {
  const workflow = readWorkflow(file);
  return Object.entries(workflow.jobs).flatMap(([id, job]) =>
    (job.steps ?? []).flatMap((step, index) => {
      const { uses = "" } = step;
      if (!uses.startsWith(`${REPOSITORY}/`) && !uses.startsWith(`${REPOSITORY}@`)) return [];
      return {
        where: `job ${id}, step ${index + 1}`,
        uses,
        action: actionOf(uses),
        texts: textsOf(step.with),
        hasToken: textsOf(job.permissions ?? workflow.permissions)["id-token"] === "write",
        env: evaluatedAll({ ...textsOf(workflow["env"]), ...textsOf(job["env"]), ...textsOf(step["env"]) }),
      };
    }),
  );
}

function actionOf(uses: string): Action | undefined {
  const path = uses.slice(REPOSITORY.length).replace(/@.*$/, "");
  if (path === "") return rootAction;
  return actions.find(({ name }) => path === `/actions/${name}`);
}

function textsOf(given: unknown): Record<string, string> {
  if (!isObject(given)) return {};
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value ?? "")]));
}

function evaluatedAll(texts: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, evaluated(text)]));
}

/** The errors of the action itself for the inputs of a step, before it sends anything. */
export async function callProblems(call: ActionCall): Promise<string[]> {
  const { where, uses, action, texts, env, hasToken } = call;
  if (action === undefined) return [`${where}: there is no ${uses}`];
  const inputs = allInputs(action);
  const unknown = Object.keys(texts).filter((name) => !Object.hasOwn(inputs, name));
  const problems: InputProblem[] = unknown.map((input) => ({ input, problem: "is no input" }));
  const values = withStandIns(inputs, texts);
  const own = readInputs(action.inputs, values, env);
  const shared = readInputs(sharedInputs, values, env);
  const checked = await action.check(own.values, own.given);
  problems.push(...own.problems, ...("problems" in checked ? checked.problems : []), ...shared.problems);
  if (problems.length === 0) problems.push(...connectionProblems(shared.values, hasToken));
  return problems.map(({ input, problem }) => `${where}: ${input} ${problem}`);
}

/** Preparing a connection sends nothing. */
function connectionProblems(
  { region, baseUrl, apiKey, authScheme, ...rest }: ValuesOf<typeof sharedInputs>,
  hasToken: boolean,
): readonly InputProblem[] {
  const provesItself = apiKey === "" && hasToken && baseUrl !== undefined;
  const accessTokens = { current: async () => "" };
  const credentials = provesItself ? { accessTokens } : { apiKey, authScheme };
  try {
    connect({
      ...rest,
      ...credentials,
      // A single step leaves the service to the variables of its job.
      region: region ?? "eu",
      ...(baseUrl !== undefined && { baseUrl }),
    });
    return [];
  } catch (error) {
    if (error instanceof InputError) return error.problems;
    throw error;
  }
}

/** References to unknown outputs of our actions, by steps of the same block. */
export function outputProblems(file: NamedText): string[] {
  const { jobs } = readWorkflow(file);
  return Object.entries(jobs).flatMap(([id, job]) =>
    [...JSON.stringify(job).matchAll(/steps\.([\w-]+)\.outputs\.([\w-]+)/g)].flatMap(
      ([, stepId = "", output = ""]) => {
        const source = (job.steps ?? []).find((step) => step["id"] === stepId);
        const action = source?.uses?.startsWith(REPOSITORY) ? actionOf(source.uses) : undefined;
        return action === undefined || output in action.outputs
          ? []
          : [`job ${id}: ${action.name} has no output ${output}`];
      },
    ),
  );
}
