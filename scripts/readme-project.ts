/* Writes a small project with the first workflow of the README, word for word: node scripts/readme-project.ts FOLDER */
import { example } from "../test/docs/examples/example.ts";
import { checkOut } from "../test/docs/examples/sample-repository.ts";

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("Say where to write the project");
const { workflow, files } = example("README.md: Deliver");
const project = { ...files, ".github/workflows/deliver.yml": workflow.text };
await checkOut({ commit: "the first build", testsPass: true, files: project }, folder);
