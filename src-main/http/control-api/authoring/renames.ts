// Renames of a node or a field in all files of a workflow that is edited.
import type { FieldRenameView, NodeRenameView } from '../../../contract/index.ts';
import type { FieldRename } from '../../../domain/authoring/edit/rename-field.ts';
import { everyNode } from '../../../domain/workflow/body.ts';
import { cassetteFileName, testsFileName } from '../../../domain/workflow/file-names.ts';
import type { FileParser } from '../../../services/workflows/file-parser.ts';
import type { Services } from '../../../services/services.ts';

type FileText = { readonly name: string; readonly text: string };
type Rename = {
  readonly files: readonly FileText[];
  /** Name of the workflow's own file. */
  readonly own: string;
  readonly id: string;
  readonly newId: string;
};

export async function renameNode(
  parser: FileParser,
  { files, own, id, newId }: Rename,
): Promise<NodeRenameView> {
  const sorted = {
    workflow: files.filter(({ name }) => name === own).slice(0, 1),
    tests: files.filter(({ name }) => testsFileName.test(name)),
    cassettes: files.filter(({ name }) => cassetteFileName.test(name)),
  };
  const textsOf = (list: readonly FileText[]): string[] => list.map(({ text }) => text);
  const renamed = await parser.renameNode(
    {
      workflow: sorted.workflow[0]?.text ?? '',
      tests: textsOf(sorted.tests),
      cassettes: textsOf(sorted.cassettes),
    },
    { id, newId },
  );
  if (renamed.refusal !== undefined) {
    const { file, index, reason, line } = renamed.refusal;
    return { refusal: { reason, line, name: sorted[file][index]?.name ?? own } };
  }
  const changes = [renamed.workflow, ...renamed.tests, ...renamed.cassettes];
  const names = [own, ...[...sorted.tests, ...sorted.cassettes].map(({ name }) => name)];
  return {
    files: names
      .map((name, index) => ({ name, changes: changes[index] ?? [] }))
      .filter((each) => each.changes.length > 0),
    unclearLines: renamed.unclearLines,
  };
}

type FieldRenamed = Omit<Exclude<FieldRenameView, { refusal: object }>, 'callers' | 'callerFiles'>;

export async function renameField(
  parser: FileParser,
  { files, own }: Pick<Rename, 'files' | 'own'>,
  rename: FieldRename,
): Promise<FieldRenamed | Extract<FieldRenameView, { refusal: object }>> {
  const tests = files.filter(({ name }) => testsFileName.test(name));
  const workflow = files.find(({ name }) => name === own)?.text ?? '';
  const renamed = await parser.renameField({ workflow, tests: tests.map(({ text }) => text) }, rename);
  if (renamed.refusal !== undefined) {
    const { file, index, reason, line } = renamed.refusal;
    return { refusal: { reason, line, name: file === 'tests' ? (tests[index]?.name ?? own) : own } };
  }
  const changes = [renamed.workflow, ...renamed.tests];
  return {
    files: [own, ...tests.map(({ name }) => name)]
      .map((name, index) => ({ name, changes: changes[index] ?? [] }))
      .filter((each) => each.changes.length > 0),
    unclearLines: renamed.unclearLines,
    rowFiles: renamed.rowFiles,
  };
}

export async function callersOf(
  { workflows: { workflows }, authoring: { drafts, draftParser } }: Services,
  calledId: string,
  field: FieldRename,
): Promise<Pick<Exclude<FieldRenameView, { refusal: object }>, 'callers' | 'callerFiles'>> {
  const calling = workflows
    .known()
    .filter(({ workflow }) =>
      everyNode(workflow ?? { nodes: [] }).some(
        (node) => node.type === 'workflow' && node.config.workflow === calledId,
      ),
    );
  const found = await Promise.all(
    calling.map(async (caller) => {
      const { id: workflowId, source } = caller;
      const lines = await draftParser.fieldCallers(source, calledId, field);
      const text =
        lines.length === 0 ? source : await draftParser.renameFieldInCaller(source, calledId, field);
      const { files: [own] = [], refusal } = await drafts.open(caller);
      const canChange = own?.text === source && text !== source && refusal === undefined;
      return {
        callers: lines.map((each) => ({ workflowId, ...each })),
        callerFiles: canChange ? [{ workflowId, name: own.name, baseHash: own.hash, text }] : [],
      };
    }),
  );
  return {
    callers: found.flatMap(({ callers }) => callers),
    callerFiles: found.flatMap(({ callerFiles }) => callerFiles),
  };
}
