// Describes a child process that does not do what it should in time: the reader of a rig's failure has no other clue.
import type { ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';

/** Resolves as `promise` does. After `ms` milliseconds, throws an error with the text that `words` returns. */
export async function within<T>(ms: number, promise: Promise<T>, words: () => Promise<string>): Promise<T> {
  const late = Symbol();
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<typeof late>((resolve) => (timer = setTimeout(() => resolve(late), ms)));
  const first = await Promise.race([promise, deadline]).finally(() => clearTimeout(timer));
  if (first === late) throw new Error(`${await words()} (after ${ms / 1000} s)`);
  return first;
}

/** Describes a process: its state, computing time, and numbers of sockets and children. Only on Linux. */
export async function describeProcess({ pid, exitCode, signalCode }: ChildProcess): Promise<string> {
  if (exitCode !== null || signalCode !== null) return `process ${pid} ended with ${exitCode ?? signalCode}`;
  const read = (name: string): Promise<string> => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '?');
  const stat = (await read('stat')).split(') ').at(-1)?.split(' ') ?? [];
  const [state, user, system] = [stat[0], stat[11], stat[12]];
  const children = (await read(`task/${pid}/children`)).trim();
  return (
    `process ${pid} is in state ${state}, waits in ${await read('wchan')}, computed for ` +
    `${(Number(user) + Number(system)) / 100} s, and has the children ${children === '' ? 'none' : children}`
  );
}
