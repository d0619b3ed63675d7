import * as z from "zod/mini";
import type { GitHubAddress } from "../api/github-address.ts";
import { askGitHub } from "../api/github-api.ts";
import { list, part, text } from "../api/lenient.ts";

const answer = list(part({ ref: text }));

/** Asks GitHub whether a name is that of a tag. Without an answer it counts as one, and a warning says why. */
export async function isTag(
  address: GitHubAddress,
  name: string,
): Promise<{ readonly answer: boolean; readonly warning?: string }> {
  const outcome = await askGitHub(address, (github) =>
    github.get({
      path: "/git/matching-refs/tags/{name}",
      parameters: { name },
      subject: "tag",
      permission: "contents: read",
    }),
  );
  if ("answer" in outcome) {
    const tags = z.parse(answer, outcome.answer) ?? [];
    return { answer: tags.some((tag) => tag?.ref === `refs/tags/${name}`) };
  }
  const what = `no answer whether '${name}' is a tag`;
  return { answer: true, warning: outcome.fault.explain(address.apiUrl, what, "So no branch is recorded.") };
}
