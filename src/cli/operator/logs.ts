import { readFile } from "node:fs/promises";
import type { SecretBox } from "../../service/operation/context.ts";
import type { CheckpointMark } from "../../service/store/blobs/place.ts";
import type { Store } from "../../service/store/store.ts";
import type { Tables } from "../../service/store/tables.ts";
import { type Given, given, type Terminal, UsageError, type ValuesOf } from "../usage.ts";
import type { OPERATOR_COMMANDS } from "./commands.ts";
import type { LOCATION_OPTIONS, SECRET_KEY_FILE } from "./options.ts";
import { locationFrom, withStore } from "./record-location.ts";

type Commands = typeof OPERATOR_COMMANDS;

const log = () => {};

/** `log fsck` also works while the service runs. The exit status is 1 if there is a difference. */
export async function fsck({ values }: Given<Commands["log fsck"]>, terminal: Terminal): Promise<number> {
  const { environment, print } = terminal;
  const where = await locationFrom(values, environment);
  const { openPlaceOf } = await import("../../service/store/blobs/open-place.ts");
  const { logDifferences } = await import("../../service/ops/verification/log-differences.ts");
  return withStore(values, environment, async (store) => {
    const place = await openPlaceOf({ ...where, alone: false }, log);
    let [found, checked] = [0, 0];
    try {
      const onChecked = (events: number) => {
        checked += events;
      };
      for await (const difference of logDifferences(store, place.checkpoints, onChecked)) {
        found++;
        print(difference);
      }
    } finally {
      await place.close();
    }
    const events = `${checked.toLocaleString("en-US")} events`;
    print(found === 0 ? `Checked ${events}: no difference` : `Checked ${events}: differences: ${found}`);
    return found === 0 ? 0 : 1;
  });
}

/** Proves that restored records continue the last checkpoint, so that the service signs again. */
export async function continueLog(
  { values }: Given<Commands["log continue"]>,
  terminal: Terminal,
): Promise<number> {
  const note = await checkpointFrom(values.checkpoint);
  const { requireCheckpoint } = await import("../../service/ops/verification/log-differences.ts");
  return withLog(values, terminal, async (log, { store, checkpoints }) => {
    const kept = await checkpoints.read(log.org_id);
    const size = await requireCheckpoint(store.read, log, { note, kept });
    await checkpoints.replace(log.org_id, note);
    terminal.print(`The records continue this checkpoint of ${size} entries. The service signs the next one`);
  });
}

export async function replace(
  { values }: Given<Commands["log replace"]>,
  terminal: Terminal,
): Promise<number> {
  const { replaceLog } = await import("../../service/events/log/replace.ts");
  const { policyOf } = await import("../../service/events/log/proofs.ts");
  const secrets = await secretsFrom(values, terminal);
  const note = values.checkpoint && (await checkpointFrom(values.checkpoint));
  return withLog(values, terminal, async (log, parts) => {
    const origin = await replaceLog({ ...parts, secrets, now }, log, note);
    terminal.print(`The log is now ${origin}. Its policy:`);
    terminal.print((await policyOf(parts.store.read, log.org_id, origin)).trimEnd());
  });
}

function checkpointFrom(file: string): Promise<string> {
  return readFile(file, "utf8").catch((cause: unknown) => {
    throw new UsageError(`--checkpoint: cannot read ${file}`, { cause });
  });
}

export async function newKey(
  { values }: Given<Commands["log new-key"]>,
  terminal: Terminal,
): Promise<number> {
  const { addKey } = await import("../../service/events/log/keys.ts");
  const secrets = await secretsFrom(values, terminal);
  return withLog(values, terminal, async (log, { store }) => {
    terminal.print(`log ${await addKey({ store, secrets, now }, log)}`);
  });
}

export async function retire(
  { values, positionals: [id = ""] }: Given<Commands["log retire-key"]>,
  terminal: Terminal,
): Promise<number> {
  const { retireKey } = await import("../../service/events/log/keys.ts");
  return withLog(values, terminal, async (log, { store }) => {
    terminal.print(`Retired ${await retireKey({ store, now }, log, id)}`);
  });
}

const now = () => Date.now() / 1000;

interface LogParts {
  readonly store: Store;
  readonly checkpoints: CheckpointMark;
}

/** Works on the log of one organization, and closes the records after that. */
async function withLog(
  values: ValuesOf<typeof LOCATION_OPTIONS> & { readonly org?: string | undefined },
  { environment }: Terminal,
  work: (log: Tables["logs"], parts: LogParts) => Promise<void>,
): Promise<number> {
  const where = await locationFrom(values, environment);
  process.umask(0o077);
  const { openPlaceOf } = await import("../../service/store/blobs/open-place.ts");
  const { soleOrganization } = await import("../../service/people/accounts/organizations.ts");
  const { findLog } = await import("../../service/events/log/leaves.ts");
  return withStore(values, environment, async (store) => {
    const place = await openPlaceOf({ ...where, alone: false }, log);
    try {
      const { id, name } = await soleOrganization(
        store.read,
        values.org ?? given(environment, "EVIDENCE_ORG"),
      );
      const found = await findLog(store.read, id);
      if (found === undefined) throw new Error(`These records have no log of the organization '${name}'`);
      await work(found, { store, checkpoints: place.checkpoints });
    } finally {
      await place.close();
    }
    return 0;
  });
}

/** The key that protects the log's keys: the same as the service's. */
async function secretsFrom(
  values: ValuesOf<typeof LOCATION_OPTIONS> & ValuesOf<{ "secret-key-file": typeof SECRET_KEY_FILE }>,
  { environment }: Terminal,
): Promise<SecretBox> {
  const { secretKeyFrom } = await import("./serve-options.ts");
  const { openSecretBox } = await import("../../service/ops/compose.ts");
  const where = await locationFrom(values, environment);
  return openSecretBox({ ...where, secretKey: await secretKeyFrom(values, environment) });
}
