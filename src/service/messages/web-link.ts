/**
 * An address as a link may carry it, or undefined for one that is no web address, names a user, or is too long.
 *
 * @param most the longest it may be, in characters
 */
export function webLink(address: string | null | undefined, most: number): string | undefined {
  // The parser is not given what may be as long as a request.
  if (address === null || address === undefined || address.length > most) return undefined;
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") {
    return undefined;
  }
  // The parser has encoded quotes and angle brackets. In Slack, a bar ends the address.
  const href = url.href.replaceAll("|", "%7C");
  return href.length > most ? undefined : href;
}
