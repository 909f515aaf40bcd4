// Runs the guide's examples in order, on the file in the guide: a reader who copies them gets the results that the page
// shows.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { callProgram } from '../../builders/call-program.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';

const guide = await readFile(new URL('../../../docs/guide/import-and-trust.md', import.meta.url), 'utf8');
const file = /```yaml file=leads\.workflow\.yaml\n(.*?)```/s.exec(guide)?.[1] ?? '';
const calls = [...guide.matchAll(/```console\n(.*?)```/gs)].flatMap(([, block = '']) =>
  block
    .split(/^\$ rowbench /m)
    .slice(1)
    .map((call) => {
      const [words = '', ...answer] = call.split('\n');
      return { words: words.split(' '), answer: answer.join('\n') };
    }),
);

it('the examples on import, trust and grants answer as in the guide', async () => {
  const from = await temporaryFolder();
  const data = join(await temporaryFolder(), 'data');
  await writeFile(join(from, 'leads.workflow.yaml'), file);
  await writeFile(join(from, 'leads.rows.json'), '[]');
  expect(calls).toHaveLength(6);
  for (const { words, answer } of calls) {
    const args = words.map((word) => (word.endsWith('.yaml') ? join(from, word) : word));
    const { code, stdout, stderr } = await callProgram(args, { env: { ROWBENCH_DATA: data } });
    expect(code).toBe(0);
    if (answer !== '') expect(stdout + stderr).toBe(answer);
  }
});
