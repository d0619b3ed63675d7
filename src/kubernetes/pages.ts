import { parseJson } from "../api/json.ts";
import { asObject, asText } from "../api/untyped.ts";
import { retry } from "../net/retry.ts";
import type { Kubectl } from "./contexts.ts";
import { getRaw } from "./kubectl.ts";
import { ClusterFault } from "./kubectl-error.ts";
import { canProxy, openProxy, type PodProxy } from "./proxy.ts";

export interface PageOptions {
  /** Parent of the folder with the proxy's socket. */
  tempDir: string;
  /** `raw` starts kubectl for each page, as on Windows. Default: `proxy` where possible. */
  pagesBy?: "proxy" | "raw" | undefined;
  /** Milliseconds before the first retry of a page (500); doubles with each retry. */
  retryDelay?: number | undefined;
}

/** Pods in a page, the default of kubectl. */
const PAGE_SIZE = 500;
/** Enough for a million pods. A longer list is circular. */
const MAX_PAGES = 2_000;
const ATTEMPTS = 4;

/**
 * Reads lists by page. The first page uses its own kubectl, which is all a small cluster needs; the rest use a proxy.
 */
export class PageReader implements AsyncDisposable {
  readonly #kubectl: Kubectl;
  readonly #options: PageOptions;
  #answered = false;
  #proxy: PodProxy | undefined;

  constructor(kubectl: Kubectl, options: PageOptions) {
    this.#kubectl = kubectl;
    this.#options = options;
  }

  /** Yields a page of items at a time. @throws {ClusterFault} */
  async *list(path: string): AsyncGenerator<readonly unknown[]> {
    const seen = new Set<string>();
    for (let token = ""; ; ) {
      const { items, next } = await this.#read(path, token);
      yield items;
      if (next === "") return;
      if (seen.has(next)) throw new ClusterFault("the list of pods links back to an earlier page");
      if (seen.size === MAX_PAGES)
        throw new ClusterFault(`the list of pods has not ended after ${MAX_PAGES} pages`);
      seen.add(next);
      token = next;
    }
  }

  async #read(list: string, token: string): Promise<Page> {
    const attempt = async () => {
      try {
        return { page: parsePage(await this.#get(pagePath(list, token))) };
      } catch (fault) {
        return { fault };
      }
    };
    const { outcome } = await retry<{ page: Page } | { fault: unknown }>(attempt, {
      attempts: ATTEMPTS,
      deadline: { signal: this.#kubectl.signal },
      least: (each) =>
        "fault" in each && each.fault instanceof ClusterFault && each.fault.transient ? 0 : undefined,
      waitMs: (made) => (this.#options.retryDelay ?? 500) * 2 ** (made - 1),
    });
    if ("fault" in outcome) throw outcome.fault;
    this.#answered = true;
    return outcome.page;
  }

  async #get(path: string): Promise<string> {
    if (this.#proxy) return this.#proxy.get(path);
    const { tempDir, pagesBy = canProxy(tempDir) ? "proxy" : "raw" } = this.#options;
    if (pagesBy === "raw" || !this.#answered) {
      try {
        return await getRaw(this.#kubectl, path);
      } catch (error) {
        // `--raw` omits the base path of some clusters, such as Rancher's; the proxy does not.
        if (pagesBy === "raw" || !(error instanceof ClusterFault && error.notFound)) throw error;
      }
    }
    this.#proxy = await openProxy(this.#kubectl, tempDir);
    return this.#proxy.get(path);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#proxy?.close();
  }
}

interface Page {
  items: readonly unknown[];
  /** Token of the next page; empty at the end. */
  next: string;
}

function pagePath(list: string, token: string): string {
  return `${list}?limit=${PAGE_SIZE}${token && `&continue=${encodeURIComponent(token)}`}`;
}

/** A truncated or malformed response must not count as a cluster without pods. */
function parsePage(text: string): Page {
  const page = parseJson(text);
  if (page === undefined)
    throw new ClusterFault("the list of pods was truncated or is not JSON", { transient: true });
  const { items, kind, metadata } = asObject(page.value);
  if (!Array.isArray(items)) throw new ClusterFault(`expected a list of pods, got ${asText(kind)}`);
  return { items, next: asText(asObject(metadata)["continue"]) };
}
