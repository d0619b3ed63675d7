import { setTimeout as delay } from "node:timers/promises";
import { asObject, asText } from "../api/untyped.ts";
import { getRaw } from "./kubectl.ts";
import { ClusterFault } from "./kubectl-error.ts";
import type { Kubectl } from "./kubectl-options.ts";
import { canProxy, openProxy, type PodProxy } from "./proxy.ts";

export interface PageOptions {
  /** Holds the folder of the proxy's socket while pages are read. */
  tempDir: string;
  /** `raw` starts kubectl anew for each page, as on Windows. The default is `proxy` where that is possible. */
  pagesBy?: "proxy" | "raw" | undefined;
  /** Milliseconds before the first repetition of a failed page (500); each next one waits twice as long. */
  retryDelay?: number | undefined;
}

/** Pods in a page: what kubectl itself asks for. */
const PAGE_SIZE = 500;
/** Enough for a million pods. What goes on after that repeats itself. */
const MAX_PAGES = 2_000;
const RETRIES = 3;

/**
 * Gets lists page by page: the first page of all with a kubectl of its own, which is all a small cluster needs, the
 * others by a proxy.
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

  /** The items of the list at `path`, a page at a time. @throws {ClusterFault} when a page cannot be had. */
  async *list(path: string): AsyncGenerator<readonly unknown[]> {
    const seen = new Set<string>();
    for (let token = ""; ; ) {
      const { items, next } = await this.#read(path, token);
      yield items;
      if (next === "") return;
      if (seen.has(next))
        throw new ClusterFault("the list of pods leads back to a page it has given already");
      if (seen.size === MAX_PAGES)
        throw new ClusterFault(`the list of pods has not ended after ${MAX_PAGES} pages`);
      seen.add(next);
      token = next;
    }
  }

  async #read(list: string, token: string): Promise<Page> {
    for (let failures = 0; ; failures++) {
      try {
        const page = parsePage(await this.#get(pagePath(list, token)));
        this.#answered = true;
        return page;
      } catch (error) {
        if (!(error instanceof ClusterFault && error.transient) || failures === RETRIES) throw error;
        const { signal } = this.#kubectl;
        await delay((this.#options.retryDelay ?? 500) * 2 ** failures, undefined, { signal });
      }
    }
  }

  async #get(path: string): Promise<string> {
    if (this.#proxy) return this.#proxy.get(path);
    const { tempDir, pagesBy = canProxy(tempDir) ? "proxy" : "raw" } = this.#options;
    if (pagesBy === "raw" || !this.#answered) {
      try {
        return await getRaw(this.#kubectl, path);
      } catch (error) {
        // `--raw` leaves out the path below which some clusters are served, as Rancher's are; the proxy does not.
        if (pagesBy === "raw" || !(error instanceof ClusterFault && error.notFound)) throw error;
      }
    }
    this.#proxy = await openProxy(this.#kubectl, tempDir);
    return this.#proxy.get(path);
  }

  /** Leaves no process behind. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#proxy?.close();
  }
}

interface Page {
  items: readonly unknown[];
  /** Asks for the page after this one; empty at the end. */
  next: string;
}

function pagePath(list: string, token: string): string {
  return `${list}?limit=${PAGE_SIZE}${token && `&continue=${encodeURIComponent(token)}`}`;
}

/** An answer cut short, or one that is no list, is never taken for a cluster without pods. */
function parsePage(text: string): Page {
  const page = parseObject(text);
  const { items, metadata } = page;
  if (!Array.isArray(items))
    throw new ClusterFault(`a list of pods was expected, not ${asText(page["kind"])}`);
  return { items, next: asText(asObject(metadata)["continue"]) };
}

function parseObject(text: string) {
  try {
    const value: unknown = JSON.parse(text);
    return asObject(value);
  } catch {
    throw new ClusterFault("the list of pods broke off or was not JSON", { transient: true });
  }
}
