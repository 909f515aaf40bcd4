// Texts of new workflows: from nothing, from rows, around a call, or as a copy of an example. Nothing is written here. Who
// calls: `rowbench new`, and the control API.
import { join } from 'node:path';
import type { NewWorkflow } from '../../domain/authoring/create/new-workflow.ts';
import { templateUnknown } from '../../domain/workflow-errors.ts';
import { namesIn, readTextFile } from '../../files/text-file.ts';
import { parserInProcess, type FileParser } from '../workflows/file-parser.ts';

/** File of a new workflow, without its folder. */
export type NewFile = { readonly name: string; readonly text: string };

/** An example that new workflows can be copies of. */
export type WorkflowTemplate = {
  readonly name: string;
  /** Name of the example, for people. */
  readonly title: string;
  /** First sentence of the comment at its beginning. */
  readonly description: string;
};

export type NewWorkflowOptions = NewWorkflow & {
  /** Name of the template; rows and call are not used then. */
  readonly template?: string | undefined;
};

const ending = '.workflow.yaml';

export class NewWorkflowService {
  readonly #folder: string;
  readonly #parser: Pick<FileParser, 'newWorkflow'>;

  /**
   * @param examplesFolder folder of the examples that Rowbench comes with
   * @param parser makes the texts: rows can have very many fields
   */
  constructor(examplesFolder: string, parser: Pick<FileParser, 'newWorkflow'> = parserInProcess) {
    this.#folder = examplesFolder;
    this.#parser = parser;
  }

  /** Examples that need no other workflow, neither themselves nor in their tests, by name. */
  async templates(): Promise<readonly WorkflowTemplate[]> {
    const files = await namesIn(this.#folder);
    const names = files.filter((file) => file.endsWith(ending)).map((file) => file.slice(0, -ending.length));
    const templates = await Promise.all(
      names.sort().map(async (name) => {
        const text = await readTextFile(join(this.#folder, name + ending));
        const tests = `${name}.tests.yaml`;
        const testText = files.includes(tests) ? await readTextFile(join(this.#folder, tests)) : '';
        const needsOther = text.includes('type: workflow') || testText.includes('workflow: ');
        return needsOther ? [] : [{ name, title: titleOf(text) ?? name, description: describe(text) }];
      }),
    );
    return [...templates.flat(), hostedTemplate];
  }

  /** The files of a new workflow, in one folder, its own first. Throws `invalid_input` for an unknown template. */
  async draft({ template, ...options }: NewWorkflowOptions): Promise<readonly NewFile[]> {
    if (template === hostedTemplate.name) return [await hostedFile(options)];
    if (template !== undefined) return this.#copy(template, options);
    const { text, rowsFile } = await this.#parser.newWorkflow(options);
    return [{ name: `${options.id}${ending}`, text }, ...(rowsFile === undefined ? [] : [rowsFile])];
  }

  async #copy(template: string, { id, name }: NewWorkflow): Promise<readonly NewFile[]> {
    const known = (await this.templates()).map((each) => each.name);
    if (!known.includes(template)) throw templateUnknown(template, known);
    const own = `${template}${ending}`;
    const names = (await namesIn(this.#folder)).filter((each) => each.startsWith(`${template}.`));
    const sorted = [own, ...names.filter((each) => each !== own).sort()];
    return Promise.all(
      sorted.map(async (fileName) => {
        const text = withId(await readTextFile(join(this.#folder, fileName)), template, id);
        return {
          name: id + fileName.slice(template.length),
          text: fileName === own && name !== undefined ? await withName(text, name) : text,
        };
      }),
    );
  }
}

/** The template of a workflow that a hosted service executes. */
const hostedTemplate: WorkflowTemplate = {
  name: 'hosted',
  title: 'Hosted workflow',
  description: 'Rows run at a hosted service; here it has no nodes until its answers are recorded.',
};

async function hostedFile({ id, name }: NewWorkflow): Promise<NewFile> {
  // The start of a server does not load the parsers.
  const { hostedWorkflow } = await import('../../domain/hosted/recorded-files.ts');
  return { name: `${id}${ending}`, text: hostedWorkflow(id, name ?? id) };
}

const titleOf = (text: string): string | undefined => /^name: (.*)$/m.exec(text)?.[1];

function describe(text: string): string {
  const comment = /^(?:# yaml-language-server:.*\n)?((?:#.*\n)+)/.exec(text)?.[1] ?? '';
  const sentences = comment.replace(/^#\s*/gm, '').replace(/\s+/g, ' ').trim();
  return /^.*?\.(?= |$)/.exec(sentences)?.[0] ?? sentences;
}

/** The names of examples occur nowhere but as ids and in names of files. */
const withId = (text: string, template: string, id: string): string =>
  text
    .replace(/^# yaml-language-server:.*\n(?:#\n)?/, '')
    .replaceAll(`examples/${template}`, id)
    .replaceAll(new RegExp(`\\b${template}\\b`, 'g'), id);

async function withName(text: string, name: string): Promise<string> {
  // The start of a server does not load the parsers.
  const { nameLine } = await import('../../domain/authoring/create/new-workflow.ts');
  return text.replace(/^name: .*$/m, () => nameLine(name));
}
