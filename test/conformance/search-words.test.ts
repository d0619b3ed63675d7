import { describe, expect, it } from "vitest";
import { pipeline, textFile } from "./pipeline.ts";
import { expectInvalid, expectRefusal } from "./refusal.ts";
import { conformance } from "./target.ts";
import { someCommit, someFingerprint, unique } from "./unique.ts";

const target = await conformance();
const { client, ask, clientFor } = target;
const { flow, trail, delivered, environment, report, attest } = pipeline(target);

/** A word that no other record has. */
const word = () => unique("w").replaceAll(/[^a-z0-9]/gi, "");

async function groupsOf(
  q: string,
  more: { kind?: "trail" | "artifact"; page?: number; perPage?: number } = {},
) {
  const { body } = await client.search({ q, ...more });
  return new Map(body.groups.map((group) => [group.kind, group]));
}

async function trailsOf(q: string): Promise<string[]> {
  return (await groupsOf(q)).get("trail")?.results.map(({ name }) => name) ?? [];
}

interface Begun {
  message?: string;
  author?: string;
  authorUsername?: string;
  branch?: string;
}

async function begun(commit: Begun, flowName?: string) {
  const name = unique("trail");
  const sha1 = someCommit();
  const inFlow = flowName ?? (await flow());
  await client.beginTrail({ flowName: inFlow, body: { name, gitCommitInfo: { sha1, ...commit } } });
  return { name, flow: inFlow, sha1 };
}

describe("a search finds a trail", () => {
  it("by its name, commit, subject, author and branch, and says why", async () => {
    const [subject, author, branch] = [word(), word(), word()];
    const made = await begun({
      message: `Round ${subject} up (#596)\n\nA body.`,
      author: `Ada ${author} <ada@example.org>`,
      authorUsername: "octocat",
      branch: `feature/PAY-123-${branch}`,
    });
    const wanted: readonly (readonly [string, string, string])[] = [
      [made.name, "trail", made.name],
      [made.sha1, "commit", made.sha1],
      [subject.slice(0, 6).toUpperCase() + subject.slice(6), "subject", `Round ${subject} up (#596)`],
      [author, "author", `Ada ${author} <ada@example.org>`],
      [branch, "branch", `feature/PAY-123-${branch}`],
    ];
    for (const [q, field, text] of wanted) {
      const found = (await groupsOf(q)).get("trail");
      expect(found).toMatchObject({
        total: 1,
        more: false,
        results: [{ name: made.name, matched: [{ field, text }] }],
      });
      expect(found?.results[0]).toMatchObject({
        kind: "trail",
        state: "COMPLIANT",
        subject: `Round ${subject} up (#596)`,
        flow: made.flow,
        commit: made.sha1,
        author: "octocat",
        branch: `feature/PAY-123-${branch}`,
        htmlUrl: expect.stringContaining(`/flows/${made.flow}/trails/${made.name}`),
      });
    }
    for (const q of [
      `pay-123 ${subject}`,
      `#596 ${subject}`,
      `round ${author} ${branch}`,
      `${subject} ${made.flow}`,
    ])
      expect(await trailsOf(q)).toEqual([made.name]);
    for (const q of [`${subject} ${word()}`, `#59 ${subject}`, `pay-124 ${subject}`, `ubject${subject}`])
      expect(await trailsOf(q)).toEqual([]);
  });

  it("by what its attestations say: pull requests, their commits, and Jira issues", async () => {
    const made = await delivered();
    const [title, contained, merged] = [word(), someCommit(), someCommit()];
    const at = { flowName: made.flow, trailName: made.trail };
    const key = `${word().toUpperCase()}-77`;
    await client.attestPullRequest({
      ...at,
      body: {
        attestationName: "pr",
        gitProvider: "github",
        pullRequests: [
          {
            url: "https://github.com/acme/web/pull/8123",
            state: "MERGED",
            author: "hubot",
            title: `Add ${title}`,
            createdAt: 1,
            headRef: "topic",
            mergeCommit: merged,
            commits: [{ sha1: contained }],
          },
        ],
      },
    });
    await client.attestJira({
      ...at,
      body: {
        attestationName: "jira",
        jiraResults: [{ issueId: key, issueUrl: `https://jira.example/${key}`, issueExists: true }],
      },
    });
    for (const q of [
      title,
      contained.slice(0, 9),
      merged,
      key,
      `jira:${key}`,
      `#8123 ${title}`,
      `author:hubot ${title}`,
    ]) {
      const groups = await groupsOf(q);
      expect(groups.get("trail")?.results).toMatchObject([{ name: made.trail }]);
      // Also the artifact that contains the commit.
      expect(groups.get("artifact")?.results).toMatchObject([
        {
          name: "web:1.2",
          fingerprint: made.fingerprint,
          trail: made.trail,
          commit: made.commit,
        },
      ]);
    }
  });

  it("under its latest commit, after an update", async () => {
    const [before, after] = [word(), word()];
    const made = await begun({ message: before });
    expect(await trailsOf(before)).toEqual([made.name]);
    await client.beginTrail({
      flowName: made.flow,
      body: { name: made.name, gitCommitInfo: { sha1: made.sha1, message: after } },
    });
    expect(await trailsOf(before)).toEqual([]);
    expect(await trailsOf(after)).toEqual([made.name]);
  });

  it("that began with an attestation", async () => {
    const [flowName, trailName, subject] = [await flow(), unique("trail"), word()];
    const gitCommitInfo = { sha1: someCommit(), message: subject };
    const body = { attestationName: "unit", isCompliant: true, gitCommitInfo };
    await client.attestGeneric({ flowName, trailName, body });
    expect((await groupsOf(subject)).get("trail")?.results).toMatchObject([{ name: trailName, subject }]);
  });

  it("with an exact text in quotes", async () => {
    const [one, two] = [word(), word()];
    const made = await begun({ message: `${one} and ${two}` });
    expect(await trailsOf(`"${one} and ${two}"`)).toEqual([made.name]);
    for (const q of [`"${one} ${two}"`, `"${two} and ${one}"`, `"${one.slice(0, -1)}"`])
      expect(await trailsOf(q)).toEqual([]);
  });
});

