import * as z from "zod/mini";
import { plainNumber } from "../../api/exact-numbers.ts";
import { parsing } from "../../api/parsing.ts";
import { setOwn } from "../../api/schema-plans.ts";
import type { Schema } from "../../api/wire-names.ts";
import { MAX_COUNTED_ERRORS, MAX_LISTED_ERRORS } from "./errors.ts";

// Walks lists and objects, while zod checks single values. Zod alone collects every issue (seconds and a stack overflow
// for 100,000), copies everything, drops `__proto__`, and mistakes a number kept as text for an object.

/** Returns a schema's output for a value, which is the value itself if nothing changes. */
type Walk = (value: unknown, issues: IssueList) => unknown;

const walks = new WeakMap<Schema, Walk>();

/** Reads a value by its schema: fills in defaults and drops undeclared fields, or adds issues. */
export function walk(schema: Schema, value: unknown, issues: IssueList): unknown {
  return walkOf(schema)(value, issues);
}

function walkOf(schema: Schema): Walk {
  const known = walks.get(schema);
  if (known) return known;
  const made = makeWalk(schema);
  walks.set(schema, made);
  return made;
}

function makeWalk(schema: Schema): Walk {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const rules = (def.checks ?? []).filter((check) => !isDescription(check));
  switch (def.type) {
    case "object":
      return rules.length > 0 ? leaf(schema) : objectWalk(def);
    case "array":
      return rules.every(isSizeLimit) ? listWalk(def) : leaf(schema);
    case "record":
      return rules.length > 0 || def.keyType._zod.def.type !== "string" ? leaf(schema) : mapWalk(def);
    case "union":
      return isDiscriminated(def) ? taggedWalk(schema, def) : unionWalk(def);
    case "optional":
    case "default":
      return defaultedWalk(schema, def.innerType);
    case "nullable": {
      const inner = walkOf(def.innerType);
      return (value, issues) => (value === null ? null : inner(value, issues));
    }
    case "string":
      return textWalk(schema);
    case "number":
    case "literal": {
      const checkLeaf = leaf(schema);
      return (value, issues) => checkLeaf(plainNumber(value), issues);
    }
    case "unknown":
      return (value) => value;
    default:
      return leaf(schema);
  }
}

function leaf(schema: Schema): Walk {
  return (value, issues) => {
    const accepted = acceptedBy(schema, value);
    if (accepted) return accepted.value;
    issues.add(() => firstIssue(schema, value));
    return value;
  };
}

function acceptedBy(schema: Schema, value: unknown): { readonly value: unknown } | undefined {
  const result = schema._zod.run({ value, issues: [] }, {});
  return result instanceof Promise || result.issues.length > 0 ? undefined : result;
}

/** One issue per value is enough. */
function firstIssue(schema: Schema, value: unknown): Issue {
  const [issue] = z.core.safeParse(schema, value, parsing).error?.issues ?? [];
  return issue ? { ...issue, path: [...issue.path] } : wrongType("valid value");
}

function wrongType(expected: z.core.$ZodIssueInvalidType["expected"]): Issue {
  return { code: "invalid_type", expected, path: [], message: "" };
}

/** The size is checked first. The items of a list that is too long are not checked. */
function listWalk({ element, checks = [] }: z.core.$ZodArrayDef): Walk {
  const item = walkOf(element);
  const { least, most } = sizeLimits(checks);
  return (value, issues) => {
    if (!Array.isArray(value)) return refuse(value, "array", issues);
    if (value.length < least || value.length > most) return refuseSize(value, { least, most }, issues);
    let copy: unknown[] | undefined;
    for (let i = 0; i < value.length && !issues.full; i++) {
      const before = issues.listed.length;
      const read = item(value[i], issues);
      issues.prefixPaths(before, i);
      if (read === value[i]) continue;
      copy ??= [...value];
      copy[i] = read;
    }
    return copy ?? value;
  };
}

