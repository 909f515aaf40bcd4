import { execFile } from 'node:child_process';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { adviceSnippet } from '../../../../src-renderer/state/log/advice-snippet.ts';
import { temporaryFolder } from '../../../builders/temporary-folder.ts';

test.skipIf(process.platform === 'win32')(
  'the polling loop for a shell prints the answer with its escapes',
  async () => {
    const folder = await temporaryFolder();
    const answer = String.raw`{"success":true,"data":{"status":"failed","error":"a\nb\\c"}}`;
    await writeFile(join(folder, 'answer'), `HTTP/1.1 200 OK\r\n\r\n${answer}`);
    await writeFile(join(folder, 'curl'), `#!/bin/sh\ncat '${join(folder, 'answer')}'\n`);
    await writeFile(join(folder, 'sleep'), '#!/bin/sh\n');
    await Promise.all(['curl', 'sleep'].map((name) => chmod(join(folder, name), 0o755)));
    const snippet = adviceSnippet(
      { kind: 'over-limit', client: 'curl', workflowId: 'leads', runId: 'r1' } as Parameters<
        typeof adviceSnippet
      >[0],
      'http://127.0.0.1:1',
    );
    const { stdout } = await promisify(execFile)('/bin/sh', ['-c', snippet?.text ?? ''], {
      env: { ...process.env, PATH: `${folder}:${process.env['PATH'] ?? ''}` },
    });
    expect(stdout).toBe(`${answer}\n`);
  },
);
