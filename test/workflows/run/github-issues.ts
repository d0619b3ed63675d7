import * as z from "zod/mini";
import type { GitHubContext } from "../../../scripts/composite/composite.ts";
import { httpServer } from "../../api/local-server.ts";

const REPOSITORY = "acme/web";
const TOKEN = "ghs_of_the_job";

const written = z.object({
  title: z.optional(z.string()),
  body: z.optional(z.string()),
  labels: z.optional(z.array(z.string())),
  state: z.optional(z.enum(["open", "closed"])),
});

interface Issue {
  readonly number: number;
  readonly html_url: string;
  title: string;
  body: string;
  state: "open" | "closed";
  labels: string[];
  user: { login: string; type: "Bot" | "User" };
  /** The pull request data of GitHub's list of issues. */
  pull_request?: object;
  comments: string[];
}

export interface GitHubIssues {
  /** Issue data of a workflow of the repository. */
  readonly context: GitHubContext;
  readonly issues: Issue[];
  /** Requests, without the address of the repository. */
  readonly requests: string[];
  /** Adds an issue that a user wrote, which takes the next number. */
  add(issue: Partial<Issue>): Issue;
  /** When set, the response to every request. */
  refusal?: { status: number; message: string };
}

/** A real server that stores the issues of one repository as GitHub does, until the test ends. */
export async function gitHubIssues(): Promise<GitHubIssues> {
  const server = await httpServer((response, { method, path, headers, body }) => {
    const { pathname, searchParams } = new URL(path, "http://github");
    const rest = pathname.replace(`/repos/${REPOSITORY}/issues`, "");
    github.requests.push(`${method} ${rest}`);
    const answer = (status: number, data: unknown) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(data));
    if (github.refusal !== undefined) return answer(github.refusal.status, github.refusal);
    if (headers.authorization !== `Bearer ${TOKEN}`) return answer(401, { message: "Bad credentials" });
    if (method === "GET") return answer(200, listed(searchParams));
    const data = written.parse(JSON.parse(body.toString()));
    if (method === "POST" && rest === "") return answer(201, add(data));
    const [, number, part] = /^\/(\d+)(\/comments)?$/.exec(rest) ?? [];
    const issue = github.issues.find((each) => each.number === Number(number));
    if (issue === undefined) return answer(404, { message: "Not Found" });
    if (part !== undefined) issue.comments.push(data.body ?? "");
    else Object.assign(issue, data);
    return answer(200, issue);
  });

  function listed(requests: URLSearchParams): Issue[] {
    const [size, page] = [Number(requests.get("per_page") ?? 30), Number(requests.get("page") ?? 1)];
    const state = requests.get("state") ?? "open";
    const labels = requests.get("labels")?.split(",") ?? [];
    return github.issues
      .filter((issue) => state === "all" || issue.state === state)
      .filter((issue) => labels.every((label) => issue.labels.includes(label)))
      .toSorted((a, b) => (requests.get("direction") === "asc" ? a.number - b.number : b.number - a.number))
      .slice(size * (page - 1), size * page);
  }

  function add(given: z.infer<typeof written>): Issue {
    const number = github.issues.length + 1;
    const { title = "", body = "", state = "open", labels = [] } = given;
    const issue: Issue = {
      ...{ number, html_url: `https://github.com/${REPOSITORY}/issues/${number}` },
      ...{ title, body, state, labels, user: { login: "github-actions[bot]", type: "Bot" }, comments: [] },
    };
    github.issues.push(issue);
    return issue;
  }

  const github: GitHubIssues = {
    context: { api_url: server.url, repository: REPOSITORY, token: TOKEN },
    ...{ issues: [], requests: [] },
    add: (issue) => Object.assign(add({}), issue),
  };
  return github;
}
