import { readFile } from "node:fs/promises";
import { type Given, type Terminal, UsageError } from "../usage.ts";
import type { OPERATOR_COMMANDS } from "./commands.ts";

/** Checks an audit package or a receipt offline, or the records of a service. */
export async function verify(
  given: Given<(typeof OPERATOR_COMMANDS)["verify"]>,
  terminal: Terminal,
): Promise<number> {
  const { policy, keys, checkpoint, consistency } = given.values;
  const [file] = given.positionals;
  if (file === undefined) {
    for (const [name, value] of Object.entries({ policy, keys, checkpoint, consistency }))
      if (value !== undefined) throw new UsageError(`--${name} needs FILE`);
    const { verifyRecords } = await import("./copies.ts");
    return verifyRecords(given, terminal);
  }
  const content = await readGiven(file);
  const trusted = await textOf(policy);
  const ownKeys = await textOf(keys);
  const { Unreadable } = await import("./package-archive.ts");
  try {
    if (trusted !== undefined) (await import("./note-signatures.ts")).policyIn(trusted);
    if (ownKeys !== undefined) (await import("./statement-signatures.ts")).statementKeysIn(ownKeys);
  } catch (error) {
    throw error instanceof Unreadable ? new UsageError(error.message) : error;
  }
  const isReceipt = content.toString("latin1", 0, 1) === "{";
  for (const [name, value] of Object.entries({ keys, checkpoint }))
    if (isReceipt && value !== undefined) throw new UsageError(`--${name} needs an audit package`);
  if (consistency !== undefined && checkpoint === undefined)
    throw new UsageError("--consistency needs --checkpoint FILE");
  const kept =
    checkpoint === undefined
      ? undefined
      : { checkpoint: (await readGiven(checkpoint)).toString(), consistency: await textOf(consistency) };
  const { status, lines } = isReceipt
    ? (await import("./verify-receipt.ts")).verifyReceipt(content, trusted)
    : (await import("./verify-package.ts")).verifyPackage(content, trusted, {
        keys: ownKeys,
        kept,
      });
  for (const line of lines) terminal.print(line);
  return status;
}

function readGiven(file: string): Promise<Buffer> {
  return readFile(file).catch((cause: unknown) => {
    throw new UsageError(`The file '${file}' cannot be read`, { cause });
  });
}

async function textOf(file: string | undefined): Promise<string | undefined> {
  return file === undefined ? undefined : (await readGiven(file)).toString();
}
