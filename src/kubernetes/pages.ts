import { retry } from "../net/retry.ts";
import type { Kubectl } from "./contexts.ts";
import { getRaw } from "./kubectl.ts";
import { ClusterFault } from "./kubectl-error.ts";
import { listPages, type PodPage, pagePath, parsePage } from "./pod-list.ts";
import { canProxy, openProxy, type PodProxy } from "./proxy.ts";

export interface PageOptions {
  /** Parent of the folder with the proxy's socket. */
  tempDir: string;
  /** `raw` starts kubectl for each page, as on Windows. Default: `proxy` where possible. */
  pagesBy?: "proxy" | "raw" | undefined;
  /** Milliseconds before the first retry of a page (500); doubles with each retry. */
  retryDelay?: number | undefined;
}

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
    for await (const { items } of listPages((token) => this.#read(path, token))) yield items;
  }

  async #read(list: string, token: string): Promise<PodPage> {
    const attempt = async () => {
      try {
        return { page: parsePage(await this.#get(pagePath(list, token))) };
      } catch (fault) {
        return { fault };
      }
    };
    const { outcome } = await retry<{ page: PodPage } | { fault: unknown }>(attempt, {
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
