import { accessSync, constants } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";

/** Path of the real opa: on the PATH, or where Go installs programs. Undefined if this machine has none. */
export const OPA = [...(process.env["PATH"] ?? "").split(delimiter), join(homedir(), "go/bin")]
  .map((folder) => join(folder, "opa"))
  .find(isProgram);

/** Title of tests that need it. */
export const WITH_OPA = OPA === undefined ? "opa, which this machine does not have" : "opa";

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
