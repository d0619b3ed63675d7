import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { spool } from "../../src/spool/spool.ts";
import { gitHubServer, repository } from "../github/github-server.ts";
import { connectTo, fileOf, sampleSubmission, temporaryFolder } from "../spool/fixtures.ts";
import { zipOf } from "../spool/zip-archive.ts";

const REPOSITORY_ID = 4711;
/** The newest commit of the branch `main`, and its parent. */
const TIP = "1".repeat(40);
const BEFORE = "2".repeat(40);
/** A commit that is in no branch. */
export const OUTSIDE = "3".repeat(40);

/** The archive of a job that spooled attestations of these names on a trail. */
export async function archiveOf(trail: string, ...names: readonly string[]): Promise<Buffer> {
  await using folder = await temporaryFolder();
  const connection = connectTo("http://127.0.0.1:9", "de_key");
  for (const name of names) {
    const body = { attestationName: name, isCompliant: true };
    await spool(
      folder.path,
      await sampleSubmission(connection, { trail, body, files: [fileOf("log.txt", name)] }),
    );
  }
  await connection.close();
  const files: Record<string, Buffer> = {};
  for (const entry of await readdir(folder.path, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) files[path.slice(folder.path.length + 1)] = await readFile(path);
  }
  return zipOf(files);
}

export interface StoredArtifact {
  readonly archive: Buffer;
  readonly name?: string;
  readonly branch?: string;
  /** Commit of its run. Default: one of the branch `main`. */
  readonly sha?: string;
  /** Repository of the run's head. */
  readonly head?: number;
  readonly created?: string;
  readonly expired?: boolean;
}

/** GitHub with these artifacts, numbered from 1, and its archive storage. */
export async function gitHubWith(...stored: readonly StoredArtifact[]) {
  const store = await gitHubServer((request, response) => {
    const { archive = Buffer.alloc(0) } = stored[Number(request.url?.slice(1)) - 1] ?? {};
    response.writeHead(200, { "content-type": "application/zip" }).end(archive);
  });
  const downloads = stored.map((_, index) => {
    const redirect = (__: IncomingMessage, response: ServerResponse) =>
      response.writeHead(302, { location: `${store.url}/${index + 1}` }).end();
    return [`/actions/artifacts/${index + 1}/zip`, redirect] as const;
  });
  const artifacts = stored.map((one, index) => ({
    id: index + 1,
    name: one.name ?? `delivery-evidence-spool-${70 + index}-1-0123abcd`,
    size_in_bytes: one.archive.length,
    expired: one.expired ?? false,
    created_at: one.created ?? new Date().toISOString(),
    digest: `sha256:${createHash("sha256").update(one.archive).digest("hex")}`,
    workflow_run: {
      repository_id: REPOSITORY_ID,
      head_repository_id: one.head ?? REPOSITORY_ID,
      head_branch: one.branch ?? "main",
      head_sha: one.sha ?? BEFORE,
    },
  }));
  const list = { total_count: artifacts.length, artifacts: artifacts.toReversed() };
  const github = await gitHubServer(
    repository({
      ...Object.fromEntries(downloads),
      "/actions/artifacts": list,
      "/branches/main": { name: "main", commit: { sha: TIP } },
      [`/compare/${TIP}...${BEFORE}`]: { status: "behind" },
      [`/compare/${TIP}...${OUTSIDE}`]: { status: "diverged" },
    }),
  );
  return { github, store };
}
