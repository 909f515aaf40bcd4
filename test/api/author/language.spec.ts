// Completions and symbols as the editor asks for them: with values of the last preview, in bounded time.
import { describe, expect, it } from 'vitest';
import type { LanguageService } from '../../../src-main/services/authoring/language-service.ts';
import { draftTables } from '../../../src-main/services/workflows/draft-tables.ts';
import type { LoadedWorkflow } from '../../../src-main/services/workflows/workflow-service.ts';
import { draftFlow, plainDraft, previewDraft } from '../../builders/draft-preview.ts';
import { openTestServices, type TestServices } from '../../builders/open-test-services.ts';

const flowOf = async ({ workflows }: TestServices): Promise<LoadedWorkflow> => {
  const flow = await workflows.find('flow');
  if (flow === undefined) throw new Error('There is no workflow flow');
  return flow;
};

/** A draft whose other files are as on the disk. */
const unchanged = (loaded: LoadedWorkflow) => ({ loaded, edited: [], tables: draftTables(loaded.file, []) });

/** @param marked a text with the caret as ¦ */
const complete = (language: LanguageService, flow: LoadedWorkflow, marked: string) =>
  language.complete(unchanged(flow), marked.replace('¦', ''), { offset: marked.indexOf('¦') });

const draft = draftFlow('  - { id: a, type: code, code: "return { points: row.n };" }');

describe('completions', () => {
  it('show values that nodes had in the last preview', async () => {
    const services = await openTestServices({ flow: plainDraft });
    const flow = await flowOf(services);
    const marked = `${draft}  - { id: b, type: output, fields: { x: =nodes.a.¦ } }\n`;
    expect(await complete(services.language, flow, marked)).toBeUndefined();
    await previewDraft(services, marked.replace('nodes.a.¦', 'nodes.a'));
    expect((await complete(services.language, flow, marked))?.options[0]).toEqual({
      label: 'points',
      detail: 'number',
      info: '1',
    });
  });

  it('know the workflows and the row files of the server', async () => {
    const services = await openTestServices({ flow: plainDraft, other: plainDraft.replace('flow', 'other') });
    const marked = draftFlow('  - { id: a, type: workflow, workflow: ¦ }');
    const found = await complete(services.language, await flowOf(services), marked);
    expect(found?.options.map(({ label }) => label)).toEqual(['other']);
  });

  it('are none for a text that takes too long, and work for the next text', async () => {
    const services = await openTestServices({ flow: plainDraft }, { ownProcesses: true });
    const flow = await flowOf(services);
    const slow = `a: ${'[{b: '.repeat(40)}1${'}]'.repeat(40)}\n${'c: [{ d: e, f: g }, { h: i }]\n'.repeat(30_000)}type: ¦`;
    expect(await complete(services.language, flow, slow)).toBeUndefined();
    const marked = draftFlow('  - { id: a, type: ¦ }');
    // A process that has just started may be slow on a busy machine.
    await expect
      .poll(async () => (await complete(services.language, flow, marked))?.options[0]?.label, {
        timeout: 20_000,
      })
      .toBe('input');
  });
});

describe('a symbol', () => {
  it('is a node with the value that it had in the last preview', async () => {
    const services = await openTestServices({ flow: plainDraft });
    await previewDraft(services, plainDraft);
    const offset = plainDraft.indexOf('nodes.double') + 'nodes.do'.length;
    const { symbol } = await services.language.symbol(unchanged(await flowOf(services)), plainDraft, {
      offset,
    });
    expect(symbol).toMatchObject({ name: 'double', value: '{"n":2}', definition: { line: 5 } });
    expect(symbol?.mentions).toHaveLength(2);
  });
});
