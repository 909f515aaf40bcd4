import type { Value } from '../expressions/value.ts';

/**
 * Scheme, host and port of an address, as far as every row has the same. Strict on purpose: whatever a URL parser might
 * read in another way than a person does (user names, backslashes, other alphabets) is no plain origin.
 */
const plainOrigin =
  /^(https?:\/\/(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::\d{1,5})?)([/?#]|$)/i;

/** Undefined where rows decide, or where it could be misread. In lower case. */
export function originOf(url: Value): string | undefined {
  if (url.kind === 'literal') return typeof url.value === 'string' ? plain(url.value, true) : undefined;
  // The row worker holds a url`…` to the origin that it begins with.
  const [first] =
    url.kind === 'template' ? url.parts : [url.kind === 'expression' ? url.inUrl?.start : undefined];
  // Without the slash that ends the host, what is filled in would go on with it.
  return typeof first === 'string' ? plain(first, false) : undefined;
}

function plain(text: string, isWhole: boolean): string | undefined {
  const [, origin, end] = plainOrigin.exec(text) ?? [];
  return origin === undefined || (end === '' && !isWhole) ? undefined : origin.toLowerCase();
}

/** The value as it stands in the file. */
export function writtenText(value: Value): string {
  switch (value.kind) {
    case 'literal':
      return typeof value.value === 'string' ? value.value : JSON.stringify(value.value);
    case 'template':
      return value.parts.map((part) => (typeof part === 'string' ? part : `{{ ${part.source} }}`)).join('');
    case 'expression':
    case 'body':
      return `=${value.source}`;
    case 'object':
    case 'list':
      return '…';
  }
}
