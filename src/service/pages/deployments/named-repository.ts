import type { PageRequest } from "../page.ts";
import { invalidField } from "../refused-form.ts";

/** Maximum of the operation. */
const AT_ONCE = 50;
/** Maximum number of requests. */
const MAX_REQUESTS = 10;
/** Maximum number of names in a message. */
const MAX_NAMED = 5;

/** The name of the repository with a name, or with a name that ends with it: `checkout`. @throws Invalid */
export async function repositoryNamed(typed: string, { call, may }: PageRequest): Promise<string> {
  if (typed === "" || !may("listRepos")) return typed;
  const { repos: exact } = await call("listRepos", { name: typed, page: 1, perPage: 1 });
  if (exact.length > 0) return typed;
  const wanted = `/${typed.toLowerCase()}`;
  const ending: string[] = [];
  for (let page = 1, pages = 1; page <= Math.min(pages, MAX_REQUESTS); page++) {
    const found = await call("listRepos", { search: typed, page, perPage: AT_ONCE });
    ending.push(...found.repos.map(({ name }) => name).filter((name) => name.toLowerCase().endsWith(wanted)));
    pages = Math.ceil(found.totalCount / AT_ONCE);
  }
  const [only, ...others] = ending;
  if (only !== undefined && others.length === 0) return only;
  if (only !== undefined) throw invalidField("repo", `Choose one of ${some(ending, ending.length)}`);
  const { repos: all, totalCount } = await call("listRepos", { page: 1, perPage: MAX_NAMED });
  const known = some(
    all.map(({ name }) => name),
    totalCount,
  );
  throw invalidField(
    "repo",
    `No repository has this name. There ${totalCount === 1 ? "is" : "are"} ${known || "none yet"}`,
  );
}

function some(names: readonly string[], total: number): string {
  const more = total - Math.min(names.length, MAX_NAMED);
  return `${names.slice(0, MAX_NAMED).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