function mapWalk({ keyType, valueType }: z.core.$ZodRecordDef): Walk {
  const item = walkOf(valueType);
  const takesAnyKey = !keyType._zod.def.checks?.length;
  return (value, issues) => {
    if (!isJsonObject(value)) return refuse(value, "record", issues);
    let copy: Record<string, unknown> | undefined;
    for (const key of Object.keys(value)) {
      if (issues.full) break;
      if (!takesAnyKey && !acceptedBy(keyType, key)) {
        issues.add(() => wrongKey(key, firstIssue(keyType, key)));
        continue;
      }
      const before = issues.listed.length;
      const read = item(value[key], issues);
      issues.prefixPaths(before, key);
      if (read === value[key]) continue;
      copy ??= { ...value };
      setOwn(copy, key, read);
    }
    return copy ?? value;
  };
}

function wrongKey(key: string, issue: Issue): Issue {
  return { code: "invalid_key", origin: "record", issues: [issue], path: [key], message: "" };
}

function objectWalk({ shape, catchall }: z.core.$ZodObjectDef): Walk {
  const fields = Object.entries(shape).map(([name, schema]) => ({
    name,
    walk: walkOf(schema),
    required: schema._zod.optin === undefined,
  }));
  const declared = new Set(fields.map(({ name }) => name));
  const isDeclared = (name: string) => declared.has(name);
  const surplus = { never: "refused", unknown: "kept" }[String(catchall?._zod.def.type)] ?? "dropped";
  return (value, issues) => {
    if (!isJsonObject(value)) return refuse(value, "object", issues);
    const changes: [name: string, read: unknown][] = [];
    let found = 0;
    for (const { name, walk: inner, required } of fields) {
      const isGiven = Object.hasOwn(value, name);
      const given = isGiven ? value[name] : undefined;
      if (isGiven) found++;
      if (given === undefined && required) {
        issues.add(() => ({ ...wrongType("nonoptional"), path: [name] }));
        continue;
      }
      const before = issues.listed.length;
      const read = inner(given, issues);
      issues.prefixPaths(before, name);
      if (read !== given) changes.push([name, read]);
    }
    const keys = Object.keys(value);
    const hasSurplus = keys.length > found && surplus !== "kept";
    if (hasSurplus && surplus === "refused") {
      for (const key of keys) {
        if (issues.full) break;
        if (!declared.has(key)) issues.add(() => unrecognized(key));
      }
    }
    // Refused input is not copied, because copying very many fields takes longer than everything else.
    if (issues.count > 0 || (changes.length === 0 && !hasSurplus)) return value;
    const base = hasSurplus
      ? Object.fromEntries(keys.filter(isDeclared).map((key) => [key, value[key]]))
      : value;
    return Object.assign({ ...base }, Object.fromEntries(changes));
  };
}

function unrecognized(key: string): Issue {
  return { code: "unrecognized_keys", keys: [key], path: [], message: "" };
}

/** An absent value remains absent unless there is a default. */
function defaultedWalk(schema: Schema, innerType: Schema): Walk {
  const inner = walkOf(innerType);
  return (value, issues) =>
    value === undefined ? z.core.safeParse(schema, undefined).data : inner(value, issues);
}

function unionWalk({ options }: z.core.$ZodUnionDef): Walk {
  const members = options.map(walkOf);
  return (value, issues) => {
    const tried: IssueList[] = [];
    for (const member of members) {
      const own = issues.fork();
      const read = member(value, own);
      if (own.count === 0) return read;
      tried.push(own);
    }
    // The intended member: the one whose type fits, so that only its content is wrong.
    const meant = tried.find(
      ({ listed }) => !listed.some(({ path, code }) => path.length === 0 && code === "invalid_type"),
    );
    if (meant) issues.addAll(meant);
    else {
      const errors = tried.map(({ listed }) => listed);
      issues.add(() => ({ code: "invalid_union", errors, path: [], message: "" }));
    }
    return value;
  };
}

