import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  ExpressionError,
  type ExpressionScope,
  matchesIn,
} from "../../../../src/service/judging/policies/expression.ts";
import { isTrue } from "../../../../src/service/judging/policies/expression-evaluator.ts";
import {
  MAX_EXPRESSION_LENGTH,
  parseEnclosed,
  parseExpression,
} from "../../../../src/service/judging/policies/expression-parser.ts";
import { codePoint } from "../../../code-point.ts";

const scope: ExpressionScope = {
  flow: { name: "web", tags: { "risk-level": "high", "a.b": "x", score: "7", empty: "" } },
  artifact: { name: "datadog:7", fingerprint: "a".repeat(64) },
  isFound: (pattern, text) => new RegExp(pattern).test(text),
};
const nowhere: ExpressionScope = { ...scope, flow: null };

const value = (text: string, where = scope) => isTrue(parseExpression(text), where);

describe("an expression evaluates", () => {
  it.each([
    ['flow.name == "web"', true],
    ["flow.name == 'web'", true],
    ["flow.name != 'web'", false],
    ['flow.tags.risk-level == "high"', true],
    ["flow.tags.a.b=='x'", true],
    ["artifact.name == 'datadog:7' and artifact.fingerprint != 'b'", true],
    ["exists(flow)", true],
    ["exists(flow.tags.empty)", true],
    ["exists(flow.tags.none)", false],
    ["exists('text')", true],
    ['matches(artifact.name, "^datadog:.*")', true],
    ["matches(artifact.name, 'dog')", true],
    ["matches(artifact.name, '^\\d+$')", false],
    ["matches(flow.tags.score, '^\\d+$')", true],
    ["matches(flow.tags.none, '.*')", false],
    ["\"it's\" == 'it\\'s'", true],
    ["'a\\\\b' == \"a\\\\b\"", true],
    ["flow.name in ['api', 'web']", true],
    ["flow.name not in ['api', 'web']", false],
    ["flow.name in []", false],
    ["flow.tags.score in [6, 7]", true],
    ["flow.tags.score > 6.5", true],
    ["flow.tags.score < 10", true],
    ["flow.tags.score < '10'", false],
    ["-1 <= 0 and 2 >= 2", true],
    ["flow.tags.risk-level == 7", false],
    ["flow.tags.risk-level != 7", true],
    ["flow.tags.risk-level > 7", false],
    ["'a' < 'b'", true],
  ])("%s → %s", (text, expected) => {
    expect(value(text)).toBe(expected);
  });

  it.each([
    ["not, before and, before or", "not 1 == 1 or 1 == 1 and 1 == 1", true],
    ["and before or", "1 == 1 or 1 == 1 and 1 == 2", true],
    ["parentheses before all", "(1 == 1 or 1 == 1) and 1 == 2", false],
    ["not applies to a comparison", "not flow.name == 'api'", true],
    ["not twice has no effect", "not not exists(flow)", true],
  ])("with precedence: %s", (_, text, expected) => {
    expect(value(text)).toBe(expected);
  });
});

describe("a comparison", () => {
  const signs = ["==", "!=", "<", ">", "<=", ">="];
  const holding = (left: string, right: string, where = scope) =>
    signs.filter((sign) => value(`${left} ${sign} ${right}`, where)).join(" ");

  it.each([
    ["1", "2", "!= < <="],
    ["2", "2.0", "== <= >="],
    ["10", "9", "!= > >="],
    ["0.0000001", "0.0000002", "!= < <="],
    ["7", "'7'", "== <= >="],
    ["'10'", "'9'", "!= < <="],
    ["'a'", "'a'", "== <= >="],
    ["'b'", "'a'", "!= > >="],
    ["'10'", "9", "!= > >="],
    ["9", "'10'", "!= < <="],
    ["'x'", "9", "!="],
    ["flow.tags.none", "9", "!="],
    ["flow.tags.none", "flow.tags.neither", "=="],
  ])("of %s and %s is true for %s", (left, right, expected) => {
    expect(holding(left, right)).toBe(expected);
  });

  it.each([
    ["7", "=="],
    [" 7\t", "=="],
    ["7.00", "=="],
    ["-7", "< !="],
    ["07", "=="],
    ["77", "> !="],
    ["7.", "!="],
    [".7", "!="],
    ["7x", "!="],
    ["x7", "!="],
    ["--7", "!="],
    ["7e0", "!="],
    ["7 7", "!="],
    ["", "!="],
  ])("reads the text %j as a number where it is one: %s 7", (text, expected) => {
    const where = { ...scope, flow: { name: "web", tags: { text } } };
    const found = ["<", ">", "==", "!="].filter((sign) => value(`flow.tags.text ${sign} 7`, where));
    expect(found.join(" ")).toBe(expected);
  });
});

