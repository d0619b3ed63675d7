declare module "@vercel/ncc" {
  interface Options {
    cache: boolean;
    minify: boolean;
    quiet: boolean;
    externals: Readonly<Record<string, string>>;
  }
  /** The little of webpack's Module that is read here. */
  interface Module {
    /** The file it is, with what stands behind a question mark; undefined for what webpack makes itself. */
    readonly resource?: string;
    /** What it was made of, when it is several that became one. */
    readonly modules?: readonly Module[];
  }
  interface Stats {
    readonly compilation: {
      readonly modules: Iterable<Module>;
      readonly chunkGraph: { getNumberOfModuleChunks(module: Module): number };
      readonly moduleGraph: { getIssuer(module: Module): Module | null | undefined };
    };
  }
  interface Bundle {
    code: string;
    assets: Record<string, { source: string | Buffer }>;
    stats: Stats;
  }
  export default function ncc(input: string, options: Options): Promise<Bundle>;
}
