import type { Access, OperationShape } from "../../api/operation.ts";
import { OWN_KEY } from "../../api/resources/api-keys.ts";
import { camelName } from "../../api/wire-names.ts";
import { type Caller, ROLES, type Role } from "./caller.ts";
import { Forbidden } from "./errors.ts";
import { type Given, mayTouch } from "./scope.ts";

const ALLOWED: Readonly<Record<Exclude<Access, "public">, readonly Role[]>> = {
  read: ROLES,
  assert: ROLES,
  attest: ["admin", "member", "attester"],
  approve: ["admin", "member", "approver"],
  write: ["admin", "member"],
  grant: ["admin", "member"],
  report: ["admin", "member", "snapshotter"],
  audit: ["admin", "auditor"],
  "manage accounts": ["admin", "member", "snapshotter"],
  administer: ["admin"],
};

/** Workflows create nothing that gives access or sends data after their token expires. */
const NO_WORKFLOW: readonly Access[] = ["grant", "manage accounts"];

export function isAllowed(role: Role, access: Access): boolean {
  return access === "public" || ALLOWED[access].includes(role);
}

export function covers(role: Role, other: Role): boolean {
  return Object.values(ALLOWED).every((roles) => !roles.includes(other) || roles.includes(role));
}

type Called = Pick<OperationShape, "access" | "reach" | "forOwnKey">;
type Calling = Pick<Caller, "role" | "scope" | "workflow" | "keyId" | "mayRotateItself">;

/** Checks every right of keys, workflows and signed-in people. */
export function may(caller: Calling, operation: Called, given: Given): boolean {
  const { access, forOwnKey } = operation;
  if (caller.workflow !== undefined && NO_WORKFLOW.includes(access)) return false;
  if (forOwnKey !== undefined && rotatesItself(caller, given[camelName(forOwnKey)])) return true;
  return isAllowed(caller.role, access) && mayTouch(caller.scope, operation, given);
}

export function rotatesItself(
  { keyId, mayRotateItself = false }: Pick<Calling, "keyId" | "mayRotateItself">,
  named: unknown,
): boolean {
  return mayRotateItself && (named === OWN_KEY || named === keyId);
}

/** @throws Forbidden */
export function requireRight(...args: Parameters<typeof may>): void {
  if (!may(...args)) throw new Forbidden();
}
