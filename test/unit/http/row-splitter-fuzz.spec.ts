import fc from 'fast-check';
import { expect, it } from 'vitest';
import { AppError } from '../../../src-main/base/app-error.ts';
import { parseExactJson } from '../../../src-main/domain/rows/exact-json.ts';
import { RowSplitter } from '../../../src-main/http/row-splitter.ts';

// The splitter against the platform's own parser: same verdict, same values, however the bytes are cut. Integers that no
// double holds are texts.

/** The rows as JSON text; undefined when the body is refused. */
type Reader = (body: Buffer) => string | undefined;

const platform: Reader = (body) => {
  try {
    const value = parseExactJson(new TextDecoder('utf-8', { fatal: true }).decode(body));
    if (!isRecord(value) || !Array.isArray(value.rows) || !value.rows.every(isRecord)) return undefined;
    return value.rows.some(hasInfinity) ? undefined : JSON.stringify(value.rows);
  } catch {
    return undefined;
  }
};

const splitter =
  (cuts: readonly number[]): Reader =>
  (body) => {
    const rows = new RowSplitter({ maxRows: 1000, maxRowBytes: 1_000_000 });
    const parts: Buffer[] = [];
    try {
      for (let at = 0, turn = 0; at < body.length; turn += 1) {
        const size = cuts[turn % cuts.length] ?? 1;
        // A copy: what is pushed may be written over.
        parts.push(Buffer.from(rows.push(Buffer.from(body.subarray(at, at + size)))));
        at += size;
      }
      rows.end();
    } catch (error) {
      if (error instanceof AppError) return undefined;
      throw error;
    }
    const lines = Buffer.concat(parts).toString('utf8').trimEnd();
    const values: unknown[] =
      lines === '' ? [] : lines.split('\n').map((line) => JSON.parse(line) as unknown);
    return JSON.stringify(values);
  };

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const hasInfinity = (value: unknown): boolean =>
  typeof value === 'object' && value !== null
    ? Object.values(value).some(hasInfinity)
    : typeof value === 'number' && !Number.isFinite(value);

const cuts = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 });
const blank = fc.constantFrom('', '', '', ' ', '\n', '\r\n', '\t ');
const rarely = fc.oneof({ weight: 30, arbitrary: fc.constant('') }, { weight: 1, arbitrary: blank });
const number = fc.constantFrom(
  '0',
  '-0',
  '1e400',
  '1.5e308',
  '-2E+308',
  '0.1',
  '12e-5',
  '9'.repeat(309),
  '9007199254740992',
  '9007199254740993',
  '-812345678901234567',
  '812345678901234567.5',
  '812345678901234567e2',
  '1000000000000000000000',
  '01',
  '1.',
  '-',
);
const scalar = fc.oneof(
  fc.json({ stringUnit: 'binary', maxDepth: 3 }),
  number,
  fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text)),
);
const member = fc.tuple(fc.string({ unit: 'binary', maxLength: 5 }), blank, scalar, blank);
const row = fc.oneof(
  { weight: 9, arbitrary: fc.array(member, { maxLength: 4 }).map(objectText) },
  { weight: 1, arbitrary: scalar },
);
const list = fc
  .tuple(fc.array(fc.tuple(blank, row, blank), { maxLength: 5 }), blank)
  .map(([rows, space]) => `[${space}${rows.map((parts) => parts.join('')).join(',')}]`);
const body = fc
  .tuple(
    fc.constantFrom('', '', '\ufeff', ' '),
    member,
    list,
    blank,
    fc.constantFrom('', ' ', '\n', 'x', '{}'),
  )
  .map(([before, other, rows, space, after]) => {
    const otherKey = objectText([other]).slice(1, -1);
    return Buffer.from(`${before}{${space}"rows"${space}:${rows},${otherKey}}${after}`);
  });

function objectText(members: readonly (readonly [string, string, string, string])[]): string {
  const texts = members.map(
    ([name, before, value, after]) => `${before}${JSON.stringify(name)}:${value}${after}`,
  );
  return `{${texts.join(',')}}`;
}

/**
 * The same verdict and values; but a number too large for a double in a member that a second one of the same name
 * replaces is seen by the splitter alone.
 */
function expectAgreement(bytes: Buffer, sizes: readonly number[]): void {
  const own = splitter(sizes)(bytes);
  if (own === undefined && hasTooLargeNumber(bytes)) return;
  expect(own).toBe(platform(bytes));
}

function hasTooLargeNumber(bytes: Buffer): boolean {
  const withoutTexts = bytes.toString('latin1').replaceAll(/"(?:[^"\\]|\\.)*"/g, '""');
  const numbers: readonly string[] = withoutTexts.match(/-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g) ?? [];
  return numbers.some((text) => !Number.isFinite(Number(text)));
}

/** A byte replaced, put in or taken out. */
const change = fc.tuple(
  fc.nat(),
  fc.constantFrom('replace', 'insert', 'delete'),
  fc.oneof(fc.constantFrom(...Buffer.from('{}[]",:0e-\\u \n')), fc.integer({ min: 0, max: 255 })),
);

it('reads what JSON.parse reads and refuses what it refuses', () => {
  fc.assert(
    fc.property(body, cuts, (bytes, sizes) => {
      expectAgreement(bytes, sizes);
    }),
    { numRuns: 1500 },
  );
});

const integers = fc.array(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), { maxLength: 3 });

/** As programs write it: rows follow on each other, but for a blank here and there. */
const written = fc
  .array(
    fc.tuple(fc.dictionary(fc.string({ maxLength: 4 }), fc.jsonValue({ maxDepth: 2 })), rarely, integers),
    { maxLength: 30 },
  )
  .map((rows) => Buffer.from(`{"rows":[${rows.map(writtenRow).join(',')}]}`));

const writtenRow = ([row, space, ids]: readonly [object, string, readonly bigint[]]): string =>
  `${space}${JSON.stringify({ ...row, ids: 0 }).replace('"ids":0', `"ids":[${ids.join(',')}]`)}`;
const largeCuts = fc.array(fc.integer({ min: 1, max: 600 }), { minLength: 1, maxLength: 4 });

it('reads rows that follow on each other, wherever they are cut', () => {
  fc.assert(
    fc.property(written, largeCuts, (bytes, sizes) => {
      expectAgreement(bytes, sizes);
    }),
    { numRuns: 1000 },
  );
});

it('agrees with JSON.parse on bodies with bytes changed', () => {
  fc.assert(
    fc.property(body, fc.array(change, { minLength: 1, maxLength: 3 }), cuts, (bytes, changes, sizes) => {
      let changed = bytes;
      for (const [where, how, byte] of changes) {
        const at = where % changed.length;
        const rest = how === 'insert' ? at : at + 1;
        const put = how === 'delete' ? [] : [byte];
        changed = Buffer.concat([changed.subarray(0, at), Buffer.from(put), changed.subarray(rest)]);
      }
      expectAgreement(changed, sizes);
    }),
    { numRuns: 2500 },
  );
});

it('takes any bytes without an error of its own', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), cuts, (bytes, sizes) => {
      const buffer = Buffer.from(bytes);
      expectAgreement(buffer, sizes);
    }),
    { numRuns: 1500 },
  );
});
