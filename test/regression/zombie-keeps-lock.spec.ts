// A killed server kept its data folder locked until its parent process reaped it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { isAlive } from '../../src-main/storage/durable/folder-lock.ts';

it.skipIf(process.platform !== 'linux')(
  'a process that has ended and was not asked for is dead',
  async () => {
    // The shell becomes a program that never asks for its child.
    const parent = spawn('/bin/sh', ['-c', 'sleep 0.2 & echo $!; exec sleep 20'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    try {
      const [line] = (await once(parent.stdout, 'data')) as [Buffer];
      const pid = Number(line.toString());
      await expect.poll(() => isAlive({ pid, start: null })).toBe(false);
      expect(() => process.kill(pid, 0)).not.toThrow();
      expect(await isAlive({ pid: parent.pid ?? 0, start: null })).toBe(true);
    } finally {
      parent.kill('SIGKILL');
    }
  },
);
