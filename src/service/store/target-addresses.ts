import { hash } from "node:crypto";
import { isGitHubCloudHost } from "../kernel/github-names.ts";
import type { TargetKind } from "./notification-tables.ts";

export interface TargetAddress {
  readonly kind: TargetKind;
  /** A URL, or one email address. */
  readonly address: string;
  /** Equal for equal kind and address, and reveals neither. */
  readonly key: string;
}

export type Hash = (text: string) => string;

export interface NamedTarget {
  readonly type: string;
  readonly webhook?: string;
  readonly emails?: readonly string[];
}

/** Addresses of an action's targets, without repeats. @param hash hashes web addresses */
export function addressesOf(targets: readonly NamedTarget[], hash: Hash = sha256): TargetAddress[] {
  const named = targets.flatMap(({ type, webhook, emails = [] }) => [
    ...(webhook === undefined ? [] : [place(kindOf(type, webhook), webhook, hash)]),
    ...emails.map((address) => mailTarget(address)),
  ]);
  return [...new Map(named.map((each) => [each.key, each])).values()];
}

function place(kind: TargetKind, address: string, hash: Hash): TargetAddress {
  return { kind, address, key: addressKey({ kind, address }, hash) };
}

export function mailTarget(address: string): TargetAddress {
  return place("email", address, sha256);
}

export function addressKey({ kind, address }: Pick<TargetAddress, "kind" | "address">, hash: Hash): string {
  return hash(`${kind} ${address}`);
}

/** Targets as stored with their action: with a key in place of a web address. */
export function withAddressKeys<Target extends NamedTarget>(
  targets: readonly Target[],
  keyOf: (webhook: string, target: Target) => string,
): Target[] {
  return targets.map((target) =>
    target.webhook === undefined ? target : { ...target, webhook: keyOf(target.webhook, target) },
  );
}

export function sha256(text: string): string {
  return hash("sha256", text);
}

/** The address of a target without its secret part: an email address, or the host and last characters of a URL. */
export function shownAddress({ kind, address }: Pick<TargetAddress, "kind" | "address">): string {
  return kind === "email" ? address : shortened(address);
}

/** The last characters identify an address, but would reveal a short secret. */
const SHORTEST_SECRET = 12;
const SHOWN_CHARACTERS = 4;

/** `hooks.slack.com/…a1b2`. Not a URL, so that the service rejects it when it is sent back. */
function shortened(address: string): string {
  const { host, pathname, search, hash } = new URL(address);
  const secret = `${pathname}${search}${hash}`;
  const end = secret.length < SHORTEST_SECRET ? "" : secret.slice(-SHOWN_CHARACTERS);
  return `${host}/…${end}`;
}

const SLACK_HOSTS = new Set(["hooks.slack.com", "hooks.slack-gov.com"]);
/** Hosts of Power Automate workflows, with subdomains; the last are the older connectors. */
const TEAMS_HOSTS = [
  ...["logic.azure.com", "logic.azure.us", "api.powerplatform.com", "api.powerautomate.com"],
  ...["flow.microsoft.com", "webhook.office.com", "outlook.office.com"],
];
/** GitHub Enterprise Server has its API below `/api/v3`, GitHub Enterprise Cloud at its own host. */
const DISPATCHES = /^(\/api\/v3)?\/repos\/[^/]+\/[^/]+\/dispatches\/?$/;

/** Users also give a chat's address as a plain webhook, and expect a message. */
function kindOf(type: string, webhook: string): TargetKind {
  const { hostname, pathname } = new URL(webhook);
  if (type === "SLACK" || SLACK_HOSTS.has(hostname)) return "slack";
  if (TEAMS_HOSTS.some((host) => hostname === host || hostname.endsWith(`.${host}`))) return "teams";
  const [isDispatch, ofServer] = DISPATCHES.exec(pathname) ?? [];
  return isDispatch !== undefined && (isGitHubCloudHost(hostname) || ofServer !== undefined)
    ? "github"
    : "webhook";
}
