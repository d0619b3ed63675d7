import { type Attributes, canonicalValue, isKept, isMultiValued, isObject } from "./attributes.ts";
import { type Condition, type Path, pathIn } from "./filter.ts";
import { invalid, requireSmall, ScimProblem } from "./problem.ts";

/** One operation of a PATCH request, with the path that it names or that its value implies. */
export interface PatchOperation {
  readonly op: "add" | "replace" | "remove";
  readonly path: Path;
  readonly value: unknown;
}

const MOST_OPERATIONS = 1_000;
/** Maximum number of values of an attribute, because each operation compares them. */
const MOST_VALUES = 1_000;
/** Maximum number of values that all operations of a request compare, because other requests wait for them. */
const MOST_COMPARED = 20_000;

/** The operations of a PATCH request. One without a path becomes one for each attribute. @throws ScimProblem */
export function operationsIn(body: Attributes): PatchOperation[] {
  const [, listed] = Object.entries(body).find(([name]) => name.toLowerCase() === "operations") ?? [];
  if (!Array.isArray(listed)) throw invalid("invalidSyntax", "The request has no Operations");
  if (listed.length > MOST_OPERATIONS)
    throw invalid("invalidSyntax", `A request has at most ${MOST_OPERATIONS} operations`);
  return listed.flatMap((each) => {
    if (!isObject(each)) throw invalid("invalidSyntax", "An operation is not an object");
    const op = String(each["op"]).toLowerCase();
    if (op !== "add" && op !== "replace" && op !== "remove")
      throw invalid("invalidSyntax", `The operation '${op.slice(0, 100)}' is not add, replace or remove`);
    const { path, value } = each;
    if (op !== "remove" && value === undefined)
      throw invalid("invalidValue", `The operation ${op} has no value`);
    if (typeof path === "string" && path !== "") return [{ op, path: pathIn(path), value }];
    if (path !== undefined && path !== null && path !== "")
      throw invalid("invalidPath", "The path is not a text");
    if (op === "remove") throw invalid("noTarget", "The operation remove needs a path");
    if (!isObject(value)) throw invalid("invalidValue", "Without a path, the value is an object");
    return Object.entries(value).flatMap(([name, inner]) => impliedOperations(op, name, inner));
  });
}

function impliedOperations(op: "add" | "replace", name: string, value: unknown): PatchOperation[] {
  // An address of a schema names no attribute that could be invalid.
  if (name === "__proto__" || !isKept(name)) return [];
  return [{ op, path: pathIn(name), value }];
}

/** The resource after the operations, of which either all apply or none. @throws ScimProblem */
export function patched(resource: Attributes, operations: readonly PatchOperation[]): Attributes {
  const changed = structuredClone(resource);
  // Each operation compares the values of the earlier ones, so a limit of the result would come too late.
  requireSmall(JSON.stringify(operations.map(({ value }) => value)));
  let compared = 0;
  for (const { op, path, value } of operations) {
    compared += apply(changed, { op, path, value });
    if (compared > MOST_COMPARED)
      throw new ScimProblem(413, `The operations compare more than ${MOST_COMPARED} values`);
  }
  return changed;
}

/** Returns the number of values of the attribute. */
function apply(resource: Attributes, { op, path, value }: PatchOperation): number {
  const [first = ""] = path.steps;
  if (!isKept(first)) return 0;
  const last = path.steps.at(-1) ?? "";
  const outer = containerOf(resource, path.steps.slice(0, -1), op !== "remove");
  if (outer === undefined) return 0;
  const name = keyIn(outer, last);
  if (path.where !== undefined) selected(outer, name, { op, path, value });
  else if (op === "remove") remove(outer, name, value);
  else assign(outer, name, { op, value: canonicalValue(name, value) });
  const values = outer[name];
  if (Array.isArray(values) && values.length > MOST_VALUES)
    throw new ScimProblem(413, `The attribute '${name}' has more than ${MOST_VALUES} values`);
  removeEmpty(resource, path.steps);
  return Array.isArray(values) ? values.length : 0;
}

