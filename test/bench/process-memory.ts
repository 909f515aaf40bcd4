// The peak of the memory of processes, as Linux reports it, and bodies of any size.
import { readFile } from 'node:fs/promises';
import { textRow } from '../builders/text-workload.ts';

/** The peaks of a process and of each that it started, in MB. */
export async function peaksMbOf(pid: number): Promise<number[]> {
  return Promise.all([pid, ...(await descendants(pid))].map(peakOf));
}

export const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** A body of rows of text, in pieces, since a million rows do not fit into one string. */
export function textBody(rows: number): Buffer {
  const pieces: Buffer[] = [];
  for (let first = 0; first < rows; first += 1000) {
    const lines = Array.from({ length: Math.min(1000, rows - first) }, (_, at) =>
      JSON.stringify(textRow(first + at)),
    );
    pieces.push(Buffer.from(`${first === 0 ? '{"rows":[' : ','}${lines.join(',')}`));
  }
  return Buffer.concat([...pieces, Buffer.from(']}')]);
}

async function descendants(pid: number): Promise<number[]> {
  const listed = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  const children = listed.split(' ').filter(Boolean).map(Number);
  return [...children, ...(await Promise.all(children.map(descendants))).flat()];
}

async function peakOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024;
}
