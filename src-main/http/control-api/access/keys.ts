// Procedures on keys.
import type { Handlers, KeyTest, KeyTestView } from '../../../contract/index.ts';
import { closestName } from '../../../domain/closest-name.ts';
import type { ApiKey } from '../../../domain/keys/api-key.ts';
import { placedIssue } from '../../../domain/workflow/issue.ts';
import { keyView } from '../../../presenters/key-view.ts';
import type { Services } from '../../../services/services.ts';
import type { WorkflowsRoom } from '../../../services/workflows/open.ts';
import type { ControlHost } from '../control-host.ts';

export function createKeyHandlers(rooms: Services, { rehearse }: ControlHost) {
  const { keys } = rooms.access;
  return {
    'key.list': async () => keys.list().map(keyView),
    'key.create': async (newKey) => {
      const { key, secret } = await keys.create(newKey);
      return { key: keyView(key), secret };
    },
    'key.test': async (test) => {
      const answer = await rehearse(test);
      const key = await keys.recognise(test.key);
      const meant = await meantBy(rooms, test, { key, refusal: answer.refusal });
      const problems =
        answer.refusal === 'workflow_invalid' ? await problemsOf(rooms.workflows, test.workflowId) : [];
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

const testedKey = ({ name, workflows, revokedAt }: ApiKey): NonNullable<KeyTestView['key']> => ({
  name,
  workflows,
  revokedAt,
});

type Outcome = { readonly key: ApiKey | undefined; readonly refusal: KeyTestView['refusal'] | undefined };

/** The likely slip behind a refusal: blanks that were copied along, or a misspelt workflow. */
async function meantBy(
  { access: { keys }, workflows: { workflows } }: Services,
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

async function problemsOf({ workflows }: WorkflowsRoom, workflowId: string): Promise<readonly string[]> {
  const issues = (await workflows.find(workflowId))?.issues ?? [];
  return issues
    .filter(({ severity }) => severity === 'error')
    .slice(0, 5)
    .map(placedIssue);
}
