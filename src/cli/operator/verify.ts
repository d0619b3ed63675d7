import { readFile } from "node:fs/promises";
import { type Given, type Terminal, UsageError } from "../usage.ts";
import type { OPERATOR_COMMANDS } from "./commands.ts";

/** Checks an audit package offline, or the records of a service. */
export async function verify(
  given: Given<(typeof OPERATOR_COMMANDS)["verify"]>,
  terminal: Terminal,
): Promise<number> {
  const { policy } = given.values;
  const [file] = given.positionals;
  if (file === undefined) {
    if (policy !== undefined) throw new UsageError("--policy needs FILE.tgz");
    const { verifyRecords } = await import("./copies.ts");
    return verifyRecords(given, terminal);
  }
  const { verifyPackage } = await import("./verify-package.ts");
  const keys = policy === undefined ? undefined : (await readGiven(policy)).toString();
  const { status, lines } = verifyPackage(await readGiven(file), keys);
  for (const line of lines) terminal.print(line);
  return status;
}

function readGiven(file: string): Promise<Buffer> {
  return readFile(file).catch((cause: unknown) => {
    throw new UsageError(`The file '${file}' cannot be read`, { cause });
  });
}
