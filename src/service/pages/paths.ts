/** The paths of pages and of what they load. */
export interface Paths {
  /** A page of the organization: `to.page("flows", flow)`. */
  page(...steps: readonly (string | number)[]): string;
  /** What belongs to no organization: `to.root("login")`. */
  root(...steps: readonly string[]): string;
  /** A file that pages load, by the name that it has in the sources. */
  asset(name: string): string;
  /** The path of a request as its sender knows it: a proxy may have taken its own part away. */
  asked(path: string): string;
  /** Where the service is reached, as actions and programs are told. */
  readonly base: string;
  /** The whole address of a path, for who is to write it down or paste it elsewhere. */
  whole(path: string): string;
  /** The whole address of an operation of the interface. */
  api(path: string): string;
}

interface Places {
  publicUrl: string;
  org: string;
  /** The names under which files are served, by those in the sources. */
  assets: ReadonlyMap<string, string>;
}

/** Every step of a path is encoded once. */
export function makePaths({ publicUrl, org, assets }: Places): Paths {
  const whole = publicUrl.replace(/\/+$/, "");
  // A proxy may serve all of this below a path of its own.
  const { origin, pathname } = new URL(whole);
  const base = pathname === "/" ? "" : pathname;
  const root = (...steps: readonly (string | number)[]) =>
    `${base}/${steps.map((step) => encodeURIComponent(step)).join("/")}`;
  return {
    base: whole,
    root,
    page: (...steps) => root(org, ...steps),
    asset: (name) => root("assets", assets.get(name) ?? name),
    asked: (path) => base + path,
    whole: (path) => origin + path,
    api: (path) => `${whole}/api/v2${path}`,
  };
}
