import * as z from "zod/mini";
import type { GitHubAddress } from "../api/github-address.ts";
import { askGitHub, type GitHub, PAGE_SIZE, type Result } from "../api/github-api.ts";
import { GitHubError } from "../api/github-fault.ts";
import { flag, number, part, text } from "../api/lenient.ts";

/** Timeout for a list, in milliseconds: a gate waits for it. */
export const TIME_LIMIT_MS = 60_000;
export const RETRY = { attempts: 3, waitMs: (attempt: number) => attempt * 500 };
/** Attestations read for an artifact, newest first. It has more only if it was attested repeatedly. */
const MOST = 30;
/** GitHub's maximum number of digests in one request. */
const MOST_DIGESTS = 100;
/** Pages read of a shared list. A longer one is of artifacts that were attested repeatedly. */
const MOST_PAGES = 10;
/** Requests in progress at a time for artifacts that the shared list does not have. */
const AT_A_TIME = 8;

export interface AttestationQuestion {
  /** 64 hex digits. */
  readonly sha256: string;
  readonly predicateType: string;
  /** Id of the repository. Without it, each artifact is asked for on its own. */
  readonly repositoryId: string | undefined;
}

/** GitHub returns a bundle or its address. */
const attestation = z.object({
  bundle: z.catch(z.nullish(z.record(z.string(), z.unknown())), null),
  bundle_url: text,
  repository_id: number,
});
type Listed = z.infer<typeof attestation>;

const ofArtifact = z.object({ attestations: z.array(attestation) });
const byDigest = z.record(z.string(), z.nullish(z.array(attestation)));
const ofArtifacts = z.object({
  // GitHub's schema has one object; its example has a list of them.
  attestations_subject_digests: z.union([byDigest, z.array(byDigest)]),
  page_info: part({ has_next: flag, next: text }),
});

type Lists = ReadonlyMap<string, Result<readonly Listed[]>>;

interface Batch {
  readonly digests: Set<string>;
  readonly lists: Promise<Lists>;
}

/** Batches of this turn of the event loop, by what their digests have in common. */
const batches = new Map<string, Batch>();

/**
 * The attestations that GitHub lists for an artifact. Artifacts asked for at once share a request.
 *
 * @throws the signal's reason when it aborts; other failures are returned as faults
 */
export async function listAttestations(
  address: GitHubAddress,
  question: AttestationQuestion,
): Promise<Result<readonly Listed[]>> {
  const { sha256, predicateType, repositoryId } = question;
  const { apiUrl, repository, token } = address;
  const key = JSON.stringify([apiUrl, repository, token, predicateType, repositoryId]);
  const batch = batches.get(key) ?? startBatch(key, address, question);
  batch.digests.add(sha256);
  if (batch.digests.size === MOST_DIGESTS) batches.delete(key);
  const list = (await batch.lists).get(sha256);
  return list ?? { fault: new GitHubError({ reason: "GitHub was not asked for the attestations" }) };
}

function startBatch(key: string, address: GitHubAddress, question: AttestationQuestion): Batch {
  const digests = new Set<string>();
  const turn = new Promise((resolve) => setImmediate(resolve));
  const lists = turn.then(() => {
    if (batches.get(key) === batch) batches.delete(key);
    return readLists(address, question, [...digests]);
  });
  const batch = { digests, lists };
  batches.set(key, batch);
  return batch;
}

async function readLists(
  address: GitHubAddress,
  question: AttestationQuestion,
  digests: readonly string[],
): Promise<Lists> {
  const asker = { timeLimitMs: TIME_LIMIT_MS, retry: RETRY, ...address };
  const { repositoryId } = question;
  const lists = new Map<string, Result<readonly Listed[]>>();
  if (digests.length > 1 && repositoryId !== undefined) {
    const shared = await askGitHub(asker, (github) => sharedList(github, question, digests));
    // Older servers and personal accounts have no shared list. Any other fault also meets the requests below.
    const found = "answer" in shared ? shared.answer : [];
    for (const [sha256, listed] of found) lists.set(sha256, { answer: listed.slice(0, MOST) });
  }
  // The shared list omits what the token may not read. Only this request tells that from an artifact without attestations.
  const missing = digests.filter((sha256) => !lists.has(sha256));
  for (let start = 0; start < missing.length; start += AT_A_TIME) {
    const asked = missing.slice(start, start + AT_A_TIME).map(async (sha256) => {
      lists.set(sha256, await askGitHub(asker, (github) => listOfOne(github, { ...question, sha256 })));
    });
    await Promise.all(asked);
  }
  return lists;
}

const NEEDED = { subject: "attestations of the artifact", permission: "attestations: read" } as const;

async function listOfOne(
  github: GitHub,
  { sha256, predicateType }: AttestationQuestion,
): Promise<readonly Listed[]> {
  const data = await github.get({
    ...NEEDED,
    path: "/attestations/{digest}",
    parameters: { digest: `sha256:${sha256}`, predicate_type: predicateType, per_page: MOST },
  });
  return parsed(ofArtifact, data).attestations;
}

/** Attestations by digest, of the repository alone. Empty if GitHub has too many of them to read. */
async function sharedList(
  github: GitHub,
  { predicateType, repositoryId }: AttestationQuestion,
  digests: readonly string[],
): Promise<ReadonlyMap<string, readonly Listed[]>> {
  const found = new Map<string, Listed[]>();
  let after: string | undefined;
  for (let page = 0; page < MOST_PAGES; page++) {
    const data = await github.send({
      ...NEEDED,
      of: "organization",
      path: "/attestations/bulk-list",
      parameters: { per_page: PAGE_SIZE, ...(after !== undefined && { after }) },
      method: "POST",
      body: { subject_digests: digests.map((sha256) => `sha256:${sha256}`), predicate_type: predicateType },
    });
    const { attestations_subject_digests: lists, page_info } = parsed(ofArtifacts, data);
    for (const [digest, listed] of [lists].flat().flatMap((each) => Object.entries(each))) {
      const own = (listed ?? []).filter(({ repository_id }) => String(repository_id) === repositoryId);
      const sha256 = digest.replace("sha256:", "");
      if (own.length > 0) found.set(sha256, [...(found.get(sha256) ?? []), ...own]);
    }
    after = page_info?.next;
    if (!page_info?.has_next || after === undefined) return found;
  }
  return new Map();
}

function parsed<S extends z.core.$ZodType>(schema: S, data: unknown): z.output<S> {
  const { success, data: list } = z.safeParse(schema, data);
  if (success) return list;
  throw new GitHubError({ reason: "GitHub's list of attestations cannot be read" });
}
