// Puts the modules of a server into few files: each file costs a quarter of a millisecond of its start, and there were 140.
// Modules that the same of the programs below load share a file, so that each of these programs loads what it needs and no
// more. Other programs and commands may load a little more than they need. Modules that no server needs are left to the bundler.
import { join } from 'node:path';

const source = join(import.meta.dirname, '../src-main');
const programs: Readonly<Record<string, readonly string[]>> = {
  server: ['cli/commands/serve-command.ts'],
  cli: ['cli/cli-main.ts'],
  // Commands that are called often or in scripts, and load little.
  keys: ['cli/commands/keys-command.ts'],
  validate: ['cli/commands/validate-command.ts'],
  new: ['cli/commands/new-command.ts'],
  open: ['cli/commands/open-command.ts'],
  export: ['cli/commands/export-command.ts'],
  publish: ['cli/commands/publish-command.ts'],
};

/** The part of the bundler's context that is used here. */
type Modules = { getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null };

/** `output.codeSplitting` of the build. */
export function chunkGroups() {
  let loaded: readonly (readonly [name: string, ids: ReadonlySet<string>])[] | undefined;
  const name = (id: string, modules: Modules): string | null => {
    loaded ??= Object.entries(programs).map(([program, paths]) => [program, loadedBy(paths, modules)]);
    const names = loaded.filter(([, ids]) => ids.has(id)).map(([program]) => program);
    return names[0] === 'server' ? names.join('-') : null;
  };
  return { includeDependenciesRecursively: false, groups: [{ debugName: 'programs', name }] };
}

/** Ids of the modules that are loaded with those at these paths, without those that are loaded on demand. */
function loadedBy(paths: readonly string[], modules: Modules): ReadonlySet<string> {
  const ids = new Set(paths.map((path) => join(source, path)));
  // Those that are added meanwhile follow.
  for (const id of ids) {
    const module = modules.getModuleInfo(id);
    if (module === null) throw new Error(`chunk-groups.ts: the build has no ${id}`);
    for (const imported of module.importedIds) ids.add(imported);
  }
  return ids;
}
