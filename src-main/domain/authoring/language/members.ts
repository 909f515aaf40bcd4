// Members of values in code, with their types and examples.
import type { JsonObject } from '../../../base/json-value.ts';
import type { Sample } from '../../nodes/node-type.ts';
import { valueAt } from '../../workflow/value-at.ts';

export type Member = { readonly name: string; readonly detail?: string; readonly info?: string };

/** Maximum characters of an example. */
const maxExample = 120;

/** The keys that the values have, each with its type, an example, and in how many of the values it is. */
export function sampleMembers(samples: readonly Sample[], described: JsonObject = {}): Member[] {
  const objects = samples.filter(isObject);
  const names = [...new Set(objects.flatMap((object) => Object.keys(object)))];
  return names.map((name) => {
    const values = objects.flatMap((object) => (Object.hasOwn(object, name) ? [object[name]] : []));
    const [type, description] = [typeOf(values), valueAt(described, [name, 'description'])];
    const example = values.find((value) => value !== undefined && value !== '' && !Number.isNaN(value));
    const shown = example === undefined || isEmpty(example) ? undefined : JSON.stringify(example);
    const seen =
      values.length < objects.length && shown !== undefined
        ? ` in ${values.length} of ${objects.length} values`
        : '';
    const info = [
      typeof description === 'string' ? description : '',
      shown === undefined
        ? ''
        : `${shown.slice(0, maxExample)}${shown.length > maxExample ? '…' : ''}${seen}`,
    ].filter((line) => line !== '');
    return {
      name,
      ...(type === undefined ? {} : { detail: type }),
      ...(info.length === 0 ? {} : { info: info.join('\n') }),
    };
  });
}

const isObject = (sample: Sample): sample is { readonly [key: string]: Sample } =>
  typeof sample === 'object' && sample !== null && !Array.isArray(sample);

const isEmpty = (sample: Sample): boolean =>
  typeof sample === 'object' && sample !== null && Object.keys(sample).length === 0;

/** JavaScript's own members of the values, if all are texts or all are lists. */
export function membersOfKind(samples: readonly Sample[], chain: readonly string[]): readonly Member[] {
  const type = typeOf(samples);
  if (chain.length < 2) return [];
  const names =
    type === 'text' ? textMembers : type === 'list' ? listMembers : type === 'number' ? numberMembers : [];
  return names.map((name) => ({ name, detail: 'JavaScript' }));
}

const textMembers = [
  ...['length', 'trim', 'toLowerCase', 'toUpperCase', 'split', 'slice', 'includes', 'startsWith', 'endsWith'],
  ...['replace', 'replaceAll', 'match', 'indexOf', 'padStart', 'at', 'charAt', 'repeat', 'normalize'],
];
const listMembers = [
  ...['length', 'map', 'filter', 'find', 'some', 'every', 'reduce', 'includes', 'join', 'slice', 'at'],
  ...['flatMap', 'concat', 'indexOf', 'toSorted', 'toReversed', 'flat', 'findIndex'],
];
const numberMembers = ['toFixed', 'toString', 'toPrecision'];

function typeOf(samples: readonly Sample[]): string | undefined {
  const types = new Set(
    samples.flatMap((sample) => (sample === undefined || sample === null ? [] : [nameOf(sample)])),
  );
  return types.size === 1 ? [...types][0] : undefined;
}

function nameOf(sample: NonNullable<Sample>): string {
  if (Array.isArray(sample)) return 'list';
  switch (typeof sample) {
    case 'string':
      return 'text';
    case 'number':
      return 'number';
    case 'boolean':
      return 'true or false';
    default:
      return 'object';
  }
}
