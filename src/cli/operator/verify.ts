import { readFile } from "node:fs/promises";
import { type Given, type Terminal, UsageError } from "../usage.ts";
import type { OPERATOR_COMMANDS } from "./commands.ts";

/** Checks an audit package or a receipt offline, or the records of a service. */
export async function verify(
  given: Given<(typeof OPERATOR_COMMANDS)["verify"]>,
  terminal: Terminal,
): Promise<number> {
  const { policy, checkpoint, consistency } = given.values;
  const [file] = given.positionals;
  if (file === undefined) {
    for (const [name, value] of Object.entries({ policy, checkpoint, consistency }))
      if (value !== undefined) throw new UsageError(`--${name} needs FILE`);
    const { verifyRecords } = await import("./copies.ts");
    return verifyRecords(given, terminal);
  }
  const content = await readGiven(file);
  const keys = policy === undefined ? undefined : await readText(policy);
  const isReceipt = content.toString("latin1", 0, 1) === "{";
  if (isReceipt && checkpoint !== undefined) throw new UsageError("--checkpoint needs a package");
  if (consistency !== undefined && checkpoint === undefined)
    throw new UsageError("--consistency needs --checkpoint FILE");
  const kept = checkpoint === undefined ? undefined : { checkpoint: await readText(checkpoint) };
  const proof = consistency === undefined ? {} : { consistency: await readText(consistency) };
  const { status, lines } = isReceipt
    ? (await import("./verify-receipt.ts")).verifyReceipt(content, keys)
    : (await import("./verify-package.ts")).verifyPackage(content, keys, kept && { ...kept, ...proof });
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
