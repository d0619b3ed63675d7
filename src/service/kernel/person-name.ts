/** The name in `Ada Lovelace <ada@example.com>` or `external://ada`. */
export function personName(person: string): string {
  return person.replace(/\s*<[^<>]*>\s*$/, "").replace(/^external:\/\//, "") || person;
}
