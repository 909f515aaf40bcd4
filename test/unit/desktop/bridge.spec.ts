import { beforeEach, describe, expect, it } from 'vitest';
import { answerBridge } from '../../../src-main/desktop/bridge-handlers.ts';
import { electronDouble, type ElectronDouble } from '../../builders/electron-double.ts';

const origin = 'http://127.0.0.1:4170';
const ours = { sender: { id: 7 }, senderFrame: { parent: null, origin } };
const channels = ['pick-workflow', 'show-data-folder', 'reveal-workflow', 'edit-workflow'] as const;

describe('the bridge', () => {
  let double: ElectronDouble;
  let gone: string[];
  const call = (name: string, event: object, ...given: unknown[]) =>
    double.channels.get(`rowbench:${name}`)?.(event, ...given) ?? Promise.reject(new Error('no channel'));

  beforeEach(() => {
    double = electronDouble();
    double.dialog.picks.push('/home/a.yaml');
    gone = [];
    answerBridge({
      ...double.parts,
      origin,
      contentsId: () => 7,
      dataDir: '/data',
      workflows: async () => [
        { id: 'ask', file: '/flows/ask.workflow.yaml' } as never,
        { id: 'odd', file: '/flows/odd.exe' } as never,
      ],
      go: (path) => gone.push(path),
    });
  });

  it('has one channel for each purpose and no other', () => {
    expect([...double.channels.keys()].sort()).toEqual(channels.map((name) => `rowbench:${name}`).sort());
  });

  it('does what our page asks', async () => {
    await call('show-data-folder', ours, {});
    await call('reveal-workflow', ours, { workflowId: 'ask' });
    await call('edit-workflow', ours, { workflowId: 'ask' });
    await call('pick-workflow', ours, {});
    expect(double.opened).toEqual(['/data', '/flows/ask.workflow.yaml', '/flows/ask.workflow.yaml']);
    expect(gone).toEqual(['/workflows?import=%2Fhome%2Fa.yaml']);
  });

  it('opens no file that it does not know as a workflow', async () => {
    await call('edit-workflow', ours, { workflowId: '../../etc/passwd' });
    await call('edit-workflow', ours, { workflowId: 'odd' });
    expect(double.opened).toEqual([]);
  });

  it.each([
    ['another window', { ...ours, sender: { id: 8 } }],
    ['a frame inside', { ...ours, senderFrame: { parent: {}, origin } }],
    ['another origin', { ...ours, senderFrame: { parent: null, origin: 'https://evil.example' } }],
    ['a frame that is gone', { ...ours, senderFrame: null }],
  ])('does nothing for %s', async (_, event) => {
    for (const name of channels)
      await expect(call(name, event, { workflowId: 'ask' })).rejects.toThrow('Only the page of the app');
    expect([double.opened, gone]).toEqual([[], []]);
  });

  it.each([
    ['nothing', []],
    ['a text', ['/etc/passwd']],
    ['something beside it', [{ workflowId: 'ask', path: '/etc/passwd' }]],
    ['more than one', [{ workflowId: 'ask' }, 1]],
    ['another type', [{ workflowId: ['ask'] }]],
    ['a huge text', [{ workflowId: 'x'.repeat(1_000_000) }]],
    ['a prototype', [JSON.parse('{"__proto__":{"workflowId":"ask"}}') as unknown]],
  ])('takes no %s as arguments', async (_, given) => {
    await expect(call('reveal-workflow', ours, ...given)).rejects.toThrow('other arguments');
    expect(double.opened).toEqual([]);
  });
});
