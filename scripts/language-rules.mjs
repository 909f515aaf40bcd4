// Lint rules for the language of the code: words that stand in no name, and comments that name their subject.
// CONTRIBUTING.md says why.

/** Words of one's own for things that the field has names for: as a whole name, or as a camel-case part of one. */
const bannedWords = {
  'place|places': 'index, offset, range, route or address',
  given: 'props, options, input or reused',
  wanted: 'requested or target',
  'held|holds': 'paused or blocked',
  'fact|facts': 'event, record or metadata',
  kept: 'stored, reused or recorded',
  asked: 'requested or pending',
  'told|tell|tells': 'emit, notify, report or sent',
  beside: 'dependencies, sidecar or next to',
  'wish|wishes': 'options',
  pace: 'throughput or rate',
  turns: 'mutex or latest',
  spare: 'recycled, warm or overscan',
  lives: 'active runs',
  'seat|crew': 'slot or workers',
  portion: 'batch',
  intake: 'writer',
  ways: 'navigator or directions',
  flaw: 'formatError',
  'park|parked|unpark': 'suspend or evict',
  noted: 'logged',
  allowance: 'budget',
  patience: 'timeout or maxQueueMs',
  awaited: 'pending',
  forced: 'preset',
  'resting|rests': 'idle',
  lasting: 'stateless',
  'tidy|litter': 'retention or orphaned',
  verdict: 'action',
  judge: 'check, compare or decide',
  careful: 'isolated',
  fruitless: 'failed',
  breather: 'yieldToMain',
};

/** Names whose whole form is banned, where the word alone would be good English. */
const bannedForms = [
  { pattern: /^(most|least)[A-Z]/, message: 'Call it max… or min….' },
  { pattern: /[a-z]Parts$/, message: 'Call collaborators …Deps and values …Options.' },
  { pattern: /[a-z]Words$/, message: 'Call it …Labels, …Messages or …Text.' },
  { pattern: /^strip$|^Strip[A-Z]|[a-z]Strip([A-Z]|$)/, message: 'Call it minimap.' },
  { pattern: /^(Run|Entry)Draft|^DraftFacts/, message: 'Call it NewRun, RunMetadata or RowEditor.' },
  { pattern: /^stops$|[a-z]Stops$/, message: 'Call them breakpoints.' },
  { pattern: /^(giveUp|takeStock|inTurn|unfold|RunLife|ReplayPass)$/, message: "Use the field's term." },
];

const byWord = new Map(
  Object.entries(bannedWords).flatMap(([words, instead]) => words.split('|').map((word) => [word, instead])),
);

/** Names of fields in files and databases, which stay as they are: the name → where it is stored. */
const storedNames = {
  place: 'calls in the lines of traces (domain/results/row-trace.ts)',
  pace: 'statistics of runs in rowbench.db (domain/results/run-statistics.ts)',
};

/** What is wrong with a name; undefined: nothing. */
export function nameProblem(name) {
  for (const { pattern, message } of bannedForms) if (pattern.test(name)) return message;
  for (const word of name.split(/(?=[A-Z])|[^A-Za-z]+/)) {
    const instead = byWord.get(word.toLowerCase());
    if (instead !== undefined) return `"${word.toLowerCase()}" is a word of our own. Say ${instead}.`;
  }
  return undefined;
}

/** Comments name what they are about, and who acts. */
const bannedComments = [
  {
    pattern: /^\*\s*(Of|What|Whether) /,
    message: 'Begin with the noun that is described, or with "True if".',
  },
  { pattern: /\b(somebody|nobody|whoever)\b/i, message: 'Name the actor: client, user, caller, reader…' },
];

const comments = {
  create: (context) => ({
    Program: () => {
      for (const comment of context.sourceCode.getAllComments())
        for (const { pattern, message } of bannedComments)
          if (pattern.test(comment.value)) context.report({ loc: comment.loc, message });
    },
  }),
};

/** Checks where a name is declared; its uses follow. A key of an object literal is declared by the literal's type. */
const names = {
  create: (context) => {
    const check = (node) => {
      if (node.type !== 'Identifier' && node.type !== 'PrivateIdentifier') return;
      const message = nameProblem(node.name);
      if (message !== undefined) context.report({ node, message: `${node.name}: ${message}` });
    };
    const checkKey = (node) => !node.computed && check(node.key);
    return {
      'Program:exit'() {
        const { scopeManager } = context.sourceCode;
        for (const scope of scopeManager.scopes)
          for (const variable of scope.variables)
            for (const { type, name } of variable.defs) if (type !== 'ImportBinding') check(name);
      },
      PropertyDefinition: checkKey,
      MethodDefinition: checkKey,
      AccessorProperty: checkKey,
      TSPropertySignature: (node) => !(node.key.name in storedNames) && checkKey(node),
      TSMethodSignature: checkKey,
      TSEnumMember: (node) => check(node.id),
    };
  },
};

export default { meta: { name: 'language' }, rules: { comments, names } };
