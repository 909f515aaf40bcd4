// What the picker of nodes offers, and how it is found by everyday words. Who calls: the app's graph.
import type { JsonObject, JsonValue } from '../../base/json-value.ts';
import { closestName } from '../closest-name.ts';
import type { NodeIntent } from './node-type.ts';

/** A key of nodes that the picker sets on the selected ones. */
type IntentKey = 'when' | 'each';

/** Adding it writes one node, a key of the selected nodes, or several nodes. */
export type NodeEntry = Required<Omit<NodeIntent, 'newKeys'>> &
  (
    | {
        readonly kind: 'node';
        readonly type: string;
        readonly newKeys: JsonObject;
        readonly firstField: string | null;
      }
    /** `excluded`: types whose nodes cannot have the key. */
    | {
        readonly kind: 'key';
        readonly key: IntentKey;
        readonly value: JsonValue;
        readonly excluded: readonly string[];
      }
    /** `text`: the nodes, as a workflow file has them. */
    | { readonly kind: 'template'; readonly text: string }
  );

/** A node type, as far as the picker has to know it. */
type EntryType = {
  readonly type: string;
  readonly summary: string;
  readonly firstField: string | null;
  readonly intents: readonly NodeIntent[];
  readonly without?: readonly string[];
};

/** All entries: conditions and loops, those of the types in their order (the input last), templates. */
export function nodeEntries(types: readonly EntryType[]): readonly NodeEntry[] {
  const ofTypes = types.flatMap(({ type, summary, firstField, intents }) =>
    intents.map((intent): NodeEntry => ({ kind: 'node', type, summary, firstField, ...intent })),
  );
  const isInput = (entry: NodeEntry): boolean => entry.kind === 'node' && entry.type === 'input';
  return [
    ...keyEntries.map((entry): NodeEntry => ({
      ...entry,
      excluded: types.flatMap(({ type, without }) => (without?.includes(entry.key) === true ? [type] : [])),
    })),
    ...ofTypes.filter((entry) => !isInput(entry)),
    ...templates,
    // A workflow has one input.
    ...ofTypes.filter(isInput),
  ];
}

/** Words that are close to a searched one count only where no entry has better ones. */
const misspelt = 2;

/** The entries that have all words of the search, the best ones first. An empty search finds all. */
export function findEntries(entries: readonly NodeEntry[], search: string): readonly NodeEntry[] {
  const searched = wordsOf(search);
  const text = search.trim().toLowerCase();
  const found = entries
    .flatMap((entry) => {
      const distance = distanceOf(entry, searched);
      return distance === undefined ? [] : [{ entry, distance, isExact: entry.title.toLowerCase() === text }];
    })
    .sort((one, other) => one.distance - other.distance || Number(other.isExact) - Number(one.isExact));
  const isMisspelt = found[0]?.distance === misspelt;
  return found.filter(({ distance }) => isMisspelt || distance !== misspelt).map(({ entry }) => entry);
}

/** Answers searches for what no node does; undefined for other searches. */
export const searchHint = (search: string): string | undefined =>
  /^\s*(?:trigger|schedule|cron|timer)/i.test(search)
    ? 'Scripts start runs: see Snippets below the graph.'
    : undefined;

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\d]+/gu) ?? [];

/** 0: all searched words stand in the entry; then beginnings, one wrong letter, its summary; undefined: not all do. */
function distanceOf(entry: NodeEntry, searched: readonly string[]): number | undefined {
  const type = entry.kind === 'node' ? entry.type : '';
  const words = wordsOf(`${entry.title} ${entry.keywords} ${type}`);
  const further = wordsOf(entry.summary);
  let farthest = 0;
  for (const word of searched) {
    const distance = words.includes(word)
      ? 0
      : words.some((each) => each.startsWith(word))
        ? 1
        : word.length > 3 && closestName(word, words) !== undefined
          ? misspelt
          : further.some((each) => each.startsWith(word))
            ? 3
            : undefined;
    if (distance === undefined) return undefined;
    farthest = Math.max(farthest, distance);
  }
  return farthest;
}

const keyEntries: readonly Omit<Extract<NodeEntry, { kind: 'key' }>, 'excluded'>[] = [
  {
    kind: 'key',
    title: 'Condition',
    summary: 'Lets the selected nodes run only if an expression holds (`when`).',
    keywords: 'if else branch condition only skip when',
    key: 'when',
    value: true,
  },
  {
    kind: 'key',
    title: 'For each item',
    summary: 'Runs the selected node once for each item of a list (`each`).',
    keywords: 'loop for each iterate list items array',
    key: 'each',
    value: '=[]',
  },
];

const templates: readonly NodeEntry[] = [
  {
    kind: 'template',
    title: 'Sign in once',
    summary: 'A request with a token that one sign-in gives for all rows (OAuth 2).',
    keywords: 'template login token oauth auth authentication credentials',
    text: `- id: signed_in
  type: http
  request: { url: https://api.example.com/orders }
  auth:
    oauth2:
      tokenUrl: https://login.example.com/oauth/token
      clientId: my-client
      secret: CLIENT_SECRET
`,
  },
  {
    kind: 'template',
    title: 'Read, score, write back',
    summary: 'Reads a record of a service, computes a score, and sends it back.',
    keywords: 'template enrich score crm update',
    text: `- id: record
  type: http
  request: { url: 'https://api.example.com/records/{{ row.id }}' }
- id: score
  type: set
  values:
    score: '=nodes.record.body.size > 100 ? 2 : 1'
- id: written
  type: http
  request:
    method: PATCH
    url: https://api.example.com/records/{{ row.id }}
    body: { score: =nodes.score.score }
`,
  },
  {
    kind: 'template',
    title: 'Fall back to a second service',
    summary: 'Asks a second service where the first one fails, and takes the answer that came.',
    keywords: 'template fallback error backup alternative retry',
    text: `- id: first
  type: http
  request: { url: 'https://api.example.com/companies/{{ row.id }}' }
  onError: { value: null }
- id: second
  type: http
  when: nodes.first == null
  request: { url: 'https://other.example.com/companies/{{ row.id }}' }
- id: answer
  type: set
  values:
    company: =(nodes.first ?? nodes.second).body
`,
  },
  {
    kind: 'template',
    title: "Check a model's answer",
    summary: 'Asks a model for JSON and fails the row unless the answer is plausible.',
    keywords: 'template ai llm guard validate assert gpt',
    text: `- id: judged
  type: llm
  baseUrl: http://localhost:11434/v1
  model: llama3.2
  messages:
    - { role: user, content: 'Give a score from 0 to 10: {{ JSON.stringify(row) }}' }
  json:
    type: object
    properties: { score: { type: number } }
    required: [score]
- id: plausible
  type: assert
  that: nodes.judged.json.score >= 0 && nodes.judged.json.score <= 10
  message: 'The model gave the score {{ nodes.judged.json.score }}'
`,
  },
];