describe("an artifact", () => {
  it("is found by its name, without the others of its trail", async () => {
    const [flowName, trailName, api, web] = [await flow(), unique("trail"), word(), word()];
    for (const name of [api, web]) {
      await client.reportArtifact({
        flowName,
        body: {
          fingerprint: someFingerprint(),
          filename: `acme/${name}:1.2.3`,
          buildUrl: "https://ci.example/1",
          commitUrl: "https://git.example/1",
          gitCommit: someCommit(),
          trailName,
        },
      });
    }
    const namesOf = async (q: string) => (await groupsOf(q)).get("artifact")?.results.map(({ name }) => name);
    expect(await namesOf(api)).toEqual([`acme/${api}:1.2.3`]);
    expect(await namesOf(`"${web}:1.2.3"`)).toEqual([`acme/${web}:1.2.3`]);
    expect(await namesOf(trailName)).toEqual([`acme/${web}:1.2.3`, `acme/${api}:1.2.3`]);
    expect(await namesOf(`1.2.3 ${trailName}`)).toHaveLength(2);
  });

  it("is found without a trail", async () => {
    const [flowName, name] = [await flow(), word()];
    const fingerprint = someFingerprint();
    const links = { buildUrl: "https://ci.example/1", commitUrl: "https://git.example/1" };
    await client.reportArtifact({
      flowName,
      body: { fingerprint, filename: name, ...links, gitCommit: someCommit() },
    });
    for (const q of [name, fingerprint.slice(0, 12), `sha256:${fingerprint}`]) {
      const groups = await groupsOf(q);
      expect(groups.get("artifact")?.results).toMatchObject([
        { name, fingerprint, trail: null, flow: flowName },
      ]);
      expect(groups.get("trail")).toBeUndefined();
    }
  });
});

