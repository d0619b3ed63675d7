import { describe, expect, it } from "vitest";
import type * as z from "zod/mini";
import type { OperationShape } from "../../src/api/operation.ts";
import { operations } from "../../src/api/resources/operations.ts";
import type { Schema } from "../../src/api/wire-names.ts";

/** Position of a text in requests, and its maximum length. */
interface TextPlace {
  readonly place: string;
  readonly limit: number | undefined;
}

/** Every text that a schema accepts: fields, items, the keys of maps. */
function textsIn(schema: Schema, place: string): TextPlace[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "string":
      return [{ place, limit: limitOf(def.checks ?? []) }];
    case "object":
      return Object.entries(def.shape).flatMap(([name, field]) => textsIn(field, `${place}.${name}`));
    case "array":
      return textsIn(def.element, `${place}[]`);
    case "record":
      // Only the total size of the author's data is limited, by the body or the part that contains it.
      if (def.valueType._zod.def.type === "unknown" && !def.keyType._zod.def.checks) return [];
      return [...textsIn(def.keyType, `${place}{}`), ...textsIn(def.valueType, `${place}.*`)];
    case "union":
      return def.options.flatMap((option, i) => textsIn(option, `${place}|${i}`));
    case "optional":
    case "nullable":
    case "default":
      return textsIn(def.innerType, place);
    case "unknown":
    case "number":
    case "boolean":
    case "enum":
    case "literal":
      return [];
    default:
      throw new Error(`${place}: it is not known which texts a ${def.type} lets in`);
  }
}

function limitOf(checks: readonly z.core.$ZodCheck<never>[]): number | undefined {
  const limits = checks.map(({ _zod }) => _zod.def).filter((def) => def.check === "max_length");
  const [limit] = limits.map((def) => ("maximum" in def ? Number(def.maximum) : undefined));
  return limit;
}

const shapes: readonly OperationShape[] = Object.values(operations);
const texts = shapes.flatMap(({ name, params, query, body }) => [
  ...(params ? textsIn(params, `${name} path`) : []),
  ...(query ? textsIn(query, `${name} query`) : []),
  ...(body ? textsIn(body.schema, `${name} body`) : []),
]);
const limitOfPlace = (place: string) => texts.find((text) => text.place === place)?.limit;

describe("every text of a request", () => {
  it("has a limit", () => {
    expect(texts.length).toBeGreaterThan(300);
    expect(texts.filter(({ limit }) => limit === undefined)).toEqual([]);
  });

  it.each([
    ["attestGeneric body.description", 65_536],
    ["attestGeneric body.git_commit_info.message", 65_536],
    ["attestGeneric body.origin_url", 8_192],
    ["attestGeneric body.attestation_name", 255],
    ["attestGeneric body.annotations.*", 65_536],
    ["reportK8S body.artifacts[].podName", 4_096],
    ["reportK8S body.artifacts[].digests{}", 512],
    ["updateTags body.set_tags.*", 512],
    ["attestCustom body.attestation_data|2", 4 * 1024 * 1024],
    ["attestGeneric body.git_commit_info.branch", 512],
    ["attestGeneric body.git_commit_info.sha1", 256],
    ["attestSystem body.control", 256],
    ["getFlow path.flow_name", 4_096],
  ])("has room for real texts: %s up to %i characters", (place, limit) => {
    expect(limitOfPlace(place)).toBe(limit);
  });
});
