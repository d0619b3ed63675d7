import type * as z from "zod/mini";

/** Converts a value as its schema requires. Returns an unchanged value itself, not a copy. */
export type Plan = (value: unknown) => unknown;

interface PlanRules {
  /** Plan for values of a type without members. */
  readonly leaf?: (type: string) => Plan | undefined;
  /** Name of a declared field after the conversion, and its names before. */
  readonly fieldNames?: (declared: string) => readonly [made: string, ...given: string[]];
}

interface Field {
  readonly name: string;
  readonly plan: Plan;
}

const untouched: Plan = (value) => value;

/** Makes and caches a plan for each schema. Renames only declared fields. */
export function planner({
  leaf = () => undefined,
  fieldNames = (declared) => [declared, declared],
}: PlanRules): (schema: z.core.$ZodType) => Plan {
  const plans = new WeakMap<z.core.$ZodType, Plan>();
  return planOf;

  function planOf(schema: z.core.$ZodType): Plan {
    const known = plans.get(schema);
    if (known) return known;
    const plan = makePlan(schema);
    plans.set(schema, plan);
    return plan;
  }

  function makePlan(schema: z.core.$ZodType): Plan {
    const inner = innermost(schema);
    if (inner !== schema) return planOf(inner);
    const { def } = inner._zod;
    switch (def.type) {
      case "object":
        return objectPlan(def.shape);
      case "record": {
        const plan = planOf(def.valueType);
        return plan === untouched ? untouched : (value) => changed(value, (name) => ({ name, plan }));
      }
      case "array": {
        const plan = planOf(def.element);
        return plan === untouched ? untouched : (value) => changedItems(value, plan);
      }
      case "union": {
        // Members of unions have different keys, so each converts its own.
        const members = def.options.map(planOf).filter((plan) => plan !== untouched);
        return members.length === 0 ? untouched : (value) => members.reduce((v, plan) => plan(v), value);
      }
      default:
        return leaf(def.type) ?? untouched;
    }
  }

  function objectPlan(shape: Readonly<Record<string, z.core.$ZodType>>): Plan {
    const fields = new Map<string, Field>();
    for (const [declared, schema] of Object.entries(shape)) {
      const [name, ...before] = fieldNames(declared);
      for (const given of before) fields.set(given, { name, plan: planOf(schema) });
    }
    const isSame = [...fields].every(([given, { name, plan }]) => given === name && plan === untouched);
    return isSame ? untouched : (value) => changed(value, (name) => fields.get(name));
  }
}

function changedItems(value: unknown, plan: Plan): unknown {
  if (!Array.isArray(value)) return value;
  const items = value.map(plan);
  return items.some((item, index) => item !== value[index]) ? items : value;
}

function changed(value: unknown, fieldOf: (given: string) => Field | undefined): unknown {
  if (!isPlainObject(value)) return value;
  let copy: Record<string, unknown> | undefined;
  // A list of the keys takes twice as long. Plain objects inherit none.
  for (const given in value) {
    const item = value[given];
    const field = fieldOf(given);
    const name = field?.name ?? given;
    const made = field ? field.plan(item) : item;
    if (copy === undefined && name === given && made === item) continue;
    copy ??= startOf(value, given);
    setOwn(copy, name, made);
  }
  return copy ?? value;
}

/** The fields before one. */
function startOf(value: Readonly<Record<string, unknown>>, end: string): Record<string, unknown> {
  const start: Record<string, unknown> = {};
  for (const name in value) {
    if (name === end) break;
    setOwn(start, name, value[name]);
  }
  return start;
}

/** Assignment would run the setter of `__proto__` instead of adding a key of that name. */
export function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === "__proto__") Object.defineProperty(target, key, { value, enumerable: true, writable: true });
  else target[key] = value;
}

/** Excludes JSON.rawJSON numbers, which are frozen objects without a prototype. */
function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || (prototype === null && !Object.isFrozen(value));
}

/** Schema inside wrappers such as optional, nullable, default and readonly. */
export function innermost(schema: z.core.$ZodType): z.core.$ZodTypes {
  const typed = schema as z.core.$ZodTypes;
  const { def } = typed._zod;
  switch (def.type) {
    case "optional":
    case "nullable":
    case "default":
    case "prefault":
    case "readonly":
      return innermost(def.innerType);
    default:
      return typed;
  }
}
