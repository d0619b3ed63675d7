import type * as z from "zod/mini";
import type { PolicyDump } from "../../../api/resources/policies.ts";
import { describeIssues } from "../../../api/validation.ts";
import { readYaml, YamlError, type YamlText } from "../../kernel/yaml-text.ts";
import { ExpressionError, matchesIn } from "./expression.ts";
import { parseEnclosed, type Subject } from "./expression-parser.ts";
import { policyFile } from "./policy-file-schema.ts";

/** Problems by field. The empty field means the whole file. */
export class PolicyFileError extends Error {
  readonly problems: Readonly<Record<string, string>>;

  constructor(problems: Record<string, string>) {
    super(Object.values(problems).join("; "));
    this.name = "PolicyFileError";
    this.problems = problems;
  }
}

export interface PolicyFile {
  definition: PolicyDump;
  /** Patterns of its expressions, which are not checked yet. */
  patterns: readonly PlacedPattern[];
}

interface PlacedPattern {
  pattern: string;
  field: string;
  /** `line 7, column 12`. */
  place: string | undefined;
}

type AttestationRule = NonNullable<
  NonNullable<z.infer<typeof policyFile>["artifacts"]>["attestations"]
>[number];

/** Reads a policy in YAML and checks its expressions, but not their patterns. @throws PolicyFileError */
export function parsePolicyFile(text: string): PolicyFile {
  const yaml = parseYaml(text);
  const result = policyFile.safeParse(yaml.content);
  if (!result.success) {
    throw new PolicyFileError(describeIssues(result.error.issues, yaml.content, { root: "" }));
  }
  const problems = new Map<string, string>();
  const patterns: PlacedPattern[] = [];
  const definition = definitionOf(result.data, (field, path, expression, about) => {
    try {
      const { text, condition, start } = parseEnclosed(expression, about);
      for (const { pattern, index } of matchesIn(condition)) {
        patterns.push({ pattern, field, place: yaml.placeOf(path, start + index) });
      }
      return { text };
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      problems.set(field, placed(error.message, yaml.placeOf(path, error.index)));
      return { text: "" };
    }
  });
  if (problems.size > 0) throw new PolicyFileError(Object.fromEntries(problems));
  return { definition, patterns };
}

export function placed(problem: string, place: string | undefined): string {
  return place === undefined ? problem : `${place}: ${problem}`;
}

/** Controls that need decisions. */
export function controlsOf({ artifacts }: PolicyDump): string[] {
  const named = artifacts.attestations.flatMap(({ forControl }) => forControl ?? []);
  return [...new Set(named)];
}

function parseYaml(text: string): YamlText {
  try {
    return readYaml(text, "A policy");
  } catch (error) {
    throw error instanceof YamlError ? new PolicyFileError({ "": error.message }) : error;
  }
}

type ReadExpression = (
  field: string,
  path: readonly (string | number)[],
  expression: string,
  about?: Subject,
) => { text: string };

function definitionOf({ artifacts }: z.infer<typeof policyFile>, read: ReadExpression): PolicyDump {
  const booleanRule = (name: "provenance" | "trail-compliance") => {
    const { required = false, exceptions } = artifacts?.[name] ?? {};
    return {
      required,
      exceptions: (exceptions ?? []).map((exception, i) => ({
        ifCondition: read(
          `artifacts.${name}.exceptions[${i}].if`,
          ["artifacts", name, "exceptions", i, "if"],
          exception.if,
        ),
      })),
    };
  };
  const attestationRule = (rule: AttestationRule, i: number) => ({
    ifCondition:
      rule.if == null
        ? null
        : read(`artifacts.attestations[${i}].if`, ["artifacts", "attestations", i, "if"], rule.if),
    name: rule.name,
    type: rule.type,
    mustBeCompliant: rule.must_be_compliant,
    forControl: rule.for_control ?? null,
    ...(rule.decided_by == null ? {} : { decidedBy: rule.decided_by }),
    ...(rule.must_meet == null
      ? {}
      : {
          mustMeet: read(
            `artifacts.attestations[${i}].must_meet`,
            ["artifacts", "attestations", i, "must_meet"],
            rule.must_meet,
            "attestation",
          ),
        }),
  });
  return {
    schemaVersion: "1",
    artifacts: {
      ...(artifacts?.flows && { flows: artifacts.flows }),
      provenance: {
        ...booleanRule("provenance"),
        ...(artifacts?.provenance?.must_meet == null
          ? {}
          : {
              mustMeet: read(
                "artifacts.provenance.must_meet",
                ["artifacts", "provenance", "must_meet"],
                artifacts.provenance.must_meet,
                "artifact",
              ),
            }),
      },
      trailCompliance: booleanRule("trail-compliance"),
      attestations: (artifacts?.attestations ?? []).map(attestationRule),
    },
  };
}
