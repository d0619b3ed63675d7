/* Writes a small project with the first workflow of the README, verbatim: node scripts/readme-project.ts FOLDER */
import { example } from "../test/docs/examples/example.ts";
import { checkOut } from "../test/docs/examples/sample-repository.ts";

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("Usage: node scripts/readme-project.ts FOLDER");
const { workflow, files } = example("README.md: Deliver");
const project = { ...files, ".github/workflows/deliver.yml": workflow.text };
await checkOut({ commit: "the first build", testsPass: true, files: project }, folder);
