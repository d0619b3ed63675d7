/** Naming in messages: options and fields as in code, or as inputs and wire fields of actions and commands. */
export type Naming = "code" | "inputs";

/** An option of the connection in a message: `baseUrl` in code, `base-url` as an input. */
export function optionName(naming: Naming, option: string): string {
  return naming === "code" ? option : option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
