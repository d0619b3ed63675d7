import { accessSync, constants } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";

/** Path of a real program: on the PATH, or where Go installs programs. Undefined if this machine has none. */
function programOf(name: string): string | undefined {
  return [...(process.env["PATH"] ?? "").split(delimiter), join(homedir(), "go/bin")]
    .map((folder) => join(folder, name))
    .find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export const OPA = programOf("opa");
/** Title of tests that need it. */
export const WITH_OPA = OPA === undefined ? "opa, which this machine does not have" : "opa";

/** Tessera's check of logs, which shares no code with this project. */
export const FSCK = programOf("tessera-fsck");
/** Title of tests that need it. */
export const WITH_FSCK =
  FSCK === undefined ? "Tessera's fsck, which this machine does not have" : "Tessera's fsck";
