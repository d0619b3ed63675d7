import * as z from "zod/mini";
import { backoff } from "../../net/retry.ts";
import { branchHistories } from "./branch-histories.ts";
import type { GitHubAddress } from "./github-address.ts";
import { askGitHub, type GitHub, PAGE_SIZE, type Result } from "./github-api.ts";
import { flag, number, part, text } from "./lenient.ts";

/** In milliseconds: a busy repository has many pages of artifacts. */
const TIME_LIMIT_MS = 60_000;
const ATTEMPTS = 3;

export interface WorkflowArtifact {
  readonly id: number;
  readonly name: string;
  /** SHA-256 of the archive in hexadecimal digits; missing on older hosts. */
  readonly sha256: string | undefined;
}

export interface ArtifactsQuestion {
  /** Name prefix. */
  readonly prefix: string;
  /** Older artifacts are omitted. */
  readonly since: Date;
  /** Only artifacts of runs for these branches; of all runs if empty. */
  readonly branches: readonly string[];
  /** Called with the reason why an artifact is skipped. */
  readonly note: (line: string) => void;
}

const artifact = z.object({
  id: z.int(),
  name: z.string(),
  expired: flag,
  created_at: text,
  digest: text,
  workflow_run: part({
    head_branch: text,
    head_sha: text,
    repository_id: number,
    head_repository_id: number,
  }),
});
type Artifact = z.infer<typeof artifact>;
const page = z.object({ artifacts: z.array(z.unknown()) });

/**
 * The unexpired artifacts of a repository's workflows, oldest first. Artifacts of runs for another repository are
 * omitted, because anyone who forks a public repository controls their content.
 *
 * @throws the signal's reason when it aborts; other failures are returned as faults
 */
export function listArtifacts(
  address: GitHubAddress,
  question: ArtifactsQuestion,
): Promise<Result<WorkflowArtifact[]>> {
  const retry = { attempts: ATTEMPTS, waitMs: backoff };
  return askGitHub({ timeLimitMs: TIME_LIMIT_MS, retry, ...address }, (github) => listAll(github, question));
}

async function listAll(github: GitHub, { prefix, since, branches, note }: ArtifactsQuestion) {
  const found: Artifact[] = [];
  const request = {
    path: "/actions/artifacts",
    subject: "list of artifacts",
    permission: "actions: read" as const,
  };
  for await (const answer of github.pages(request)) {
    const read = z.safeParse(page, answer).data?.artifacts ?? [];
    const all = read.flatMap((item) => z.safeParse(artifact, item).data ?? []);
    const recent = all.filter(({ created_at }) => !(Date.parse(created_at ?? "") < since.getTime()));
    found.push(...recent.filter((one) => one.name.startsWith(prefix) && isOwn(one) && one.expired !== true));
    // The newest come first: after a page of old ones, all others are older.
    if (all.length === PAGE_SIZE && recent.length === 0) break;
  }
  const wanted: Artifact[] = [];
  const isInBranch = branchHistories(github);
  for (const one of found.sort((a, b) => a.id - b.id)) {
    const { head_branch: branch = "", head_sha: sha = "" } = one.workflow_run ?? {};
    const reason =
      branches.length === 0
        ? undefined
        : !branches.includes(branch)
          ? `its run is for '${branch}'`
          : !(await isInBranch(branch, sha))
            ? `commit ${sha.slice(0, 7)} of its run is not in the branch '${branch}'`
            : undefined;
    if (reason === undefined) wanted.push(one);
    else note(`Artifact '${one.name}' is skipped: ${reason}.`);
  }
  return wanted.map(({ id, name, digest }) => {
    return { id, name, sha256: /^sha256:([0-9a-f]{64})$/.exec(digest ?? "")?.[1] };
  });
}

function isOwn({ workflow_run: run }: Artifact): boolean {
  return run?.repository_id !== undefined && run.head_repository_id === run.repository_id;
}
