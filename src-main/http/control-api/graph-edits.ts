// Procedures for edits of a draft in the graph of the editor.
import { basename } from 'node:path';
import type {
  FieldRenameView,
  Handlers,
  NodeRenameView,
  NodeType,
  NodeTypeView,
} from '../../contract/index.ts';
import type { FieldRename } from '../../domain/edit/rename-field.ts';
import { nodeTypeNames, nodeTypes } from '../../domain/nodes/catalogue.ts';
import { cassetteFileName, testsFileName } from '../../domain/workflow/file-names.ts';
import type { FileParser } from '../../services/file-parser.ts';
import type { AuthorDeps } from './author.ts';
import { findWorkflow } from './workflows.ts';

export const createGraphEditHandlers = ({ workflows, drafts, draftParser }: AuthorDeps) =>
  ({
    'author.nodeTypes': () => Promise.resolve(nodeTypeNames.map(typeView)),
    'author.connections': async ({ workflowId, text, from, to }) => {
      await findWorkflow(workflows, workflowId);
      return draftParser.connectionFields(text, { from, to });
    },
    'author.insertRead': async ({ workflowId, text, offset, path }) => {
      await findWorkflow(workflows, workflowId);
      return draftParser.insertRead(text, offset, path);
    },
    'author.renameNode': async ({ workflowId, files, ...rename }) => {
      const { file } = await findWorkflow(workflows, workflowId);
      return renameNode(draftParser, { files, own: basename(file), ...rename });
    },
    'author.renameField': async ({ workflowId, files, ...rename }) => {
      const { id, file } = await findWorkflow(workflows, workflowId);
      const renamed = await renameField(draftParser, { files, own: basename(file) }, rename);
      return renamed.refusal === undefined
        ? { ...renamed, ...(await callersOf({ workflows, drafts, draftParser }, id, rename)) }
        : renamed;
    },
  }) satisfies Partial<Handlers>;

function typeView(type: NodeType): NodeTypeView {
  const { title, summary, newKeys } = nodeTypes[type];
  return { type, title, summary, newKeys };
}

type FileText = { readonly name: string; readonly text: string };
type Rename = {
  readonly files: readonly FileText[];
  /** Name of the workflow's own file. */
  readonly own: string;
  readonly id: string;
  readonly newId: string;
};

async function renameNode(parser: FileParser, { files, own, id, newId }: Rename): Promise<NodeRenameView> {
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

async function renameField(
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

async function callersOf(
  { workflows, drafts, draftParser }: Pick<AuthorDeps, 'workflows' | 'drafts' | 'draftParser'>,
  calledId: string,
  field: FieldRename,
): Promise<Pick<Exclude<FieldRenameView, { refusal: object }>, 'callers' | 'callerFiles'>> {
  const calling = workflows
    .known()
    .filter(({ workflow }) =>
      workflow?.nodes.some((node) => node.type === 'workflow' && node.config.workflow === calledId),
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
