import { parseJson } from "../api/json.ts";
import { asObject, asText } from "../api/untyped.ts";
import { ClusterFault } from "./kubectl-error.ts";

/** Pods in a page, the default of kubectl. */
const PAGE_SIZE = 500;
/** Enough for a million pods. A longer list is circular. */
const MAX_PAGES = 2_000;

export interface PodPage {
  readonly items: readonly unknown[];
  /** Token of the next page; empty at the end. */
  readonly next: string;
  /** Version of the list, from which a watch continues. */
  readonly version: string;
}

/** Yields the pages of a list. @param read reads the page after a token @throws {ClusterFault} */
export async function* listPages(read: (token: string) => Promise<PodPage>): AsyncGenerator<PodPage> {
  const seen = new Set<string>();
  for (let token = ""; ; ) {
    const page = await read(token);
    yield page;
    const { next } = page;
    if (next === "") return;
    if (seen.has(next)) throw new ClusterFault("the list of pods links back to an earlier page");
    if (seen.size === MAX_PAGES)
      throw new ClusterFault(`the list of pods has not ended after ${MAX_PAGES} pages`);
    seen.add(next);
    token = next;
  }
}

export function pagePath(list: string, token: string): string {
  return `${list}?limit=${PAGE_SIZE}${token && `&continue=${encodeURIComponent(token)}`}`;
}

/** A truncated or malformed response must not count as a cluster without pods. */
export function parsePage(text: string): PodPage {
  const page = parseJson(text);
  if (page === undefined)
    throw new ClusterFault("the list of pods was truncated or is not JSON", { transient: true });
  const { items, kind, metadata } = asObject(page.value);
  if (!Array.isArray(items)) throw new ClusterFault(`expected a list of pods, got ${asText(kind)}`);
  const { continue: next, resourceVersion } = asObject(metadata);
  return { items, next: asText(next), version: asText(resourceVersion) };
}
