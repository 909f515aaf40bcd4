import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { silentLog } from '../../../../src-main/base/log.ts';
import { TrustService } from '../../../../src-main/services/workflows/trust-service.ts';
import {
  WorkflowService,
  type LoadedWorkflow,
} from '../../../../src-main/services/workflows/workflow-service.ts';
import { openDataFolder } from '../../../../src-main/storage/data-folder.ts';
import { WorkflowFiles } from '../../../../src-main/storage/documents/workflow-files.ts';
import { FakeClock } from '../../../builders/fake-clock.ts';
import { temporaryFolder } from '../../../builders/temporary-folder.ts';

const flow = (id: string, url: string, title = '=row.a'): string => `rowbench: 1
id: ${id}
nodes:
  - { id: input, type: input }
  - { id: call, type: http, request: { url: ${JSON.stringify(url)} } }
  - { id: result, type: output, fields: { title: ${JSON.stringify(title)} } }
`;

type Rig = {
  readonly trust: TrustService;
  readonly dataDir: string;
  /** Writes a file below the data folder's workflows and reads the workflow of that id anew. */
  readonly put: (path: string, text: string, id: string) => Promise<LoadedWorkflow>;
  readonly reopen: () => Promise<Rig>;
};

async function openRig(dataDir?: string): Promise<Rig> {
  const path = dataDir ?? join(await temporaryFolder(), 'data');
  const clock = new FakeClock();
  const folder = await openDataFolder({ path, clock, log: silentLog });
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (isOpen) await folder.close();
    isOpen = false;
  };
  onTestFinished(close);
  const workflows = new WorkflowService({
    files: new WorkflowFiles({ own: join(path, 'workflows') }),
    log: silentLog,
  });
  return {
    trust: new TrustService({ document: folder.workflows, clock, log: silentLog }),
    dataDir: path,
    put: async (name, text, id) => {
      const file = join(path, 'workflows', name);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
      const loaded = (await workflows.list()).find((each) => each.file === file);
      expect(loaded?.id).toBe(id);
      return loaded as LoadedWorkflow;
    },
    reopen: async () => {
      await close();
      return openRig(path);
    },
  };
}

const a = 'https://a.example/';

describe('a workflow that was imported', () => {
  it('is untrusted until it is trusted, also after a restart', async () => {
    const rig = await openRig();
    const loaded = await rig.put('leads/leads.workflow.yaml', flow('leads', a), 'leads');
    expect(() => rig.trust.assertTrusted(loaded)).toThrow(
      'Workflow "leads" was imported and is not trusted yet. See what it does and trust it with: rowbench trust leads (add --data DIR unless the data folder is the default one)',
    );
    await rig.trust.trust(loaded);
    const later = await rig.reopen();
    expect(later.trust.standingOf(loaded)).toMatchObject({ kind: 'trusted' });
  });

  it('is untrusted again after its trust was revoked', async () => {
    const { trust, put } = await openRig();
    const loaded = await put('leads/leads.workflow.yaml', flow('leads', a), 'leads');
    await trust.trust(loaded);
    await trust.revoke(loaded);
    expect(trust.standingOf(loaded)).toEqual({ kind: 'untrusted', further: [] });
  });

  it('stays trusted when it is edited and reaches no further', async () => {
    const { trust, put } = await openRig();
    const file = 'leads/leads.workflow.yaml';
    await trust.trust(await put(file, flow('leads', a), 'leads'));
    const edited = await put(file, flow('leads', `${a}other`, '=row.a.trim() + 1'), 'leads');
    expect(trust.standingOf(edited).kind).toBe('trusted');
  });

  it('is untrusted when another file in its place reaches further', async () => {
    const { trust, put } = await openRig();
    const file = 'leads/leads.workflow.yaml';
    await trust.trust(await put(file, flow('leads', a), 'leads'));
    const replaced = await put(file, flow('leads', 'https://evil.example/'), 'leads');
    expect(() => trust.assertTrusted(replaced)).toThrow(
      'Workflow "leads" has changed since it was trusted and reaches further now (https://evil.example)',
    );
  });

  it('is not trusted under another name, whatever a file says of itself', async () => {
    const { trust, put } = await openRig();
    const own = await put('leads/leads.workflow.yaml', flow('leads', a), 'leads');
    await trust.trust(own);
    const renamed = await put('leads/leads.workflow.yaml', flow('sample', a), 'sample');
    expect(trust.standingOf(renamed)).toEqual({ kind: 'untrusted', further: [] });
    const borrowed = await put('other/other.workflow.yaml', flow('leads', a), 'leads');
    expect(trust.standingOf(borrowed)).toEqual({ kind: 'untrusted', further: [] });
  });

  it('starts anew when it is imported again: neither trust nor grants are left', async () => {
    const { trust, put } = await openRig();
    const loaded = await put('leads/leads.workflow.yaml', flow('leads', a), 'leads');
    await trust.trust(loaded);
    await trust.grant('leads', { allow: ['loopback'], deny: [] });
    await trust.beginImport('leads');
    expect(trust.standingOf(loaded).kind).toBe('untrusted');
    expect(trust.networkOf('leads')).toEqual(['public']);
  });
});

describe("the user's own workflow", () => {
  it('is always trusted and cannot be revoked', async () => {
    const { trust, put } = await openRig();
    const loaded = await put('mine.workflow.yaml', flow('mine', a), 'mine');
    expect(trust.standingOf(loaded)).toEqual({ kind: 'own' });
    await expect(trust.revoke(loaded)).rejects.toThrow(
      'Workflow "mine" was not imported: it is your own file and always trusted',
    );
  });
});

describe('network grants', () => {
  it('are public alone until something is allowed or denied', async () => {
    const { trust, reopen } = await openRig();
    expect(trust.networkOf('x')).toEqual(['public']);
    expect(await trust.grant('x', { allow: ['loopback'], deny: [] })).toEqual(['public', 'loopback']);
    expect(await trust.grant('x', { allow: ['lan'], deny: ['public'] })).toEqual(['lan', 'loopback']);
    const later = await reopen();
    expect(later.trust.networkOf('x')).toEqual(['lan', 'loopback']);
    expect(later.trust.networkOf('y')).toEqual(['public']);
  });

  it('take any id for the data it is', async () => {
    const { trust, dataDir } = await openRig();
    await trust.grant('__proto__', { allow: ['lan'], deny: [] });
    expect(trust.networkOf('__proto__')).toEqual(['public', 'lan']);
    expect(trust.networkOf('constructor')).toEqual(['public']);
    expect(JSON.parse(await readFile(join(dataDir, 'workflows.json'), 'utf8'))).toEqual({
      version: 1,
      checksum: expect.any(String) as unknown,
      workflows: [{ id: '__proto__', network: ['public', 'lan'] }],
    });
  });
});
