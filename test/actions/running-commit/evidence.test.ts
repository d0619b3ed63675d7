import { expect, test } from "vitest";
import { evidenceOf } from "../../../src/actions/running-commit/evidence.ts";

const A = "a".repeat(40);
const B = "b".repeat(40);
const NOW = 1_795_169_000;

interface Trail {
  name: string;
  complianceState: string;
  createdAt: number;
  gitCommitInfo?: { sha1: string };
  htmlUrl: string;
}

function trail(name: string, changes: Partial<Trail> = {}): Trail {
  return {
    name,
    complianceState: "COMPLIANT",
    createdAt: NOW,
    htmlUrl: `https://e.example/${name}`,
    ...changes,
  };
}

/** A flow whose trails are split into these pages. */
function flowOf(pages: Trail[][]) {
  const readPages: unknown[] = [];
  const context = {
    call(_: unknown, request: { page: number }) {
      readPages.push(request.page);
      const pagination = { total: 0, page: request.page, perPage: 100, pageCount: pages.length };
      return Promise.resolve({ body: { data: pages[request.page - 1] ?? [], pagination } });
    },
  };
  const evidence = (commits: { sha: string; timestamp?: number }[]) =>
    // Only the calls of the context are used.
    evidenceOf(commits, "web", context as unknown as Parameters<typeof evidenceOf>[2]);
  return { readPages, evidence };
}

test("a commit's evidence is its trail's, found by name or by commit", async () => {
  const named = trail("release-7", { gitCommitInfo: { sha1: B }, complianceState: "INCOMPLETE" });
  const { evidence } = flowOf([[trail(A), named]]);
  const of = await evidence([{ sha: A }, { sha: B }]);
  expect(of(A)).toEqual({ state: "COMPLIANT", trail: A, trailUrl: `https://e.example/${A}` });
  expect(of(B)).toMatchObject({ state: "INCOMPLETE", trail: "release-7" });
});

test("the trail named after the commit takes precedence", async () => {
  const other = trail("release-7", { gitCommitInfo: { sha1: A } });
  const { evidence } = flowOf([
    [other, trail(A, { complianceState: "NON-COMPLIANT" }), { ...other, name: "x" }],
  ]);
  expect((await evidence([{ sha: A }]))(A)).toMatchObject({ state: "NON-COMPLIANT", trail: A });
});

test("the newest of other trails counts", async () => {
  const newest = trail("v2", { gitCommitInfo: { sha1: A }, complianceState: "INCOMPLETE" });
  const { evidence } = flowOf([[newest, trail("v1", { gitCommitInfo: { sha1: A } })]]);
  expect((await evidence([{ sha: A }]))(A)).toMatchObject({ state: "INCOMPLETE", trail: "v2" });
});

test("a commit without a trail has none after all trails were read", async () => {
  const { evidence, readPages } = flowOf([[trail("x")], [trail("y")]]);
  expect((await evidence([{ sha: A }]))(A)).toEqual({ state: "NONE" });
  expect(readPages).toEqual([1, 2]);
});

test("reading stops when every commit's own trail is found", async () => {
  const { evidence, readPages } = flowOf([[trail(A)], [trail(B)]]);
  await evidence([{ sha: A }]);
  expect(readPages).toEqual([1]);
});

test("trails from well before the oldest commit are not read", async () => {
  const { evidence, readPages } = flowOf([[trail("x", { createdAt: NOW - 90_000 })], [trail("y")]]);
  const of = await evidence([
    { sha: A, timestamp: NOW },
    { sha: B, timestamp: NOW + 5 },
  ]);
  expect(of(A)).toEqual({ state: "NONE" });
  expect(readPages).toEqual([1]);
});

test("every page is read for a commit without a known time", async () => {
  const { evidence, readPages } = flowOf([[trail("x", { createdAt: 1 })], [trail(B)]]);
  await evidence([{ sha: A, timestamp: NOW }, { sha: B }]);
  expect(readPages).toEqual([1, 2]);
});

test("a flow with too many trails leaves commits on unread pages unknown", async () => {
  const { evidence, readPages } = flowOf(Array.from({ length: 9 }, () => [trail("x")]));
  expect((await evidence([{ sha: A }]))(A)).toEqual({ state: "UNKNOWN" });
  expect(readPages).toEqual([1, 2, 3, 4, 5]);
});
