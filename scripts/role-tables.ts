/* The tables of docs/roles.md, from the access and reach that the operations declare. */
import type { Access, OperationShape } from "../src/api/operation.ts";
import { operations } from "../src/api/resources/operations.ts";
import { ROLES } from "../src/api/resources/service-accounts.ts";
import { isAllowed } from "../src/service/kernel/access.ts";

/** In reading order: the most common rights first. */
const RIGHTS: Readonly<Record<Exclude<Access, "public">, string>> = {
  read: "Read records",
  assert: "Ask the gate",
  attest: "Record evidence",
  approve: "Override, allow and approve",
  report: "Report environments",
  write: "Change flows, policies and types",
  grant: "Notify, share, delete accounts",
  "manage accounts": "Create accounts and keys",
  audit: "Read the audit log and trust policies",
  administer: "Administer",
};

type Right = keyof typeof RIGHTS;
// All keys of the record are of its key type.
const rights = Object.keys(RIGHTS) as Right[];

/** The tables, by marker name. */
export function roleTables(): Record<"roles" | "rights", string> {
  return { roles: rolesByRight(), rights: operationsByName() };
}

function rolesByRight(): string {
  const rows = rights.map((right) => {
    const cells = ROLES.map((role) => (isAllowed(role, right) ? "yes" : ""));
    return row([RIGHTS[right], ...cells]);
  });
  return table(["Right", ...ROLES.map((role) => `\`${role}\``)], rows);
}

function operationsByName(): string {
  const all: readonly OperationShape[] = Object.values(operations);
  const rows = all
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, access, reach }) =>
      row([`\`${name}\``, access === "public" ? "None: public" : RIGHTS[access], limitedTo(reach)]),
    );
  return table(["Operation", "Right", "With a limited key"], rows);
}

/** Effect of an operation with a key limited to some flows and environments. */
function limitedTo(reach: OperationShape["reach"]): string {
  if (reach === "never") return "no";
  if (reach === "all") return "yes";
  return "list" in reach ? "yes, shows what is within its limits" : "yes, within its limits";
}

function table(header: readonly string[], rows: readonly string[]): string {
  return [row(header), row(header.map(() => "---")), ...rows].join("\n");
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`.replace(/\| {2}(?=\|)/g, "| ");
}
