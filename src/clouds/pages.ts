import { ProtocolError } from "../api/client/errors.ts";
import { strangeAnswer } from "./answers.ts";

/** More than any list has. */
const MAX_PAGES = 10_000;

/**
 * Reads a list page by page.
 *
 * @param read returns the page at a position, which is empty at first, and the next position, which is empty at the end
 * @throws ProtocolError for a list that leads back to an earlier page, or does not end
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
    if (seen.has(position)) throw strangeAnswer("the cloud's list leads back to an earlier page");
    if (seen.size === MAX_PAGES) {
      const what = `the cloud's list has more than ${MAX_PAGES} pages`;
      throw new ProtocolError({ what, advice: "Nothing was reported. Select a part of it with include." });
    }
    seen.add(position);
  }
}
