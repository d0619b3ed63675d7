import { afterAll, describe, expect, it } from "vitest";
import {
  PatternAnswers,
  UnansweredPatterns,
} from "../../../../src/service/judging/patterns/pattern-answers.ts";
import { PatternError } from "../../../../src/service/judging/patterns/pattern-error.ts";
import { makePatternMatcher } from "../../../../src/service/judging/patterns/pattern-matcher.ts";
import { withPatterns } from "../../../../src/service/judging/patterns/with-patterns.ts";

const ORG = "acme";
const patterns = makePatternMatcher();
afterAll(() => patterns.close());

const texts = (...all: string[]) => new Set(all);
/** Names in which a pattern with many states takes long to find. */
const slowNames = (length: number) =>
  new Set(Array.from({ length }, (_, i) => `${i * 7_919}`.padEnd(255, "ahbgcfde")));

describe("patterns", () => {
  it("are matched against the requested texts, however many", async () => {
    const names = Array.from({ length: 12_000 }, (_, i) => `web-${i}`);
    const answers = new PatternAnswers();
    answers.ask("-\\d{4}$", new Set(names));
    answers.ask("^web-7$", new Set(names));
    await patterns.answer(ORG, answers);
    answers.requireAll();
    const found = (pattern: string) => names.filter((name) => answers.isFound(pattern, name));
    expect(found("-\\d{4}$")).toEqual(names.slice(1_000, 10_000));
    expect(found("^web-7$")).toEqual(["web-7"]);
  });

  it("are matched again only where a result is not known yet", async () => {
    const answers = new PatternAnswers();
    answers.ask("b", texts("abc", "xyz"));
    expect(() => answers.requireAll()).toThrow(UnansweredPatterns);
    await patterns.answer(ORG, answers);
    answers.ask("b", texts("abc", "cba"));
    expect(answers.takeQuestions()).toEqual([{ pattern: "b", texts: texts("cba") }]);
    answers.ask("b", texts("abc"));
    answers.requireAll();
  });

  it("have no result for texts that were not requested", () => {
    expect(() => new PatternAnswers().isFound("a", "a")).toThrow("was not matched");
  });

  it("that are invalid are reported, each with its own text", async () => {
    const problems = await patterns.check(ORG, ["(", "fine", "(abc){1000}", "("]);
    expect([...problems].map(([pattern, { message }]) => [pattern, message])).toEqual([
      ["(", "the pattern '(' is not valid: missing closing ): `(`"],
      [
        "(abc){1000}",
        "the pattern '(abc){1000}' needs 5002 states; the limit is 2000: use smaller repeat counts",
      ],
    ]);
  });

  it("are not matched against texts of more than 4,096 characters", async () => {
    const answers = new PatternAnswers();
    answers.ask("a$", texts("a".repeat(4_096), "a".repeat(4_097)));
    await expect(patterns.answer(ORG, answers)).rejects.toThrow(
      "the pattern 'a$' cannot be matched in a text of 4097 characters; the limit is 4096",
    );
  });

  it("that together exceed the time limit of a request end it, and the error names one", async () => {
    const impatient = makePatternMatcher(1);
    const answers = new PatternAnswers();
    const names = slowNames(500);
    answers.ask(".{0,900}h$", names);
    answers.ask("^next$", names);
    const answered = impatient.answer(ORG, answers);
    await expect(answered).rejects.toThrow(PatternError);
    await expect(answered).rejects.toThrow(
      /^the pattern '.+' takes too long together with the other patterns/,
    );
    await impatient.close();
  });
});

describe("work that depends on pattern results", () => {
  it("is repeated once the results are known, and only then", async () => {
    const rounds: string[] = [];
    const result = await withPatterns({ patterns, orgId: ORG }, async (answers) => {
      rounds.push("begun");
      answers.ask("^a", texts("abc"));
      answers.requireAll();
      answers.ask("c$", texts("abc"));
      answers.requireAll();
      rounds.push("done");
      return answers.isFound("^a", "abc") && answers.isFound("c$", "abc");
    });
    expect([result, rounds]).toEqual([true, ["begun", "begun", "begun", "done"]]);
  });

  it("has one limit of processor time for all its rounds", async () => {
    const impatient = makePatternMatcher(100);
    const ROUNDS = 100;
    const names = slowNames(1);
    let round = 0;
    const work = withPatterns({ patterns: impatient, orgId: ORG }, async (answers) => {
      if (round++ === ROUNDS) return;
      answers.ask(`.{0,${900 - round}}h$`, names);
      answers.requireAll();
    });
    await expect(work).rejects.toMatchObject({
      code: "pattern.invalid",
      message: expect.stringContaining("takes too long together with the other patterns of the request"),
    });
    await impatient.close();
  });

  it("is refused for an invalid pattern", async () => {
    const work = withPatterns({ patterns, orgId: ORG }, async (answers) => {
      answers.ask("(", texts());
      answers.requireAll();
    });
    await expect(work).rejects.toMatchObject({
      code: "pattern.invalid",
      message: "the pattern '(' is not valid: missing closing ): `(`",
    });
  });
});
