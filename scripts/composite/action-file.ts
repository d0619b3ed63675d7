import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import * as z from "zod/mini";

/** GitHub reads every scalar of an action file as text: `default: true` is the text `true`. */
const text = z.pipe(
  z.union([z.string(), z.number(), z.boolean(), z.null()]),
  z.transform((value) => (value === null ? "" : String(value))),
);

const shared = {
  name: z.optional(text),
  id: z.optional(z.string().check(z.regex(/^[A-Za-z_][\w-]*$/))),
  if: z.optional(text),
  env: z.optional(z.record(z.string(), text)),
  "continue-on-error": z.optional(text),
};

const runStep = z.strictObject({
  ...shared,
  run: text,
  shell: z.enum(["bash", "sh"]),
  "working-directory": z.optional(text),
});

const usesStep = z.strictObject({
  ...shared,
  uses: z.string(),
  with: z.optional(z.record(z.string(), text)),
});

const actionFile = z.object({
  name: text,
  inputs: z.optional(
    z.record(
      z.string(),
      z.nullable(z.object({ default: z.optional(text), deprecationMessage: z.optional(text) })),
    ),
  ),
  outputs: z.optional(z.record(z.string(), z.object({ value: text }))),
  runs: z.strictObject({
    using: z.literal("composite"),
    steps: z.array(z.union([runStep, usesStep])),
  }),
});

export type RunStep = z.infer<typeof runStep>;
export type UsesStep = z.infer<typeof usesStep>;
export type ActionFile = z.infer<typeof actionFile>;

/**
 * Reads the action file of a folder.
 *
 * @throws when it is missing, or GitHub's runner would not accept it as a composite action
 */
export async function readActionFile(actionFolder: string): Promise<ActionFile> {
  const file = ["action.yml", "action.yaml"]
    .map((name) => join(actionFolder, name))
    .find((path) => existsSync(path));
  if (file === undefined) throw new Error(`${actionFolder} has no action.yml`);
  return parseActionFile(file, parse(await readFile(file, "utf8")));
}

/** @throws when GitHub's runner would not accept the data as a composite action */
export function parseActionFile(name: string, data: unknown): ActionFile {
  const read = actionFile.safeParse(data);
  if (!read.success) throw new Error(`${name} is not a composite action: ${z.prettifyError(read.error)}`);
  return read.data;
}
