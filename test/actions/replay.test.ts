import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EvidenceClient } from "../../src/api/client/client.ts";
import { gitHubServer, json } from "../github/github-server.ts";
import { startTestService, type TestService } from "../service/running-service.ts";
import { ORG, temporaryFolder } from "../spool/fixtures.ts";
import { runActionBundle, runActionHere } from "./action-here.ts";
import { archiveOf, gitHubWith, OUTSIDE } from "./spool-artifacts.ts";

let service: TestService;
let client: EvidenceClient;
beforeAll(async () => {
  service = await startTestService();
  client = new EvidenceClient({ apiKey: service.keys.reader, org: ORG, baseUrl: service.address });
});
afterAll(async () => {
  await client.close();
  await service.dispose();
});

async function run(apiUrl: string, inputs: Readonly<Record<string, string>> = {}, by = runActionHere) {
  await using folder = await temporaryFolder();
  const output = join(folder.path, "output");
  await writeFile(output, "");
  const ended = await by(
    "replay",
    {
      INPUTS: JSON.stringify({
        "api-key": service.keys.member,
        org: ORG,
        "base-url": service.address,
        "github-token": "ghs_token",
        retries: "0",
        ...inputs,
      }),
      GITHUB_API_URL: apiUrl,
      GITHUB_REPOSITORY: "acme/web",
      GITHUB_RUN_ID: "99",
      GITHUB_OUTPUT: output,
      RUNNER_TEMP: folder.path,
    },
    folder.path,
  );
  const values = [...(await readFile(output, "utf8")).matchAll(/^([\w-]+)<<(\S+)\n([\s\S]*?)\n\2$/gm)];
  return {
    ...ended,
    outputs: Object.fromEntries(values.map(([, name = "", , value = ""]) => [name, value])),
    leftBehind: (await readdir(folder.path)).filter((name) => name !== "output"),
  };
}

async function recorded(trail: string): Promise<string[]> {
  const { body } = await client.listFlowAttestations({ flowName: "web", perPage: 100 });
  return body.data.flatMap((record) => (record.trailName === trail ? record.attestationName : [])).reverse();
}

describe("replay", () => {
  test("records the spooled submissions of earlier runs in order, and finds them recorded the next time", async () => {
    const both = await archiveOf("both", "a", "b");
    const later = await archiveOf("both", "c");
    // Each step uploads everything that its job has spooled, so a submission may occur more than once.
    const { github, store } = await gitHubWith({ archive: later }, { archive: both }, { archive: both });
    const first = await run(github.url, {}, runActionBundle);
    expect(first).toMatchObject({
      status: 0,
      stderr: "",
      outputs: { status: "recorded", replayed: "3", found: "2", left: "0" },
      leftBehind: [],
    });
    expect(await recorded("both")).toEqual(["a", "b", "c"]);
    const second = await run(github.url);
    expect(second.outputs).toEqual({ status: "recorded", replayed: "0", found: "5", left: "0" });
    expect(await recorded("both")).toEqual(["a", "b", "c"]);
    // GitHub gets the token, its archive storage does not.
    expect(github.requests.every(({ headers }) => /ghs_token/.test(headers.authorization ?? ""))).toBe(true);
    expect(store.requests).toHaveLength(6);
    expect(store.requests.filter(({ headers }) => "authorization" in headers)).toEqual([]);
  });

  test("skips artifacts of forks, other branches, other names, too old or expired", async () => {
    const archive = await archiveOf("strange", "a");
    const { github, store } = await gitHubWith(
      { archive, head: 666 },
      { archive, branch: "feature" },
      { archive, name: "report" },
      { archive, created: new Date(Date.now() - 8 * 86_400_000).toISOString() },
      { archive, expired: true },
    );
    const { status, outputs } = await run(github.url, { branches: "main", "max-age-days": "7" });
    expect({ status, outputs }).toEqual({
      status: 0,
      outputs: { status: "empty", replayed: "0", found: "0", left: "0" },
    });
    expect(store.requests).toEqual([]);
  });

  test("with a branch reads runs of its commits, not runs of a tag with its name", async () => {
    const { github } = await gitHubWith(
      { archive: await archiveOf("branch", "of-the-branch") },
      { archive: await archiveOf("branch", "of-a-tag"), sha: OUTSIDE },
    );
    const { status, stdout, outputs } = await run(github.url, { branches: "main" });
    expect({ status, outputs }).toMatchObject({ status: 0, outputs: { replayed: "1", left: "0" } });
    expect(stdout).toContain("commit 3333333 of its run is not in the branch 'main'");
    expect(await recorded("branch")).toEqual(["of-the-branch"]);
  });

  test("reports a damaged archive and records the others", async () => {
    const { github } = await gitHubWith(
      { archive: Buffer.from("PK but not really") },
      { archive: await archiveOf("beside", "a") },
    );
    const { status, stdout, outputs } = await run(github.url);
    expect({ status, outputs }).toEqual({
      status: 1,
      outputs: { status: "left", replayed: "1", found: "0", left: "0" },
    });
    expect(stdout).toContain("The artifact 'delivery-evidence-spool-70-1-0123abcd' cannot be read");
    expect(stdout.match(/^::error/gm)).toHaveLength(1);
  });

  test("fails and counts the rest while the service is down", async () => {
    const { github } = await gitHubWith({ archive: await archiveOf("down", "a", "b") });
    const { status, stdout, outputs } = await run(github.url, { "base-url": "http://127.0.0.1:9" });
    expect({ status, outputs }).toEqual({
      status: 1,
      outputs: { status: "left", replayed: "0", found: "0", left: "2" },
    });
    expect(stdout).toContain("2 of 2 submissions were not recorded");
    expect(stdout).toContain("connection refused");
  });

  test("sends the service nothing in a dry run", async () => {
    const { github } = await gitHubWith({ archive: await archiveOf("dry", "a") });
    const given = { "dry-run": "true", "base-url": "http://127.0.0.1:9" };
    const { status, outputs } = await run(github.url, given);
    expect({ status, outputs }).toEqual({
      status: 0,
      outputs: { status: "dry-run", replayed: "0", found: "0", left: "1" },
    });
  });

  test("names the permission that the token lacks", async () => {
    const github = await gitHubServer(json(403, { message: "Resource not accessible by integration" }));
    const { status, stdout } = await run(github.url);
    expect(status).toBe(1);
    expect(stdout).toContain("actions: read");
    expect(stdout).toContain("Nothing was replayed.");
  });

  test("needs a token", async () => {
    const { status, stdout } = await run("http://127.0.0.1:9", { "github-token": "" });
    expect(status).toBe(1);
    expect(stdout).toContain("github-token: is required");
  });
});
