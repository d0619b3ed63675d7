import {
  calledFile,
  callOf,
  type Job,
  type NamedText,
  type RequiredPermission,
  readWorkflow,
  requiredPermissions,
  type WorkflowCall,
} from "./workflow-files.ts";

const LEVELS = ["none", "read", "write"];

/** Errors in a workflow's calls that GitHub's parser does not report: types, permissions and outputs. */
export function callProblems(file: NamedText): string[] {
  const { jobs, permissions } = readWorkflow(file);
  return Object.entries(jobs).flatMap(([id, job]) => {
    const problems: string[] = outputProblems(job, jobs);
    const called = calledFile(job.uses ?? "");
    if (called !== undefined) {
      const workflow = readWorkflow(called);
      problems.push(...typeProblems(job, callOf(workflow) ?? {}));
      const required = requiredPermissions(called).filter((one) => isNeeded(one, job));
      problems.push(...lackingPermissions(job.permissions ?? permissions, required));
    }
    return problems.map((problem) => `${file.name}, job ${id}: ${problem}`);
  });
}

/** Literal values must have the input's type. The type of an expression is known only at run time. */
function typeProblems({ with: given = {} }: Job, { inputs = {} }: WorkflowCall): string[] {
  return Object.entries(given).flatMap(([name, value]) => {
    const type = inputs[name]?.type;
    const isExpression = typeof value === "string" && value.includes("${{");
    return type === undefined || isExpression || typeof value === type ? [] : [`${name} must be a ${type}`];
  });
}

/** Some permissions are needed only by callers that set an input or a secret, or only by those that do not. */
function isNeeded({ only }: RequiredPermission, { with: inputs, secrets }: Job): boolean {
  const given = { ...inputs, ...(typeof secrets === "object" && secrets) };
  return only === undefined || only.name in given === only.given;
}

function lackingPermissions(granted: Job["permissions"], required: readonly RequiredPermission[]): string[] {
  if (granted === undefined) return ["says nothing of permissions, and so grants what the repository does"];
  if (typeof granted === "string") return [];
  return required.flatMap(({ scope, level }) =>
    LEVELS.indexOf(granted[scope] ?? "none") < LEVELS.indexOf(level)
      ? [`does not grant ${scope}: ${level}`]
      : [],
  );
}

/** Every `needs.job.outputs.name` of one of our called workflows must be one of its outputs. */
function outputProblems(job: Job, jobs: Readonly<Record<string, Job>>): string[] {
  const needed = [job.needs ?? []].flat();
  return [...JSON.stringify(job).matchAll(/needs\.([\w-]+)\.outputs\.([\w-]+)/g)].flatMap(
    ([, id = "", name = ""]) => {
      if (!needed.includes(id)) return [`uses the outputs of ${id}, which it does not need`];
      const source = jobs[id];
      const called = calledFile(source?.uses ?? "");
      const outputs = called === undefined ? source?.outputs : callOf(readWorkflow(called))?.outputs;
      return outputs !== undefined && name in outputs ? [] : [`${id} has no output ${name}`];
    },
  );
}
