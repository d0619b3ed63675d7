import type { Subject } from "./viewers.ts";

export interface Paths {
  /** A page of the organization: `to.page("flows", flow)`. */
  page(...steps: readonly (string | number)[]): string;
  /** A page that belongs to no organization: `to.root("login")`. */
  root(...steps: readonly string[]): string;
  /** An asset, by its name in the sources. */
  asset(name: string): string;
  /** The path of a request before a proxy stripped its prefix. */
  withPrefix(path: string): string;
  readonly base: string;
  whole(path: string): string;
  api(path: string): string;
}

interface Places {
  publicUrl: string;
  org: string;
  assets: ReadonlyMap<string, string>;
}

type Named = Omit<Subject, "name"> & { readonly name?: string | null | undefined };

export function subjectPath({ kind, place, name }: Named, { page }: Paths): string {
  switch (kind) {
    case "trail":
      return page("flows", place, "trails", name ?? "");
    case "artifact":
      return page("flows", place, "artifacts", name ?? "");
    case "environment":
      return page("environments", place);
    case "badge":
      return page("flows", place);
  }
}

/** Encodes every path segment once. */
export function makePaths({ publicUrl, org, assets }: Places): Paths {
  // A proxy may serve the pages below a path prefix.
  const { origin, pathname } = new URL(publicUrl);
  const base = pathname === "/" ? "" : pathname;
  const root = (...steps: readonly (string | number)[]) =>
    `${base}/${steps.map((step) => encodeURIComponent(step)).join("/")}`;
  return {
    base: publicUrl,
    root,
    page: (...steps) => root(org, ...steps),
    asset: (name) => root("assets", assets.get(name) ?? name),
    withPrefix: (path) => base + path,
    whole: (path) => origin + path,
    api: (path) => `${publicUrl}/api/v2${path}`,
  };
}
