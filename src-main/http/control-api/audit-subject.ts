// The ids of what a call was about. Only fields named here are read: every other one may hold a secret, a row or a text.
type Fields = Readonly<Record<string, unknown>>;
type Ids = Record<string, string>;

type Call = { readonly procedure: string; readonly input?: unknown; readonly answer?: unknown };

const idPattern = /^[\w.-]{1,100}$/;
/** Runs that a record names at most. */
const maxListed = 100;

export function auditSubject({ procedure, input, answer }: Call): Ids {
  const ids = { ...idsOf(fieldsOf(input)), ...moreOf(procedure, fieldsOf(input)) };
  const { runId: answerRunId, ...answerIds } = answerIdsOf(answer);
  if (answerRunId === undefined) return { ...ids, ...answerIds };
  // The run that repeats another one.
  const isOther = ids['runId'] !== undefined && ids['runId'] !== answerRunId;
  return { ...ids, ...answerIds, ...(isOther ? { newRunId: answerRunId } : { runId: answerRunId }) };
}

function idsOf(fields: Fields): Ids {
  const ids: Ids = {};
  for (const name of ['workflowId', 'runId', 'id']) {
    const id = idIn(fields[name]);
    if (id !== undefined) ids[name] = id;
  }
  return ids;
}

/** Names that procedures have in other fields. */
function moreOf(procedure: string, input: Fields): Ids {
  if (procedure.startsWith('secret.')) return entry('secret', idIn(input['name']));
  if (procedure === 'settings.change') return entry('settings', listed(Object.keys(input)));
  if (procedure === 'calls.replay') return entry('call', String(input['number']));
  if (procedure === 'run.bulk') return entry('verb', idIn(input['verb']));
  return {};
}

function answerIdsOf(answer: unknown): Ids {
  if (Array.isArray(answer)) return entry('workflowIds', listed(answer.map((each) => fieldsOf(each)['id'])));
  const fields = fieldsOf(answer);
  const { results } = fields;
  return {
    ...idsOf(fields),
    ...idsOf(fieldsOf(fields['key'])),
    ...idsOf(fieldsOf(fields['token'])),
    ...(Array.isArray(fields['workflowIds']) ? entry('workflowIds', listed(fields['workflowIds'])) : {}),
    ...(Array.isArray(results)
      ? entry('runIds', listed(results.map((each) => fieldsOf(each)['runId'])))
      : {}),
  };
}

const entry = (name: string, value: string | undefined): Ids =>
  value === undefined ? {} : { [name]: value };

/** The ids in a list, with blanks between; undefined if there are none. */
function listed(values: readonly unknown[]): string | undefined {
  const ids = values.flatMap((value) => idIn(value) ?? []);
  return ids.length === 0 ? undefined : ids.slice(0, maxListed).join(' ');
}

const idIn = (value: unknown): string | undefined =>
  typeof value === 'string' && idPattern.test(value) ? value : undefined;

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};