describe("an expression may be written", () => {
  it.each([
    ["without spaces", "flow.name=='web'and(1<2)", true],
    ["with line breaks and tabs", "\n\tflow.name\r\n==\n'web' ", true],
    ["with a text of several lines", "'a\nb' != 'a'", true],
    ["with an empty text", "'' == \"\"", true],
    ["with every character allowed in a name", "flow.tags._A-z.0~9 == 'x'", false],
    ["with a negative fraction", "-12.50 == -12.5", true],
    ["with a list of one, several or no items", "1 in [1] and 2 in [1, 2, 3] and not 1 in []", true],
    ["with many brackets, few of them open at once", `${"(1 == 1) and ".repeat(60)}1 in [1]`, true],
    ["with the maximum of open brackets", `${"(".repeat(50)}1 == 1${")".repeat(50)}`, true],
    ["with any number of nots", "not not not 1 == 2", true],
    ["with several of the weakest operators", "1 == 2 or 1 == 2 or 1 == 1", true],
    ["with several of the stronger ones", "1 == 1 and 1 == 1 and 1 == 2", false],
    ["with a membership test in a comparison with null", "not 1 not in [1]", true],
    [
      "with backslashes that belong to the pattern",
      "matches('a1', 'a\\d') and not matches('ad', 'a\\d')",
      true,
    ],
  ])("%s", (_, text, expected) => {
    expect(value(text)).toBe(expected);
  });

  it("with exactly the maximum length", () => {
    expect(value("1 == 1".padEnd(MAX_EXPRESSION_LENGTH))).toBe(true);
  });

  it("and returns its patterns in order, wherever they are", () => {
    const text = "matches('a', 'b') or not (matches('c', 'd') and exists(flow)) or 1 in [1] or 1 == 1";
    expect(matchesIn(parseExpression(text))).toEqual([
      { kind: "matches", input: { kind: "text", value: "a" }, pattern: "b", index: 13 },
      { kind: "matches", input: { kind: "text", value: "c" }, pattern: "d", index: 39 },
    ]);
  });
});

describe("an unknown value is null, which", () => {
  it.each([
    ["flow.tags.none == 'x'", false],
    ["flow.tags.none != 'x'", true],
    ["flow.tags.none == flow.tags.neither", true],
    ["flow.tags.none != flow.tags.neither", false],
    ["flow.tags.none == ''", false],
    ["flow.tags.none < 'x'", false],
    ["flow.tags.none >= 0", false],
    ["flow.tags.none in ['x']", false],
    ["flow.tags.none not in ['x']", true],
    ["flow.tags.constructor == 'x'", false],
    ["exists(flow.tags.__proto__)", false],
  ])("gives %s → %s", (text, expected) => {
    expect(value(text)).toBe(expected);
  });

  it("is the flow of an artifact that no flow has reported", () => {
    expect(value("exists(flow)", nowhere)).toBe(false);
    expect(value("exists(flow.name)", nowhere)).toBe(false);
    expect(value("flow.tags.kind != 'build'", nowhere)).toBe(true);
    expect(value("flow.name == 'web'", nowhere)).toBe(false);
  });
});

