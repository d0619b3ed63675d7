import { copyAll } from "../ops/backup/copy-all.ts";
import { type Original, openOriginal, type Whereabouts } from "../ops/backup/original.ts";
import { liveInstances } from "../store/instances.ts";
import { lockFolder } from "../store/sqlite/folder-lock.ts";
import { beginServable } from "./begin-servable.ts";
import type { Listener } from "./listener.ts";
import type { MadeCopy } from "./make-backup.ts";

/**
 * Copies everything to an empty place while no service works on it, so that nothing is recorded that the copy lacks.
 *
 * @throws Error when a service works on it
 */
export async function moveAll(from: Whereabouts, to: Whereabouts, listener: Listener): Promise<MadeCopy> {
  using _ = locked(from);
  await using original = await openOriginal(from, listener.log);
  const requireIdle = () => requireNoInstance(original);
  await requireIdle();
  await using copy = await beginServable(to, listener);
  const copied = await copyAll(original, copy, { ...listener, beforeFinish: requireIdle });
  return { from: original.name, name: copy.name, copied };
}

/** Keeps services away from a data folder. Those on a database are noticed by what they write there. */
function locked({ dataFolder, database }: Whereabouts): Disposable {
  const unlock =
    dataFolder === undefined || database !== undefined
      ? () => {}
      : lockFolder(dataFolder, `A service runs on ${dataFolder}: stop it first`);
  return { [Symbol.dispose]: unlock };
}

async function requireNoInstance({ name, file, records }: Original): Promise<void> {
  if (file !== undefined) return;
  const [instance] = await liveInstances(records().read);
  if (instance === undefined) return;
  throw new Error(
    `A service runs on ${name}, on ${instance.host}: stop it first, and wait 15 seconds if it was killed`,
  );
}
