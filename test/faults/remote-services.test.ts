import { describe, expect, test } from "vitest";
import { commandNames } from "../actions/sent-attestations.ts";
import { httpServer, json, type LocalServer, tcpServer } from "../api/local-server.ts";
import { jiraServer } from "../evidence/jira/jira-server.ts";
import { REPORT_TASK, sonarServer } from "../evidence/sonar/sonar-server.ts";
import { expectFailure, sampleOf } from "./samples.ts";
import { type EndedStep, runStep, type StepCall } from "./step.ts";

const attest = sampleOf("attest");
const TOKEN = "remote-token-0123456789";
const PUSH = { head_commit: { id: "0dcf2a8e6bd4f1a7c1b8b0dd2a1c0e6bb1f4c2aa", message: "WEB-1 and WEB-2" } };

/** Attests with data of a remote service, and returns the step and what our service received. */
async function attestWith(inputs: Readonly<Record<string, string>>, call: Partial<StepCall> = {}) {
  const service = await httpServer((response) => json(response, 201, "OK"));
  const step = await runStep("attest", {
    event: PUSH,
    ...call,
    inputs: { flow: "web", name: "evidence", "base-url": service.url, retries: "0", ...inputs },
  });
  return { step, sent: service.received };
}

/** Expectations common to all faults: the step fails with one cause, nothing is recorded, and no token is shown. */
function expectNothing(
  { step, sent }: { step: EndedStep; sent: LocalServer["received"] },
  ...expected: string[]
) {
  expectFailure(attest, step, ...expected);
  expect(sent).toEqual([]);
  expectHidden(step);
}

function expectHidden({ stdout, summary, outputs }: EndedStep) {
  const basic = Buffer.from(`bot:${TOKEN}`).toString("base64");
  const shown = stdout.replace(/^::add-mask::.*$/gm, "") + summary + JSON.stringify(outputs);
  for (const secret of [TOKEN, basic]) expect(shown).not.toContain(secret);
  expect(stdout).toContain(`::add-mask::${TOKEN}\n`);
}

const jira = (url: string, more: Readonly<Record<string, string>> = {}) => ({
  ...{ kind: "jira", "jira-url": url, "jira-token": TOKEN, ...more },
});

describe("Jira", () => {
  test("that rejects the token makes no issue missing, though it reports each as missing", async () => {
    const server = await jiraServer({ authorization: "Bearer another", issues: ["WEB-1", "WEB-2"] });
    const done = await attestWith(jira(`${server.url}/jira`, { "jira-user": "bot" }));
    expectNothing(done, "jira-token: Jira does not accept the token: You are not authenticated. (127.0.0.1:");
    const basic = Buffer.from(`bot:${TOKEN}`).toString("base64");
    expect(done.step.stdout).toContain(`::add-mask::${basic}\n`);
    expect(server.received[0]?.headers.authorization).toBe(`Basic ${basic}`);
  });

  test("that fails temporarily is retried, after the wait that it requests", async () => {
    const server = await httpServer((response, { path }, count) => {
      const key = /issue\/([^?]*)/.exec(path)?.[1];
      if (count === 1) json(response, 429, {}, { "retry-after": "1" });
      else json(response, 200, { key });
    });
    const { step, sent } = await attestWith(jira(server.url, { retries: "1" }));
    expect(step.status, step.stdout).toBe(0);
    expect(step.stdout).toMatch(/Attempt 1 of 2 to reach Jira failed: status 429\. Retrying in \d/);
    expect(sent).toHaveLength(1);
    expectHidden(step);
  });

  test("that echoes the token and a runner command shows neither", async () => {
    const server = await httpServer((response, { headers }) =>
      json(response, 403, { errorMessages: [`a\n::error::x\n::stop-commands::t\n${headers.authorization}`] }),
    );
    const done = await attestWith(jira(server.url));
    expectNothing(done, "jira-token: Jira does not let the token read the issue WEB-1: ", "Bearer ***");
    expect(commandNames(done.step.stdout)).not.toContain("stop-commands");
  });

  test("that redirects gets the token, and the target does not", async () => {
    const other = await httpServer((response) => json(response, 200, { key: "WEB-1" }));
    const server = await httpServer((response) =>
      response.writeHead(307, { location: `${other.url}/steal?t=${TOKEN}` }).end(),
    );
    expectNothing(
      await attestWith(jira(server.url)),
      `redirected to ${other.url}`,
      "jira-url is the address of Jira",
    );
    expect(other.received).toEqual([]);
  });

  test("that never responds is waited for until the timeout", async () => {
    const silent = await tcpServer(() => {});
    const done = await attestWith(jira(silent.url, { timeout: "1" }));
    expectNothing(done, "no complete answer within 1 s (127.0.0.1:");
  });

  test("that does not exist is named, whatever on-unavailable says", async () => {
    const done = await attestWith(jira("http://127.0.0.1:9", { "on-unavailable": "spool" }));
    expectNothing(done, "connection refused (127.0.0.1:9)", "Check that jira-url is right");
  });

  test("gets no request with an invalid address or invalid projects", async () => {
    const done = await attestWith(jira("http://jira.example"));
    expectNothing(done, "jira-url: is http://, which would send the token unencrypted");
    expectNothing(
      await attestWith(jira("https://jira.example", { "jira-projects": "^a" })),
      "jira-projects: '^a' is not a valid project key",
    );
  });

  test("gets no request when a text names a thousand issues", async () => {
    const message = Array.from({ length: 51 }, (_, index) => `WEB-${index + 1}`).join(" ");
    const event = { head_commit: { ...PUSH.head_commit, message } };
    const server = await jiraServer({ authorization: `Bearer ${TOKEN}`, issues: [] });
    const done = await attestWith(jira(`${server.url}/jira`), { event });
    expectNothing(done, "name 51 issues; at most 50 are looked up");
    expect(server.received).toEqual([]);
  });
});

describe("Sonar", () => {
  const sonar = (url: string, more: Readonly<Record<string, string>> = {}) => ({
    ...{ kind: "sonar", "sonar-url": url, "sonar-token": TOKEN, ...more },
  });

  test("at the address in a scanner's report does not get the token", async () => {
    const other = await httpServer((response) => json(response, 200, {}));
    const server = await httpServer((response) => json(response, 401, {}));
    const report = REPORT_TASK.replaceAll("https://elsewhere.example", other.url);
    const done = await attestWith(sonar(server.url), { files: { ".scannerwork/report-task.txt": report } });
    expectNothing(done, "sonar-token: Sonar does not accept the token: ", "status 401");
    const basic = Buffer.from(`${TOKEN}:`).toString("base64");
    expect(server.received.map(({ headers }) => headers.authorization)).toEqual([
      `Bearer ${TOKEN}`,
      `Basic ${basic}`,
    ]);
    expect(done.step.stdout).toContain(`::add-mask::${basic}\n`);
    expect(other.received).toEqual([]);
  });

  test("that does not finish in time fails the step, and the log says what it waited for", async () => {
    const server = await sonarServer({
      ...{ authorization: `Bearer ${TOKEN}`, statuses: ["PENDING"] },
      revision: "a",
    });
    const files = { ".scannerwork/report-task.txt": REPORT_TASK };
    const done = await attestWith(sonar(server.url, { timeout: "2" }), { files });
    expectNothing(done, "the analysis did not finish within 2 s: it is PENDING");
    expect(done.step.stdout).toContain("The analysis is PENDING. Checking again in 1 s.");
  });
});
