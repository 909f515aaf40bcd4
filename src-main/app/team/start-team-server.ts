// A server of a team: the app over the team's database, with files of its own only while it runs. Who calls:
// `rowbench serve --database`, by a dynamic import.
import { createTemporaryFolder } from '../../files/temporary-folder.ts';
import { openTeamBackend, type TeamBackendOptions } from './open-team-backend.ts';
import { startApp, type AppOptions, type RunningApp } from '../start-app.ts';

type TeamServerOptions = Omit<
  AppOptions,
  'dataDir' | 'openBackend' | 'keepsWarm' | 'access' | 'sample' | 'readOnly'
> & {
  readonly team: TeamBackendOptions;
};

/** Throws as `startApp`, and `invalid_input` for a database that has other tables than this version needs. */
export async function startTeamServer({ team, ...options }: TeamServerOptions): Promise<RunningApp> {
  const folder = await createTemporaryFolder();
  try {
    const app = await startApp({
      ...options,
      dataDir: folder.path,
      openBackend: openTeamBackend({ ...team, metrics: options.metrics?.metrics }),
      keepsWarm: team.slots > 0,
      access: 'tokens',
      sample: false,
      readOnly: 'the workflows of a team are changed by publishing a folder with `rowbench publish`',
    });
    const close = async (): Promise<void> => {
      await app.close();
      await folder.remove();
    };
    return { ...app, close };
  } catch (error) {
    await folder.remove();
    throw error;
  }
}
