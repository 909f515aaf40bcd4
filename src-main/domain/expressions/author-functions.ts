// The functions that Rowbench adds to JavaScript for expressions and code. executor/worker/functions implements them; the
// reference for people, docs/guide/functions.md, is made of this list.

export type FunctionEntry = {
  /** As it is called, such as `date.add(when, duration, zone?)`. A "?" marks what may be left out. */
  readonly form: string;
  readonly description: string;
  readonly example: string;
  /** Value of the example. */
  readonly result: unknown;
};

export type FunctionGroup = {
  readonly title: string;
  readonly notes?: string;
  readonly functions: readonly FunctionEntry[];
};

const encodings: FunctionGroup = {
  title: 'Encodings',
  notes: `Text is UTF-8. A function accepts at most 4,194,304 characters. \`decode\` fails for what is not the encoding of a text.
Signatures and secrets do not belong in expressions: see [\`auth\`](nodes.md#http).`,
  functions: [
    {
      form: 'base64.encode(text)',
      description: 'The text in Base64.',
      example: "base64.encode('Käse?')",
      result: 'S8Okc2U/',
    },
    {
      form: 'base64.encodeUrl(text)',
      description: 'The text in the Base64 of URLs and tokens, without padding.',
      example: "base64.encodeUrl('Käse?')",
      result: 'S8Okc2U_',
    },
    {
      form: 'base64.decode(text)',
      description:
        'The text behind Base64, in either alphabet, with or without padding. Blanks and line breaks in it are left out.',
      example: "base64.decode('S8Okc2U_')",
      result: 'Käse?',
    },
    {
      form: 'hex.encode(text)',
      description: 'The bytes of the text, two digits each.',
      example: "hex.encode('é')",
      result: 'c3a9',
    },
    {
      form: 'hex.decode(text)',
      description: 'The text behind these digits. Blanks and line breaks between them are left out.',
      example: "hex.decode('C3A9')",
      result: 'é',
    },
    {
      form: 'query.encode(object)',
      description:
        'A query for a URL or a form. A list gives its key several times; null and undefined are left out.',
      example: "query.encode({ q: 'a b', tag: [1, 2] })",
      result: 'q=a%20b&tag=1&tag=2',
    },
    {
      form: 'query.decode(text)',
      description:
        'The keys of a query with their texts; a key that occurs several times has a list. An escape that is not UTF-8, such as one `%E9` of Latin-1, stays as it is written.',
      example: "query.decode('?q=a+b&tag=1&tag=2')",
      result: { q: 'a b', tag: ['1', '2'] },
    },
    {
      form: 'sha256(text, encoding?)',
      description: "The SHA-256 of the text, as 'hex' or 'base64'.",
      example: "sha256('abc')",
      result: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    },
    {
      form: 'uuid()',
      description:
        'A random UUID (version 4). Like `Math.random()` it follows from the seed of the run, so a rerun gives the same one.',
      example: 'uuid().length',
      result: 36,
    },
  ],
};

const dates: FunctionGroup = {
  title: 'Dates',
  notes: `\`when\` is a date as ISO text, with a \`T\` or a blank before the time, a \`Date\`, or milliseconds since 1970. \`zone\` is a time zone such as \`Europe/Berlin\` or an
offset such as \`+02:00\`; without it, UTC. Text without an offset is a time in the zone. Results are ISO text. Units are
\`years\`, \`quarters\`, \`months\`, \`weeks\`, \`days\`, \`hours\`, \`minutes\`, \`seconds\` and \`milliseconds\`. Patterns are those of
[Luxon](https://moment.github.io/luxon/#/formatting?id=table-of-tokens). For the current date, use \`new Date()\`.`,
  functions: [
    {
      form: 'date.add(when, duration, zone?)',
      description:
        'The date that much later; a negative number gives an earlier one. Days and longer units keep the time of day in the zone, and the last day of a month stays within the month.',
      example: "date.add('2026-01-31', { months: 1, hours: 12 })",
      result: '2026-02-28T12:00:00.000Z',
    },
    {
      form: 'date.difference(from, to, unit, zone?)',
      description: 'How many units lie between two dates, with the part of a unit that remains.',
      example: "date.difference('2026-01-01', '2026-01-31T12:00:00Z', 'days')",
      result: 30.5,
    },
    {
      form: 'date.format(when, pattern, zone?, language?)',
      description: "The date as text. Names are English, or in a language such as 'de' or 'pt-BR'.",
      example: "date.format('2026-07-01T12:00:00Z', 'd LLLL yyyy, HH:mm', 'Europe/Berlin', 'de')",
      result: '1 Juli 2026, 14:00',
    },
    {
      form: 'date.parse(text, pattern, zone?)',
      description: 'The date that a text in this pattern means.',
      example: "date.parse('31.12.2026 18:00', 'dd.MM.yyyy HH:mm', 'Europe/Berlin')",
      result: '2026-12-31T18:00:00.000+01:00',
    },
    {
      form: 'date.startOf(when, unit, zone?)',
      description: 'The first moment of the unit that the date is in. Weeks begin on Monday.',
      example: "date.startOf('2026-11-26T17:30:00Z', 'months')",
      result: '2026-11-01T00:00:00.000Z',
    },
    {
      form: 'date.endOf(when, unit, zone?)',
      description: 'The last millisecond of the unit that the date is in.',
      example: "date.endOf('2026-02-10', 'months')",
      result: '2026-02-28T23:59:59.999Z',
    },
  ],
};

