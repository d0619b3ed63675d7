import type { MemberOperationName } from "../../api/operations.ts";
import type { ListedSession } from "../people/sessions.ts";
import type { Ask, GivenTo, May } from "./ask.ts";
import type { Html } from "./html.ts";
import type { HowTo } from "./parts/how-to.ts";
import type { Table } from "./parts/table.ts";
import type { Paths } from "./paths.ts";
import type { Subject, Viewer } from "./viewer.ts";

/** The parameters that a path of the form `/:org/flows/:flow` names. */
type ParamsIn<Path extends string> = Path extends `${infer Step}/${infer Rest}`
  ? ParamIn<Step> & ParamsIn<Rest>
  : ParamIn<Path>;
type ParamIn<Step extends string> = Step extends `:${infer Name}{${string}}`
  ? { readonly [Key in Name]: string }
  : Step extends `:${infer Name}`
    ? { readonly [Key in Name]: string }
    : unknown;

/** What a page is asked for. */
export interface PageRequest<Params = Readonly<Record<string, string>>> {
  /** The parameters of the path, decoded. */
  readonly params: Params;
  readonly query: URLSearchParams;
  /** The name of the organization that the page is of. */
  readonly org: string;
  readonly viewer: Viewer;
  readonly ask: Ask;
  /** Whether who sees the page may ask an operation of the interface; the page leaves out what it may not show. */
  readonly may: May;
  readonly to: Paths;
  readonly sessions: OwnSessions;
  /** As the reader chose it; else the browser says. */
  readonly theme: "light" | "dark" | undefined;
  /** Unix seconds. */
  readonly now: number;
  /** The address of this page with other values in its query; what is undefined is left out. */
  here(query: Readonly<Record<string, string | number | undefined>>): string;
  /** What was sent for a field of a form that was refused, so that nobody types it again; else a value to begin with. */
  kept(field: string, otherwise?: string): string;
  /** A form that does something, with all that proves it was sent from here. */
  form(form: FormShape): Html;
}

export interface FormShape {
  /** Where it is sent; by default to the address of the page. */
  readonly action?: string;
  /** The fields and the button. */
  readonly content: Html;
  readonly label?: string;
}

/** A form that was sent. */
export interface FormRequest<Params = Readonly<Record<string, string>>> extends PageRequest<Params> {
  readonly sent: URLSearchParams;
  /**
   * Whether it is sent for the first time. What is shown only once asks this before it is made: who loads the answer
   * again sends the form again.
   */
  isFirst(): Promise<boolean>;
}

/** The sessions of whoever is signed in. */
interface OwnSessions {
  list(): Promise<readonly ListedSession[]>;
  end(id: string): Promise<void>;
}

export interface Crumb {
  readonly name: string;
  readonly href: string;
}

/** The call of the interface that says the same as the page. */
interface SameAsJson<N extends MemberOperationName = MemberOperationName> {
  readonly operation: N;
  readonly given: GivenTo<N>;
}

/** What a page shows. */
export interface Page {
  /** What it is about, as its heading says: `Trail v1.2`. */
  readonly title: string;
  /** The pages above it, the uppermost first, without that of the organization. */
  readonly above?: readonly Crumb[];
  readonly main: Html;
  /** The tables of the page, each of which is there as CSV as well. */
  readonly tables?: readonly Table[];
  readonly json?: { [N in MemberOperationName]: SameAsJson<N> }[MemberOperationName];
  readonly howTo?: HowTo;
  /** 200, unless something about the form was wrong. */
  readonly status?: 200 | 400 | 403 | 404 | 409;
  /** Set where it never changes any more, so that browsers may keep it. */
  readonly isFinal?: true;
  /** Set where it shows a secret: nobody keeps it, on the way or in the browser. */
  readonly isSecret?: true;
}

/** Another page is meant. */
export interface Redirect {
  readonly redirect: string;
  readonly cookie?: string;
}

/** An answer that is no page: a picture, a file. */
export interface Raw {
  readonly raw: {
    readonly mediaType: string;
    readonly body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
    readonly headers?: Readonly<Record<string, string>>;
  };
}

/** Who may see a page, beside the accounts of the organization. */
type Audience =
  /** Everybody, of an organization that shows itself to all; and who has a link for what it is about. */
  | "everybody"
  /** Nobody else. */
  | "accounts";

export interface PageRoute<Path extends string = string> {
  /** As Hono writes them: `/:org/flows/:flow`. */
  readonly path: Path;
  readonly audience: Audience;
  /** What the page is about, where a link may show that. */
  subject?(params: ParamsIn<Path>): Subject;
  show(request: PageRequest<ParamsIn<Path>>): Promise<Page | Redirect | Raw>;
  /** Does what a form on the page asks for. What it throws as `Refusal` is shown above the page as it was. */
  act?(request: FormRequest<ParamsIn<Path>>): Promise<Page | Redirect>;
}

/** Declares a page; the parameters of its path get their names in types. */
export function definePage<const Path extends string>(route: PageRoute<Path>): PageRoute {
  // The router gives a page the parameters that its path names.
  return route as unknown as PageRoute;
}
