import { camelName } from "../wire-names.ts";

/** Naming in messages: options and fields as in code, or as inputs and wire fields of actions and commands. */
export type Naming = "code" | "inputs";

/** An option of the connection in a message: `baseUrl` in code, `base-url` as an input. */
export function optionName(naming: Naming, option: string): string {
  return naming === "code" ? option : option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/**
 * Path of a wire field in a request of the library. Keys of maps stay as the caller wrote them.
 *
 * @param request what the caller gave
 */
export function codePath(path: readonly PropertyKey[], request: unknown): PropertyKey[] {
  let value = request;
  return path.map((step) => {
    const isKey = typeof value === "object" && value !== null && Object.hasOwn(value, step);
    const name = isKey || typeof step !== "string" ? step : camelName(step);
    value = typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
    return name;
  });
}
