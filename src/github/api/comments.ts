import * as z from "zod/mini";
import type { GitHub, GitHubRequest } from "./github-api.ts";
import { GitHubError } from "./github-fault.ts";
import { number, parseAnswer, part, text } from "./lenient.ts";

/** GitHub allows 2,500 comments and lists 100 on a page. */
const MAX_PAGES = 25;

export interface CommentQuestion {
  readonly number: number;
  /** The first line of the comment, hidden from readers. Identifies the comment. */
  readonly marker: string;
  readonly text: string;
}

export interface CommentResult {
  readonly status: "created" | "updated" | "unchanged";
  readonly url: string;
}

interface Comment {
  readonly id: number;
  readonly url: string;
  /** With LF line breaks, as it was sent. GitHub's editor writes CRLF. */
  readonly body: string;
  /** Whether an app wrote it. Comments with a job's token count as an app's. */
  readonly isBots: boolean;
  readonly author: string | undefined;
}

/** Updates or creates one comment on a pull request. */
export async function keepComment(github: GitHub, question: CommentQuestion): Promise<CommentResult> {
  const [found, ...repeats] = await ownComments(github, question);
  if (found !== undefined) {
    await remove(github, repeats);
    return rewrite(github, found, question);
  }
  const created = await create(github, question);
  // Another run may have created one at the same time. The older comment is kept.
  const [oldest = created, ...others] = await ownComments(github, question);
  if (oldest.id >= created.id) {
    await remove(github, others);
    return { status: "created", url: created.url };
  }
  await remove(github, [created, ...others.filter(({ id }) => id !== created.id)]);
  return rewrite(github, oldest, question);
}

async function rewrite(github: GitHub, comment: Comment, question: CommentQuestion): Promise<CommentResult> {
  const { url } = comment;
  const body = bodyOf(question);
  if (comment.body === body) return { status: "unchanged", url };
  await github.send({ ...theComment(comment), method: "PATCH", body: { body } });
  return { status: "updated", url };
}

async function create(github: GitHub, question: CommentQuestion): Promise<Comment> {
  const body = bodyOf(question);
  const answer = await github.send({ ...allComments(question), method: "POST", body: { body } });
  const comment = readComment(answer);
  if (comment === undefined) throw new GitHubError({ reason: "GitHub's response is not a comment" });
  return comment;
}

/** A missing comment was removed by another run. */
async function remove(github: GitHub, comments: readonly Comment[]): Promise<void> {
  for (const comment of comments) {
    try {
      await github.send({ ...theComment(comment), method: "DELETE" });
    } catch (error) {
      if (!(error instanceof GitHubError && error.status === 404)) throw error;
    }
  }
}

/** Our comments on the first page that has any, oldest first, as GitHub lists them. */
async function ownComments(github: GitHub, question: CommentQuestion): Promise<Comment[]> {
  let pages = 0;
  for await (const page of github.pages(allComments(question))) {
    const listed = parseAnswer(z.array(z.unknown()), page, "a list of comments");
    const comments = listed.flatMap((each) => readComment(each) ?? []);
    const own = await ofToken(
      github,
      comments.filter(({ body }) => body.startsWith(`${question.marker}\n`)),
    );
    if (own.length > 0) return own.toSorted((a, b) => a.id - b.id);
    if (++pages >= MAX_PAGES) break;
  }
  return [];
}

/** Comments by our token's account. Anyone can copy the marker, and authors can edit their comments. */
async function ofToken(github: GitHub, marked: readonly Comment[]): Promise<Comment[]> {
  const bots = marked.filter(({ isBots }) => isBots);
  if (bots.length > 0 || marked.length === 0) return bots;
  const account = await github.account();
  return account === undefined ? [] : marked.filter(({ author }) => author === account);
}

function bodyOf({ marker, text }: CommentQuestion): string {
  return `${marker}\n${text}`;
}

const SUBJECT = { subject: "comments of the pull request", permission: "pull-requests: write" } as const;

function allComments({ number: issue }: CommentQuestion): GitHubRequest {
  return { ...SUBJECT, path: "/issues/{issue}/comments", parameters: { issue } };
}

function theComment({ id }: Comment): GitHubRequest {
  return { ...SUBJECT, path: "/issues/comments/{id}", parameters: { id } };
}

const written = z.object({
  id: number,
  html_url: text,
  body: text,
  user: part({ login: text, type: text }),
});

function readComment(data: unknown): Comment | undefined {
  const { id, html_url: url = "", body = "", user } = z.safeParse(written, data).data ?? {};
  if (id === undefined) return undefined;
  return { id, url, body: body.replaceAll("\r\n", "\n"), isBots: user?.type === "Bot", author: user?.login };
}
