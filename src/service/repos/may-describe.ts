import type { RepoInfo } from "../../api/resources/provenance.ts";
import { isSameName, lowerAscii } from "../kernel/github-names.ts";
import type { RequestContext } from "../kernel/request-context.ts";

/**
 * Whether what a submission says of a repository goes into the record of a known one, which all of the organization
 * reads. A workflow speaks for the repository that its token is of. What is for named flows changes nothing beyond them.
 */
export function mayDescribe(
  info: RepoInfo,
  { workflow, isScoped = false }: Pick<RequestContext, "workflow" | "isScoped">,
): boolean {
  if (workflow === undefined) return !isScoped;
  const { repository_id: id, repository: name } = workflow.claims;
  // The page of the run is below the repository's own.
  const page = `${lowerAscii(info.url).replace(/\/+$/, "")}/`;
  return (
    info.id === id &&
    typeof name === "string" &&
    isSameName(info.name, name) &&
    workflow.url !== null &&
    lowerAscii(workflow.url).startsWith(page)
  );
}