describe("an expression about an attestation uses", () => {
  const claims = { environment: "production", attempt: 2, ok: true, list: ["x"] };
  const proven = { ...scope, origin: { state: "verified", claims } };
  const about = (text: string, where: ExpressionScope) => isTrue(parseExpression(text, "attestation"), where);

  it.each([
    ["attestation.origin == 'verified'", true, false],
    ["attestation.origin in ['verified', 'different']", true, false],
    ["exists(attestation.origin)", true, false],
    ["attestation.claims.environment == 'production'", true, false],
    ["matches(attestation.claims.environment, '^prod')", true, false],
    ["attestation.claims.attempt >= 2", true, false],
    ["attestation.claims.ok == 'true'", true, false],
    ["exists(attestation.claims.list)", false, false],
    ["exists(attestation.claims.constructor)", false, false],
    ["flow.name == 'web' and attestation.claims.environment != 'test'", true, true],
  ])("its proven origin and claims: %s", (text, expected, withoutProof) => {
    expect(about(text, proven)).toBe(expected);
    expect(about(text, { ...scope, origin: null })).toBe(withoutProof);
  });

  it.each([
    ["attestation.user_data.review.four_eyes == 'true'", true],
    ["attestation.user_data.review.count >= 2", true],
    ["matches(attestation.user_data.review.by, '^ro')", true],
    ["exists(attestation.user_data.review)", false],
    ["exists(attestation.user_data.review.constructor)", false],
    ["exists(attestation.user_data.constructor)", false],
    ["not attestation.user_data.review.absent == 'true'", true],
  ])("its user data: %s", (text, expected) => {
    const userData = { "review.four_eyes": "true", "review.count": 2, "review.by": "robot" };
    expect(about(text, { ...scope, userData })).toBe(expected);
    expect(about(text, scope)).toBe(text.startsWith("not"));
  });

  it("the attestation only in its own conditions", () => {
    expect(problem("attestation.user_data.x == 'y'")?.[1]).toContain("only be used in must_meet");
    expect(() => parseExpression("artifact.user_data.x == 'y'", "artifact")).toThrow("unknown name");
    expect(() => parseExpression("attestation.user_data. == 'y'", "attestation")).toThrow("unknown name");
    expect(problem("attestation.origin == 'verified'")).toEqual([
      0,
      "'attestation.origin' can only be used in must_meet of an attestation",
    ]);
    expect(() => parseExpression("artifact.claims.ref == 'x'", "attestation")).toThrow(
      "'artifact.claims.ref' can only be used in must_meet of provenance",
    );
    expect(problem("attestation.claims. == 'x'")?.[1]).toMatch(/^unknown name/);
    expect(() => parseExpression("attestation.sha == 'x'", "attestation")).toThrow(
      "unknown name 'attestation.sha': use flow.name, flow.tags.<key>, artifact.name, artifact.fingerprint, attestation.origin, attestation.claims.<claim> or attestation.user_data.<key>",
    );
  });
});

function problem(text: string): [number, string] | undefined {
  try {
    parseExpression(text);
    return undefined;
  } catch (error) {
    if (error instanceof ExpressionError) return [error.index, error.message];
    throw error;
  }
}

describe("an invalid expression is refused with the position and the reason:", () => {
  it.each([
    ["", 0, "the expression is incomplete"],
    ["flow.name ==", 12, "the expression is incomplete"],
    ["flow.name = 'x'", 10, "unexpected '='"],
    ["flow.name == 'x", 13, "the text has no closing quote"],
    ["flow.name == 'x' 'y'", 17, "unexpected 'y'"],
    ["(flow.name == 'x'", 17, "expected ')' at the end"],
    ["exists(flow.name artifact.name)", 17, "expected ')' before 'artifact.name'"],
    ["flow.name", 0, "the value must be true or false: compare it with another one"],
    ["exists(flow) and flow.name", 17, "the value must be true or false: compare it with another one"],
    ["not 'x'", 4, "the value must be true or false: compare it with another one"],
    ["flow == 'x'", 0, "expected text, a number or a name, not a whole flow"],
    ["1 == (1 == 1)", 5, "expected text, a number or a name, not a condition"],
    ["['a'] == 'a'", 0, "expected text, a number or a name, not a list"],
    ["1 in 'abc'", 5, "'in' must be followed by a list such as ['a', 'b']"],
    ["1 not ['a']", 2, "unexpected 'not'"],
    ["1 == 1 == 1", 7, "unexpected '=='"],
    ["1.2.3 == 1", 0, "unexpected '1'"],
    ["1a == 1", 0, "unexpected '1'"],
    ["1 == - 1", 5, "unexpected '-'"],
    ["1 == 1 𝕏", 7, "unexpected '𝕏'"],
    ['1 == 1 "x', 7, "the text has no closing quote"],
    ["1 == 'x\\'", 5, "the text has no closing quote"],
    ["1 in [1", 7, "expected ']' at the end"],
    ["1 in [1,]", 8, "unexpected ']'"],
    ["1 in [1 == 1]", 8, "expected ']' before '=='"],
    ["1 in [(1 == 1)]", 6, "expected text, a number or a name, not a condition"],
    ["1 not 'in' [1]", 6, "unexpected 'in'"],
    ["1 not", 2, "unexpected 'not'"],
    ["'or'", 0, "the value must be true or false: compare it with another one"],
    ["1 == 1 'or' 1 == 1", 7, "unexpected 'or'"],
    ["1 '==' 1", 2, "unexpected '=='"],
    ["exists '(' flow)", 0, /^unknown name 'exists'/],
    ["exists(flow", 11, "expected ')' at the end"],
    ["exists(exists(flow))", 7, "expected text, a number or a name, not a condition"],
    ["matches(flow, 'x')", 8, "expected text, a number or a name, not a whole flow"],
    ["matches('x', (1 == 1))", 13, "expected text, a number or a name, not a condition"],
    ["1 == 1 or 1", 10, "the value must be true or false: compare it with another one"],
    ["1 or 1 == 1", 0, "the value must be true or false: compare it with another one"],
    [
      "flows == 'x'",
      0,
      /^unknown name 'flows': use flow\.name, flow\.tags\.<key>, artifact\.name or artifact\.fingerprint$/,
    ],
    ["a.flow.tags.x == 'x'", 0, /^unknown name 'a\.flow\.tags\.x'/],
    [`${"[".repeat(51)}`, 50, "the expression is nested too deeply"],
    [")", 0, "unexpected ')'"],
    ["< (1 == 1)", 0, "unexpected '<'"],
    ["env.name == 'x'", 0, /^unknown name 'env\.name': use flow\.name, /],
    ["flow.tags. == 'x'", 0, /^unknown name 'flow\.tags\.'/],
    ["true", 0, /^unknown name 'true'/],
    ["len(flow.name) > 1", 0, "unknown function 'len': use exists or matches"],
    ["matches(flow.name)", 17, "expected ',' before ')'"],
    ["matches(flow.name, artifact.name)", 19, "the pattern must be a quoted text"],
    [`${"(".repeat(51)}1 == 1${")".repeat(51)}`, 50, "the expression is nested too deeply"],
    [`1 == 1${" ".repeat(MAX_EXPRESSION_LENGTH)}`, 0, "an expression can have at most 10000 characters"],
  ])("%.60s", (text, index, message) => {
    expect(problem(text)).toEqual([
      index,
      typeof message === "string" ? message : expect.stringMatching(message),
    ]);
  });
});