describe("qualifiers", () => {
  it("limit the trails, and are returned as parts of the query", async () => {
    const subject = word();
    const template = 'version: 1\ntrail:\n  attestations: [{ name: unit, type: "*" }]\n';
    const flowName = await flow(template);
    const author = { author: `${word()} <a@example.org>` };
    const open = await begun({ message: subject, branch: "main", ...author }, flowName);
    const failing = await begun({ message: subject, branch: "release/1.2" }, flowName);
    const other = await begun({ message: subject, branch: "main" });
    const at = { flowName, trailName: failing.name };
    await client.attestGeneric({ ...at, body: { attestationName: "unit", isCompliant: false } });
    const cases: readonly (readonly [string, readonly string[]])[] = [
      ["", [other.name, failing.name, open.name]],
      [`flow:${flowName}`, [failing.name, open.name]],
      ["is:failing", [failing.name]],
      ["is:Non-Compliant", [failing.name]],
      ["is:incomplete", [open.name]],
      ["is:compliant", [other.name]],
      ["is:passing", [other.name]],
      ["branch:main", [other.name, open.name]],
      ["branch:release/1.2", [failing.name]],
      ["branch:release", []],
      [`author:"${author.author.slice(0, 5)}"`, [open.name]],
      ["after:2020-01-01 before:2999-12-31", [other.name, failing.name, open.name]],
      ["before:2020-01-01", []],
      [`flow:${unique("none")}`, []],
      [`env:${unique("none")}`, []],
      ["jira:PAY-999999", []],
    ];
    for (const [qualifiers, names] of cases) {
      expect((await trailsOf(`${subject} ${qualifiers}`)).toSorted()).toEqual(names.toSorted());
      if (names.length > 0 && qualifiers !== "")
        expect(await trailsOf(qualifiers)).toEqual(expect.arrayContaining([...names]));
    }
    const { body } = await client.search({ q: `is:failing ${subject} branch:"release/1.2"` });
    expect(body.qualifiers).toEqual([
      { name: "is", value: "failing", text: "is:failing" },
      { name: "branch", value: "release/1.2", text: 'branch:"release/1.2"' },
    ]);
    // A flow keeps its trails under a new name.
    const renamed = unique("flow");
    await client.renameFlow({ flowName, body: { newName: renamed } });
    for (const name of [renamed, flowName])
      expect((await trailsOf(`${subject} flow:${name}`)).toSorted()).toEqual(
        [failing.name, open.name].toSorted(),
      );
  });

  it("find what runs in an environment", async () => {
    const [running, former] = [await delivered(), await delivered()];
    const envName = await environment();
    await report(envName, [former.fingerprint]);
    await report(envName, [running.fingerprint]);
    const groups = await groupsOf(`env:${envName}`);
    expect(groups.get("trail")?.results).toMatchObject([{ name: running.trail }]);
    expect(groups.get("artifact")?.results).toMatchObject([{ fingerprint: running.fingerprint }]);
  });

  it.each([
    [
      "flaw:web",
      "Unknown qualifier 'flaw:'. Use one of flow:, is:, jira:, author:, after:, before:, env:, branch:, or quotes to find this text: \"flaw:web\"",
    ],
    [
      "is:red",
      "The value of is: must be one of compliant, passing, non-compliant, failing, incomplete, got 'red'",
    ],
    ["jira:PAY", "The value of jira: must be the key of an issue such as PAY-123, got 'PAY'"],
    ["after:yesterday", "The value of after: must be a date such as 2026-01-31, got 'yesterday'"],
    ["before:2026-02-31", "The value of before: must be a date such as 2026-01-31, got '2026-02-31'"],
    ["author:", "author: needs a value"],
    ['flow:""', "flow: needs a value"],
    ["flow:a flow:b", "Use the qualifier flow once"],
    ['-- * "!" :', "Search for at least one letter, digit or qualifier"],
    ["a ".repeat(21), "Search for at most 20 words, got 21"],
  ])("are refused with a reason: %s", async (q, message) => {
    await expectInvalid(ask("search", { query: { q } }), { q: message }, message);
  });
});

describe("names", () => {
  it("of flows, environments, repositories, controls and policies are found, also by tags", async () => {
    const name = word();
    const flowName = `a-${name}`;
    await client.createFlowWithTemplate({
      body: { name: flowName, description: "" },
      files: { templateFile: textFile("template.yml", "version: 1\n") },
    });
    const envName = `b-${name}`;
    await client.createEnvironment({ body: { name: envName, type: "K8S", description: "" } });
    await client.createControl({ body: { identifier: `C-${name}`, name: "Review" } });
    await client.putPolicy({
      body: { name: `p-${name}` },
      files: { policyFile: textFile("policy.yml", "_schema: https://example.org/v1\n") },
    });
    const trailName = await trail(flowName);
    await client.beginTrail({
      flowName,
      body: { name: trailName, repoInfo: { name: `acme/${name}`, url: `https://github.com/acme/${name}` } },
    });
    const groups = await groupsOf(name.toUpperCase());
    for (const [kind, found, path] of [
      ["flow", flowName, `/flows/${flowName}`],
      ["environment", envName, `/environments/${envName}`],
      ["repo", `acme/${name}`, `/repos/acme/${name}`],
      ["control", `C-${name}`, `/controls/C-${name}`],
      ["policy", `p-${name}`, `/policies/p-${name}`],
    ] as const) {
      expect(groups.get(kind)).toMatchObject({ total: 1, results: [{ kind, name: found }] });
      expect(groups.get(kind)?.results[0]?.htmlUrl).toMatch(new RegExp(`${path}$`));
    }
    expect([...(await groupsOf(name.slice(1))).keys()], "not from inside a word").toEqual([]);
    const tag = word();
    await client.updateTags({ resourceType: "flow", resourceId: flowName, body: { setTags: { team: tag } } });
    await client.archiveFlow({ flowName });
    expect((await groupsOf(tag)).get("flow")).toMatchObject({
      results: [{ name: flowName, state: "ARCHIVED", matched: [{ field: "tag", text: `team=${tag}` }] }],
    });
    expect((await groupsOf(tag.slice(1))).get("flow")).toBeUndefined();
    // Evidence of an archived flow is still found.
    expect(await trailsOf(trailName)).toEqual([trailName]);
  });

  it("an attestation is found by its id", async () => {
    const made = await delivered();
    const attestationName = await attest(made);
    const { body } = await client.listAttestations({ name: attestationName });
    const id = body.data[0]?.attestationId ?? "";
    expect((await groupsOf(id)).get("attestation")?.results).toMatchObject([
      { name: attestationName, state: "COMPLIANT", trail: made.trail },
    ]);
  });
});

