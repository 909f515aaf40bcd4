// Procedures for edits of a draft in the graph of the editor.
import { basename } from 'node:path';
import type { Handlers, NodeRenameView, NodeType, NodeTypeView } from '../../contract/index.ts';
import { nodeTypeNames, nodeTypes } from '../../domain/nodes/catalogue.ts';
import { cassetteFileName, testsFileName } from '../../domain/workflow/file-names.ts';
import type { FileParser } from '../../services/file-parser.ts';
import type { AuthorDeps } from './author.ts';
import { findWorkflow } from './workflows.ts';

export const createGraphEditHandlers = ({ workflows, draftParser }: AuthorDeps) =>
  ({
    'author.nodeTypes': () => Promise.resolve(nodeTypeNames.map(typeView)),
    'author.connections': async ({ workflowId, text, from, to }) => {
      await findWorkflow(workflows, workflowId);
      return draftParser.connectionFields(text, { from, to });
    },
    'author.renameNode': async ({ workflowId, files, ...rename }) => {
      const { file } = await findWorkflow(workflows, workflowId);
      return renameNode(draftParser, { files, own: basename(file), ...rename });
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
