// Limits of the texts that windows send to the server.
import { expect, it } from 'vitest';
import { DraftDocuments } from '../../../../src-main/services/authoring/draft-documents.ts';
import { FakeClock } from '../../../builders/fake-clock.ts';

const own = 'leads.workflow.yaml';
const emptyFile = (name: string) => ({ name, hash: null });

it('a document has 200 files at most, however many changes add them', async () => {
  const documents = new DraftDocuments(new FakeClock());
  const window = { workflowId: 'leads', editor: 'window' };
  const files = Array.from({ length: 200 }, (_, n) => emptyFile(`leads.${n}.json`));
  await documents.change(window, { version: 1, base: null, files });
  const more = documents.change(window, { version: 2, base: 1, files: [emptyFile(own)] });
  await expect(more).rejects.toThrow('more than 200 files');
  expect(documents.isNewest(window, 1)).toBe(true);
});

it('a document that has made room for another one leaves no timer', async () => {
  const clock = new FakeClock();
  const documents = new DraftDocuments(clock);
  for (let n = 0; n < 1_100; n += 1) {
    const window = { workflowId: 'leads', editor: `window ${n}` };
    await documents.change(window, { version: 1, base: null, files: [emptyFile(own)] });
  }
  expect(clock.pending).toBe(1_000);
});
