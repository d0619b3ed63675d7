const OWN = "http://own.invalid";

/** A path to redirect to. Undefined if a browser would leave the service: `//host`, `/\host`, `/..//host`. */
export function ownPath(text: string): string | undefined {
  if (!/^\/(?![/\\])/.test(text)) return undefined;
  const url = URL.parse(text, OWN);
  return url?.origin !== OWN || url.pathname.startsWith("//") ? undefined : url.pathname + url.search;
}
