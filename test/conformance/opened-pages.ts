import { Agent } from "undici";
import { afterAll, expect } from "vitest";
import { signedIn } from "../service/pages/visitor.ts";

/** `html_url`, `flow_html_url`, and their names in TypeScript. */
const PAGE_ADDRESS = /^(?:[a-z_]+_)?html_url$|^(?:html|[a-z][A-Za-z]*Html)Url$/;

/** Opens the pages for people that responses name. */
export interface OpenedPages {
  /** Every `html_url` in a value, at any depth, must open. Each is opened when it is first seen. */
  openAll(value: unknown): Promise<void>;
}

/** The pages of a service, for a signed-in administrator. */
export async function openPages({
  baseUrl,
  apiKey,
}: {
  baseUrl: string;
  apiKey: string;
}): Promise<OpenedPages> {
  const dispatcher = new Agent();
  afterAll(() => dispatcher.destroy());
  const guest = await signedIn({ address: baseUrl, dispatcher }, apiKey);
  const opened = new Set<string>();
  return {
    async openAll(value) {
      for (const url of urlsIn(value)) {
        if (opened.has(url) || !url.startsWith(`${baseUrl}/`)) continue;
        opened.add(url);
        const first = await guest.get(url);
        const { location } = first.headers;
        // The page of a trail links one of its attestations, as in a browser.
        const redirects = first.status === 303 && typeof location === "string";
        const { status, headers } = redirects ? await guest.get(location) : first;
        expect({ url, status, type: headers["content-type"] }).toEqual({
          url,
          status: 200,
          type: "text/html; charset=utf-8",
        });
      }
    },
  };
}

function* urlsIn(value: unknown): Generator<string> {
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return;
  for (const [name, each] of Object.entries(value)) {
    if (PAGE_ADDRESS.test(name) && typeof each === "string") yield each;
    else yield* urlsIn(each);
  }
}
