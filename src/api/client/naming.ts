/** Naming in messages: as in code, as inputs and wire fields of an action, or as options of a command. */
export type Naming = "code" | "inputs" | "options";

/** Values that a command takes from elsewhere than an option. */
const NO_OPTIONS: Readonly<Record<string, string>> = { apiKey: "EVIDENCE_API_KEY", userData: "user_data" };

/** An option in a message: `baseUrl` in code, `base-url` as an input, `--base-url` of a command. */
export function optionName(naming: Naming, option: string): string {
  if (naming === "code") return option;
  const input = option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return naming === "inputs" ? input : (NO_OPTIONS[option] ?? `--${input}`);
}
