import { createHash } from "node:crypto";
import { setFlagsFromString } from "node:v8";
import { InputError, type InputProblem } from "../../api/client/errors.ts";
import type { PlainEntry } from "../../api/resources/reports.ts";
import { type ListedNode, treeOf, UnusablePaths } from "../../evidence/listed-tree.ts";
import type { NameSelection } from "../../evidence/name-selection.ts";
import { excludedBy, fingerprintTree, ignoreFileIn } from "../../evidence/tree-fingerprint.ts";
import { fewAtATime } from "../../net/few-at-a-time.ts";
import type { Aws } from "./aws.ts";
import { Bucket, type BucketObject } from "./bucket.ts";

/** Objects in progress at a time. */
const IN_FLIGHT = 32;

type ObjectNode = ListedNode<BucketObject>;

/**
 * The content of a bucket as one artifact: a single object by its base name, more as a directory by the bucket's name.
 * The fingerprint is that of the same files on a disk. Nothing is written to one.
 *
 * @param selection of keys, by their beginnings
 * @returns undefined if no object is selected
 * @throws InputError, NetworkError if an object cannot be read
 */
export async function readBucket(
  aws: Aws,
  name: string,
  selection: NameSelection,
): Promise<PlainEntry | undefined> {
  // V8 would let the garbage of thousands of responses grow to 128 MB before it collects it.
  setFlagsFromString("--semi-space-growth-factor=1");
  const bucket = new Bucket(aws, name);
  const kept = await selectedObjects(bucket, selection);
  const missing = selection.missingFrom(kept.map(({ key }) => key));
  aws.cloud.warnOfMissing("include: no object's key begins with", missing);
  const [first] = kept;
  if (first === undefined) return undefined;
  const root = objectTree(kept);
  const newest = kept.reduce((latest, { modifiedAt }) => Math.max(latest, modifiedAt), 0);
  const entry = (artifact: string, fingerprint: string) => ({
    digests: { [artifact]: fingerprint },
    creationTimestamp: newest,
  });
  if (kept.length === 1) {
    const leaf = leavesOf(root, new Set())[0];
    return entry(leaf?.name.toString() ?? first.key, await digestOf(bucket, first));
  }
  const ignoreFile = ignoreFileIn(root.entries)?.content;
  const excluded = excludedBy(ignoreFile ? await textOf(bucket, ignoreFile) : "", root);
  const leaves = leavesOf(root, excluded);
  const digests = new Map<ObjectNode, string>();
  await fewAtATime(IN_FLIGHT, leaves, async (leaf) => {
    if (leaf.content) digests.set(leaf, await digestOf(bucket, leaf.content));
  });
  const reading = {
    listOf: ({ entries }: ObjectNode) => entries,
    digestOf: (leaf: ObjectNode) => digests.get(leaf) ?? "",
  };
  return entry(name, await fingerprintTree(root, excluded, reading));
}

/** The files that a client would get by joining a folder and each key. @throws InputError naming keys without a file */
function objectTree(objects: readonly BucketObject[]): ObjectNode {
  try {
    return treeOf(objects.map((object) => [object.key, object]));
  } catch (error) {
    if (!(error instanceof UnusablePaths)) throw error;
    throw new InputError(
      error.problems.map((problem): InputProblem => ({ input: "bucket", problem })),
      { advice: "Select the objects to report with include or exclude." },
    );
  }
}

/** Lists only what the inputs name, if they name all. */
async function selectedObjects(bucket: Bucket, selection: NameSelection): Promise<BucketObject[]> {
  const prefixes = (selection.exactly ?? [""]).map(withoutSlash);
  const shortest = prefixes.filter(
    (prefix) => !prefixes.some((other) => other !== prefix && prefix.startsWith(other)),
  );
  const objects: BucketObject[] = [];
  for (const prefix of new Set(shortest)) objects.push(...(await bucket.list(prefix)));
  return objects.filter(({ key }) => selection.includes(key));
}

/** How `include` and `exclude` match a key: by its beginning, without a leading slash of the input. */
export function beginsWith(key: string, listed: string): boolean {
  return key.startsWith(withoutSlash(listed));
}

function withoutSlash(prefix: string): string {
  return prefix.replace(/^\//, "");
}

function leavesOf(node: ObjectNode, excluded: ReadonlySet<string>): ObjectNode[] {
  if (excluded.has(node.path)) return [];
  return node.isDirectory ? node.entries.flatMap((each) => leavesOf(each, excluded)) : [node];
}

/** A new sum for each attempt, because an interrupted one may have received a part. */
async function digestOf(bucket: Bucket, object: BucketObject): Promise<string> {
  let sum = createHash("sha256");
  await bucket.read(object, () => {
    sum = createHash("sha256");
    return (chunk) => sum.update(chunk);
  });
  return sum.digest("hex");
}

/** Most bytes of an ignore file. */
const MAX_TEXT = 1_000_000;

async function textOf(bucket: Bucket, object: BucketObject): Promise<string> {
  let chunks: Buffer[] = [];
  let size = 0;
  await bucket.read(object, () => {
    [chunks, size] = [[], 0];
    return (chunk) => {
      size += chunk.length;
      if (size <= MAX_TEXT) chunks.push(Buffer.from(chunk));
    };
  });
  if (size <= MAX_TEXT) return Buffer.concat(chunks).toString();
  throw new InputError([{ input: "bucket", problem: `'${object.key}' is larger than ${MAX_TEXT} bytes` }]);
}
