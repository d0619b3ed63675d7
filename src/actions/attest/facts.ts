import type { InputProblem } from "../../api/client/errors.ts";
import { fullType, type SystemType } from "../../api/resources/attestation-type.ts";
import { choice, text } from "../../github/step/input.ts";

export const recordInputs = {
  record: choice({
    choices: ["judged", "facts"] as const,
    default: "judged",
    description:
      "`judged` records what was read with a result. `facts` records it as a system type, such as `system:junit`, which is compliant whatever it says: a policy judges it later. Not for `artifact`, `provenance`, `custom`, `decision` and `override`.",
  }),
  control: text({ description: "Identifier of the decided control. Required for `decision`." }),
};

interface Recording {
  readonly kind: string;
  readonly record: "judged" | "facts";
}

/** The system type of the facts of each kind that can be recorded without a judgement. */
const FACTS: Readonly<Record<string, SystemType>> = {
  generic: "generic",
  test: "junit",
  junit: "junit",
  scan: "sarif",
  snyk: "sarif",
  sbom: "sbom",
  pull_request: "pull_request",
  jira: "jira",
  sonar: "sonar",
};
export const KINDS_WITH_FACTS = Object.keys(FACTS);

/** Undefined for a judged result. */
export function factsOf({ kind, record }: Recording): SystemType | undefined {
  return record === "facts" ? FACTS[kind] : undefined;
}

/** The kind that records facts of a type, in the words of the newest kinds; undefined for any other type. */
export function kindOfFacts(type: string): string | undefined {
  return Object.entries(FACTS).find(([, facts]) => `system:${facts}` === fullType(type))?.[0];
}

/** Inputs that only judge. */
const JUDGING = ["fail-level", "require-approvals"];
/** Inputs that judge what `generic` leaves to its sender. */
const RESULTS = ["test-results", "scan-results"];

export function factsProblems({ kind, record }: Recording, given: ReadonlySet<string>): InputProblem[] {
  if (record !== "facts") return [];
  const problem = "cannot be used with record: facts, which records no judgement";
  const unused = [...JUDGING, ...(kind === "generic" ? RESULTS : ["fail-on-non-compliant"])];
  const problems = unused.filter((input) => given.has(input)).map((input) => ({ input, problem }));
  if (kind !== "generic" || given.has("compliant")) return problems;
  return [{ input: "compliant", problem: "is required for generic facts", missing: true }, ...problems];
}
