import { commandsIn } from "../github/printed.ts";

/** An attestation's request: its JSON part, and the names of its files. */
export function sent(request = ""): { path: string; data: Record<string, unknown>; files: string[] } {
  const path = /^POST (\S+)/.exec(request)?.[1] ?? "";
  const json = /name="data_json"[^{]*(\{.*\})$/m.exec(request)?.[1] ?? /^\{.*\}$/m.exec(request)?.[0];
  const files = [...request.matchAll(/name="(attachment_file[^"]*)"; filename="([^"]*)"/g)];
  return { path, data: JSON.parse(json ?? "{}"), files: files.map(([, , name = ""]) => name) };
}

/** The annotations that a step printed, as the runner parses them: properties unchanged, with escapes. */
export function annotationsIn(stdout: string, level = "error"): string[] {
  return stdout.split("\n").filter((line) => line.startsWith(`::${level}`));
}

/** The commands in a step's output that the runner would execute, other than the masking of its secrets. */
export function commandNames(stdout: string): string[] {
  const names = commandsIn(stdout).map((line) => /^\s*::([\w-]+)/.exec(line)?.[1] ?? line);
  return names.filter((name) => name !== "add-mask");
}
