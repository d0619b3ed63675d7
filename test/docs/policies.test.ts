import { describe, expect, onTestFinished, test } from "vitest";
import { compilePattern } from "../../src/service/judging/patterns/linear-regex.ts";
import { PatternError } from "../../src/service/judging/patterns/pattern-error.ts";
import { compilePolicy } from "../../src/service/judging/policies/compile-policy.ts";
import {
  type ArtifactInFlow,
  type AttestedFact,
  evaluatePolicy,
  type PolicySubject,
} from "../../src/service/judging/policies/evaluate-policy.ts";
import {
  ExpressionError,
  type ExpressionScope,
  matchesIn,
} from "../../src/service/judging/policies/expression.ts";
import { isTrue } from "../../src/service/judging/policies/expression-evaluator.ts";
import { parseExpression, type Subject } from "../../src/service/judging/policies/expression-parser.ts";
import { parsePolicyFile } from "../../src/service/judging/policies/policy-file.ts";
import { policyFile } from "../../src/service/judging/policies/policy-file-schema.ts";
import { pipeline, send } from "../service/requests.ts";
import { ORG, startTestService } from "../service/running-service.ts";
import { blocksOf, codeIn, tablesOf } from "./pages.ts";
import { blockIn, pageNamed, sectionOf } from "./reference-pages.ts";
import { runCommands } from "./shell-commands.ts";

const page = pageNamed("docs/policies.md");
const isFound = (pattern: string, text: string) => compilePattern(pattern).test(text);

/** The example values of the table of names. A row with pairs names keys and their values. */
const values = new Map(
  tablesOf(sectionOf(page, "Names")).flatMap(({ rows }) =>
    rows.map(([name = "", value = ""]) => [codeIn(name)[0] ?? "", codeIn(value)] as const),
  ),
);
const textNamed = (name: string) => values.get(name)?.[0] ?? expect.fail(`no example value of ${name}`);
function pairsNamed(name: string): Record<string, string> {
  const texts = values.get(name) ?? expect.fail(`no example values of ${name}`);
  return Object.fromEntries(texts.flatMap((text, i) => (i % 2 === 0 ? [[text, texts[i + 1] ?? ""]] : [])));
}

const SCOPE: ExpressionScope = {
  flow: { name: textNamed("flow.name"), tags: pairsNamed("flow.tags.KEY") },
  artifact: { name: textNamed("artifact.name"), fingerprint: textNamed("artifact.fingerprint") },
  isFound,
};

const EXAMPLES: readonly (readonly [heading: string, about: Subject])[] = [
  ["Operators and functions", undefined],
  ["Null", undefined],
  ["In `must_meet` of `provenance`", "artifact"],
  ["In `must_meet` of `attestations`", "attestation"],
];

const examples = EXAMPLES.flatMap(([heading, about]) =>
  tablesOf(sectionOf(page, heading)).flatMap(({ rows }) =>
    rows.map(([code = "", result = ""]) => [codeIn(code)[0] ?? "", result, about] as const),
  ),
);

function scopeFor(about: Subject): ExpressionScope {
  if (about === undefined) return SCOPE;
  const origin = { state: textNamed(`${about}.origin`), claims: pairsNamed(`${about}.claims.CLAIM`) };
  const userData = about === "attestation" ? pairsNamed("attestation.user_data.KEY") : {};
  return { ...SCOPE, origin, userData };
}

describe("an expression of docs/policies.md", () => {
  test.each(examples)("%s is %s", (expression, result, about) => {
    expect(String(isTrue(parseExpression(expression, about), scopeFor(about)))).toBe(result);
  });

  test("covers every operator and function", () => {
    const all = examples.map(([expression]) => expression).join("\n");
    const parts = ["==", "!=", "<", ">=", "in [", "not in [", "not ", "and", "or", "exists(", "matches("];
    expect(parts.filter((part) => !all.includes(part))).toEqual([]);
    expect(examples.length).toBeGreaterThan(25);
  });

  test("names null where no flow reported the artifact", () => {
    const scope = { ...SCOPE, flow: null };
    for (const condition of ["exists(flow)", "exists(flow.name)", "exists(flow.tags.risk)"]) {
      expect(isTrue(parseExpression(condition), scope)).toBe(false);
    }
  });
});

const mistakes = tablesOf(page).find(({ header }) => header[0] === "Written")?.rows ?? [];

describe("a mistake of docs/policies.md", () => {
  const refusal = (expression: string) => () => {
    for (const { pattern } of matchesIn(parseExpression(expression))) compilePattern(pattern);
  };
  test.each(mistakes.map(([written = "", , instead = ""]) => [codeIn(written)[0] ?? "", instead] as const))(
    "%s is refused, and %s is not",
    (written, instead) => {
      expect(refusal(written)).toThrow(written.includes("(?=") ? PatternError : ExpressionError);
      const [better] = codeIn(instead);
      if (instead.startsWith("`")) expect(refusal(better ?? "")).not.toThrow();
      else expect(() => parseExpression(written, "artifact")).not.toThrow();
    },
  );

  test("is one of several", () => expect(mistakes.length).toBeGreaterThan(5));
});

