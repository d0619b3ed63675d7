/*
 * The expression language of policies, as a tree. Its types are checked while it is parsed, so that an expression
 * that was accepted always gives true or false.
 */

/** What an expression is about. */
export interface ExpressionScope {
  /** Null for an artifact that no flow has reported. */
  flow: { name: string; tags: Readonly<Record<string, string>> } | null;
  artifact: { name: string; fingerprint: string };
  /** The origin of the attestation or artifact report that `must_meet` checks. Null if nothing was proven. */
  origin?: ProvenOrigin | null;
  /** Whether a pattern is found anywhere in a text. */
  isFound: (pattern: string, text: string) => boolean;
}

/** The proven origin of a record. */
export interface ProvenOrigin {
  /** `verified`, `unproven` or `different` */
  state: string;
  /** What the token said. */
  claims: Readonly<Record<string, unknown>>;
}

/** A value: text, a number, or null where the scope has nothing. */
export type Operand =
  | { kind: "text"; value: string }
  | { kind: "number"; value: number }
  | { kind: "context"; name: ContextName }
  | { kind: "tag"; key: string }
  | { kind: "claim"; key: string };

type ContextName = "flow.name" | "artifact.name" | "artifact.fingerprint" | "origin";

export type Comparison = "==" | "!=" | "<" | ">" | "<=" | ">=";

/** Whether a pattern is found in a text. That the pattern can be used is checked when the policy is uploaded. */
export interface MatchesCondition {
  kind: "matches";
  input: Operand;
  pattern: string;
  /** Where the pattern stands, counted in characters from the start of the text. */
  index: number;
}

/** What is true or false. */
export type Condition =
  | { kind: "compare"; by: Comparison; left: Operand; right: Operand }
  | { kind: "in"; item: Operand; list: readonly Operand[] }
  | { kind: "exists"; what: Operand | { kind: "flow" } }
  | MatchesCondition
  | { kind: "not"; condition: Condition }
  | { kind: "and" | "or"; conditions: readonly Condition[] };

/** The patterns of a condition, in the order in which they stand there. */
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

/** An expression that cannot be used. */
export class ExpressionError extends Error {
  /** Where, counted in characters from the start of the text. */
  readonly index: number;

  constructor(message: string, index: number) {
    super(message);
    this.name = "ExpressionError";
    this.index = index;
  }
}