function isDiscriminated(def: z.core.$ZodUnionDef): def is z.core.$ZodDiscriminatedUnionDef {
  return "discriminator" in def;
}

/** A union with a discriminator field. Zod reports values that match no member. */
function taggedWalk(schema: Schema, { options, discriminator }: z.core.$ZodDiscriminatedUnionDef): Walk {
  const members = new Map<unknown, Walk>();
  for (const option of options) {
    for (const tag of option._zod.propValues?.[discriminator] ?? []) members.set(tag, walkOf(option));
  }
  const none = leaf(schema);
  return (value, issues) => {
    const member = isJsonObject(value) ? members.get(value[discriminator]) : undefined;
    return (member ?? none)(value, issues);
  };
}

/** Most texts have only a size limit, which is quick to check. */
function textWalk(schema: Schema): Walk {
  const checkLeaf = leaf(schema);
  const { checks = [], ...def } = schema._zod.def;
  const isSimple = checks.every((check) => isSizeLimit(check) || isDescription(check));
  if ("format" in def || "coerce" in def || !isSimple) return checkLeaf;
  const { least, most } = sizeLimits(checks);
  return (value, issues) =>
    typeof value === "string" && value.length >= least && value.length <= most
      ? value
      : checkLeaf(value, issues);
}

/** Zod stores a schema's description among its checks. */
function isDescription({ _zod: { def } }: z.core.$ZodCheck<never>): boolean {
  return def.check === "meta" || def.check === "describe";
}

function isSizeLimit({ _zod: { def } }: z.core.$ZodCheck<never>): boolean {
  return def.check === "min_length" || def.check === "max_length";
}

interface Size {
  readonly least: number;
  readonly most: number;
}

function sizeLimits(checks: readonly z.core.$ZodCheck<never>[]): Size {
  let [least, most] = [0, Number.POSITIVE_INFINITY];
  for (const { _zod } of checks) {
    const { def } = _zod;
    if ("minimum" in def) least = Math.max(least, Number(def.minimum));
    if ("maximum" in def) most = Math.min(most, Number(def.maximum));
  }
  return { least, most };
}

function refuseSize(list: readonly unknown[], { least, most }: Size, issues: IssueList): unknown {
  issues.add(() => {
    const found = { origin: "array", inclusive: true, path: [], message: "" };
    return list.length < least
      ? { ...found, code: "too_small", minimum: least }
      : { ...found, code: "too_big", maximum: most };
  });
  return list;
}

function refuse(value: unknown, expected: "array" | "object" | "record", issues: IssueList): unknown {
  issues.add(() => wrongType(expected));
  return value;
}

/** An object from JSON.parse, which a number kept as text is not. */
function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

export type Issue = z.core.$ZodIssue;

/** Issues of a value: the first ones in full, the others as a count. */
export class IssueList {
  readonly listed: Issue[] = [];
  #count = 0;
  readonly #most: number;

  constructor(most = MAX_LISTED_ERRORS) {
    this.#most = most;
  }

  /** Number of issues. Once the list is full, there may be more. */
  get count(): number {
    return this.#count;
  }

  get full(): boolean {
    return this.#count > MAX_COUNTED_ERRORS;
  }

  add(make: () => Issue): void {
    if (this.#room > 0) this.listed.push(make());
    this.#count++;
  }

  addAll(others: IssueList): void {
    this.listed.push(...others.listed.slice(0, this.#room));
    this.#count += others.count;
  }

  /** A separate list of issues that may be added to this one later. */
  fork(): IssueList {
    return new IssueList(this.#room);
  }

  get #room(): number {
    return this.#most - this.listed.length;
  }

  /** Prepends a step to the paths of the issues listed since an index. */
  prefixPaths(since: number, step: PropertyKey): void {
    for (let i = since; i < this.listed.length; i++) this.listed[i]?.path.unshift(step);
  }
}
