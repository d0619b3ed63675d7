import { ROLES } from "../../kernel/caller.ts";
import type { AnsweredBy } from "../operation-calls.ts";
import { invalidField } from "../refused-form.ts";

type Line = AnsweredBy<"listLoginProviders">[number]["roleMap"][number];

const PARTS = { org: "organization:", flows: "flows:", environments: "environments:" } as const;
/** The name of a group may have spaces, and those of roles, flows and environments have none. */
const ROLE = new RegExp(
  `^(?:(.*)\\s)?(${ROLES.join("|")})((?:\\s+(?:organization|flows|environments):\\S+)*)$`,
);
const EVERYBODY = "everybody";

/** A role map as text, a line each: `platform-* member flows:web,api`. */
export function roleLines(map: readonly Line[]): string {
  return map
    .map(({ group, role, org, flows, environments }) =>
      [
        group ?? EVERYBODY,
        role,
        ...(org ? [PARTS.org + org] : []),
        ...(flows ? [PARTS.flows + flows.join(",")] : []),
        ...(environments ? [PARTS.environments + environments.join(",")] : []),
      ].join(" "),
    )
    .join("\n");
}

/** @throws Invalid naming the line */
export function roleMapIn(text: string, field: string) {
  return text.split(/\r?\n/).flatMap((line, index) => {
    if (line.trim() === "") return [];
    const [, group = EVERYBODY, role, scope = ""] = ROLE.exec(line.trim()) ?? [];
    const known = ROLES.find((each) => each === role);
    if (known === undefined) {
      throw invalidField(field, `Line ${index + 1} must be a group and a role, such as 'platform-* member'`);
    }
    const names = (part: string) =>
      scope
        .split(/\s+/)
        .find((each) => each.startsWith(part))
        ?.slice(part.length)
        .split(",");
    const org = names(PARTS.org)?.join(",");
    return {
      ...(org === undefined ? {} : { org }),
      ...(group.trim() === EVERYBODY ? {} : { group: group.trim() }),
      ...{ role: known, flows: names(PARTS.flows), environments: names(PARTS.environments) },
    };
  });
}
