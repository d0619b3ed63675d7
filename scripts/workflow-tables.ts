import { parse } from "yaml";
import * as z from "zod/mini";

const described = { description: z.string() };
const reusable = z.object({
  on: z.object({
    workflow_call: z.object({
      inputs: z.record(
        z.string(),
        z.object({
          ...described,
          type: z.enum(["string", "number", "boolean"]),
          required: z.optional(z.boolean()),
          default: z.optional(z.union([z.string(), z.number(), z.boolean()])),
        }),
      ),
      /** A workflow that only uses GitHub has none. */
      secrets: z._default(
        z.record(z.string(), z.object({ ...described, required: z.optional(z.boolean()) })),
        {},
      ),
      outputs: z.record(z.string(), z.object(described)),
    }),
  }),
});

type Secrets = z.infer<typeof reusable>["on"]["workflow_call"]["secrets"];

const TYPES = { string: "text", number: "number", boolean: "true or false" };
/**
 * A job's permission with its reason. Every workflow here has it in `permissions`, or in a comment
 * instead if the caller grants the permission.
 */
const PERMISSION = /^ {4}(?: {2}|# {3})([a-z-]+: (?:read|write)) # (.+)$/gm;

/** The tables of a reusable workflow's page, from its file, by marker name. */
export function workflowTables(
  text: string,
): Record<"permissions" | "inputs" | "secrets" | "outputs", string> {
  const { inputs, secrets, outputs } = reusable.parse(parse(text)).on.workflow_call;
  return {
    permissions: table(["Permission", "Reason"], permissionRows(text)),
    inputs: table(
      ["Input", "Type", "Description", "Default"],
      Object.entries(inputs).map(([name, { type, description, required, default: value }]) => {
        const fallback = value === undefined || value === "" ? "" : `\`${value}\``;
        return [`\`${name}\``, TYPES[type], description, required ? "**required**" : fallback];
      }),
    ),
    secrets: table(["Secret", "Description", ""], secretRows(secrets)),
    outputs: table(
      ["Output", "Description"],
      Object.entries(outputs).map(([name, { description }]) => [`\`${name}\``, description]),
    ),
  };
}

/** Lists each permission once, with the reasons of all jobs that need it. */
function permissionRows(text: string): string[][] {
  const found = [...text.matchAll(PERMISSION)].map(([, permission = "", reason = ""]) => ({
    permission,
    reason,
  }));
  const rows = [...Map.groupBy(found, ({ permission }) => permission)].map(([permission, uses]) => [
    `\`${permission}\``,
    [...new Set(uses.map(({ reason }) => reason))].join("; "),
  ]);
  return rows.length > 0 ? rows : [["none", "the jobs need no permission"]];
}

function secretRows(secrets: Secrets): string[][] {
  const rows = Object.entries(secrets).map(([name, { description, required }]) => [
    `\`${name}\``,
    description,
    required ? "**required**" : "",
  ]);
  return rows.length > 0 ? rows : [["none", "the job's own token is enough", ""]];
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(" | ")} |`;
  return [line(header), line(header.map(() => "---")), ...rows.map(line)].join("\n");
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}
