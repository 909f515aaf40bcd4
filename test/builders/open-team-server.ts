// A server of a team in this process, over a new database of the test's own, and one user of each role.
import { fileURLToPath } from 'node:url';
import { startTeamServer } from '../../src-main/app/team/start-team-server.ts';
import { silentLog, type Log } from '../../src-main/base/log.ts';
import { roles, type Role } from '../../src-main/domain/access/role.ts';
import type { RunningApp } from '../../src-main/app/start-app.ts';
import { sharedProcesses } from './processes-for-tests.ts';

const workerScript = fileURLToPath(new URL('../../dist/row-worker.cjs', import.meta.url));

export type OpenTeamServer = RunningApp & { readonly tokens: Readonly<Record<Role, string>> };

export async function openTeamServer(
  databaseUrl: string,
  options: { readonly pagesFolder?: string; readonly log?: Log; readonly workflowFolders?: string[] } = {},
): Promise<OpenTeamServer> {
  const app = await startTeamServer({
    team: { environment: { ROWBENCH_DATABASE_URL: databaseUrl }, name: 'one', slots: 1 },
    port: 0,
    workerScript,
    pagesFolder: undefined,
    ...sharedProcesses(undefined),
    log: silentLog,
    ...options,
  });
  const tokens = {} as Record<Role, string>;
  for (const role of roles)
    tokens[role] = (await app.handlers['token.create']({ name: `the ${role}`, role })).secret;
  return { ...app, tokens };
}
