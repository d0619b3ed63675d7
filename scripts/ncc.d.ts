declare module "@vercel/ncc" {
  interface Options {
    cache: boolean;
    minify: boolean;
    quiet: boolean;
    externals: Readonly<Record<string, string>>;
  }
  interface Bundle {
    code: string;
    assets: Record<string, { source: string | Buffer }>;
  }
  export default function ncc(input: string, options: Options): Promise<Bundle>;
}
