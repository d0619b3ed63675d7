import { readdir, readFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { gitHubServer, repository } from "../github/github-server.ts";
import { zipOf } from "../spool/zip-archive.ts";

/** GitHub with the artifacts that a job has uploaded. */
export async function gitHubOf(
  artifacts: string,
  { name: repositoryName, id: repositoryId } = { name: "acme/web", id: 4711 },
) {
  const names = await readdir(artifacts);
  const answers: Record<string, unknown> = {
    "/actions/artifacts": {
      artifacts: names.map((name, index) => ({
        id: index + 1,
        name,
        size_in_bytes: 1,
        created_at: new Date().toISOString(),
        workflow_run: { repository_id: repositoryId, head_repository_id: repositoryId, head_branch: "main" },
      })),
    },
  };
  for (const [index, name] of names.entries()) {
    const files: Record<string, Buffer> = {};
    for (const entry of await readdir(join(artifacts, name), { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (entry.isFile()) files[path.slice(join(artifacts, name).length + 1)] = await readFile(path);
    }
    const archive = zipOf(files);
    answers[`/actions/artifacts/${index + 1}/zip`] = (_: unknown, response: ServerResponse) =>
      response.writeHead(200).end(archive);
  }
  return gitHubServer(repository(answers, repositoryName));
}
