import type { MemberOperationName } from "../../api/resources/operations.ts";
import type { LogPlace } from "../events/log/log-place.ts";
import type { ListedSession } from "../people/sessions.ts";
import type { Call, GivenTo, May } from "./operation-calls.ts";
import type { HowTo } from "./parts/blocks.ts";
import type { Html } from "./parts/html.ts";
import type { Table } from "./parts/table.ts";
import type { Paths } from "./paths.ts";
import type { TypedFields } from "./refused-form.ts";
import type { Subject, Viewer } from "./viewers.ts";

type ParamsIn<Path extends string> = Path extends `${infer Step}/${infer Rest}`
  ? ParamIn<Step> & ParamsIn<Rest>
  : ParamIn<Path>;
type ParamIn<Step extends string> = Step extends `:${infer Name}{${string}}`
  ? { readonly [Key in Name]: string }
  : Step extends `:${infer Name}`
    ? { readonly [Key in Name]: string }
    : unknown;

export interface PageRequest<Params = Readonly<Record<string, string>>> extends TypedFields {
  readonly params: Params;
  readonly query: URLSearchParams;
  readonly org: string;
  readonly viewer: Viewer;
  readonly call: Call;
  /** Whether the viewer may call an operation. Pages omit what the viewer may not see. */
  readonly may: May;
  /** Whether the viewer may open a page of an operation. Viewers of a share link may open no other page. */
  readonly mayOpen: May;
  readonly to: Paths;
  /** The place of an attestation in the evidence log, which viewers with access to the log may see. */
  logPlaceOf(attestationId: string): Promise<LogPlace | undefined>;
  readonly sessions: OwnSessions;
  /** Absent for a viewer who is no person. */
  readonly identities: OwnIdentities | undefined;
  /** Whether the organization's admins operate the service. */
  readonly isOperators: boolean;
  readonly theme: "light" | "dark" | undefined;
  /** Unix seconds. */
  readonly now: number;
  /** The address of this page with changed query parameters. Undefined removes a parameter. */
  here(query: Readonly<Record<string, string | number | undefined>>): string;
  /** All values of a field in the refused form. Undefined if no form was refused. */
  enteredAll(field: string): readonly string[] | undefined;
  form(form: FormShape): Html;
}

export interface FormShape {
  /** The page action that the form starts. */
  readonly act?: string;
  /** The address to submit to. Default: the address of the page. */
  readonly action?: string;
  readonly content?: Html;
  /** The text of the button. Omitted if the content has its own button. */
  readonly button?: string;
  readonly label?: string;
  /** Whether it removes something. */
  readonly isDangerous?: true;
}

export interface FormRequest<Params = Readonly<Record<string, string>>> extends PageRequest<Params> {
  readonly sent: URLSearchParams;
  /** Whether this is the first submission of the form. A reload submits it again and must not show a secret twice. */
  isFirst(): Promise<boolean>;
}

interface OwnSessions {
  list(): Promise<readonly ListedSession[]>;
  end(id: string): Promise<void>;
}

interface OwnIdentity {
  /** Derived from the issuer and the subject. */
  readonly id: string;
  readonly subject: string;
  /** Name of the provider. */
  readonly label: string;
}

/** The accounts at providers with which a person signs in. */
export interface OwnIdentities {
  list(): Promise<readonly OwnIdentity[]>;
  /** Providers of which another account can be linked. */
  linkable(): Promise<readonly { readonly label: string; readonly href: string }[]>;
  remove(id: string): Promise<void>;
}

export type Crumb = readonly [name: string, href: string];

interface SameAsJson<N extends MemberOperationName = MemberOperationName> {
  readonly operation: N;
  readonly given: GivenTo<N>;
}

export interface Page {
  /** Title of the window, and the heading unless there is another: `Trail v1.2`. */
  readonly title: string;
  readonly heading?: Html;
  /** Breadcrumbs, topmost first, without the organization. */
  readonly above?: readonly Crumb[];
  readonly main: Html;
  readonly tables?: readonly Table[];
  readonly json?: { [N in MemberOperationName]: SameAsJson<N> }[MemberOperationName];
  readonly howTo?: HowTo;
  readonly status?: 200 | 400 | 403 | 404 | 409 | 502 | 503;
  /** The page never changes, so browsers may cache it. */
  readonly isFinal?: true;
  /** The page shows a secret, so no cache may store it. */
  readonly isSecret?: true;
}

export interface Redirect {
  readonly redirect: string;
  readonly cookie?: string;
}

export interface Raw {
  readonly raw: {
    readonly mediaType: string;
    readonly body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
    readonly headers?: Readonly<Record<string, string>>;
  };
}

export interface PageRoute<Path extends string = string> {
  /** A Hono path: `/:org/flows/:flow`. */
  readonly path: Path;
  /** `everybody` includes visitors of a public organization and viewers of a share link for the page's subject. */
  readonly audience: "everybody" | "accounts";
  subject?(params: ParamsIn<Path>): Subject;
  show(request: PageRequest<ParamsIn<Path>>): Promise<Page | Redirect | Raw>;
  /** Processes a form of the page. A thrown `Refusal` is shown above the page. */
  act?(request: FormRequest<ParamsIn<Path>>): Promise<Page | Redirect>;
}

export function definePage<const Path extends string>(route: PageRoute<Path>): PageRoute {
  // The router passes the parameters in the path.
  return route as unknown as PageRoute;
}