describe("an expression in a policy", () => {
  it("is written between ${{ and }}, also over several lines", () => {
    const { text, condition } = parseEnclosed("${{\n  flow.name == '}}'\n}}");
    expect(text).toBe("flow.name == '}}'");
    expect(isTrue(condition, { ...scope, flow: { name: "}}", tags: {} } })).toBe(true);
  });

  it("may have space around it, and its position is reported", () => {
    const { text, start } = parseEnclosed("\n ${{ exists(flow)\t}} \n");
    expect([text, start]).toEqual(["exists(flow)", 5]);
  });

  it.each(["x ${{ exists(flow) }}", "${{ exists(flow) }} x", "${{ exists(flow)", "{{ exists(flow) }}"])(
    "is nothing else: %s",
    (text) =>
      expect(() => parseEnclosed(text)).toThrow(
        expect.objectContaining({ index: 0, name: "ExpressionError" }),
      ),
  );

  it("is refused without braces, and its errors are counted from its start", () => {
    expect(() => parseEnclosed("exists(flow)")).toThrow("an expression must have the form ${{ … }}");
    expect(() => parseEnclosed("${{ flow.nme == 'x' }}")).toThrow(expect.objectContaining({ index: 4 }));
  });
});

const words = fc.constantFrom(
  ...["flow", "flow.name", "flow.tags.a-b", "artifact.name", "exists", "matches", "and", "or", "not", "in"],
  ...["==", "!=", "<=", "(", ")", "[", "]", ",", "'", '"', "1", "-2.5", "'a'", "exists(flow)", "['a', 1]"],
);

describe("any text", () => {
  it("is parsed or refused with a position, and a parsed expression is true or false", () => {
    const texts = fc.oneof(
      fc.string({ unit: codePoint, maxLength: 60 }),
      fc.array(words, { maxLength: 25 }).map((each) => each.join(" ")),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const found = problem(text);
        if (found) {
          expect(found[0]).toBeGreaterThanOrEqual(0);
          expect(found[0]).toBeLessThanOrEqual(text.length);
        } else {
          expect(typeof value(text, { ...scope, isFound: () => true })).toBe("boolean");
          expect(typeof value(text, nowhere)).toBe("boolean");
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it("equals itself, however it is quoted", () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoint }), (text) => {
        const quoted = (quote: string) => quote + text.replace(/["'\\]/g, "\\$&") + quote;
        expect(value(`${quoted('"')} == ${quoted("'")}`)).toBe(true);
      }),
    );
  });
});
