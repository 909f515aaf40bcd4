import { beforeEach, describe, expect, it } from 'vitest';
import { answerBridge } from '../../../src-main/desktop/bridge-handlers.ts';
import { electronDouble, type ElectronDouble } from '../../builders/electron-double.ts';

const origin = 'http://127.0.0.1:4170';
const ours = { sender: { id: 7 }, senderFrame: { parent: null, origin } };
const channels = ['pick-workflow', 'show-data-folder', 'reveal-workflow', 'edit-workflow'] as const;
const confirmedCalls = ['workflow.trust', 'workflow.grant', 'workflow.import'] as const;
const plainCall = { nodeId: 'ask', line: 3, url: 'x' };
type Call = typeof plainCall & { origin: string; secret?: string };
const reach = {
  calls: [{ ...plainCall, origin: 'https://api.example.com', secret: 'TOKEN' }] as Call[],
  workflows: ['other'],
  code: [],
};

describe('the bridge', () => {
  let double: ElectronDouble;
  let gone: string[];
  let made: unknown[];
  /** Returns the hash of the workflow's file for one call of `workflow.show`. */
  let hash: () => string;
  const call = (name: string, event: object, ...input: unknown[]) =>
    double.channels.get(`rowbench:${name}`)?.(event, ...input) ?? Promise.reject(new Error('no channel'));

  beforeEach(() => {
    double = electronDouble();
    double.dialog.picks.push('/home/a.yaml');
    gone = [];
    made = [];
    hash = () => 'h';
    const handle = (name: string) => async (input: unknown) => {
      made.push([name, input]);
      return { id: 'ask' };
    };
    answerBridge({
      ...double.parts,
      origin,
      contentsId: () => 7,
      dataDir: '/data',
      handlers: {
        ...Object.fromEntries(confirmedCalls.map((name) => [name, handle(name)])),
        'workflow.list': async () => [
          { id: 'ask', file: '/flows/ask.workflow.yaml' },
          { id: 'odd', file: '/flows/odd.exe' },
        ],
        'workflow.show': async () => ({ name: 'Ask\u202e\nTrusted by Rowbench', reach, hash: hash() }),
        'workflow.inspect': async () => ({ workflows: [{ name: 'Ask', reach }], digest: 'digest' }),
      } as never,
      go: (path) => gone.push(path),
    });
  });

  it('has one channel for each purpose and no other', () => {
    expect([...double.channels.keys()].sort()).toEqual(
      [...channels, ...confirmedCalls].map((name) => `rowbench:${name}`).sort(),
    );
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
    for (const name of [...channels, ...confirmedCalls])
      await expect(call(name, event, { workflowId: 'ask' })).rejects.toThrow('Only the page of the app');
    expect([double.opened, gone, made, double.dialog.shown]).toEqual([[], [], [], []]);
  });

  it.each([
    ['nothing', []],
    ['a text', ['/etc/passwd']],
    ['something beside it', [{ workflowId: 'ask', path: '/etc/passwd' }]],
    ['more than one', [{ workflowId: 'ask' }, 1]],
    ['another type', [{ workflowId: ['ask'] }]],
    ['a huge text', [{ workflowId: 'x'.repeat(1_000_000) }]],
    ['a prototype', [JSON.parse('{"__proto__":{"workflowId":"ask"}}') as unknown]],
  ])('takes no %s as arguments', async (_, input) => {
    await expect(call('reveal-workflow', ours, ...input)).rejects.toThrow('other arguments');
    expect(double.opened).toEqual([]);
  });

  const trust = { workflowId: 'ask', hash: 'h' };
  const grant = { workflowId: 'ask', allow: ['lan', 'loopback'] };
  const bring = { path: '/x', replaces: false, trusted: 'digest' };

  it.each([
    ['workflow.trust', trust, 'Trust', 'Trust the workflow “Ask  Trusted by Rowbench”?'],
    ['workflow.grant', grant, 'Allow', 'reach addresses of the local network and programs on this machine?'],
    ['workflow.import', bring, 'Import and trust', 'Import and trust this workflow?'],
  ])('asks the user before %s, in the words of what it reaches', async (name, input, verb, words) => {
    expect(await call(name, ours, input)).toMatchObject({ code: 'declined' });
    expect(made).toEqual([]);
    double.dialog.presses.push(verb);
    expect(await call(name, ours, input)).toEqual({ data: { id: 'ask' } });
    expect(made).toEqual([[name, input]]);
    expect(double.dialog.shown[0]?.message).toContain(words);
    expect(double.dialog.shown[0]?.detail).toContain('https://api.example.com');
    expect(double.dialog.shown[0]?.detail).toContain('TOKEN');
    expect(double.dialog.shown[0]).toMatchObject({ defaultId: 1, cancelId: 1 });
  });

  it('asks about no other text than the one that the page wants trusted', async () => {
    double.dialog.presses.push('Trust', 'Import and trust');
    const changed = { code: 'move_not_allowed' };
    expect(await call('workflow.trust', ours, { ...trust, hash: 'other' })).toMatchObject(changed);
    expect(await call('workflow.import', ours, { ...bring, trusted: 'other' })).toMatchObject(changed);
    expect([made, double.dialog.shown]).toEqual([[], []]);
  });

  it('grants nothing to a file that was replaced while the question stood', async () => {
    const hashes = ['h', 'other'];
    hash = () => hashes.shift() ?? '';
    double.dialog.presses.push('Allow');
    expect(await call('workflow.grant', ours, grant)).toMatchObject({ code: 'move_not_allowed' });
    expect([made, double.dialog.shown.length]).toEqual([[], 1]);
  });

  it('names hosts that get a secret first, and the end of a long one', async () => {
    const host = `https://api.openai.com.${'x'.repeat(80)}.evil.example`;
    reach.calls.push(
      ...Array.from({ length: 9 }, (_, n) => ({ ...plainCall, origin: `https://${n}.example` })),
      { ...plainCall, origin: host, secret: 'KEY' },
    );
    await call('workflow.trust', ours, trust);
    reach.calls.length = 1;
    expect(double.dialog.shown[0]?.detail).toContain('.evil.example');
    expect(double.dialog.shown[0]?.detail).toContain('https://api.openai.c…');
  });

  it('takes rights away, and imports without trust, without a question', async () => {
    await call('workflow.grant', ours, { workflowId: 'ask', deny: ['lan'] });
    await call('workflow.import', ours, { path: '/x', replaces: false });
    expect([made.length, double.dialog.shown]).toEqual([2, []]);
  });

  it('asks about nothing that is no call', async () => {
    expect(await call('workflow.trust', ours, { ...trust, more: 1 })).toMatchObject({
      code: 'invalid_input',
    });
    expect(await call('workflow.grant', ours, '/etc/passwd')).toMatchObject({ code: 'invalid_input' });
    await expect(call('workflow.trust', ours, trust, 1)).rejects.toThrow('other arguments');
    expect([made, double.dialog.shown]).toEqual([[], []]);
  });
});
