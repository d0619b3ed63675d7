import { join } from "node:path";
import { expect, test } from "vitest";
import { downloadArtifact } from "../../../src/github/api/artifact-download.ts";
import { temporaryFolder } from "../../spool/fixtures.ts";
import { gitHubServer, json } from "../github-server.ts";

test("a token that may not download an artifact gets an error that names the permission", async () => {
  const github = await gitHubServer(json(403, { message: "Resource not accessible by integration" }));
  const signal = new AbortController().signal;
  const address = { apiUrl: github.url, repository: "acme/web", token: "tok", signal, env: {} };
  const artifact = { id: 7, name: "spool", sha256: undefined };
  await using folder = await temporaryFolder();
  expect(await downloadArtifact(address, artifact, join(folder.path, "a.zip"))).toMatchObject({
    fault: {
      message: "the token may not download the artifact (403)",
      advice: expect.stringMatching(/\n {4}actions: read$/),
    },
  });
});
