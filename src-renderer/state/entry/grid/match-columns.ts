// Guesses which column of a file or a pasted table feeds which field of the input node. A wrong guess costs more than
// none, so an ambiguous column is not guessed, and no column is guessed twice.

/** By field, the name of its column. Fields without a certain match are missing. */
export function matchColumns(
  fields: readonly string[],
  columns: readonly string[],
): ReadonlyMap<string, string> {
  const matches = new Map<string, string>();
  const fieldTerms = new Map(fields.map((name) => [name, termsOf(name)]));
  const columnTerms = new Map(columns.map((name) => [name, termsOf(name)]));
  for (const isMatch of stages) {
    const candidates = [...fieldTerms].map(([field, terms]) => ({
      field,
      columns: [...columnTerms].filter(([, other]) => isMatch(terms, other)).map(([column]) => column),
    }));
    const uses = candidates.flatMap((candidate) => candidate.columns);
    for (const { field, columns: found } of candidates) {
      const [column, ...others] = found;
      if (column === undefined) continue;
      const isUnique = others.length === 0 && uses.filter((used) => used === column).length === 1;
      if (isUnique) matches.set(field, column);
      // A vaguer stage cannot decide what is ambiguous in this one.
      fieldTerms.delete(field);
      for (const used of found) columnTerms.delete(used);
    }
  }
  return matches;
}

type Terms = {
  readonly name: string;
  /** The words in lower case, without accents, such as ["company", "size"]. */
  readonly words: readonly string[];
  /** The words that tell columns apart: "name" of "Full name". */
  readonly keywords: readonly string[];
};

/** From the most certain to the vaguest. */
const stages: readonly ((field: Terms, column: Terms) => boolean)[] = [
  (field, column) => field.name === column.name,
  (field, column) => field.words.length > 0 && field.words.join('') === column.words.join(''),
  (field, column) => isSameSet(field.keywords, column.keywords),
  // "Company size (range)" feeds company_size, but "Company name" does not feed name.
  (field, column) => field.keywords.length > 1 && includesAll(column.keywords, field.keywords),
  // "Amount (EUR)" feeds amount, and "Joined on" joined.
  (field, column) => beginsWith(column.words, field.words),
];

const synonyms: Readonly<Record<string, string>> = { mail: 'email', telephone: 'phone', tel: 'phone' };

/** Words that say nothing about a column's content beside another word. */
const fillers = new Set(
  'the a an of in your my full complete primary main contact address adresse adress number no nr field value'.split(
    ' ',
  ),
);

/** Words that make a column one about the thing that its first word names: "Email verified". */
const otherThings = new Set(
  'id ids key code type kind status state valid verified confirmed count url link domain hash language'.split(
    ' ',
  ),
);

function termsOf(name: string): Terms {
  const words = name
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replaceAll(/(\p{L})(\p{N})|(\p{N})(\p{L})/gu, '$1$3 $2$4')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/\be[^\p{L}\p{N}]*mail/gu, 'email')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  const plain = words.map((word) => synonyms[word] ?? word);
  const keywords = plain.filter((word) => !fillers.has(word));
  return { name, words, keywords: keywords.length > 0 ? keywords : plain };
}

const isSameSet = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && includesAll(a, b) && includesAll(b, a);

const includesAll = (all: readonly string[], some: readonly string[]): boolean =>
  some.length > 0 && some.every((word) => all.some((other) => isSameWord(word, other)));

function beginsWith(column: readonly string[], field: readonly string[]): boolean {
  const rest = column.slice(field.length);
  return (
    field.length > 0 &&
    rest.length > 0 &&
    field.every((word, index) => singular(word) === singular(column[index] ?? '')) &&
    !rest.some((word) => otherThings.has(word) || /^\p{N}/u.test(word))
  );
}

function isSameWord(a: string, b: string): boolean {
  return a === b || singular(a) === singular(b) || isTypo(a, b);
}

const singular = (word: string): string =>
  word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;

/** Shorter words differ in one letter too often: county and country. */
const minTypoLength = 8;

/** True for long words that differ by one missing letter or by two swapped ones; "employer" is no typo of "employee". */
function isTypo(a: string, b: string): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  if (long.length < minTypoLength || long.length - short.length > 1) return false;
  let at = 0;
  while (at < short.length && short[at] === long[at]) at += 1;
  if (short.length < long.length) return short.slice(at) === long.slice(at + 1);
  return (
    short[at] === long[at + 1] && short[at + 1] === long[at] && short.slice(at + 2) === long.slice(at + 2)
  );
}
