import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** The commit in production, and the one to be deployed. */
export const RUNNING = "6f3c1d7b90a4e2586f3c1d7b90a4e2586f3c1d7b";
export const CANDIDATE = "0dcf2a8e6bd4f1a7c1b8b0dd2a1c0e6bb1f4c2aa";
const BETWEEN = "93b1fe02".repeat(5);

/**
 * GitHub's records of the repository: two commits since the running one, and the required reviewers of a deployment.
 */
const ANSWERS: Readonly<Record<string, unknown>> = {
  [`/compare/${RUNNING}...${CANDIDATE}`]: {
    ...{ status: "ahead", ahead_by: 2, behind_by: 0 },
    commits: [
      commit(BETWEEN, "Sort the cart by price", "ada"),
      commit(CANDIDATE, "Let customers pay once", "grace"),
    ],
  },
  [`/commits/${BETWEEN}/pulls`]: [pullRequest(41, "Sort the cart by price")],
  [`/commits/${CANDIDATE}/pulls`]: [pullRequest(42, "Let customers pay once")],
  "/environments/production": {
    protection_rules: [
      { type: "required_reviewers", reviewers: [{ type: "User", reviewer: { login: "grace" } }] },
    ],
  },
};

function commit(sha: string, message: string, login: string) {
  return { sha, commit: { message, author: { name: login } }, author: { login } };
}

function pullRequest(number: number, title: string) {
  return { number, title, state: "closed", merged_at: "2026-11-20T10:00:00Z" };
}

/** A local GitHub API with what the pictures need. */
export async function startGitHub() {
  const server = createServer((request, response) => {
    const path = decodeURIComponent((request.url ?? "").replace("/repos/acme/web", "").replace(/\?.*$/, ""));
    const answer = ANSWERS[path];
    response.writeHead(answer === undefined ? 404 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(answer ?? { message: "Not Found" }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.dispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
