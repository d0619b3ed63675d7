import { type Attributes, isObject } from "./attributes.ts";
import { pathIn } from "./filter.ts";

/** The attributes that a request names, in the parameters of the same names. */
export interface Selection {
  readonly attributes?: string | undefined;
  readonly excludedAttributes?: string | undefined;
}

const ALWAYS: ReadonlySet<string> = new Set(["id", "schemas"]);

/** The attributes of a resource that a request asks for. @throws ScimProblem for an invalid name */
export function selectedAttributes(
  resource: Attributes,
  { attributes, excludedAttributes }: Selection,
): Attributes {
  const wanted = namesIn(attributes);
  const excluded = namesIn(excludedAttributes);
  if (wanted.length === 0 && excluded.length === 0) return resource;
  const isBelow = (path: string, other: string) => path === other || path.startsWith(`${other}.`);
  const select = (value: unknown, path: string): unknown => {
    if (Array.isArray(value)) return value.map((each) => select(each, path));
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, inner]) => {
        const at = path === "" ? name : `${path}.${name}`;
        if (path === "" && ALWAYS.has(name)) return [[name, inner]];
        if (excluded.some((each) => isBelow(at, each))) return [];
        const isWanted = wanted.length === 0 || wanted.some((each) => isBelow(at, each));
        if (!isWanted && !wanted.some((each) => isBelow(each, at))) return [];
        return [[name, isWanted && excluded.length === 0 ? inner : select(inner, at)]];
      }),
    );
  };
  return Object.fromEntries(Object.entries(Object(select(resource, ""))));
}

export function isSelected(name: string, selection: Selection): boolean {
  return Object.hasOwn(selectedAttributes({ [name]: [] }, selection), name);
}

function namesIn(listed = ""): string[] {
  return listed
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "")
    .map((name) => pathIn(name).steps.join("."));
}