/** The status of an artifact by the policy below a heading. */
function statusBy(heading: string, inFlows: readonly ArtifactInFlow[], more: Partial<PolicySubject> = {}) {
  const { definition } = parsePolicyFile(blockIn(page, heading, "yaml").text);
  const policy = compilePolicy({ name: "production", version: 1, definition });
  const subject = { ...SCOPE.artifact, inFlows, decisions: [], isFound, ...more };
  return evaluatePolicy(policy, subject).status;
}

const YES = "COMPLIANT";
const NO = "NON-COMPLIANT";

function inFlow(name: string, more: Partial<ArtifactInFlow> = {}): ArtifactInFlow {
  return {
    flow: { name, tags: {} },
    trail: "t",
    isLegacy: false,
    status: "COMPLIANT",
    attestations: [],
    ...more,
  };
}

function attested(type: string, name: string, more: Partial<AttestedFact> = {}): AttestedFact {
  return { sequence: 1, about: "artifact", name, type, compliant: true, ...more };
}

describe("a policy of docs/policies.md", () => {
  test("the first one requires a flow and a compliant trail", () => {
    expect(statusBy("Environment policies", [inFlow("web")])).toBe(YES);
    expect(statusBy("Environment policies", [])).toBe(NO);
    expect(statusBy("Environment policies", [inFlow("web", { status: "INCOMPLETE" })])).toBe(NO);
    expect(
      statusBy("Environment policies", [inFlow("web"), inFlow("api", { status: "NON-COMPLIANT" })]),
    ).toBe(NO);
  });

  test("`provenance` checks the origin of the report, except for the names of its exception", () => {
    const proven = (state: string) => inFlow("web", { origin: { state, claims: {} } });
    expect(statusBy("`provenance`", [proven("verified")])).toBe(YES);
    expect(statusBy("`provenance`", [proven("unproven")])).toBe(NO);
    expect(statusBy("`provenance`", [inFlow("web")])).toBe(NO);
    expect(statusBy("`provenance`", [])).toBe(NO);
    expect(statusBy("`provenance`", [], { name: "registry.example.com/vendor/db:2" })).toBe(YES);
  });

  test("`trail-compliance` has an exception by tag", () => {
    const failing = { status: "NON-COMPLIANT" };
    const tagged = (risk: string) => inFlow("web", { ...failing, flow: { name: "web", tags: { risk } } });
    expect(statusBy("`trail-compliance`", [tagged("high")])).toBe(NO);
    expect(statusBy("`trail-compliance`", [tagged("low")])).toBe(YES);
  });

  test("`attestations` requires each, as its fields say", () => {
    const origin = { state: "verified", claims: { environment: "production" } };
    const all = [
      attested("junit", "unit-test"),
      attested("pull_request", "review", { about: "trail" }),
      attested("custom:coverage", "coverage", { compliant: false }),
      attested("generic", "deploy-approval", { origin }),
    ];
    const decision = { id: "d", sequence: 1, control: "SDLC-7", name: "decided", compliant: true };
    const status = (attestations: readonly AttestedFact[], decisions = [decision], flow = "web") =>
      statusBy("`attestations`", [inFlow(flow, { attestations })], { decisions });
    expect(status(all)).toBe(YES);
    for (const missing of all) expect(status(all.filter((each) => each !== missing))).toBe(NO);
    expect(
      status(
        all.filter(({ type }) => type !== "pull_request"),
        [decision],
        "api",
      ),
    ).toBe(YES);
    expect(status([...all, attested("junit", "unit-test", { sequence: 2, compliant: false })])).toBe(NO);
    expect(status(all, [{ ...decision, sequence: 2, compliant: false }, decision])).toBe(NO);
    const byKey = all.map(({ origin: _, ...attestation }) => attestation);
    expect(status(byKey)).toBe(NO);
  });

  test("`flows` ignores the reports of other flows", () => {
    expect(statusBy("`flows`", [inFlow("api")])).toBe(YES);
    expect(statusBy("`flows`", [inFlow("mobile")])).toBe(NO);
  });

  test("lists every field of the file", () => {
    const written = tablesOf(sectionOf(page, "File format")).flatMap(({ rows }) =>
      rows.map(([field = ""]) => codeIn(field)[0] ?? ""),
    );
    const fields = new Set(written.flatMap((field) => field.split(".")));
    const accepted = ["_schema", "artifacts", "flows", "provenance", "trail-compliance", "attestations"];
    const ofRules = ["required", "exceptions", "must_meet", "type", "name", "must_be_compliant", "if"];
    expect([...fields].sort()).toEqual([...accepted, ...ofRules, "for_control", "decided_by"].sort());
    const unknown = policyFile.safeParse({ _schema: "https://a.example/v1", artifacts: { images: {} } });
    expect(unknown.success).toBe(false);
  });

  test("has an example for each kind of rule", () => {
    expect(blocksOf(page).filter(({ language }) => language === "yaml")).toHaveLength(5);
  });
});

test("the commands of docs/policies.md upload and attach a policy", async () => {
  const service = await startTestService();
  onTestFinished(() => service.dispose());
  await pipeline(service).environment("production");
  const files = { "production.yml": blockIn(page, "Environment policies", "yaml").text };
  await runCommands(service, blockIn(page, "Upload and attach a policy", "sh").text, { files });
  const { body } = await send(service, { path: `/policies/${ORG}/production` });
  expect(body.consuming_envs).toEqual(["production"]);
  expect(body.versions).toHaveLength(1);
});
