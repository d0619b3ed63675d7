import type { OperationShape } from "../operation.ts";
import * as declared from "../resources.ts";

type Declared = typeof declared;
/** Name of an operation. */
export type OperationName = {
  [Name in keyof Declared]: Declared[Name] extends OperationShape ? Name : never;
}[keyof Declared];

/** All operations by name. */
export const operations = Object.fromEntries(
  Object.entries(declared).filter(([, each]) => isOperation(each)),
) as Readonly<Pick<Declared, OperationName>>;

function isOperation(value: unknown): value is OperationShape {
  return typeof value === "object" && value !== null && "responses" in value;
}

/** The operations that need no authentication. */
export type PublicOperationName = {
  [Name in OperationName]: (typeof operations)[Name]["access"] extends "public" ? Name : never;
}[OperationName];

/** The operations for members of an organization. */
export type MemberOperationName = Exclude<OperationName, PublicOperationName>;

export function isPublic(name: OperationName): name is PublicOperationName {
  return operations[name].access === "public";
}
