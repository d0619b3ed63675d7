import { readFile } from "node:fs/promises";
import { type Given, type Terminal, UsageError } from "../usage.ts";
import type { OPERATOR_COMMANDS } from "./commands.ts";

/** Checks an audit package offline, or the records of a service. */
export async function verify(
  given: Given<(typeof OPERATOR_COMMANDS)["verify"]>,
  terminal: Terminal,
): Promise<number> {
  const { policy, checkpoint, consistency } = given.values;
  const [file] = given.positionals;
  if (file === undefined) {
    for (const [name, value] of Object.entries({ policy, checkpoint, consistency }))
      if (value !== undefined) throw new UsageError(`--${name} needs FILE.tgz`);
    const { verifyRecords } = await import("./copies.ts");
    return verifyRecords(given, terminal);
  }
  const { verifyPackage } = await import("./verify-package.ts");
  if (consistency !== undefined && checkpoint === undefined)
    throw new UsageError("--consistency needs --checkpoint FILE");
  const keys = policy === undefined ? undefined : await readText(policy);
  const kept = checkpoint === undefined ? undefined : { checkpoint: await readText(checkpoint) };
  const proof = consistency === undefined ? {} : { consistency: await readText(consistency) };
  const { status, lines } = verifyPackage(await readGiven(file), keys, kept && { ...kept, ...proof });
  for (const line of lines) terminal.print(line);
  return status;
}

function readGiven(file: string): Promise<Buffer> {
  return readFile(file).catch((cause: unknown) => {
    throw new UsageError(`The file '${file}' cannot be read`, { cause });
  });
}

async function readText(file: string): Promise<string> {
  return (await readGiven(file)).toString();
}
