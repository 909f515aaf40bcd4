// Previews of the draft of a workflow `flow`, as an editor asks for them.
import type { PreviewedNode, PreviewedRow } from '../../src-main/domain/run/preview.ts';
import type { PreviewRequest, PreviewService } from '../../src-main/services/authoring/preview-service.ts';

/** A draft with three test rows. @param nodes between its input node and the end of the file */
export const draftFlow = (nodes: string): string => `rowbench: 1
id: flow
nodes:
  - { id: input, type: input, testRows: [{ n: 1 }, { n: 2 }, { n: 3 }] }
${nodes}
`;

/** The draft without an error. */
export const plainDraft = draftFlow(`  - { id: double, type: set, values: { n: =row.n * 2 } }
  - { id: result, type: output, fields: { n: =nodes.double.n } }`);

export const previewDraft = (
  { previews }: { readonly previews: PreviewService },
  text: string,
  request: Partial<PreviewRequest> = {},
) =>
  previews.preview({
    workflowId: 'flow',
    text,
    rows: { of: 'testRows' },
    count: 10,
    mode: 'mocks',
    values: {},
    ...request,
  });

/** The node of each row. */
export const nodeOf = (rows: readonly PreviewedRow[], nodeId: string): readonly PreviewedNode[] =>
  rows.flatMap(({ nodes }) => nodes.filter((node) => node.nodeId === nodeId));

export const statesOf = (rows: readonly PreviewedRow[], nodeId: string): readonly string[] =>
  nodeOf(rows, nodeId).map(({ state }) => state);

export const textsOf = (rows: readonly PreviewedRow[], nodeId: string): readonly (string | undefined)[] =>
  nodeOf(rows, nodeId).map(({ value }) => value?.text);
