import type { OperationShape } from "../../api/operation.ts";
import type { MemberOperationName } from "../../api/operations.ts";

/** The flows and environments that somebody may touch, by name. Null for all, and all else of the organization. */
export type Scope = {
  readonly flows: string[];
  readonly environments: string[];
} | null;

/** The same for everybody: schemas, kinds, the organization itself. */
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

/** They name a flow or an environment in their path, and change what else there is of the organization. */
const WIDER: readonly MemberOperationName[] = ["joinEnvironment", "renameEnvironment", "renameFlow"];

/** What they make is named in their body. */
const MAKING: { readonly [Name in MemberOperationName]?: "flows" | "environments" } = {
  createEnvironment: "environments",
  createFlow: "flows",
  createFlowWithTemplate: "flows",
};

/** What a request names. */
export interface Named {
  readonly flow?: string | undefined;
  readonly environment?: string | undefined;
  /** What is to be made; undefined before the body is read. */
  readonly made?: string | undefined;
}

/** Whether somebody may touch what a request is about. An operation that is not known to be narrow needs all. */
export function mayTouch(
  scope: Scope,
  { name, path }: Pick<OperationShape, "path" | "name">,
  { flow, environment, made }: Named,
): boolean {
  if (scope === null || isOneOf(SHARED, name) || isOneOf(FILTERED, name)) return true;
  if (isOneOf(WIDER, name)) return false;
  const makes = Object.entries(MAKING).find(([making]) => making === name)?.[1];
  if (makes !== undefined) return made === undefined || scope[makes].includes(made);
  const wants = { flows: path.includes("{flow_name}"), environments: path.includes("{env_name}") };
  if (!wants.flows && !wants.environments) return false;
  return (
    (!wants.flows || (flow !== undefined && scope.flows.includes(flow))) &&
    (!wants.environments || (environment !== undefined && scope.environments.includes(environment)))
  );
}

/** A scope in words: `flows:web,api environments:prod`; empty for all. */
export function scopeText(scope: Scope): string {
  if (scope === null) return "";
  const part = (kind: keyof NonNullable<Scope>) =>
    scope[kind].length === 0 ? [] : [`${kind}:${scope[kind].join(",")}`];
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
