// One name, one meaning: a search for a name leads to one thing.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');

/** Names that two files export on purpose, with the reason. */
const shared: Readonly<Record<string, string>> = {
  CallLog: 'the API log: the service that keeps it, and the page that shows it',
  RunResults: 'the port of services, and the class of storage that implements it',
  StoreHealth: 'the port of services, and the class of storage that implements it',
  createControlApi: 'the two ends of the control API: the server, and the page',
};

const exported = /^export (?:abstract |async )*(?:const|function\*?|class|interface|type|enum) (\w+)/gm;

it('no two files export the same name for different things', async () => {
  const files = new Map<string, string[]>();
  for (const folder of ['src-main', 'src-renderer'])
    for (const name of await readdir(join(root, folder), { recursive: true })) {
      if (!name.endsWith('.ts')) continue;
      const text = await readFile(join(root, folder, name), 'utf8');
      for (const each of new Set([...text.matchAll(exported)].map(([, found = '']) => found)))
        files.set(each, [...(files.get(each) ?? []), join(folder, name)]);
    }
  expect(files.size).toBeGreaterThan(1000);
  const twice = [...files].filter(([, owners]) => owners.length > 1);
  expect(twice.filter(([name]) => !(name in shared))).toEqual([]);
  expect(twice.map(([name]) => name).sort()).toEqual(Object.keys(shared).sort());
});
