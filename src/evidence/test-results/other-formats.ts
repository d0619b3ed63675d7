/** Reports of tests that are no JUnit XML, by their root elements. All are what .NET writes unless told otherwise. */
const OF_ROOT: ReadonlyMap<string, string> = new Map([
  ["TestRun", "a TRX report (MSTest, Visual Studio)"],
  ["test-run", "an NUnit report"],
  ["test-results", "an NUnit report"],
  ["assemblies", "an xUnit.net report"],
  ["assembly", "an xUnit.net report"],
]);

const WAY_OUT =
  'add the package JunitXml.TestLogger, and let `dotnet test --logger "junit;LogFilePath=results.xml"` write the file';

/** Why XML with this root element is not JUnit XML, to stand after the word that names it. */
export function whyNotJunit(root: string): string {
  const known = OF_ROOT.get(root);
  return known === undefined
    ? `is not JUnit XML: its root element is '${root.slice(0, 50)}', not testsuites or testsuite`
    : `is ${known}, not JUnit XML: ${WAY_OUT}`;
}
