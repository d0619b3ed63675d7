import { describe, expect, test } from "vitest";
import type { CiContext } from "../../src/ci/context.ts";
import { readCi } from "../../src/ci/context.ts";

export type Environment = Readonly<Record<string, string>>;

/** The head of a change, and a merge of it that only the job sees. */
export const HEAD = "0b7a2f6c1d9e4a53b8c70e1f2a3b4c5d6e7f8091";
export const MERGE = "c4295bd74fb0f4fda03689c3df3f2803b658fd85";

/** The variables of a job, and what is known from them. */
export interface RecordedContext {
  readonly job: string;
  readonly variables: Environment;
  readonly event?: Readonly<Record<string, unknown>>;
  readonly facts: Partial<CiContext>;
}

/** Tests that each context has exactly its facts. */
export function testContexts(title: string, system: string, contexts: readonly RecordedContext[]): void {
  describe(title, () => {
    test("is recorded in at least ten forms", () => {
      expect(contexts.length).toBeGreaterThanOrEqual(10);
    });

    test.each(contexts)("$job", ({ variables, event, facts }) => {
      const { advice: _advice, ...found } = readCi(variables, event) ?? {};
      // Unlike toStrictEqual, this ignores unknown facts.
      expect(found).toEqual({ system, run: {}, ...facts });
    });
  });
}

/** Variables without some of them. */
export function without(variables: Environment, ...names: readonly string[]): Environment {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !names.includes(name)));
}
