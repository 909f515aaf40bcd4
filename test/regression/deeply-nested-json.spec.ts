// A few megabytes of nested lists cost a parser seconds, in the main process too. Code that walked the lists afterwards
// overflowed its stack.
import { CassetteFile } from '../../src-main/storage/cassettes/cassette-file.ts';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { silentLog } from '../../src-main/base/log.ts';
import { systemClock } from '../../src-main/base/system-clock.ts';
import { readExpectedRows } from '../../src-main/services/tests/expected-rows.ts';
import { plainJson } from '../../src-main/domain/cassette/plain-json.ts';
import { readCassette } from '../../src-main/domain/cassette/read-cassette.ts';
import { createRowReader } from '../../src-main/domain/rows/files/create-row-reader.ts';
import { typedCell } from '../../src-main/domain/rows/typed-cell.ts';
import { readTable } from '../../src-main/domain/sources/table.ts';
import { parseAnswer } from '../../src-main/executor/worker/nodes/answer-body.ts';
import { temporaryFolder } from '../builders/temporary-folder.ts';

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
/** 8 MB, for whose parsing a fast machine takes two seconds. */
const large = nested(4e6);

async function thrownSoon(act: () => unknown): Promise<string> {
  const from = process.cpuUsage();
  const thrown = await Promise.resolve()
    .then(act)
    .catch((error: unknown) => error);
  // Of computing: what others do on the machine does not count.
  expect(process.cpuUsage(from).user / 1000).toBeLessThan(800);
  return thrown instanceof Error ? thrown.message : String(thrown);
}

it.each(['', '{"choices":'])('an answer of nested lists behind %j is refused at once', async (before) => {
  expect(await thrownSoon(() => parseAnswer(before + large, 'GET x'))).toBe(
    'GET x answered with JSON that is nested deeper than 100 levels',
  );
});

it.each([
  ['a table of lines', 't.ndjson', `{"a":${large}}`, 'a row may be nested 98 levels deep at most'],
  ['a table in a list', 't.json', `[{"a":${large}}]`, 'a row may be nested 98 levels deep at most'],
  ['a table beside something else', 't.json', `{"a":${large}}`, 'nested deeper than 98 levels'],
])('%s is refused at once when it is nested deeply', async (_, path, text, problem) => {
  expect(await thrownSoon(() => readTable(path, text))).toContain(problem);
});

it('a cell of nested lists stays text at once, at the depth where its row is too deep', async () => {
  const read = (cell: string) => {
    const reader = createRowReader('csv', new Map([['a', 'array']]), { delimiter: ',', quote: 'none' });
    return [...reader.push(`a,b\n${cell},1\n`), ...reader.end()].join();
  };
  expect(await thrownSoon(() => typedCell(large, 'array'))).toBe('[object Object]');
  expect(typedCell(large, 'array')).toEqual({ problem: 'is nested deeper than 97 levels' });
  expect(read(nested(97))).toBe(`{"a":${nested(97)},"b":"1"}`);
  expect(read(nested(98))).toBe(`{"a":"${nested(98)}","b":"1"}`);
});

it('a body of nested lists is recorded as text, at once', async () => {
  expect(await thrownSoon(() => plainJson(large))).toBe('undefined');
  expect([plainJson(nested(100)) === undefined, plainJson(nested(101))]).toEqual([false, undefined]);
});

const cassetteOf = (json: string): string =>
  `{"rowbench":1,"entries":[{"request":{"method":"GET","url":"https://a.example/"},"responses":[{"status":200,"json":${json}}]}]}`;

it('a cassette of nested lists is refused at once, with its name', async () => {
  const path = join(await temporaryFolder(), 'x.cassette.json');
  const file = CassetteFile.at(path, { clock: systemClock, log: silentLog });
  const problem =
    'The cassette x.cassette.json cannot be read: a body in it is nested deeper than 100 levels';
  await writeFile(path, cassetteOf(nested(20_000)));
  expect(await thrownSoon(() => file.read())).toBe(problem);
  await writeFile(path, cassetteOf(large));
  expect(await thrownSoon(() => file.read())).toBe(problem);
  expect(readCassette(cassetteOf(nested(100)))).toHaveProperty('cassette');
});

it("a recording's journal ends before a line of nested lists", async () => {
  const path = join(await temporaryFolder(), 'x.cassette.json');
  await writeFile(`${path}.recording`, `{"request":${large}}\n`);
  const file = CassetteFile.at(path, { clock: systemClock, log: silentLog });
  expect(await thrownSoon(() => file.read())).toBe('undefined');
});

it('expected rows of nested lists are refused at once', async () => {
  const file = join(await temporaryFolder(), 'expected.json');
  await writeFile(file, `[{"a":${large}}]`);
  expect(await thrownSoon(() => readExpectedRows(file))).toContain('expected.json');
});
