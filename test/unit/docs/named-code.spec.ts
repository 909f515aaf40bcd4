// Files, names and links in the documents for developers lead somewhere.
import { access, readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const pages = (await readdir(join(root, 'docs/architecture'))).map((name) => `docs/architecture/${name}`);
const documents = ['README.md', 'CONTRIBUTING.md', 'docs/ARCHITECTURE.md', ...pages];

/** Names of the platform that the documents mention because the code does without them. */
const foreign = new Set(['EventSource']);

const codeFiles = /\.(ts|svelte|mjs|cjs|css)$/;
const files: string[] = [];
for (const folder of ['src-main', 'src-renderer', 'test', 'scripts'])
  for (const name of await readdir(join(root, folder), { recursive: true }))
    if (codeFiles.test(name)) files.push(`/${folder}/${name}`);
for (const name of await readdir(root)) if (codeFiles.test(name)) files.push(`/${name}`);
const names = new Set<string>();
for (const file of files)
  for (const [name] of (await readFile(join(root, file), 'utf8')).matchAll(/[A-Za-z]\w+/g)) names.add(name);

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

it.each(documents)('%s names only files, names and pages that exist', async (document) => {
  const text = await readFile(join(root, document), 'utf8');
  const quoted = [...text.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
  const paths = quoted.filter((code) => /^[\w./-]+$/.test(code) && codeFiles.test(code));
  expect(paths.filter((path) => !files.some((file) => file.endsWith(`/${path}`)))).toEqual([]);
  const named = quoted
    .filter(
      (code) =>
        /^[A-Za-z]\w+(\.\w+)?$/.test(code) && /[a-z][A-Z]|^[A-Z][a-z]/.test(code) && !codeFiles.test(code),
    )
    .flatMap((code) => code.split('.'));
  expect(named.filter((name) => !names.has(name) && !foreign.has(name))).toEqual([]);
  for (const [, link = ''] of text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g))
    expect([link, await exists(join(root, dirname(document), link))]).toEqual([link, true]);
});
