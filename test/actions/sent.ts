import { commandsIn } from "../github/printed.ts";

/** What an attestation's request says: its JSON part, and the names of its files. */
export function sent(request = ""): { path: string; data: Record<string, unknown>; files: string[] } {
  const path = /^POST (\S+)/.exec(request)?.[1] ?? "";
  const json = /name="data_json"[^{]*(\{.*\})$/m.exec(request)?.[1] ?? /^\{.*\}$/m.exec(request)?.[0];
  const files = [...request.matchAll(/name="(attachment_file[^"]*)"; filename="([^"]*)"/g)];
  return { path, data: JSON.parse(json ?? "{}"), files: files.map(([, , name = ""]) => name) };
}

/** The annotations that a step printed, as the runner reads them: properties as they stand, escapes and all. */
export function annotationsIn(stdout: string, level = "error"): string[] {
  return stdout.split("\n").filter((line) => line.startsWith(`::${level}`));
}

/** What the runner would carry out of what a step printed, but for the masking of its secrets. */
export function commandNames(stdout: string): string[] {
  const names = commandsIn(stdout).map((line) => /^\s*::([\w-]+)/.exec(line)?.[1] ?? line);
  return names.filter((name) => name !== "add-mask");
}
