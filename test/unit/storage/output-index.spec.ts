import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { nodeFileSystem } from '../../../src-main/storage/node-file-system.ts';
import {
  noCommit,
  placeBefore,
  readCommits,
  writeCommit,
  type Commit,
} from '../../../src-main/storage/rows/output-index.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';

/** An index of so many commits, each of 1 to 9 rows. */
async function indexOf(commits: number) {
  const lines: Uint8Array[] = [];
  const all: Commit[] = [];
  let before = noCommit;
  for (let n = 0; n < commits; n += 1) {
    const rows = before.rows + 1 + (n % 9);
    const { line, commit } = writeCommit({ ...before, rows, outputsBytes: rows * 10, outputsCrc: n }, before);
    lines.push(line);
    all.push((before = commit));
  }
  const path = join(await temporaryFolder(), 'outputs.index');
  await writeFile(path, Buffer.concat(lines));
  return { file: await nodeFileSystem.open(path, 'read'), all };
}

it('the place of a row is before the commit that has it, wherever in the index that is', async () => {
  const { file, all } = await indexOf(8_000);
  const last = all.at(-1)?.rows ?? 0;
  for (const row of [1, 2, 3, 500, 9_999, 20_000, last - 1, last]) {
    const place = await placeBefore(file, row);
    const next = await readCommits(file, place).next();
    if (next.done === true || next.value.kind !== 'commit') throw new Error('there is no commit');
    expect(next.value.before.rows).toBeLessThan(row);
    expect(next.value.commit.rows).toBeGreaterThanOrEqual(row);
    expect(all).toContainEqual(next.value.commit);
  }
  expect((await placeBefore(file, last + 1)).before).toEqual(all.at(-1));
  await file.close();
});

it('an index without a line has its one place at its start', async () => {
  const { file } = await indexOf(0);
  expect(await placeBefore(file, 5)).toEqual({ before: noCommit, at: 0 });
  await file.close();
});
