import { InputError } from "../../api/client/errors.ts";
import { isLoopback } from "../../net/proxy.ts";

/** @throws {InputError} (by the name of the input) for a token that no header can carry */
export function remoteToken(input: string, token: string): string {
  if (/^[\x21-\x7e]+$/.test(token)) return token;
  const problem = "holds a blank or a character outside ASCII; copy the token again, nothing else with it";
  throw new InputError([{ input, problem }]);
}

/**
 * The address of somebody else's service, to which paths are added. It ends with a slash.
 *
 * @param input that holds it, for messages
 * @throws {InputError} for what is no address, or one by which a token would travel in clear
 */
export function remoteAddress(input: string, text: string, allowHttp: boolean): URL {
  const refuse = (problem: string) => new InputError([{ input, problem }]);
  // The parser drops line breaks silently, and what follows one would be another host.
  const url = /\s/.test(text) ? null : URL.parse(text);
  if (url?.protocol !== "https:" && url?.protocol !== "http:")
    throw refuse("must be a whole address such as https://acme.example.com");
  if (url.username !== "" || url.password !== "") throw refuse("must not hold a user or password");
  // An empty query or fragment is not in `search` or `hash`, but would swallow the path that follows.
  if (/[?#]/.test(url.href)) throw refuse("must not hold a query or fragment");
  if (url.protocol === "http:" && !isLoopback(url.hostname) && !allowHttp)
    throw refuse("is http://, which would send the token in clear; use https://, or set allow-http: true");
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/`;
  return url;
}