it("lists pages, newest first", async () => {
  const subject = word();
  const flowName = await flow();
  const made = [];
  for (let count = 0; count < 5; count++) made.push((await begun({ message: subject }, flowName)).name);
  const page = async (number: number) =>
    (await groupsOf(subject, { kind: "trail", page: number, perPage: 2 })).get("trail");
  const pages = [await page(1), await page(2), await page(3)];
  expect(pages.map((each) => each?.total)).toEqual([5, 5, 5]);
  expect(pages.flatMap((each) => each?.results.map(({ name }) => name))).toEqual(made.toReversed());
  expect(await page(4)).toMatchObject({ total: 5, results: [] });
});

it("a caller with a scope sees only its flows and environments", async () => {
  const subject = word();
  const [own, other] = [await begun({ message: subject }), await begun({ message: subject })];
  const envName = await environment();
  const built = await delivered();
  await report(envName, [built.fingerprint]);
  const account = unique("account");
  await client.createServiceAccount({ body: { name: account, privilege: "reader" } });
  const { body: key } = await client.createApiKey({
    name: account,
    body: { description: "ci", flows: [own.flow, built.flow], environments: [] },
  });
  const scoped = clientFor(key.key);
  const namesOf = async (q: string) => {
    const { body } = await scoped.search({ q });
    return body.groups.flatMap(({ results }) => results.map(({ name }) => name));
  };
  expect(await namesOf(subject)).toEqual([own.name]);
  expect(await namesOf(other.name)).toEqual([]);
  expect(await namesOf(`${subject} flow:${other.flow}`)).toEqual([]);
  expect(await namesOf(`env:${envName}`)).toEqual([]);
  expect(await namesOf(envName)).toEqual([]);
  expect(await namesOf(own.flow)).toEqual([own.name, own.flow]);
});

describe("hostile queries get a clear answer", () => {
  it.each([
    ['"', 400],
    ['""', 400],
    ["*", 400],
    ["a* OR b", 200],
    ["NEAR(a b, 3)", 200],
    ["words: x", 200],
    ["x' & !y | z <-> w* v&", 200],
    ["\\' \\ '' ) (", 400],
    ["a\\'b \\\\ c:*", 400],
    ['"unclosed phrase', 200],
    ["\u{1F680}\u{1F680}", 200],
    ["שלום עולם", 200],
    ["\u202Eabc", 200],
    ["日本語 テスト", 200],
    ["x".repeat(10_000), 400],
    ["-{}[]^~+", 400],
    ["a\u0000b", 400],
    ["e\u0301".repeat(200), 200],
    ["a-".repeat(250), 200],
  ])("%s", async (q, status) => {
    const reply = await ask("search", { query: { q } });
    expect({ status: reply.status, message: reply.body.message ?? "" }).toEqual({
      status,
      message: status === 200 ? "" : expect.stringMatching(/./),
    });
  });

  it("and are found as text where they are text", async () => {
    const subject = word();
    const made = await begun({ message: `\u{1F680} ${subject} שלום O'Neil "quoted" Zoé 100%` });
    for (const q of [
      `\u{1F680} ${subject}`,
      `שלום ${subject}`,
      `o'neil ${subject}`,
      `zoe ${subject}`,
      `100% ${subject}`,
    ])
      expect(await trailsOf(q)).toEqual([made.name]);
  });

  it("an empty query is refused", async () => {
    await expectRefusal(ask("search", { query: {} }), 400, /./);
  });
});
