import { ProtocolError } from "../api/client/errors.ts";

/** More than any list has. A longer one is circular. */
const MAX_PAGES = 10_000;

/**
 * Reads a list page by page.
 *
 * @param read returns the page at a position, which is empty at first, and the next position, which is empty at the end
 * @throws ProtocolError for a list that leads back to an earlier page
 */
export async function* pagesOf<Page extends { readonly next: string }>(
  read: (position: string) => Promise<Page>,
): AsyncGenerator<Page> {
  const seen = new Set<string>();
  for (let position = ""; ; ) {
    const page = await read(position);
    yield page;
    position = page.next;
    if (position === "") return;
    if (seen.has(position) || seen.size === MAX_PAGES)
      throw new ProtocolError({ what: "the cloud's list leads back to an earlier page" });
    seen.add(position);
  }
}
