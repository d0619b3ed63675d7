/** Documents about components that are not read, by how they begin, and how to get one that is. */
const OTHERS: readonly { readonly format: string; readonly begins: RegExp; readonly wayOut: string }[] = [
  ...[
    { format: "SPDX as YAML", begins: /^(?:SPDXID|spdxVersion): /m },
    { format: "SPDX as RDF", begins: /<rdf:RDF[^>]*spdx\.org\/rdf\// },
    { format: "SPDX as XML", begins: /<(?:SPDXID|spdxVersion)>/ },
  ].map((spdx) => ({
    ...spdx,
    wayOut: "convert it to JSON, as by `pyspdxtools --infile FILE --outfile sbom.spdx.json`",
  })),
  {
    format: "OpenVEX",
    begins: /"@context"\s*:\s*"https:\/\/openvex\.dev\//,
    wayOut: "it lists no components, so attest it with `kind: generic`",
  },
];

/** Why a file that begins like this is no bill of materials that is read; undefined for any other file. */
export function whyNotRead(start: string): string | undefined {
  const known = OTHERS.find(({ begins }) => begins.test(start));
  return known && `is ${known.format}, which is not read: ${known.wayOut}`;
}
