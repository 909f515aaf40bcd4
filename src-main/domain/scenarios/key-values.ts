// Reads and writes the value of a scenario's part. A written value reads back unchanged.
import { durationForm, longestWaitMs, parseDuration } from '../duration.ts';
import type { RowPosition, ScenarioKey } from './scenario.ts';

export type PartValue = number | RowPosition;

type Form = {
  /** Description of the expected value, for error messages. */
  readonly says: string;
  readonly read: (text: string) => PartValue | undefined;
  readonly write: (value: PartValue) => string;
};

const wait: Form = {
  says: `${durationForm}, from 1ms to 24h`,
  read: (text) => {
    const ms = Math.round(parseDuration(text) ?? 0);
    return ms >= 1 && ms <= longestWaitMs ? ms : undefined;
  },
  write: (value) => durationText(value as number),
};

const row: Form = { says: 'the number of a row, from 1', read: readRow, write: String };

const rowPosition: Form = {
  says: 'the number of a row, from 1, or a part of the rows from 0% to 99%',
  read: (text) => {
    const percent = /^(\d{1,2})%$/.exec(text)?.[1];
    if (percent !== undefined) return { percent: Number(percent) };
    const number = readRow(text);
    return number === undefined ? undefined : { row: number };
  },
  write: (value) => rowPositionText(value as RowPosition),
};

const share: Form = {
  says: 'a share of the calls such as 0.3 or 30%, up to 1',
  read: (text) => {
    const [, percent, fraction] = /^(?:(\d{1,3})%|([01](?:\.\d{1,4})?))$/.exec(text) ?? [];
    const value = percent === undefined ? Number(fraction) : Number(percent) / 100;
    return value > 0 && value <= 1 ? value : undefined;
  },
  write: String,
};

const seed: Form = {
  says: 'a whole number from 0 to 4294967295',
  read: (text) => (/^\d{1,10}$/.test(text) && Number(text) < 2 ** 32 ? Number(text) : undefined),
  write: String,
};

export const keyForms: Readonly<Record<ScenarioKey, Form>> = {
  'queued-for': wait,
  'fail-row': row,
  'pause-at': rowPosition,
  'cancel-at': rowPosition,
  slow: wait,
  'api-429': share,
  'api-5xx': share,
  'upstream-429': share,
  'upstream-5xx': share,
  'upstream-no-answer': share,
  'upstream-slow': wait,
  seed,
};

function readRow(text: string): number | undefined {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}

const rowPositionText = (at: RowPosition): string => ('row' in at ? String(at.row) : `${at.percent}%`);

const units = [
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
] as const;

/** In the largest unit that holds it whole. */
function durationText(ms: number): string {
  const unit = units.find(([, unitMs]) => ms % unitMs === 0);
  return unit === undefined ? `${ms}ms` : `${ms / unit[1]}${unit[0]}`;
}
