import type { OperationShape } from "../../api/operation.ts";
import type { MemberOperationName } from "../../api/operations.ts";

/** The flows and environments that somebody may touch, by name. Null for all, and all else of the organization. */
export type Scope = {
  readonly flows: string[];
  readonly environments: string[];
} | null;

type Kind = keyof NonNullable<Scope>;
const KINDS: readonly Kind[] = ["flows", "environments"];
const IN_PATH: Readonly<Record<Kind, string>> = { flows: "{flow_name}", environments: "{env_name}" };

/** They answer everybody alike: with schemas, kinds, the organization itself. */
const SHARED: readonly MemberOperationName[] = [
  "getDefaultOrg",
  "getFlowTemplateSchema",
  "getOrganization",
  "getPolicySchema",
  "listSystemAttestationTypes",
  "setDefaultOrg",
];

/** They answer from the flows and environments that the caller may touch. */
const FILTERED: readonly MemberOperationName[] = [
  "assertArtifact",
  "listAllowlists",
  "listArtifacts",
  "listAttestations",
  "listAttestationsForCriteria",
  "listEnvironments",
  "listFlows",
  "listTrails",
  "searchSha",
];

/**
 * They name a flow or an environment in their path, and change what else there is of the organization, or which policies
 * an environment is held to: who may deploy there does not say what that takes. A decision about a control counts for
 * its artifact in every flow.
 */
const WIDER: readonly MemberOperationName[] = [
  // The name could be given to an environment without policies.
  "archiveEnvironment",
  "attachPolicies",
  "attestSystem",
  "detachPolicies",
  "joinEnvironment",
  "renameEnvironment",
  "renameFlow",
];

/** What they make is named in their body. */
const MAKING: { readonly [Name in MemberOperationName]?: Kind } = {
  createEnvironment: "environments",
  createFlow: "flows",
  createFlowWithTemplate: "flows",
};

/** The fields that name flows and environments, wherever in a request they stand. */
const NAMING: Readonly<Record<Kind, readonly string[]>> = {
  flows: ["flowName", "flow"],
  environments: ["envName", "environmentName", "environment", "includedEnvironments"],
};

/** What a request names. */
export interface Named {
  readonly flows: readonly string[];
  readonly environments: readonly string[];
  /** What is to be made; undefined before the body is read. */
  readonly made?: string | undefined;
  /** The API key in its path, by its id. */
  readonly keyId?: string | undefined;
}

/** What a request names: in its path and query, which are given together, and in its body. */
export function namedBy(params: object, body?: unknown): Named {
  const given = [Object.entries(params), Object.entries(Object(body))].flat();
  const named = (kind: Kind) =>
    given.flatMap(([field, value]) => (isOneOf(NAMING[kind], field) ? textsIn(value) : []));
  const { name } = Object(body);
  const { keyId } = Object(params);
  return {
    flows: named("flows"),
    environments: named("environments"),
    made: typeof name === "string" ? name : undefined,
    keyId: typeof keyId === "string" ? keyId : undefined,
  };
}

/** Nothing has the empty name. */
function textsIn(value: unknown): string[] {
  return [value].flat().flatMap((each) => (typeof each === "string" && each !== "" ? [each] : []));
}

/** The names that somebody may see, as a condition of a query; undefined for all, which needs no condition. */
export function namesIn(scope: Scope, kind: Kind): readonly string[] | undefined {
  return scope?.[kind];
}

/** The flows that an operation is about, with the one that it is to make. */
export function flowsAsked({ name }: Pick<OperationShape, "name">, { flows, made }: Named): string[] {
  return [...flows, ...(made !== undefined && makes(name) === "flows" ? [made] : [])];
}

/**
 * Whether somebody may touch what a request is about, by names alone: whether what is named exists makes no difference.
 * An operation that is not known to be narrow needs all.
 *
 * Who may touch an environment sees what it is: what runs in it with the flows that built it, what a logical one is
 * made of, and its policies. Who may touch a flow sees of where its artifacts run only the environments of the scope.
 */
export function mayTouch(
  scope: Scope,
  { name, path }: Pick<OperationShape, "path" | "name">,
  { made, ...named }: Named,
): boolean {
  if (scope === null) return true;
  const holds = (kind: Kind) => named[kind].every((each) => scope[kind].includes(each));
  if (!holds("flows") || !holds("environments")) return false;
  if (isOneOf(SHARED, name) || isOneOf(FILTERED, name)) return true;
  if (isOneOf(WIDER, name)) return false;
  const making = makes(name);
  if (making !== undefined) return made === undefined || scope[making].includes(made);
  const wanted = KINDS.filter((kind) => path.includes(IN_PATH[kind]));
  return wanted.length > 0 && wanted.every((kind) => named[kind].length > 0);
}

function makes(name: string): Kind | undefined {
  return Object.entries(MAKING).find(([making]) => making === name)?.[1];
}

/** A scope in words: `flows:web,api environments:prod`; empty for all. */
export function scopeText(scope: Scope): string {
  if (scope === null) return "";
  const part = (kind: Kind) => (scope[kind].length === 0 ? [] : [`${kind}:${scope[kind].join(",")}`]);
  return [...part("flows"), ...part("environments")].join(" ");
}

/** What was said of flows and environments, as a scope. */
export function scopeOf({
  flows,
  environments,
}: {
  flows?: readonly string[] | null | undefined;
  environments?: readonly string[] | null | undefined;
}): Scope {
  if (!flows && !environments) return null;
  return { flows: [...new Set(flows)], environments: [...new Set(environments)] };
}

function isOneOf(names: readonly string[], name: string): boolean {
  return names.includes(name);
}
