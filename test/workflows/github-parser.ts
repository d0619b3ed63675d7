import { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } from "@actions/workflow-parser";
import { calledFile, type NamedText } from "./workflow-files.ts";

/** Called workflows are read too, and the values of a call are compared with their inputs. */
const OPTIONS = { fetchReusableWorkflowDepth: 1 };

/** Errors of GitHub's own parser in a workflow, and in its calls of this repository's workflows. */
export async function problemsOf(file: NamedText): Promise<string[]> {
  const { context, value } = parseWorkflow(
    { name: file.name, content: file.text },
    new NoOperationTraceWriter(),
  );
  if (value === undefined) return errorsOf(context);
  await convertWorkflowTemplate(
    context,
    value,
    {
      getFileContent(reference) {
        const called = calledFile(`$/${reference.path}`);
        if (called === undefined) throw new Error(`There is no ${reference.path}`);
        return Promise.resolve({ name: called.name, content: called.text });
      },
    },
    OPTIONS,
  );
  return errorsOf(context);
}

function errorsOf(context: ReturnType<typeof parseWorkflow>["context"]): string[] {
  return context.errors.getErrors().map(({ message }) => message);
}
