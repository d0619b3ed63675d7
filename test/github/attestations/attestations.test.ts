import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { readAttestations } from "../../../src/github/attestations/attestations.ts";
import { gitHubServer, json } from "../github-server.ts";

const PREDICATE = "https://slsa.dev/provenance/v1";
const OWN = { repository_id: 4711 };
const digest = (number: number) => number.toString(16).padStart(64, "0");
const digests = (count: number) => Array.from({ length: count }, (_, index) => digest(index));

interface Asked {
  /** Path and query without the digest. */
  readonly path: string;
  /** Digests in the request. */
  readonly digests: readonly string[];
}

interface Answers {
  /** Answers a request for several artifacts. */
  readonly shared?: (asked: Asked) => readonly [status: number, body: unknown];
  /** Attestations of one artifact. */
  readonly single?: (digest: string) => readonly unknown[] | undefined;
}

/** Serves the lists of the repository acme/web, and keeps what it was asked. */
async function lists({ shared = () => [404, {}], single = () => undefined }: Answers) {
  const asked: Asked[] = [];
  const busy = { now: 0, most: 0 };
  const github = await gitHubServer(async (request, response) => {
    const path = decodeURIComponent(request.url ?? "");
    if (request.method === "POST") {
      const body = JSON.parse(await text(request));
      expect(body).toMatchObject({ predicate_type: PREDICATE });
      const found = body.subject_digests.map((each: string) => each.replace("sha256:", ""));
      const one = { path, digests: found };
      asked.push(one);
      return json(...shared(one))(request, response);
    }
    const [, sha256 = ""] = /attestations\/sha256:([0-9a-f]{64})/.exec(path) ?? [];
    asked.push({ path: path.replace(sha256, "…").replace(/\?.*/, ""), digests: [sha256] });
    busy.most = Math.max(busy.most, ++busy.now);
    // Long enough for requests that are sent together to meet.
    await new Promise((resolve) => setTimeout(resolve, 20));
    busy.now--;
    const listed = single(sha256);
    return json(listed ? 200 : 404, listed ? { attestations: listed } : {})(request, response);
  });
  const read = (
    sha256s: readonly string[],
    { isNamedOnly = false, signal = new AbortController().signal } = {},
  ) => {
    const repositoryId = isNamedOnly ? undefined : "4711";
    const address = { apiUrl: github.url, repository: "acme/web", token: "t", signal, env: {} };
    return Promise.all(
      sha256s.map((sha256) => readAttestations(address, { sha256, predicateType: PREDICATE, repositoryId })),
    );
  };
  return { asked, busy, read };
}

const bundle = (sha256: string, number = 1) => ({ of: sha256, number });
const of = (sha256: string, ...numbers: number[]) =>
  numbers.map((number) => ({ bundle: bundle(sha256, number), ...OWN }));
const found = (sha256: string, ...numbers: number[]) => ({
  answer: { bundles: numbers.map((number) => bundle(sha256, number)), faults: [] },
});
const SHARED = "/orgs/acme/attestations/bulk-list?per_page=100";
const SINGLE = "/repos/acme/web/attestations/sha256:…";

const wholeList = ({ digests: asked }: Asked) =>
  [
    200,
    {
      attestations_subject_digests: Object.fromEntries(asked.map((each) => [`sha256:${each}`, of(each, 1)])),
    },
  ] as const;

describe("attestations of several artifacts", () => {
  test("are listed by one request for each 100 of them", async () => {
    const { asked, read } = await lists({ shared: wholeList });
    const all = digests(250);
    expect(await read(all)).toEqual(all.map((each) => found(each, 1)));
    expect(asked.map((each) => [each.path, each.digests.length])).toEqual([
      [SHARED, 100],
      [SHARED, 100],
      [SHARED, 50],
    ]);
  });

  test("are read from all pages, and at most 30 of an artifact", async () => {
    const [a, b] = [digest(1), digest(2)];
    const page = (listed: Record<string, unknown>, next?: string) =>
      [
        200,
        {
          attestations_subject_digests: listed,
          page_info: { has_next: next !== undefined, next, has_previous: false },
        },
      ] as const;
    const many = Array.from({ length: 40 }, (_, index) => index + 1);
    const { asked, read } = await lists({
      shared: ({ path }) =>
        path.endsWith("&after=c1")
          ? page({ [`sha256:${a}`]: of(a, 3), [`sha256:${b}`]: of(b, ...many) })
          : page({ [`sha256:${a}`]: of(a, 1, 2), [`sha256:${b}`]: null }, "c1"),
    });
    expect(await read([a, b])).toEqual([found(a, 1, 2, 3), found(b, ...many.slice(0, 30))]);
    expect(asked.map(({ path }) => path)).toEqual([SHARED, `${SHARED}&after=c1`]);
  });

  test("are those of the repository: the organization's others do not count", async () => {
    const [a, b] = [digest(1), digest(2)];
    const foreign = { bundle: bundle(b, 9), repository_id: 8 };
    const { asked, read } = await lists({
      // As in GitHub's example: a list of objects.
      shared: () => [
        200,
        {
          attestations_subject_digests: [
            { [`sha256:${a}`]: [foreign, ...of(a, 1)] },
            { [`sha256:${b}`]: [foreign] },
          ],
        },
      ],
      single: () => [],
    });
    expect(await read([a, b])).toEqual([found(a, 1), found(b)]);
    expect(asked).toEqual([
      { path: SHARED, digests: [a, b] },
      { path: SINGLE, digests: [b] },
    ]);
  });

  test.each([
    ["is missing, as on older servers and for personal accounts", [404, {}]],
    ["is hidden from the token", [403, {}]],
    ["fails", [500, {}]],
    ["is of another form", [200, []]],
    [
      "has too many pages",
      [200, { attestations_subject_digests: {}, page_info: { has_next: true, next: "c" } }],
    ],
  ] as const)("are requested singly, few at a time, when the shared list %s", async (_, answer) => {
    const { asked, busy, read } = await lists({ shared: () => answer, single: (each) => of(each, 1) });
    const all = digests(20);
    expect(await read(all)).toEqual(all.map((each) => found(each, 1)));
    expect(asked.filter(({ path }) => path === SINGLE)).toHaveLength(20);
    expect(busy.most).toBeLessThanOrEqual(8);
  });

  test("are requested singly when the repository's id is unknown, or the artifact is one", async () => {
    const { asked, read } = await lists({ shared: wholeList, single: (each) => of(each, 1) });
    const [a, b] = [digest(1), digest(2)];
    await read([a, b], { isNamedOnly: true });
    await read([a, a]);
    await read([b]);
    expect(asked.map(({ path }) => path)).toEqual([SINGLE, SINGLE, SINGLE, SINGLE]);
  });

  test("fail each on its own", async () => {
    const [a, b] = [digest(1), digest(2)];
    const { read } = await lists({ single: (each) => (each === a ? of(a, 1) : undefined) });
    expect(await read([a, b])).toEqual([found(a, 1), { fault: expect.objectContaining({ status: 404 }) }]);
  });

  test("end with the step", async () => {
    const interrupt = new AbortController();
    const { read } = await lists({
      shared: () => {
        interrupt.abort(new Error("interrupted"));
        return [200, {}];
      },
    });
    await expect(read(digests(2), { signal: interrupt.signal })).rejects.toThrow("interrupted");
  });
});