const decimals: FunctionGroup = {
  title: 'Decimals',
  notes: `For money and other decimals that binary numbers cannot hold: \`0.1 + 0.2\` is not \`0.3\`. Arguments are texts, numbers or
BigInts of at most 1,000 digits; results are texts without an exponent, so that JSON keeps each digit. Zero has no
sign.`,
  functions: [
    {
      form: 'decimal.add(a, b, …)',
      description: 'The sum.',
      example: "decimal.add('0.1', '0.2')",
      result: '0.3',
    },
    {
      form: 'decimal.subtract(a, b)',
      description: 'The difference.',
      example: "decimal.subtract('10', '0.01')",
      result: '9.99',
    },
    {
      form: 'decimal.multiply(a, b, …)',
      description: 'The product.',
      example: "decimal.multiply('19.99', 3)",
      result: '59.97',
    },
    {
      form: 'decimal.divide(a, b, digits)',
      description: 'The quotient, rounded to that many digits behind the point, halves away from zero.',
      example: 'decimal.divide(2, 3, 4)',
      result: '0.6667',
    },
    {
      form: 'decimal.round(a, digits, rule?)',
      description:
        "The number with exactly that many digits behind the point. Rules: 'half-up' (away from zero, the default), 'half-even', 'up' (away from zero), 'down' (towards zero).",
      example: "decimal.round('1.005', 2)",
      result: '1.01',
    },
    {
      form: 'decimal.compare(a, b)',
      description: '-1, 0 or 1: whether a is less than b, equal to it, or greater.',
      example: "decimal.compare('1.10', '1.1')",
      result: 0,
    },
    {
      form: 'decimal.sum(list)',
      description: 'The sum of a list; 0 if it is empty.',
      example: "decimal.sum(['1.10', 2.2, '3'])",
      result: '6.3',
    },
  ],
};

const lists: FunctionGroup = {
  title: 'Lists',
  notes:
    'None of them changes the list. `key` is the name of a property of the items, or a function of an item.',
  functions: [
    {
      form: 'groupBy(list, key)',
      description: 'An object with a list of items for each value of the key.',
      example: "groupBy([{ c: 'DE', n: 1 }, { c: 'FR', n: 2 }, { c: 'DE', n: 3 }], 'c')",
      result: {
        DE: [
          { c: 'DE', n: 1 },
          { c: 'DE', n: 3 },
        ],
        FR: [{ c: 'FR', n: 2 }],
      },
    },
    {
      form: 'unique(list, key?)',
      description:
        'The items without repetition: of those with the same value, or the same key, the first one.',
      example: "unique([{ id: 1 }, { id: 2 }, { id: 1 }], 'id')",
      result: [{ id: 1 }, { id: 2 }],
    },
    {
      form: 'sortBy(list, key, order?)',
      description:
        "The items in the order of the key, 'ascending' or 'descending'. Numbers come before texts, and items without the key come last. Items with equal keys keep their order.",
      example: 'sortBy([3, 10, 2], (n) => n)',
      result: [2, 3, 10],
    },
    {
      form: 'chunk(list, size)',
      description: 'Lists of that many items; the last one may have fewer.',
      example: 'chunk([1, 2, 3, 4, 5], 2)',
      result: [[1, 2], [3, 4], [5]],
    },
  ],
};

/** All of them, in the order of the reference. */
export const authorFunctions: readonly FunctionGroup[] = [encodings, dates, decimals, lists];

/** `base64` of `base64.encode(text)`. */
const globalOf = ({ form }: FunctionEntry): string => /^\w+/.exec(form)?.[0] ?? '';

/** The global names: functions, and objects of functions such as `date`. */
export const functionNames: readonly string[] = [
  ...new Set(authorFunctions.flatMap(({ functions }) => functions.map(globalOf))),
];
