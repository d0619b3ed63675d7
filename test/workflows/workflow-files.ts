import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import * as z from "zod/mini";
import { newestRelease } from "../../scripts/release/newest-release.ts";

/** A file of the repository. */
export interface NamedText {
  /** For messages: a path, or a path and the number of a block. */
  readonly name: string;
  readonly text: string;
}

/** The name by which callers know this repository. */
export const REPOSITORY = newestRelease.repository;

const permissions = z.union([z.string(), z.record(z.string(), z.string())]);
const given = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));
const step = z.looseObject({
  uses: z.optional(z.string()),
  run: z.optional(z.string()),
  with: z.optional(given),
});
const job = z.looseObject({
  uses: z.optional(z.string()),
  needs: z.optional(z.union([z.string(), z.array(z.string())])),
  permissions: z.optional(permissions),
  "timeout-minutes": z.optional(z.number()),
  outputs: z.optional(z.record(z.string(), z.string())),
  with: z.optional(given),
  secrets: z.optional(z.union([z.string(), z.record(z.string(), z.string())])),
  steps: z.optional(z.array(step)),
});
const callInput = z.looseObject({
  description: z.string(),
  type: z.enum(["string", "number", "boolean"]),
  required: z.optional(z.boolean()),
  default: z.optional(z.union([z.string(), z.number(), z.boolean()])),
});
const call = z.looseObject({
  inputs: z.optional(z.record(z.string(), callInput)),
  secrets: z.optional(z.record(z.string(), z.looseObject({ required: z.optional(z.boolean()) }))),
  outputs: z.optional(z.record(z.string(), z.looseObject({ description: z.string(), value: z.string() }))),
});
const workflow = z.looseObject({
  on: z.union([
    z.string(),
    z.array(z.string()),
    z.looseObject({ workflow_call: z.optional(z.nullable(call)) }),
  ]),
  permissions: z.optional(permissions),
  concurrency: z.optional(z.unknown()),
  jobs: z.record(z.string(), job),
});

export type Job = z.infer<typeof job>;
export type WorkflowCall = z.infer<typeof call>;
export type Workflow = z.infer<typeof workflow>;

/** A workflow as data. GitHub's own parser checks its meaning. */
export function readWorkflow({ name, text }: NamedText): Workflow {
  const read = workflow.safeParse(parse(text));
  if (!read.success)
    throw new Error(`${name} is no workflow as we write them: ${z.prettifyError(read.error)}`);
  return read.data;
}

/** A permission that a workflow requires of its caller. */
export interface RequiredPermission {
  readonly scope: string;
  readonly level: string;
  /** Set if it is needed only with an input or secret, or only without it. */
  readonly only?: { readonly name: string; readonly given: boolean };
}

/**
 * The permissions of a workflow's jobs: from `permissions`, or, where jobs inherit those of the caller, from the
 * comment in its place.
 */
export function requiredPermissions(file: NamedText): RequiredPermission[] {
  const own = Object.values(readWorkflow(file).jobs).flatMap(({ permissions }) =>
    typeof permissions === "object" ? Object.entries(permissions) : [],
  );
  const comments = [...file.text.matchAll(/^ {4}# {3}([a-z-]+): (read|write) # (.+)$/gm)];
  return [
    ...own.map(([scope, level]) => ({ scope, level })),
    ...comments.map(([, scope = "", level = "", reason = ""]) => {
      const [, word, name] = /; only (with|without) `([\w-]+)`$/.exec(reason) ?? [];
      return { scope, level, ...(name !== undefined && { only: { name, given: word === "with" } }) };
    }),
  ];
}

/** The inputs, secrets and outputs of a called workflow. Undefined for one that cannot be called. */
export function callOf({ on }: Workflow): WorkflowCall | undefined {
  if (typeof on === "string" || Array.isArray(on)) return undefined;
  return on.workflow_call ?? undefined;
}

const folder = new URL("../../.github/workflows/", import.meta.url);

/** Every workflow of this repository. */
export const workflowFiles: readonly NamedText[] = readdirSync(fileURLToPath(folder))
  .filter((file) => /\.ya?ml$/.test(file))
  .sort()
  .map((file) => ({ name: `.github/workflows/${file}`, text: readFileSync(new URL(file, folder), "utf8") }));

/** Our workflow that a job calls: by its path alone, `$/`, or by this repository's name. */
export function calledFile(uses: string): NamedText | undefined {
  const path = uses.startsWith("$/")
    ? uses.slice("$/".length)
    : uses.startsWith(`${REPOSITORY}/`)
      ? uses.slice(`${REPOSITORY}/`.length).replace(/@.*$/, "")
      : undefined;
  return workflowFiles.find(({ name }) => name === path);
}
