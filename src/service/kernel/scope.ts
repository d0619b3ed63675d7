import type { OperationShape } from "../../api/operation.ts";
import { camelName } from "../../api/wire-names.ts";

/** The flows and environments that the caller may access, by name. Null for these and all else of the organization. */
export type Scope = {
  readonly flows: string[];
  readonly environments: string[];
} | null;

type Kind = keyof NonNullable<Scope>;
const KINDS: readonly Kind[] = ["flows", "environments"];

/** The parameters and body fields of a request, by their TypeScript names. */
export type Given = Readonly<Record<string, unknown>>;

export function givenBy(params: object, body?: unknown): Given {
  return { ...Object(body), ...params };
}

type ReachOnly = Pick<OperationShape, "reach">;

/** The flows or environments that a request names. */
export function namesGiven({ reach }: ReachOnly, given: Given, kind: Kind): string[] {
  if (typeof reach === "string") return [];
  const { inside, made, list, also }: AnyFields = reach;
  return [inside, made, list, also].flatMap((fields) => textsIn(given, fields?.[kind]));
}

type Fields = { readonly [K in Kind]?: string };
type AnyFields = { readonly [Part in "inside" | "made" | "list" | "also"]?: Fields };

/** Empty texts are left out, because no resource has an empty name. */
function textsIn(given: Given, field: string | undefined): string[] {
  if (field === undefined) return [];
  return [given[camelName(field)]]
    .flat()
    .flatMap((each) => (typeof each === "string" && each !== "" ? [each] : []));
}

/** The names that the caller may see, as a condition of a query. Undefined for all. */
export function namesIn(scope: Scope, kind: Kind): readonly string[] | undefined {
  return scope?.[kind];
}

/**
 * Decides by names alone, so that the response does not reveal what exists. Access to an
 * environment covers all of it; access to a flow shows only the environments of the scope.
 */
export function mayTouch(scope: Scope, operation: ReachOnly, given: Given): boolean {
  const { reach } = operation;
  if (scope === null || reach === "all") return true;
  if (reach === "never") return false;
  const isInScope = (kind: Kind) =>
    namesGiven(operation, given, kind).every((name) => scope[kind].includes(name));
  if (!KINDS.every(isInScope)) return false;
  if (!("inside" in reach)) return true;
  return KINDS.every((kind) => !(kind in reach.inside) || textsIn(given, reach.inside[kind]).length > 0);
}

/** A scope as text: `flows:web,api environments:prod`; empty for all. */
export function scopeText(scope: Scope): string {
  if (scope === null) return "";
  const part = (kind: Kind) => (scope[kind].length === 0 ? [] : [`${kind}:${scope[kind].join(",")}`]);
  return [...part("flows"), ...part("environments")].join(" ");
}

export function scopeOf({
  flows,
  environments,
}: { readonly [K in Kind]?: readonly string[] | null | undefined }): Scope {
  if (!flows && !environments) return null;
  return { flows: [...new Set(flows)], environments: [...new Set(environments)] };
}
