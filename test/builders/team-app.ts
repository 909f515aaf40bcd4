// A server whose users sign in with access tokens, and one user of each role.
import { roles, type Role } from '../../src-main/domain/access/role.ts';
import { sampleWorkflows, startTestApp, type TestApp } from './start-test-app.ts';

type TeamOptions = Omit<Parameters<typeof startTestApp>[0], 'access' | 'workflows'>;

type TeamAnswer = { readonly status: number; readonly code: string | null; readonly body: TeamBody };
type TeamBody = { readonly data?: never; readonly error?: string };

export type TeamApp = TestApp & {
  /** The access token of a user with that role. */
  readonly tokens: Readonly<Record<Role, string>>;
  readonly tokenIds: Readonly<Record<Role, string>>;
  /** One request below the control API's prefix. */
  ask(token: string | undefined, path: string, init?: RequestInit): Promise<TeamAnswer>;
  /** Calls a procedure. */
  perform(token: string, procedure: string, input?: unknown): Promise<TeamAnswer>;
};

export async function startTeamApp(options: TeamOptions = {}): Promise<TeamApp> {
  const app = await startTestApp({ ...options, access: 'tokens', workflows: sampleWorkflows });
  const created = await Promise.all(
    roles.map(
      async (role) => [role, await app.handlers['token.create']({ name: `the ${role}`, role })] as const,
    ),
  );
  const ask: TeamApp['ask'] = async (token, path, init = {}) => {
    const response = await fetch(`${app.url}/_rowbench/v1${path}`, {
      method: 'POST',
      ...init,
      headers: {
        'content-type': 'application/json',
        ...(token === undefined ? {} : { 'x-rowbench-token': token }),
        ...(init.headers as Record<string, string> | undefined),
      },
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
    return {
      status: response.status,
      code: response.headers.get('x-rowbench-error'),
      body: isJson ? (JSON.parse(text) as TeamBody) : {},
    };
  };
  return {
    ...app,
    tokens: Object.fromEntries(created.map(([role, { secret }]) => [role, secret])) as Record<Role, string>,
    tokenIds: Object.fromEntries(created.map(([role, { token }]) => [role, token.id])) as Record<
      Role,
      string
    >,
    ask,
    perform: (token, procedure, input = {}) =>
      ask(token, `/call/${procedure}`, { body: JSON.stringify(input) }),
  };
}
