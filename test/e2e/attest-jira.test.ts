import { afterAll, beforeAll, expect, test } from "vitest";
import { jiraServer } from "../evidence/jira/jira-server.ts";
import { gitHubServer, json, repository } from "../github/github-server.ts";
import { SHA, startJob } from "./workspace.ts";

let job: Awaited<ReturnType<typeof startJob>>;
beforeAll(async () => {
  job = await startJob();
});
afterAll(() => job[Symbol.asyncDispose]());

const PAT = "jira-pat-0123456789abcdef";
const asBearer = { authorization: `Bearer ${PAT}` };

/** A push of a commit with that message, from those pull requests. */
async function pushOf(message: string, pulls: readonly unknown[] | "forbidden" = []) {
  const answer = pulls === "forbidden" ? json(403, { message: "Resource not accessible" }) : pulls;
  const { url } = await gitHubServer(repository({ [`/commits/${SHA}/pulls`]: answer }));
  const event = { ref: "refs/heads/main", head_commit: { id: SHA, message } };
  return { event, api_url: url, token: "gh-token" };
}

/** The service's record of an attestation. */
async function recordOf(attestationName: string) {
  const { body } = await job.client.listTrailAttestations({
    flowName: "web",
    trailName: SHA,
    attestationName,
  });
  return body[0] ?? expect.fail(`${attestationName} is not on record`);
}

test("issues named by the commit, branch and pull request are looked up and recorded", async () => {
  const issues = ["WEB-1", "WEB-3", "WEB-4", "WEB-5"];
  const jira = await jiraServer({ ...asBearer, issues, moved: { "WEB-2": "SHOP-9" } });
  const pull = {
    ...{ title: "web-2: cheaper", body: "Closes WEB-3.\nUTF-8, too", number: 7 },
    ...{ head: { ref: "fix/web-4" }, base: { repo: { full_name: "acme/web" } } },
  };
  const ofFork = { ...pull, title: "WEB-99", body: null, base: { repo: { full_name: "else/web" } } };
  const github = await pushOf("WEB-1 Sell more", [pull, ofFork]);
  const run = await job.step(
    "attest",
    {
      ...{ name: "issues", kind: "jira", "jira-projects": "WEB" },
      ...{ "jira-url": `${jira.url}/jira/`, "jira-token": PAT },
    },
    github,
  );
  expect(run.outputs, run.log).toMatchObject({ status: "recorded", compliant: "true" });
  const record = await recordOf("issues");
  const issue = (id: string) => ({
    ...{ issueId: id, issueUrl: `${jira.url}/jira/browse/${id}`, issueExists: true },
  });
  expect(record).toMatchObject({ attestationType: "jira", isCompliant: true });
  expect(record["jiraResults"]).toEqual(["WEB-1", "WEB-2", "SHOP-9", "WEB-3", "WEB-4"].map(issue));
  expect(jira.received.map(({ path }) => path)).toEqual(
    ["WEB-1", "WEB-2", "WEB-3", "WEB-4"].map((key) => `/jira/rest/api/2/issue/${key}?fields=none`),
  );
});

test("a missing issue, and no issue at all, are recorded as not compliant", async () => {
  const authorization = `Basic ${Buffer.from(`bot@acme.example:${PAT}`).toString("base64")}`;
  const jira = await jiraServer({ authorization, issues: ["WEB-1"] });
  const inputs = {
    ...{ kind: "jira", "jira-url": `${jira.url}/jira` },
    ...{ "jira-user": "bot@acme.example", "jira-token": PAT },
  };
  const missing = await job.step("attest", { ...inputs, name: "missing" }, await pushOf("WEB-1, WEB-9"));
  expect(missing.outputs["compliant"], missing.log).toBe("false");
  expect(missing.log).toContain("not compliant: issues that do not exist: WEB-9");
  expect((await recordOf("missing")).isCompliant).toBe(false);
  const none = await job.step("attest", { ...inputs, name: "none" }, await pushOf("Sell more", "forbidden"));
  expect(none.log).toContain("not compliant: no issue was found");
  expect((await recordOf("none")).isCompliant).toBe(false);
  expect(none.annotations.map(({ message }) => message).join()).toContain("pull-requests: read");
});

test("manifest entries use the step's Jira, and an entry with its own issues makes no request", async () => {
  const jira = await jiraServer({ ...asBearer, issues: ["WEB-1"] });
  const given = [{ issue_id: "WEB-7", issue_url: "https://jira.example/browse/WEB-7", issue_exists: true }];
  await job.write(
    "evidence.yml",
    JSON.stringify([
      { name: "asked", kind: "jira" },
      { name: "given", kind: "jira", data: given },
      { name: "other", compliant: true },
    ]),
  );
  const run = await job.step(
    "attest",
    { manifest: "evidence.yml", "jira-url": `${jira.url}/jira`, "jira-token": PAT },
    await pushOf("WEB-1"),
  );
  expect(run.outputs, run.log).toMatchObject({ status: "recorded", compliant: "true" });
  expect((await recordOf("asked"))["jiraResults"]).toMatchObject([{ issueId: "WEB-1" }]);
  expect((await recordOf("given"))["jiraResults"]).toMatchObject([{ issueId: "WEB-7" }]);
  expect(jira.received).toHaveLength(1);
});

test("a pull request event supplies its texts, and redacted ones are not searched", async () => {
  const jira = await jiraServer({ ...asBearer, issues: ["WEB-5"] });
  const head = { ref: "web-5", sha: SHA, repo: { full_name: "acme/web" } };
  const event = { pull_request: { number: 7, title: "WEB-6", body: "WEB-8", head } };
  const run = await job.step(
    "attest",
    {
      ...{ name: "pr", kind: "jira", redact: "message" },
      ...{ "jira-url": `${jira.url}/jira`, "jira-token": PAT },
    },
    { event_name: "pull_request", event, api_url: "http://127.0.0.1:9", token: "" },
  );
  expect(run.outputs["compliant"], run.log).toBe("true");
  expect((await recordOf("pr"))["jiraResults"]).toMatchObject([{ issueId: "WEB-5" }]);
});
