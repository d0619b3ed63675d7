interface AskedPage {
  readonly perPage: number;
  readonly after?: string | undefined;
}

/**
 * A page of a list that is read from cursor to cursor, and the links that say where it stands.
 *
 * @param found one item more than fits when there is a next page
 */
export function cursorPage<Item, Asked extends AskedPage>(
  found: readonly Item[],
  asked: Asked,
  { cursorOf, address }: { cursorOf: (item: Item) => string; address: (asked: Asked) => string },
) {
  const page = found.slice(0, asked.perPage);
  const last = page.at(-1);
  const after = last !== undefined && found.length > page.length ? cursorOf(last) : undefined;
  return {
    page,
    _links: {
      self: { href: address(asked) },
      ...(after === undefined ? {} : { next: { href: address({ ...asked, after }), after } }),
    },
  };
}
