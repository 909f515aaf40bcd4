import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nodeFileSystem } from '../../../src-main/storage/node-file-system.ts';
import {
  lastCommit,
  noCommit,
  placeBefore,
  readCommits,
  writeCommit,
  type Commit,
} from '../../../src-main/storage/rows/output-index.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';

/** An index of so many commits, each of 1 to 9 rows. */
async function indexOf(commits: number) {
  const lines: string[] = [];
  const all: Commit[] = [];
  let before = noCommit;
  for (let n = 0; n < commits; n += 1) {
    const rows = before.rows + 1 + (n % 9);
    const { line, commit } = writeCommit({ ...before, rows, outputsBytes: rows * 10, outputsCrc: n }, before);
    lines.push(Buffer.from(line).toString());
    all.push((before = commit));
  }
  return { file: await stored(lines), lines, all };
}

async function stored(lines: readonly string[]) {
  const path = join(await temporaryFolder(), 'outputs.index');
  await writeFile(path, lines.join(''));
  return nodeFileSystem.open(path, 'read');
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

describe('an index with a damaged line', () => {
  /** Another number of rows, under the line's own checksum. */
  const damaged = (lines: readonly string[], line: number) =>
    stored(lines.map((text, at) => (at === line ? text.replace(/^\d+/, (rows) => `${+rows + 1}`) : text)));

  it.each([2, 9, 100])('of %i, the last, is as far as the line before it', async (commits) => {
    const { file, lines, all } = await indexOf(commits);
    const changed = await damaged(lines, commits - 1);
    expect(await lastCommit(changed)).toEqual(all.at(-2));
    await changed.close();
    await file.close();
  });

  it('has no place behind that line, wherever halving meets it', async () => {
    const { file, lines, all } = await indexOf(8_000);
    await file.close();
    const middle = lines.join('').length / 2;
    let bytes = 0;
    const inMiddle = lines.findIndex((line) => (bytes += line.length) > middle);
    for (const line of [0, 1, 2].map((after) => inMiddle + after)) {
      const changed = await damaged(lines, line);
      for (const { rows } of all.slice(line, line + 3))
        for (const row of [rows, rows + 1])
          expect(all).toContainEqual((await placeBefore(changed, row)).before);
      await changed.close();
    }
  });
});
