// A Vite plugin: writes down, beside what it bundles, which packages are in it and under which licences.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Plugin } from 'vite';

type Licence = {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  readonly text: string;
};

type Options = {
  /** Where the list goes in the build's folder. */
  readonly fileName: string;
  /** A list of another build that belongs to the same program. */
  readonly further?: string;
};

export function licences({ fileName, further }: Options): Plugin {
  let root = '';
  return {
    name: 'rowbench-licences',
    configResolved(config) {
      root = config.root;
    },
    generateBundle(_options, bundle) {
      // Fonts and the like are no modules: only what they became tells where they came from.
      const files = Object.values(bundle).flatMap((each) =>
        each.type === 'asset' ? each.originalFileNames.map((name) => resolve(root, name)) : [],
      );
      const folders = new Set([...this.getModuleIds(), ...files].flatMap(packageFolder));
      const all = [...[...folders].map(licenceOf), ...(further === undefined ? [] : listIn(further))];
      const unique = [...new Map(all.map((each) => [`${each.name}@${each.version}`, each])).values()];
      unique.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
      this.emitFile({ type: 'asset', fileName, source: JSON.stringify(unique) });
    },
  };
}

/** The folder below the last `node_modules` of a module's path, of which a bundler knows several spellings. */
function packageFolder(id: string): readonly string[] {
  const path = id.replace(/^\0/, '').replace(/\?.*$/, '').replaceAll('\\', '/');
  const folder = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0];
  return folder === undefined ? [] : [folder];
}

function licenceOf(folder: string): Licence {
  const about = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, unknown>;
  const { name, version, license } = about;
  if (typeof name !== 'string' || typeof version !== 'string' || typeof license !== 'string')
    throw new Error(`${folder} names no licence`);
  const file = readdirSync(folder).find((each) => /^(licen[cs]e|copying|ofl)/i.test(each));
  const text =
    file === undefined ? `${name} is licensed under ${license}.` : readFileSync(join(folder, file), 'utf8');
  return { name, version, licence: license, text };
}

function listIn(file: string): readonly Licence[] {
  if (!existsSync(file)) throw new Error(`${file} is missing: build what writes ${dirname(file)} first`);
  return JSON.parse(readFileSync(file, 'utf8')) as Licence[];
}
