import { hash } from "node:crypto";
import { isGitHubCloudHost } from "../kernel/github-names.ts";
import type { TargetKind } from "./notification-tables.ts";

export interface TargetAddress {
  readonly kind: TargetKind;
  /** A web address, or one mail address. */
  readonly address: string;
  /** Equal for equal kind and address, and tells nothing of them. */
  readonly key: string;
}

export type Hash = (text: string) => string;

export interface NamedTarget {
  readonly type: string;
  readonly webhook?: string;
  readonly emails?: readonly string[];
}

/** Addresses of an action's targets, each once. @param hash of web addresses */
export function addressesOf(targets: readonly NamedTarget[], hash: Hash = sha256): TargetAddress[] {
  const named = targets.flatMap(({ type, webhook, emails = [] }) => [
    ...(webhook === undefined ? [] : [place(kindOf(type, webhook), webhook, hash)]),
    ...emails.map((address) => mailPlace(address)),
  ]);
  return [...new Map(named.map((each) => [each.key, each])).values()];
}

function place(kind: TargetKind, address: string, hash: Hash): TargetAddress {
  return { kind, address, key: addressKey({ kind, address }, hash) };
}

export function mailPlace(address: string): TargetAddress {
  return place("email", address, sha256);
}

export function addressKey({ kind, address }: Pick<TargetAddress, "kind" | "address">, hash: Hash): string {
  return hash(`${kind} ${address}`);
}

/** Targets as the column of their action has them: with the key of a web address in place of the address. */
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

/** The address of a target without its secret part: a mail address, or the host and the end of a web address. */
export function shownAddress({ kind, address }: Pick<TargetAddress, "kind" | "address">): string {
  return kind === "email" ? address : shortened(address);
}

/** The end of an address says which one it is, but of a short secret it would be all. */
const SHORTEST_SECRET = 12;
const SHOWN_CHARACTERS = 4;

/** `hooks.slack.com/…a1b2`: no web address, so that the service refuses it when it is sent back. */
function shortened(address: string): string {
  const { host, pathname, search, hash } = new URL(address);
  const secret = `${pathname}${search}${hash}`;
  const end = secret.length < SHORTEST_SECRET ? "" : secret.slice(-SHOWN_CHARACTERS);
  return `${host}/…${end}`;
}

const SLACK_HOSTS = new Set(["hooks.slack.com", "hooks.slack-gov.com"]);
/** Where workflows of Power Automate take requests, themselves or below; the last are the connectors before them. */
const TEAMS_HOSTS = [
  ...["logic.azure.com", "logic.azure.us", "api.powerplatform.com", "api.powerautomate.com"],
  ...["flow.microsoft.com", "webhook.office.com", "outlook.office.com"],
];
/** A server of an organization's own has its interface below `/api/v3`, one of GitHub's cloud at a host of its own. */
const DISPATCHES = /^(\/api\/v3)?\/repos\/[^/]+\/[^/]+\/dispatches\/?$/;

/** Users give the address of a chat as a plain webhook too, and mean a message. */
function kindOf(type: string, webhook: string): TargetKind {
  const { hostname, pathname } = new URL(webhook);
  if (type === "SLACK" || SLACK_HOSTS.has(hostname)) return "slack";
  if (TEAMS_HOSTS.some((host) => hostname === host || hostname.endsWith(`.${host}`))) return "teams";
  const [isDispatch, ofServer] = DISPATCHES.exec(pathname) ?? [];
  return isDispatch !== undefined && (isGitHubCloudHost(hostname) || ofServer !== undefined)
    ? "github"
    : "webhook";
}
