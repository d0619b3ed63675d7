/**
 * The tree of policy expressions. Types are checked while parsing, so an accepted expression is always true or false.
 */

export interface ExpressionScope {
  /** Null for an unreported artifact. */
  flow: { name: string; tags: Readonly<Record<string, string>> } | null;
  artifact: { name: string; fingerprint: string };
  /** The origin of the record that `must_meet` checks. Null if unproven. */
  origin?: ProvenOrigin | null;
  /** Values of the user data of that record. */
  userData?: UserDataValues;
  isFound: (pattern: string, text: string) => boolean;
}

/** Values of a record's user data, by dotted path. Lists, objects and null have none. */
export type UserDataValues = Readonly<Record<string, string | number>>;

export interface ProvenOrigin {
  /** `verified`, `unproven` or `different` */
  state: string;
  /** Claims of the token. */
  claims: Readonly<Record<string, unknown>>;
}

/** Its value is null if the scope has none. */
export type Operand =
  | { kind: "text"; value: string }
  | { kind: "number"; value: number }
  | { kind: "context"; name: ContextName }
  | { kind: "tag"; key: string }
  | { kind: "claim"; key: string }
  | { kind: "user-data"; path: string };

type ContextName = "flow.name" | "artifact.name" | "artifact.fingerprint" | "origin";

export type Comparison = "==" | "!=" | "<" | ">" | "<=" | ">=";

/** A pattern match. The pattern is checked when the policy is uploaded. */
export interface MatchesCondition {
  kind: "matches";
  input: Operand;
  pattern: string;
  /** Index of the pattern, in characters. */
  index: number;
}

export type Condition =
  | { kind: "compare"; by: Comparison; left: Operand; right: Operand }
  | { kind: "in"; item: Operand; list: readonly Operand[] }
  | { kind: "exists"; what: Operand | { kind: "flow" } }
  | MatchesCondition
  | { kind: "not"; condition: Condition }
  | { kind: "and" | "or"; conditions: readonly Condition[] };

/** All pattern matches, in the order of the expression. */
export function matchesIn(condition: Condition): MatchesCondition[] {
  switch (condition.kind) {
    case "matches":
      return [condition];
    case "not":
      return matchesIn(condition.condition);
    case "and":
    case "or":
      return condition.conditions.flatMap(matchesIn);
    case "compare":
    case "in":
    case "exists":
      return [];
  }
}

export class ExpressionError extends Error {
  /** In characters. */
  readonly index: number;

  constructor(message: string, index: number) {
    super(message);
    this.name = "ExpressionError";
    this.index = index;
  }
}
