// The examples of Rowbench as templates for new workflows. Who calls: `rowbench new`.
import { join } from 'node:path';
import { templateUnknown } from '../domain/workflow-errors.ts';
import { namesIn, readTextFile } from '../files/text-file.ts';

/** Files of a new workflow, in one folder, the workflow's own first. */
export type TemplateFile = { readonly name: string; readonly text: string };

const ending = '.workflow.yaml';

/** Names of the templates: examples that need no other workflow. */
export async function templateNames(folder: string): Promise<readonly string[]> {
  const names = (await namesIn(folder)).filter((name) => name.endsWith(ending));
  const texts = await Promise.all(names.map((name) => readTextFile(join(folder, name))));
  return names
    .filter((_, index) => texts[index]?.includes('type: workflow') === false)
    .map((name) => name.slice(0, -ending.length))
    .sort();
}

/** The files of a template, with the id of the new workflow. Throws `invalid_input` for an unknown one. */
export async function readTemplate(
  folder: string,
  template: string,
  id: string,
): Promise<readonly TemplateFile[]> {
  const known = await templateNames(folder);
  if (!known.includes(template)) throw templateUnknown(template, known);
  const names = (await namesIn(folder)).filter((name) => name.startsWith(`${template}.`));
  const own = `${template}${ending}`;
  const sorted = [own, ...names.filter((name) => name !== own).sort()];
  return Promise.all(
    sorted.map(async (name) => ({
      name: id + name.slice(template.length),
      text: renamed(await readTextFile(join(folder, name)), template, id),
    })),
  );
}

/** The names of examples occur nowhere but as ids and in names of files. */
const renamed = (text: string, template: string, id: string): string =>
  text
    .replace(/^# yaml-language-server:.*\n(?:#\n)?/, '')
    .replaceAll(`examples/${template}`, id)
    .replaceAll(new RegExp(`\\b${template}\\b`, 'g'), id);
