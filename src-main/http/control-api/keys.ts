// Procedures on keys.
import type { Handlers, KeyTest, KeyTestView, KeyView } from '../../contract/index.ts';
import { closestName } from '../../domain/closest-name.ts';
import type { ApiKey } from '../../domain/keys/api-key.ts';
import { placedIssue } from '../../domain/workflow/issue.ts';
import type { KeyService } from '../../services/key-service.ts';
import type { WorkflowService } from '../../services/workflow-service.ts';

export type KeyDeps = {
  readonly keys: KeyService;
  readonly workflows: WorkflowService;
  /** The answer that the public API would give to a call; the two APIs do not know each other. */
  readonly rehearse: (test: KeyTest) => Promise<RehearsedAnswer>;
};

type RehearsedAnswer = Pick<KeyTestView, 'status' | 'body' | 'refusal' | 'retryAfterSeconds'>;

export function createKeyHandlers(deps: KeyDeps) {
  const { keys, rehearse } = deps;
  return {
    'key.list': async () => keys.list().map(keyView),
    'key.create': async (newKey) => {
      const { key, secret } = await keys.create(newKey);
      return { key: keyView(key), secret };
    },
    'key.test': async (test) => {
      const answer = await rehearse(test);
      const key = await keys.recognise(test.key);
      const meant = await meantBy(deps, test, { key, refusal: answer.refusal });
      const problems = answer.refusal === 'workflow_invalid' ? await problemsOf(deps, test.workflowId) : [];
      return {
        ...answer,
        ...(key === undefined ? {} : { key: testedKey(key) }),
        ...(meant === undefined ? {} : { meant }),
        ...(problems.length === 0 ? {} : { problems }),
      };
    },
    'key.revoke': async ({ id }) => keyView(await keys.revoke(id)),
  } satisfies Partial<Handlers>;
}

/** A key as pages see it: everything but the hash. */
export const keyView = (key: ApiKey): KeyView => ({
  id: key.id,
  name: key.name,
  last4: key.last4,
  workflows: key.workflows,
  createdAt: key.createdAt,
  lastUsedAt: key.lastUsedAt,
  calls: key.calls,
  revokedAt: key.revokedAt,
});

const testedKey = ({ name, workflows, revokedAt }: ApiKey): NonNullable<KeyTestView['key']> => ({
  name,
  workflows,
  revokedAt,
});

type Outcome = { readonly key: ApiKey | undefined; readonly refusal: KeyTestView['refusal'] | undefined };

/** The likely slip behind a refusal: blanks that were copied along, or a misspelt workflow. */
async function meantBy(
  { keys, workflows }: KeyDeps,
  test: KeyTest,
  { key, refusal }: Outcome,
): Promise<KeyTestView['meant']> {
  if (key === undefined) {
    const bare = test.key.replaceAll(/\s/g, '');
    return bare !== test.key && (await keys.recognise(bare)) !== undefined
      ? { isKeyWithoutBlanks: true }
      : undefined;
  }
  if (refusal !== 'workflow_not_found') return undefined;
  const closest = closestName(
    test.workflowId,
    (await workflows.list()).map(({ id }) => id),
  );
  return closest === undefined ? undefined : { workflowId: closest };
}

async function problemsOf({ workflows }: KeyDeps, workflowId: string): Promise<readonly string[]> {
  const issues = (await workflows.find(workflowId))?.issues ?? [];
  return issues
    .filter(({ severity }) => severity === 'error')
    .slice(0, 5)
    .map(placedIssue);
}
