interface ImageName {
  /** Last step of the path: `checkout`. */
  readonly service: string;
  /** Tag, or empty. */
  readonly version: string;
}

/** Parts of a name such as `registry.example.com/shop/checkout:1.2`. Other names are services without a version. */
export function serviceIn(name: string): ImageName {
  const { service = name, version = "" } =
    /^(?:[^\s]*\/)?(?<service>[\w.-]+?)(?::(?<version>[\w.-]+))?(?:@sha256:[0-9a-f]{64})?$/.exec(name)
      ?.groups ?? {};
  return { service, version };
}
