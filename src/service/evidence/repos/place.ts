import { type Expression, expressionBuilder, type SqlBool } from "kysely";
import type { Tables } from "../../store/tables.ts";

/** The host of a web address in lower case, without `www.` and with a port that is not the default. */
export function hostOf(url: string): string {
  return new URL(url).host.replace(/^www\./, "");
}

export function namespaceOf(path: readonly string[]): string {
  return path.join("/");
}

/** `acme` for `acme/web`. Empty for a name without a slash. */
export function namespaceInName(name: string): string {
  return namespaceOf(name.split("/").slice(0, -1));
}

/** Condition that a repository is in the namespace or below it. */
export function isInNamespace(namespace: string): Expression<SqlBool> {
  const eb = expressionBuilder<Tables, "repos">();
  // The range has the names that begin with the namespace and a slash, because `0` follows the slash.
  return eb.or([
    eb("repos.namespace", "=", namespace),
    eb.and([eb("repos.namespace", ">=", `${namespace}/`), eb("repos.namespace", "<", `${namespace}0`)]),
  ]);
}

/** The next step of each namespace below this one, sorted. An empty one has all others below it. */
export function stepsBelow(namespace: string, namespaces: readonly string[]): string[] {
  const above = namespace === "" ? "" : `${namespace}/`;
  const steps = namespaces
    .filter((each) => each.startsWith(above))
    .map((each) => each.slice(above.length).split("/")[0] ?? "");
  return [...new Set(steps)].filter((step) => step !== "").sort();
}
