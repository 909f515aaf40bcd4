// SIGKILL of the server while a draft is typed: the draft on the disk is the last one that was answered, or the one that
// was on its way, and never damaged. 100 rounds in the long form.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { deferred } from '../../src-main/base/deferred.ts';
import type { OpenedWorkflowView } from '../../src-main/contract/index.ts';
import { textHash } from '../../src-main/files/text-file.ts';
import { seededRandom } from '../builders/seeded-random.ts';
import { startServerProcess } from '../builders/server-process.ts';
import { temporaryFolder } from '../builders/temporary-folder.ts';
import { isLong, report, timeoutMs } from './length.ts';

const rounds = isLong ? 100 : 3;
const seed = Number(process.env['ROWBENCH_SEED'] ?? 20_260_101);

const [name, testsName] = ['leads.workflow.yaml', 'leads.tests.yaml'];
const saved = 'rowbench: 1\nid: leads\nnodes:\n  - { id: input, type: input }\n';

it(`no draft is lost over ${rounds} kills of the server`, { timeout: timeoutMs(180_000) }, async () => {
  const dataDir = await temporaryFolder();
  const random = seededRandom(seed);
  await mkdir(join(dataDir, 'workflows'), { recursive: true });
  await writeFile(join(dataDir, 'workflows', name), saved);
  let [answered, sent] = [0, 0];
  let inFlight = 0;
  for (let round = 0; round < rounds; round += 1) {
    const server = await startServerProcess({ dataDir });
    const call = await callsOf(dataDir, server.url);
    if (round > 0) {
      const opened = (await call('author.open', { workflowId: 'leads' })) as OpenedWorkflowView;
      const texts = opened.draft?.files.map((file) => file.text) ?? [];
      const found = Number(/# typed (\d+)/.exec(texts[0] ?? '')?.[1]);
      expect(texts).toEqual(draftOf(found).map((file) => file.text));
      expect(found).toBeGreaterThanOrEqual(answered);
      expect(found).toBeLessThanOrEqual(sent);
      if (found > answered) inFlight += 1;
      answered = found;
    }
    const isTyping = deferred();
    const typing = typeUntilKilled(async () => {
      const number = (sent += 1);
      const change = { ...window, version: number, base: null, files: draftOf(number) };
      await call('author.change', { ...change, stores: 'now' });
      answered = number;
      isTyping.resolve();
    });
    await isTyping.promise;
    await setTimeout(random() * 150);
    await server.kill();
    await typing;
  }
  expect(sent).toBeGreaterThan(rounds);
  report(`drafts: ${rounds} kills, ${sent} drafts sent, ${inFlight} stored without an answer, none lost`);
});

const window = { workflowId: 'leads', editor: 'window' };

/** Two files, so that a draft with only one of them would show. */
const draftOf = (number: number) => [
  { name, baseHash: textHash(saved), text: `${saved}# typed ${number}\n`.repeat(1 + (number % 40)) },
  { name: testsName, baseHash: null, text: `# typed ${number}\n` },
];

async function typeUntilKilled(type: () => Promise<void>): Promise<void> {
  try {
    for (;;) await type();
  } catch (error) {
    // The server is gone.
    expect(error).toBeInstanceOf(TypeError);
  }
}

async function callsOf(dataDir: string, url: string) {
  const { controlToken } = JSON.parse(await readFile(join(dataDir, 'server.json'), 'utf8')) as {
    controlToken: string;
  };
  return async (procedure: string, input: unknown): Promise<unknown> => {
    const response = await fetch(`${url}/_rowbench/v1/call/${procedure}`, {
      method: 'POST',
      headers: { 'x-rowbench-token': controlToken, 'content-type': 'application/json' },
      body: JSON.stringify(input),
    });
    const answer = (await response.json()) as { readonly data?: unknown };
    expect(response.status, JSON.stringify(answer)).toBe(200);
    return answer.data;
  };
}
