// The programs that the app hands out, run as a user would run them, under the published limits.
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientSnippets, type ClientSnippet } from '../../../src-renderer/state/workflow/client-snippets.ts';
import { sampleWorkflows, startTestApp, type TestApp } from '../../builders/start-test-app.ts';

const run = promisify(execFile);
/** The third of them fails where one is made to. */
const rows = [{ name: `Ada's "first" \`row\` 🦊\nline 2 \\ two`, n: 1 }, { n: 2 }, { n: 3 }];
const programs: Record<ClientSnippet['id'], { readonly command: string; readonly args: readonly string[] }> =
  {
    sh: { command: 'sh', args: [] },
    javascript: { command: process.execPath, args: [] },
    python: { command: 'python3', args: [] },
    go: { command: 'go', args: ['run'] },
  };

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ workflows: sampleWorkflows });
});
afterAll(() => app.close());

async function isThere(command: string): Promise<boolean> {
  if (process.platform === 'win32') return false;
  return run('sh', ['-c', `command -v "${command}"`]).then(
    () => true,
    () => false,
  );
}

/** @param key in the program's text; absent: in its environment */
async function runSnippet(
  id: ClientSnippet['id'],
  workflowId: string,
  key?: string,
): Promise<{ stdout: string }> {
  const snippet = clientSnippets({ url: app.url, workflowId, rows, key }).find((each) => each.id === id);
  const file = join(app.dataDir, `${workflowId}-${snippet?.file ?? ''}`);
  await writeFile(file, snippet?.text ?? '');
  const { command, args } = programs[id];
  return run(command, [...args, file], {
    env: { ...process.env, ROWBENCH_KEY: key === undefined ? app.key : undefined },
  });
}

// Side by side: each waits as long between its calls as the interface wants.
describe.each(['sh', 'javascript', 'python', 'go'] as const)(
  'the program in %s',
  { concurrent: true },
  (id) => {
    it('starts a run, waits for it and prints its outputs', async ({ skip }) => {
      if (!(await isThere(programs[id].command))) skip();
      const { stdout } = await runSnippet(id, 'echo', app.key);
      expect(stdout).toContain('🦊');
      expect(JSON.stringify(JSON.parse(stdout))).toContain(JSON.stringify(rows[0]));
    });

    it('ends with the reason when the run fails', async ({ skip }) => {
      if (!(await isThere(programs[id].command))) skip();
      await expect(runSnippet(id, 'failing')).rejects.toThrow('HTTP 500 from GET https://example.com');
    });
  },
);
