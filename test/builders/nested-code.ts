// Every way in which JavaScript nests, to any depth. Each text is valid apart from its depth, and reads only `row`.

type Nested = (depth: number) => string;

const around =
  (open: string, close = '', core = 'row'): Nested =>
  (depth) =>
    open.repeat(depth) + core + close.repeat(depth);

const chain =
  (link: string): Nested =>
  (depth) =>
    `row${link.repeat(depth)}`;

export const nestedExpressions: Readonly<Record<string, Nested>> = {
  parentheses: around('(', ')'),
  'array literals': around('[', ']'),
  'object literals': around('({ a: ', '})'),
  'computed keys': around('({ [', ']: 1 })'),
  'spread elements': around('[...', ']'),
  templates: around('`${', '}`'),
  'tagged templates': around('row`${', '}`'),
  calls: around('row.f(', ')'),
  'calls in a row': chain('()'),
  members: chain('.a'),
  'computed members': around('row.a[', ']'),
  'computed members in a row': chain('[0]'),
  'optional members': around('row?.[', ']'),
  'optional calls': around('row.f?.(', ')'),
  'optional chains': chain('?.a'),
  'tags in a row': chain('``'),
  negations: around('!'),
  'unary minus': around('- '),
  typeof: around('typeof '),
  'conditions in the test': around('(row ? 1 : ', ') ? 1 : 2'),
  'conditions in the first branch': around('row ? ', ' : 1'),
  'conditions in the second branch': around('row ? 1 : '),
  arrows: around('a => '),
  'arrows with a block': around('() => { return ', '}'),
  'async arrows': around('async a => '),
  'defaults of parameters': around('(a = ', ') => 1'),
  'patterns of lists': (depth) => `(${around('[', ']', 'a')(depth)}) => 1`,
  'patterns of objects': (depth) => `(${around('{ a: ', '}', 'a')(depth)}) => 1`,
  functions: around('(function () { return ', '})'),
  generators: (depth) => `(function* () { ${around('yield ')(depth)} })`,
  methods: around('({ a() { return ', '} })'),
  getters: around('({ get a() { return ', '} })'),
  'class fields': around('(class { a = ', '})'),
  'class heritage': around('class extends ', ' {}'),
  'class heritage in parentheses': around('(class extends ', ' {})'),
  'new without arguments': around('new ', '', 'row.A'),
  'new with arguments': around('new row.A(', ')'),
  assignments: (depth) => `(() => { ${around('row.a = ')(depth)}; })()`,
  'assigned patterns': (depth) => `${around('[', ']', 'row.a')(depth)} = row`,
  powers: around('2 ** ', '', '2'),
  sums: chain(' + row'),
  'sums in parentheses': around('1 + (', ')'),
  'mixed operators': around('1 + 2 * (', ')'),
  'logical operators': chain(' && row'),
  'groups of a regular expression': (depth) => `/${around('(', ')', 'a')(depth)}/`,
  'lookaheads of a regular expression': (depth) => `/${around('(?=', ')', 'a')(depth)}/u`,
  'classes of a regular expression': (depth) => `/${around('[', ']', 'a')(depth)}/v`,
};

export const nestedStatements: Readonly<Record<string, Nested>> = {
  blocks: around('{', '}', ';'),
  if: around('if (row) ', '', ';'),
  'else if': around('if (row) ; else ', '', ';'),
  for: around('for (;;) ', '', ';'),
  'for of': around('for (const a of row) ', '', ';'),
  while: around('while (row) ', '', ';'),
  do: around('do ', ' while (row);', ';'),
  labels: (depth) => `${Array.from({ length: depth }, (_, index) => `l${index}: `).join('')};`,
  try: around('try {', '} finally {}', ';'),
  catch: around('try {} catch {', '}', ';'),
  switch: around('switch (row) { default: ', '}', ';'),
  'function declarations': around('function f() {', '}', ';'),
  'static blocks': around('class A { static {', '} }', ';'),
  'declared patterns': (depth) => `let ${around('[', ']', 'a')(depth)} = row;`,
  await: (depth) => `return ${around('await ')(depth)};`,
};
