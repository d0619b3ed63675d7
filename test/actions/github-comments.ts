import type { ServerResponse } from "node:http";
import * as z from "zod/mini";
import { httpServer, type Received } from "../api/local-server.ts";

const REPOSITORY = "/repos/acme/web";

/** Tokens, with their accounts. */
export const JOB = "ghs_of_the_job";
export const ADA = "ghp_of_ada";
const ACCOUNTS: Readonly<Record<string, Account>> = {
  [JOB]: { login: "github-actions[bot]", type: "Bot" },
  [ADA]: { login: "ada", type: "User" },
};

interface Account {
  readonly login: string;
  readonly type: "Bot" | "User";
}

interface Comment {
  readonly id: number;
  readonly html_url: string;
  body: string;
  user: Account;
}

interface CheckRun extends Readonly<Record<string, unknown>> {
  readonly id: number;
}

const withBody = z.object({ body: z.string() });
const object = z.record(z.string(), z.unknown());

export interface GitHubComments {
  readonly url: string;
  /** Comments of pull request 7, the oldest first. */
  readonly comments: Comment[];
  readonly checkRuns: CheckRun[];
  /** Requests, without the address of the repository. */
  readonly requests: string[];
  /** Adds another user's comment. */
  add(body: string, user?: Account): Comment;
  /** When set, the response to requests with one of these methods. */
  refusal?: { readonly methods: readonly string[]; readonly status: number; readonly message: string };
  /** Number of the first list requests that wait for each other and see the same comments. */
  listsAtOnce: number;
}

/** A real server that stores pull request comments and check runs as GitHub does, until the test ends. */
export async function gitHubComments(): Promise<GitHubComments> {
  const waiting: (() => void)[] = [];
  const server = await httpServer((response, request) => void respond(response, request));

  async function respond(
    response: ServerResponse,
    { method, path, headers, body }: Received,
  ): Promise<unknown> {
    const { pathname, searchParams } = new URL(path, "http://github");
    const rest = pathname.replace(REPOSITORY, "");
    github.requests.push(`${method} ${rest}`);
    const answer = (status: number, data?: unknown, more: Record<string, string> = {}) =>
      response
        .writeHead(status, { "content-type": "application/json", ...more })
        .end(data && JSON.stringify(data));
    const { refusal } = github;
    if (refusal?.methods.includes(method)) return answer(refusal.status, { message: refusal.message });
    const user = ACCOUNTS[headers.authorization?.replace(/^(token|Bearer) /i, "") ?? ""];
    if (user === undefined) return answer(401, { message: "Bad credentials" });
    if (pathname === "/user") {
      return user.type === "User" ? answer(200, user) : answer(403, { message: "Resource not accessible" });
    }
    if (rest === "/issues/7/comments" && method === "GET") {
      const [size, page] = [
        Number(searchParams.get("per_page") ?? 30),
        Number(searchParams.get("page") ?? 1),
      ];
      const listed = JSON.stringify(github.comments.slice(size * (page - 1), size * page));
      const link: Record<string, string> =
        github.comments.length > size * page ? { link: `<${server.url}/next>; rel="next"` } : {};
      await together();
      return answer(200, JSON.parse(listed), link);
    }
    if (rest === "/issues/7/comments" && method === "POST") {
      return answer(201, github.add(withBody.parse(JSON.parse(body.toString())).body, user));
    }
    const [, id] = /^\/issues\/comments\/(\d+)$/.exec(rest) ?? [];
    const found = github.comments.find((each) => String(each.id) === id);
    if (found && method === "PATCH") {
      found.body = withBody.parse(JSON.parse(body.toString())).body;
      return answer(200, found);
    }
    if (found && method === "DELETE") {
      github.comments.splice(github.comments.indexOf(found), 1);
      return answer(204);
    }
    return checks(method, rest, searchParams, body, answer);
  }

  function checks(
    method: string,
    rest: string,
    requests: URLSearchParams,
    body: Buffer,
    answer: (status: number, data?: unknown) => unknown,
  ) {
    const { checkRuns } = github;
    const [, sha] = /^\/commits\/([0-9a-f]{40})\/check-runs$/.exec(rest) ?? [];
    if (sha !== undefined) {
      const check_runs = checkRuns.filter(
        (each) => each["head_sha"] === sha && each["name"] === requests.get("check_name"),
      );
      return answer(200, { total_count: check_runs.length, check_runs });
    }
    const id = checkRuns.length + 1;
    const html_url = `https://github.com/acme/web/runs/${id}`;
    if (rest === "/check-runs" && method === "POST") {
      const run = { ...object.parse(JSON.parse(body.toString())), id, html_url };
      checkRuns.push(run);
      return answer(201, run);
    }
    const at = checkRuns.findIndex((each) => rest === `/check-runs/${each.id}`);
    const known = checkRuns[at];
    if (known === undefined) return answer(404, { message: "Not Found" });
    const run = { ...known, ...object.parse(JSON.parse(body.toString())) };
    checkRuns[at] = run;
    return answer(200, run);
  }

  async function together(): Promise<void> {
    if (github.listsAtOnce === 0) return;
    github.listsAtOnce--;
    if (github.listsAtOnce > 0) await new Promise<void>((resolve) => waiting.push(resolve));
    else for (const go of waiting) go();
  }

  let lastId = 0;
  const github: GitHubComments = {
    url: server.url,
    ...{ comments: [], checkRuns: [], requests: [], listsAtOnce: 0 },
    add(body, user = { login: "grace", type: "User" }) {
      const id = ++lastId;
      const comment = { id, html_url: `https://github.com/acme/web/pull/7#issuecomment-${id}`, body, user };
      github.comments.push(comment);
      return comment;
    },
  };
  return github;
}
