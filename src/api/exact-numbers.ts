import { innermost, type Schema } from "./wire-names.ts";

/*
 * Numbers that keep their digits. In data of the user `1.10` may be a version, and `9007199254740993` an identifier:
 * both go on as they were written. Where a schema wants a number it gets one.
 */

/**
 * A reviver for `JSON.parse`: a number that `JSON.stringify` would write in another way than its source becomes a
 * value that is written as the source.
 */
export function keepDigits(_key: string, value: unknown, { source }: { source?: string }): unknown {
  return typeof value === "number" && source !== undefined && source !== String(value)
    ? JSON.rawJSON(source)
    : value;
}

type Plan = (value: unknown) => unknown;

const untouched: Plan = (value) => value;
const plans = new WeakMap<Schema, Plan>();

/**
 * A value of the wire with plain numbers wherever the schema names a number; where it takes anything, digits are kept.
 * What has nothing to change is given back as it is, not as a copy.
 */
export function plainNumbers(schema: Schema, value: unknown): unknown {
  return planOf(schema)(value);
}

function planOf(schema: Schema): Plan {
  const known = plans.get(schema);
  if (known) return known;
  const plan = makePlan(schema);
  plans.set(schema, plan);
  return plan;
}

function makePlan(schema: Schema): Plan {
  const inner = innermost(schema);
  if (inner !== schema) return planOf(inner);
  const { def } = inner._zod;
  switch (def.type) {
    case "number":
    case "literal":
      return plainNumber;
    case "object": {
      const fields = new Map(Object.entries(def.shape).map(([name, field]) => [name, planOf(field)]));
      if ([...fields.values()].every((plan) => plan === untouched)) return untouched;
      return (value) => changed(value, (name) => fields.get(name) ?? untouched);
    }
    case "record": {
      const plan = planOf(def.valueType);
      return plan === untouched ? untouched : (value) => changed(value, () => plan);
    }
    case "array": {
      const plan = planOf(def.element);
      if (plan === untouched) return untouched;
      return (value) => {
        if (!Array.isArray(value)) return value;
        const items = value.map(plan);
        return items.some((item, index) => item !== value[index]) ? items : value;
      };
    }
    case "union": {
      const members = def.options.map(planOf).filter((plan) => plan !== untouched);
      return members.length === 0 ? untouched : (value) => members.reduce((v, plan) => plan(v), value);
    }
    default:
      return untouched;
  }
}

/** A number that keeps its digits as a plain one, which may have fewer; anything else as it is. */
export function plainNumber(value: unknown): unknown {
  return JSON.isRawJSON(value) ? Number(JSON.stringify(value)) : value;
}

function changed(value: unknown, planFor: (name: string) => Plan): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value) || JSON.isRawJSON(value))
    return value;
  let isChanged = false;
  const entries = Object.entries(value).map(([name, item]) => {
    const plain = planFor(name)(item);
    isChanged ||= plain !== item;
    return [name, plain] as const;
  });
  return isChanged ? Object.fromEntries(entries) : value;
}
