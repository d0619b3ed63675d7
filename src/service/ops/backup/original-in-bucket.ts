import { join } from "node:path";
import { type BucketOptions, openBucket } from "../../store/blobs/bucket/bucket-place.ts";
import type { OnProgress } from "../../store/copy/copy-records.ts";
import { backupNames, downloadParts, readBackup } from "./backups.ts";
import { Opened, scratchFolder } from "./opened.ts";
import { type Original, originalInFile } from "./original.ts";

type Bucket = ReturnType<typeof openBucket>;

/** Downloads the records of a backup, by default the latest; attachments stay in the bucket. */
export async function openInBucket(
  options: BucketOptions,
  at: string | undefined,
  onProgress: OnProgress,
): Promise<Original> {
  await using opened = new Opened();
  const bucket = openBucket(options);
  opened.add(bucket.close);
  const name = await requireBackup(bucket, at);
  const { parts } = await readBackup(bucket.objects, name);
  const file = join(await scratchFolder(opened), "evidence.sqlite");
  await downloadParts(file, parts, { objects: bucket.objects, onProgress });
  const original = await originalInFile({ name: `${bucket.name} as ${name}`, file, place: bucket });
  opened.add(() => original[Symbol.asyncDispose]());
  return { ...original, ...opened.keep() };
}

async function requireBackup({ name: place, objects }: Bucket, at: string | undefined): Promise<string> {
  const names = await backupNames(objects);
  const name = at === undefined ? names.at(-1) : names.find((each) => each === at);
  if (name !== undefined) return name;
  const latest = names.length === 0 ? "it has no complete backup" : `the latest is ${names.at(-1)}`;
  throw new Error(`Backup ${at === undefined ? "" : `${at} `}not found in ${place}: ${latest}`);
}
