// The bytes of a run in one file: what is read of them is what was written, or it is refused, or it is told as damaged.
import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Run } from '../../../src-main/domain/run/run.ts';
import {
  encodeCompact,
  encodeRecordPiece,
  encodeTold,
  parseCompact,
  toldAt,
  type CompactContent,
} from '../../../src-main/storage/rows/compact-format.ts';
import { encodeResults } from '../../../src-main/storage/rows/results-file.ts';
import { runIdOf, runOf } from './storage-fixture.ts';

const accepted = runOf(1, 2);
const running: Run = { ...accepted, status: 'running', finishedAt: null };
const ended: Run = {
  ...accepted,
  status: 'completed',
  finishedAt: '2026-01-01T00:00:01.000Z',
  counts: { rowsDone: 2, rowsFailed: 0 },
};
const rows = Buffer.from('{"n":1}\n{"n":2}\n');
const given = Buffer.from('{"a":1}\n\n');
const results = Buffer.concat(
  encodeResults({
    'outputs.index': [Buffer.from('index\n')],
    'outputs.ndjson': [Buffer.from('{"out":1}\n'.repeat(120))],
    'rows.state': [Buffer.alloc(16)],
    'trace.ndjson': [],
    'statistics.0': [Buffer.from('{}')],
  }),
);

type Piece = Run | 'results';

/** A file with these pieces, of which so many bytes are told as synced; all of them without a number. */
function fileOf(pieces: readonly Piece[], told?: number): Buffer {
  const { bytes, content } = encodeCompact(accepted, { rows, given });
  let file = bytes.subarray(0, content.end);
  let { chain } = content;
  for (const piece of pieces) {
    const added = piece === 'results' ? results : Buffer.concat(encodeRecordPiece(piece, chain));
    chain = crc32(added, chain);
    file = Buffer.concat([file, added]);
  }
  file.set(encodeTold(told ?? file.length - content.piecesFrom), toldAt(file));
  return file;
}

const whole = (bytes: Uint8Array): CompactContent => {
  const content = parseCompact(bytes);
  if ('flaw' in content) throw new Error(content.flaw);
  return content;
};
const { piecesFrom } = encodeCompact(accepted, { rows, given }).content;
const partOf = (bytes: Buffer, place: { from: number; to: number } | undefined): string | undefined =>
  place && bytes.toString('latin1', place.from, place.to);

describe('a file', () => {
  it('has room for pieces, and reads as what it was made of', () => {
    const { bytes, content } = encodeCompact(accepted, { rows, given });
    expect(bytes.length % 4096).toBe(0);
    expect(bytes.length - content.end).toBeGreaterThanOrEqual(3 * 1024);
    expect(whole(bytes)).toEqual(content);
    expect(partOf(bytes, content.places.rows)).toBe(rows.toString());
    expect(partOf(bytes, content.places.given)).toBe(given.toString());
    expect(content).toMatchObject({ record: accepted, isDamaged: false, hasRest: false });
    expect([content.places.numbers, content.results]).toEqual([undefined, undefined]);
  });

  it('ends with the last record and the last results of its pieces', () => {
    const file = fileOf([running, 'results', ended]);
    const content = whole(file);
    expect(content).toMatchObject({ record: ended, isDamaged: false, hasRest: false, end: file.length });
    expect(partOf(file, content.results)).toBe(results.toString('latin1'));
    expect(content.told).toBe(file.length);
    expect(content.chain).toBe(crc32(file.subarray(piecesFrom), content.seed));
    const twice = fileOf([running, 'results', 'results']);
    expect(whole(twice).results?.from).toBe(twice.length - results.length);
  });

  it('tells zeros behind its pieces from anything else', () => {
    const file = fileOf([running]);
    expect(whole(Buffer.concat([file, Buffer.alloc(100)])).hasRest).toBe(false);
    expect(whole(Buffer.concat([file, Buffer.alloc(100), Buffer.of(1)])).hasRest).toBe(true);
  });

  it.each([
    ['file', () => Buffer.from(`${sealed('run 2 whatever')} 000000000000\nrest`)],
    ['record', () => fileOf([{ ...running, version: 2 } as unknown as Run])],
    ['results', () => Buffer.concat([fileOf([running]), Buffer.from(`${sealed('results 2 7')}\nxxxxxxx`)])],
    ['piece', () => Buffer.concat([fileOf([running]), Buffer.from(`${sealed('sums 1 7')}\nxxxxxxx`)])],
  ])('with a %s of a newer version is refused', (_what, make) => {
    expect(parseCompact(make())).toEqual({ flaw: 'it was written by a newer Rowbench' });
  });
});

