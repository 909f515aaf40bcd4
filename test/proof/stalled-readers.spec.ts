import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { finalStatus, trigger } from '../builders/api-client.ts';
import { RawConnection } from '../builders/raw-http.ts';
import { startServerProcess, testKey } from '../builders/server-process.ts';
import { temporaryFolder } from '../builders/temporary-folder.ts';

/** Outputs far larger than rows: a whole batch of them is one commit. */
const large = `rowbench: 1
id: large
nodes:
  - { id: input, type: input }
  - { id: text, type: code, code: 'return "x".repeat(row.size);' }
  - { id: result, type: output, fields: { text: "=nodes.text" } }
`;

/** The process's memory, in megabytes. */
async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}

it.runIf(process.platform === 'linux').each([
  ['20 KB', 20, 1_500, 20_000, 100],
  ['a megabyte', 40, 50, 1_000_000, 200],
  ['forty megabytes', 20, 1, 40_000_000, 100],
])(
  'clients that do not read 30 MB or more, in outputs of %s, cost little memory',
  async (_, readers, rows, size, maxMb) => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'large.workflow.yaml'), large);
    const server = await startServerProcess({ dataDir: join(folder, 'data'), workflows: folder });
    onTestFinished(() => server.kill());
    const runId = await trigger(
      server.url,
      'large',
      Array.from({ length: rows }, () => ({ size })),
    );
    await finalStatus(server.url, { workflowId: 'large', runId });
    const port = Number(new URL(server.url).port);
    const before = await residentMb(server.pid);
    const connections = await Promise.all(Array.from({ length: readers }, () => RawConnection.open(port)));
    let most = before;
    for (const connection of connections) {
      connection.pause();
      connection.send(
        `GET /api/v1/workflows/large/runs/${runId}/async/response HTTP/1.1\r\n` +
          `Host: 127.0.0.1:${port}\r\nx-service-key: ${testKey}\r\n\r\n`,
      );
    }
    const deadline = performance.now() + 2000;
    while (performance.now() < deadline) {
      most = Math.max(most, await residentMb(server.pid));
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    for (const connection of connections) connection.cut();
    expect(most - before).toBeLessThan(maxMb);
  },
);
