import type { EndedStep } from "./step.ts";

/** Everything that a runner can be told to print. */
export const DEBUG = {
  ACTIONS_STEP_DEBUG: "true",
  ACTIONS_RUNNER_DEBUG: "true",
  RUNNER_DEBUG: "1",
  NODE_DEBUG: "",
};

export const base64 = (text: string) => Buffer.from(text).toString("base64");

/** All that a step leaves behind, but for what it tells the runner to hide. */
export function leftBy(step: EndedStep): string {
  return [
    withoutMasks(step.stdout),
    step.stderr,
    step.summary,
    JSON.stringify(step.outputs),
    Object.values(step.outputs).join("\n"),
  ].join("\n");
}

/** A log without the commands that tell the runner what to hide. */
export function withoutMasks(stdout: string): string {
  return stdout.replace(/^::add-mask::.*$/gm, "");
}

/** A key in every form in which it can get out. */
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

/** In base64, without the padding and the last sign, which depend on what follows. */
export function stem(text: string): string {
  return base64(text).replace(/=+$/, "").slice(0, -1);
}
