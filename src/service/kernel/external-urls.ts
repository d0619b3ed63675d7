import { jsonColumn } from "./json-column.ts";

interface ExternalUrl {
  href: string;
  fingerprint?: string | null | undefined;
}

type ExternalUrls = { readonly [label: string]: ExternalUrl | string };

/** Links by label, always as objects, also those that were sent as a plain address. */
export function asLinkObjects(
  urls: ExternalUrls | null | undefined,
): Record<string, ExternalUrl> | null | undefined {
  return (
    urls &&
    Object.fromEntries(
      Object.entries(urls).map(([label, url]) => [label, typeof url === "string" ? { href: url } : url]),
    )
  );
}

export function externalUrlsColumn(urls: ExternalUrls | null | undefined): string | null {
  return jsonColumn(asLinkObjects(urls));
}
