/** What is read, to end a message with. */
export const READ_FORMATS =
  "give JUnit XML, or TRX, NUnit, xUnit.net, TAP, CTRF or the events of `go test -json`";

/** Why XML with this root element is not JUnit XML, to stand after the word that names it. */
export function whyNotJunit(root: string): string {
  return root === "robot"
    ? "is Robot Framework's own XML, not JUnit XML: let `robot --xunit unit.xml` write the file"
    : `is not JUnit XML: its root element is '${root.slice(0, 50)}', not testsuites or testsuite; ${READ_FORMATS}`;
}
