import type { JsonValue } from '../../../base/json-value.ts';
import { parseText } from '../../expressions/parse-value.ts';
import { itemNames } from '../../expressions/scope.ts';

/** A value of the file as the text of its JSON: itself a text, or an expression if the value has expressions. */
export function jsonTextOf(value: JsonValue): string | undefined {
  const script = scriptOf(value);
  if (script === undefined) return undefined;
  const json = JSON.stringify(value);
  return script === json ? json : `=JSON.stringify(${script})`;
}

/** The value as JavaScript; undefined if an expression in it has a mistake. */
function scriptOf(value: JsonValue): string | undefined {
  if (typeof value === 'string') return scriptOfText(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const isList = Array.isArray(value);
  const members = Object.entries(value).map(([key, member]: [string, JsonValue]) => {
    const script = scriptOf(member);
    return script === undefined ? undefined : isList ? script : `${JSON.stringify(key)}:${script}`;
  });
  if (members.includes(undefined)) return undefined;
  return isList ? `[${members.join(',')}]` : `{${members.join(',')}}`;
}

function scriptOfText(text: string): string | undefined {
  const parsed = parseText(text, { names: itemNames });
  if (!parsed.ok) return undefined;
  switch (parsed.value.kind) {
    case 'expression':
      return parsed.value.source;
    case 'template':
      return `\`${parsed.value.parts
        .map((part) =>
          typeof part === 'string' ? part.replaceAll(/[`\\$]/g, String.raw`\$&`) : `\${${part.source}}`,
        )
        .join('')}\``;
    default:
      return JSON.stringify(text);
  }
}
