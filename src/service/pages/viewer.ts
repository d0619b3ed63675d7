import type { Caller } from "../kernel/caller.ts";
import type { Organization } from "../kernel/organization.ts";
import type { ShareKind } from "../store/account-tables.ts";

/** What a link may show. */
export interface Subject {
  readonly kind: ShareKind;
  /** The name of the flow or environment. */
  readonly place: string;
  /** The name of the trail, or the fingerprint of the artifact. */
  readonly name?: string;
}

/** The content of a share link, under its current names. */
export interface Shown extends Subject {
  /** The former name that the address of a badge still has, since it is written in a README. */
  readonly formerPlace?: string;
}

/** Who sees a page. */
export type Viewer =
  | {
      readonly kind: "account";
      readonly caller: Caller;
      readonly org: Organization;
      readonly sessionId: string;
      /** Proves that a form is from a page of this session. */
      readonly formToken: string;
    }
  /** Somebody who sees an organization that shows itself to all. */
  | { readonly kind: "public"; readonly caller: Caller; readonly org: Organization }
  /** Somebody who has a link. */
  | {
      readonly kind: "share";
      readonly caller: Caller;
      readonly org: Organization;
      readonly subject: Shown;
      /** Unix seconds. */
      readonly until: number;
    };

/** Somebody without an account may read, and nothing else. */
export function reader(org: Organization, name: string): Caller {
  return { keyId: "", accountId: "", accountName: name, orgId: org.id, role: "reader", scope: null };
}

/** Whether a link shows a subject. Fingerprints are written in either case. */
export function isShown(subject: Subject, shown: Shown): boolean {
  const nameOf = ({ kind, name = "" }: Subject) => (kind === "artifact" ? name.toLowerCase() : name);
  const isPlace = subject.place === shown.place || subject.place === shown.formerPlace;
  return subject.kind === shown.kind && isPlace && nameOf(subject) === nameOf(shown);
}
