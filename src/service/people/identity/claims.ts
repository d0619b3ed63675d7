import { oneLine } from "../../kernel/one-line.ts";

export type Claims = Readonly<Record<string, unknown>>;

/** The text of a claim. Undefined if it is missing or empty. */
export function claimText(claims: Claims, name: string): string | undefined {
  const value = Object.hasOwn(claims, name) ? claims[name] : undefined;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}

/**
 * The web address of the GitHub behind an issuer: GitHub.com, an enterprise, data residency or Enterprise Server.
 * Undefined for other issuers.
 */
export function gitHubOf(issuer: string): string | undefined {
  const { protocol, host, hostname, pathname } = new URL(issuer);
  if (protocol === "https:" && host === "token.actions.githubusercontent.com") return "https://github.com";
  const [, residence] = /^token\.actions\.([a-z0-9-]+\.ghe\.com)$/.exec(hostname) ?? [];
  if (protocol === "https:" && residence !== undefined) return `https://${residence}`;
  return pathname === "/_services/token" ? `${protocol}//${host}` : undefined;
}

/** GitHub's limit for names. */
const MAX_LENGTH = 255;

export interface Named {
  /** `github:acme/web build.yml run 123 attempt 1` */
  readonly name: string;
  /** The page of the run; null if unknown. */
  readonly url: string | null;
}

export function namedBy(issuer: string, claims: Claims): Named {
  const server = gitHubOf(issuer);
  if (server === undefined) {
    const subject = claimText(claims, "project_path") ?? claimText(claims, "sub") ?? "unknown";
    return { name: `${new URL(issuer).host}:${oneLine(subject, MAX_LENGTH)}`, url: null };
  }
  const text = (name: string) => claimText(claims, name) ?? "unknown";
  const [, file = "unknown"] = /\/([^/@]+)@/.exec(text("workflow_ref")) ?? [];
  const [repository, run, attempt] = [text("repository"), text("run_id"), text("run_attempt")];
  const path = [...repository.split("/"), "actions", "runs", run, "attempts", attempt];
  const [repositoryName, fileName, runName, attemptName] = [repository, file, run, attempt].map((part) =>
    oneLine(part, MAX_LENGTH),
  );
  return {
    name: `github:${repositoryName} ${fileName} run ${runName} attempt ${attemptName}`,
    url: `${server}/${path.map(encodeURIComponent).join("/")}`,
  };
}
