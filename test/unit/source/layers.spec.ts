// The rules of `npm run check:layers`, tried on imports that are planted in an empty folder.
import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { cruise, type IFlattenedRuleSet } from 'dependency-cruiser';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../builders/temporary-folder.ts';

const rules = createRequire(import.meta.url)('../../../dependency-cruiser.cjs') as IFlattenedRuleSet;

type PlantedImport = readonly [from: string, to: string];

/** The rules that the imports break, one text per broken rule. Each import is between two folders of `src-main`. */
async function brokenRules(imports: readonly PlantedImport[]): Promise<readonly string[]> {
  const folder = await temporaryFolder();
  const write = async (file: string, text: string): Promise<void> => {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), text);
  };
  const targetOf = (to: string): string => (to.endsWith('.ts') ? to : `${to}/target.ts`);
  for (const [index, [from, to]] of imports.entries()) {
    const up = '../'.repeat(from.split('/').length);
    await write(`src-main/${targetOf(to)}`, 'export const planted = 1;\n');
    await write(`src-main/${from}/from-${index}.ts`, `export { planted } from '${up}${targetOf(to)}';\n`);
  }
  const { output } = await cruise(['src-main'], {
    baseDir: folder,
    ruleSet: { forbidden: rules.forbidden ?? [] },
    validate: true,
    tsPreCompilationDeps: true,
  });
  if (typeof output === 'string') throw new Error(output);
  const folderOf = (file: string): string => dirname(file).replace('src-main/', '');
  return output.summary.violations.map(
    ({ from, to, rule }) => `${folderOf(from)} -> ${folderOf(to)}: ${rule.name}`,
  );
}

it('a room of the services cannot import a room above it or beside it', async () => {
  const wrong: readonly PlantedImport[] = [
    ['services/authoring', 'services/tests'],
    ['services/tests', 'services/authoring'],
    ['services/results', 'services/authoring'],
    ['services/results', 'services/tests'],
    ['services/runs', 'services/authoring'],
    ['services/runs', 'services/results'],
    ['services/workflows', 'services/runs'],
    ['services/workflows', 'services/rowsets'],
    ['services/workflows', 'services/access'],
    ['services/rowsets', 'services/runs'],
    ['services/access', 'services/workflows'],
    ['services/api', 'services/runs'],
  ];
  const broken = await brokenRules(wrong);
  expect([...broken].sort()).toEqual(wrong.map(([from, to]) => `${from} -> ${to}: room: ${from}`).sort());
});

it('a room of the services can import a room below it, and the ports', async () => {
  const right: readonly PlantedImport[] = [
    ['services/authoring', 'services/results'],
    ['services/authoring', 'services/access'],
    ['services/tests', 'services/results'],
    ['services/results', 'services/runs'],
    ['services/results', 'services/rowsets'],
    ['services/runs', 'services/workflows'],
    ['services/runs', 'services/ports.ts'],
    ['services/api', 'services/ports.ts'],
  ];
  expect(await brokenRules(right)).toEqual([]);
});

it('a room is opened by app alone', async () => {
  const door = 'services/results/open.ts';
  const broken = await brokenRules([
    ['app', door],
    ['services/authoring', door],
    ['http/control-api', door],
  ]);
  expect([...broken].sort()).toEqual(
    ['http/control-api', 'services/authoring'].map(
      (from) => `${from} -> services/results: rooms are opened by app alone`,
    ),
  );
});

it('a service belongs to a room', async () => {
  expect(await brokenRules([['services', 'domain']])).toEqual([
    'services -> domain: every service belongs to a room',
  ]);
});

it('a layer cannot import a layer above it', async () => {
  expect(await brokenRules([['domain', 'services/runs']])).toEqual([
    'domain -> services/runs: layer: src-main/domain',
  ]);
});
