import type * as z from "zod/mini";
import type { Schema } from "../api/wire-names.ts";

/** Whether a value surely is what a schema would make of it. */
type Fit = (value: unknown) => boolean;

const plans = new WeakMap<Schema, Fit>();

/**
 * Whether a value fits a schema just as it is, so that zod would give an equal copy of it. It asks zod about each
 * leaf, and walks the objects and lists itself without copying them: a large report is checked in a fraction of the
 * time. False says nothing: then zod decides, and says what is wrong.
 */
export function fitsAsItIs(schema: Schema, value: unknown): boolean {
  return planOf(schema)(value);
}

function planOf(schema: Schema): Fit {
  const known = plans.get(schema);
  if (known) return known;
  const plan = makePlan(schema);
  plans.set(schema, plan);
  return plan;
}

function makePlan(schema: Schema): Fit {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.checks && def.checks.length > 0) return asLeaf(schema);
  switch (def.type) {
    case "object":
      return objectPlan(def);
    case "array": {
      const item = planOf(def.element);
      return (value) => Array.isArray(value) && value.every(item);
    }
    case "record": {
      // Of other keys zod may want each to be there.
      if (def.keyType._zod.def.type !== "string") return asLeaf(schema);
      const key = planOf(def.keyType);
      const item = planOf(def.valueType);
      return (value) =>
        isParsedObject(value) && Object.keys(value).every((name) => key(name) && item(value[name]));
    }
    case "optional":
    case "default": {
      const inner = planOf(def.innerType);
      return (value) => value !== undefined && inner(value);
    }
    case "nullable": {
      const inner = planOf(def.innerType);
      return (value) => value === null || inner(value);
    }
    case "string":
      return "format" in def || "coerce" in def ? asLeaf(schema) : (value) => typeof value === "string";
    default:
      return asLeaf(schema);
  }
}

/** What zod gives back changed, or copied, is not surely the same. */
function asLeaf(schema: Schema): Fit {
  return (value) => {
    const result = schema._zod.run({ value, issues: [] }, {});
    return !(result instanceof Promise) && result.issues.length === 0 && result.value === value;
  };
}

function objectPlan({ shape, catchall }: z.core.$ZodObjectDef): Fit {
  const fields = new Map(Object.entries(shape).map(([name, schema]) => [name, planOf(schema)]));
  // What has a default may be absent, but zod would add it.
  const required = Object.keys(shape).filter((name) => shape[name]?._zod.optin !== "optional");
  // Without a word on further fields, zod leaves them out.
  const takesMore = catchall?._zod.def.type === "unknown";
  return (value) =>
    isParsedObject(value) &&
    required.every((name) => Object.hasOwn(value, name)) &&
    Object.keys(value).every((name) => fields.get(name)?.(value[name]) ?? takesMore);
}

/** An object as JSON.parse makes them; zod leaves a field out that is named as the prototype is. */
function isParsedObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    typeof value === "object" &&
    value !== null &&
    Object.getPrototypeOf(value) === Object.prototype &&
    !Object.hasOwn(value, "__proto__")
  );
}