/** The object that has the last attribute of a path. Created if `creates`. */
function containerOf(
  resource: Attributes,
  steps: readonly string[],
  creates: boolean,
): Attributes | undefined {
  let inside = resource;
  for (const step of steps) {
    const name = keyIn(inside, step);
    const next = inside[name];
    if (isObject(next)) inside = next;
    else if (!creates) return undefined;
    else if (next === undefined) {
      const made: Attributes = {};
      inside[name] = made;
      inside = made;
    } else throw invalid("invalidPath", `The attribute '${name}' has no attributes of its own`);
  }
  return inside;
}

function keyIn(object: Attributes, name: string): string {
  const folded = name.toLowerCase();
  return Object.keys(object).find((key) => key.toLowerCase() === folded) ?? name;
}

function assign(
  outer: Attributes,
  name: string,
  { op, value }: { op: "add" | "replace"; value: unknown },
): void {
  const existing = outer[name];
  if (value === null) delete outer[name];
  else if (isObject(existing) && isObject(value)) Object.assign(existing, value);
  else if (op === "add" && Array.isArray(existing)) {
    const known = new Set(existing.map((each) => JSON.stringify(each)));
    const added = [value].flat().filter((each) => !known.has(JSON.stringify(each)));
    outer[name] = [...withoutPrimary(existing, added), ...added];
  } else outer[name] = isMultiValued(name) ? [value].flat() : value;
}

/** With a list as the value, removes only the values with those ids, as Entra does. */
function remove(outer: Attributes, name: string, value: unknown): void {
  const existing = outer[name];
  if (!Array.isArray(existing) || !Array.isArray(value) || value.length === 0) delete outer[name];
  else {
    const removed = new Set(value.map(identityOf));
    outer[name] = existing.filter((each) => !removed.has(identityOf(each)));
  }
}

function identityOf(value: unknown): string {
  return isObject(value) ? `value ${JSON.stringify(value["value"])}` : JSON.stringify(value);
}

function selected(outer: Attributes, name: string, { op, path, value }: PatchOperation): void {
  const { where = [], inner } = path;
  const existing = [outer[name] ?? []].flat();
  const fits = (each: unknown) =>
    isObject(each) && where.every((condition) => fitsCondition(each, condition));
  if (op === "remove") {
    if (inner === undefined) outer[name] = existing.filter((each) => !fits(each));
    else for (const each of existing) if (isObject(each) && fits(each)) delete each[keyIn(each, inner)];
    return;
  }
  const sent = canonicalValue(inner ?? "", value);
  const change = inner === undefined ? sent : { [inner]: sent };
  if (!isObject(change)) throw invalid("invalidValue", `A value of '${name}' is an object`);
  const changed = existing.filter(isObject).filter(fits);
  const before = new Set<unknown>(changed);
  for (const each of changed) Object.assign(each, change);
  // Entra expects that a value which does not exist is created.
  if (changed.length === 0) changed.push({ ...described(where), ...change });
  const others = existing.filter((each) => !before.has(each));
  outer[name] = [...withoutPrimary(others, changed), ...changed];
}

function fitsCondition(object: Attributes, { path, value }: Condition): boolean {
  const [name = ""] = path.steps;
  const existing = object[keyIn(object, name)] ?? null;
  return String(existing).toLowerCase() === String(value).toLowerCase();
}

/** The attributes that conditions describe. */
function described(where: readonly Condition[]): Attributes {
  return Object.fromEntries(
    where.map(({ path, value }) => {
      const [name = ""] = path.steps;
      return [name, canonicalValue(name, value)];
    }),
  );
}

/** At most one value is the primary one, so a new one replaces it. */
function withoutPrimary(existing: readonly unknown[], added: readonly unknown[]): unknown[] {
  if (!added.some((each) => isObject(each) && each["primary"] === true)) return [...existing];
  return existing.map((each) =>
    isObject(each) && each["primary"] === true ? { ...each, primary: false } : each,
  );
}

/** Removes an attribute without values, and an extension without attributes. */
function removeEmpty(resource: Attributes, steps: readonly string[]): void {
  for (let length = steps.length; length > 0; length--) {
    const outer = containerOf(resource, steps.slice(0, length - 1), false);
    const name = outer && keyIn(outer, steps[length - 1] ?? "");
    if (outer === undefined || name === undefined) continue;
    const value = outer[name];
    if (value === null || (typeof value === "object" && Object.keys(value).length === 0)) delete outer[name];
  }
}
