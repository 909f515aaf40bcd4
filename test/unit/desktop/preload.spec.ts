import { expect, it, vi } from 'vitest';
import type { DesktopBridge } from '../../../src-main/contract/index.ts';

const electron = vi.hoisted(() => ({
  exposed: [] as unknown[][],
  invoked: [] as unknown[][],
  heard: new Map<string, (...values: unknown[]) => void>(),
}));
vi.mock('electron', () => ({
  contextBridge: { exposeInMainWorld: (...values: unknown[]) => electron.exposed.push(values) },
  ipcRenderer: {
    invoke: async (...values: unknown[]) => {
      electron.invoked.push(values);
      return { data: 'done' };
    },
    on: (name: string, listener: (...values: unknown[]) => void) => electron.heard.set(name, listener),
  },
}));

async function bridge(): Promise<DesktopBridge> {
  await import('../../../src-main/desktop/preload.ts');
  return electron.exposed[0]?.[1] as DesktopBridge;
}

it('gives the page three functions and nothing of Electron', async () => {
  const values = await bridge();
  expect(electron.exposed.map(([name]) => name)).toEqual(['rowbench']);
  expect(Object.entries(values).map(([name, value]) => [name, typeof value])).toEqual([
    ['call', 'function'],
    ['ask', 'function'],
    ['onGo', 'function'],
  ]);
});

it('reaches the channels of the contract and no other', async () => {
  const { call, ask } = await bridge();
  await call('reveal-workflow', { workflowId: 'a' });
  expect(await ask('workflow.trust', { workflowId: 'a', hash: 'h' })).toEqual({ data: 'done' });
  for (const name of ['go', 'workflow.list', '__proto__', 'toString', ''])
    await expect(call(name as 'pick-workflow', {})).rejects.toThrow('no such call');
  expect(electron.invoked).toEqual([
    ['rowbench:reveal-workflow', { workflowId: 'a' }],
    ['rowbench:workflow.trust', { workflowId: 'a', hash: 'h' }],
  ]);
});

it('hands places on as texts, without the event', async () => {
  const gone: unknown[][] = [];
  (await bridge()).onGo((...values) => gone.push(values));
  electron.heard.get('rowbench:go')?.({ sender: {} }, '/runs', 'more');
  expect(gone).toEqual([['/runs']]);
});
