// Previews of drafts: what nodes give for a few rows, from the text in an editor alone.
import { describe, expect, it } from 'vitest';
import type { PreviewedRow } from '../../../src-main/domain/run/preview.ts';
import type { PreviewRequest } from '../../../src-main/services/preview-service.ts';
import { openTestServices, type TestServices } from '../../builders/open-test-services.ts';
import { storedRuns } from '../../builders/stored-runs.ts';

const flow = (nodes: string, more = ''): string => `rowbench: 1
id: flow
${more}nodes:
  - { id: input, type: input, testRows: [{ n: 1 }, { n: 2 }, { n: 3 }] }
${nodes}
`;
const plain = flow(`  - { id: double, type: set, values: { n: =row.n * 2 } }
  - { id: result, type: output, fields: { n: =nodes.double.n } }`);

const preview = ({ previews }: TestServices, text: string, more: Partial<PreviewRequest> = {}) =>
  previews.preview({
    workflowId: 'flow',
    text,
    rows: { of: 'testRows' },
    count: 10,
    mode: 'mocks',
    values: {},
    ...more,
  });

const texts = (rows: readonly PreviewedRow[], nodeId: string) =>
  rows.map(({ nodes }) => nodes.find((node) => node.nodeId === nodeId)?.value?.text);

describe('a preview', () => {
  it('shows the value of each node for the test rows of the draft, without a run', async () => {
    const services = await openTestServices({ flow: plain });
    const shown = await preview(services, plain.replace('* 2', '* 10'));
    expect(shown.issues).toEqual([]);
    expect(texts(shown.rows, 'double')).toEqual(['{"n":10}', '{"n":20}', '{"n":30}']);
    expect(shown.rows.map(({ output }) => output)).toEqual(
      ['10', '20', '30'].map((n) => ({ kind: 'object', text: `{"n":${n}}` })),
    );
    expect(await storedRuns(services.dataDir)).toEqual([]);
  });
});
