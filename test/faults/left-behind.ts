import type { EndedStep } from "./step.ts";

/** Settings that make the runner print everything. */
export const DEBUG = {
  ACTIONS_STEP_DEBUG: "true",
  ACTIONS_RUNNER_DEBUG: "true",
  RUNNER_DEBUG: "1",
  NODE_DEBUG: "",
};

export const base64 = (text: string) => Buffer.from(text).toString("base64");

/** Everything that a step leaves behind, except the commands that mask it. */
export function leftBy(step: EndedStep): string {
  return [
    withoutMasks(step.stdout),
    step.stderr,
    step.summary,
    JSON.stringify(step.outputs),
    Object.values(step.outputs).join("\n"),
  ].join("\n");
}

/** A log without the commands that mask values. */
export function withoutMasks(stdout: string): string {
  return stdout.replace(/^::add-mask::.*$/gm, "");
}

/** Every form in which a key can leak. */
export function formsOf(key: string): string[] {
  return [
    key,
    base64(`${key}:`),
    base64(key),
    stem(key),
    encodeURIComponent(key),
    JSON.stringify(key).slice(1, -1),
  ];
}

/** Base64 without the padding and the last character, which depend on what follows. */
export function stem(text: string): string {
  return base64(text).replace(/=+$/, "").slice(0, -1);
}