const sealed = (body: string): string => `${body} ${crc32(body).toString(16).padStart(8, '0')}`;

describe('damage of what was synced', () => {
  const file = fileOf([running, 'results', ended]);
  const rowsAt = file.indexOf(rows);
  const resultsAt = whole(file).results?.from ?? 0;

  it('is told or refused, whichever bit is flipped', () => {
    for (let at = 0; at < file.length; at += 1)
      for (let bit = 0; bit < 8; bit += 1) {
        const changed = Buffer.from(file);
        changed[at] = (changed[at] ?? 0) ^ (1 << bit);
        const content = parseCompact(changed);
        if ('flaw' in content) continue;
        // Rows, values and results are vouched for by what is in the record and in the results.
        const isOther = (at >= rowsAt && at < piecesFrom) || (at >= resultsAt && content.record === ended);
        if (!content.isDamaged && !isOther) expect(content.record, `byte ${at}, bit ${bit}`).toEqual(ended);
        expect([ended, running, accepted]).toContainEqual(content.record);
        // A run that has ended is never taken for one that has not, unless its results are there to end it.
        if (content.record.finishedAt === null) expect(content.results).toBeDefined();
        expect(partOf(changed, content.places.rows)?.length).toBe(rows.length);
      }
  });

  it('is refused or told wherever it is cut', () => {
    for (let size = 0; size < file.length; size += 1) {
      const content = parseCompact(file.subarray(0, size));
      if ('flaw' in content) continue;
      expect(content.isDamaged, `cut at ${size}`).toBe(true);
      expect(content.record.finishedAt === null && content.results === undefined).toBe(false);
    }
  });

  it('of a record between others leaves those', () => {
    const changed = Buffer.from(file);
    changed[piecesFrom + 90] = 0x58;
    expect(whole(changed)).toMatchObject({ record: ended, isDamaged: true, end: file.length });
  });

  it('of the last record leaves the one before, with all that was told', () => {
    const paused = fileOf([running, { ...accepted, status: 'paused', finishedAt: null }]);
    paused[paused.length - 5] = 0x58;
    expect(whole(paused)).toMatchObject({ record: running, isDamaged: true });
  });

  it('of the first record leaves a later one, and is refused without', () => {
    const at = file.indexOf(runIdOf(1));
    for (const pieces of [[running], []]) {
      const changed = fileOf(pieces);
      changed[at] = 0x58;
      const content = parseCompact(changed);
      if (pieces.length === 0) expect(content).toEqual({ flaw: 'it is damaged' });
      else expect(content).toMatchObject({ record: running, isDamaged: true });
    }
  });

  it('of the told length is told, and nothing is refused for it', () => {
    const changed = Buffer.from(file);
    changed[toldAt(file) + 9] = 0x37;
    expect(whole(changed)).toMatchObject({ record: ended, isDamaged: true, told: piecesFrom });
  });
});

describe('what a power cut leaves of pieces that were not synced', () => {
  const file = fileOf([running, 'results', ended], fileOf([running]).length - piecesFrom);
  const synced = fileOf([running]).length;

  it('counts as far as it goes, without a word', () => {
    for (let size = synced; size < file.length; size += 1) {
      const content = whole(file.subarray(0, size));
      expect(content).toMatchObject({ record: running, isDamaged: false, told: synced });
      expect(content.end).toBe(size < synced + results.length ? synced : synced + results.length);
    }
    expect(whole(file)).toMatchObject({ record: ended, isDamaged: false });
  });

  it('is no end where something before the end is missing', () => {
    for (let from = synced; from < synced + results.length; from += 64) {
      const torn = Buffer.from(file);
      torn.fill(0, from, Math.min(from + 64, synced + results.length));
      if (torn.equals(file)) continue;
      expect(whole(torn)).toMatchObject({ record: running, isDamaged: false });
    }
  });

  it('is nothing of another run that had the file before', () => {
    const other = encodeCompact({ ...accepted, runId: runIdOf(2) }, { rows, given });
    const mixed = Buffer.concat([other.bytes.subarray(0, other.content.end), file.subarray(piecesFrom)]);
    expect(whole(mixed)).toMatchObject({ record: { runId: runIdOf(2), status: 'queued' }, isDamaged: false });
  });
});
