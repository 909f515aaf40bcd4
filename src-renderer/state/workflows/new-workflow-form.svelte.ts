// A new workflow in its dialog: what it is made of, its name, id and folder. A credential of a curl command stays in the
// page until it is stored as a secret: it is no part of what the workflow is made of.
import {
  newFields,
  newTestRows,
  parseCurl,
  pathCredential,
  type Input,
  type SecretView,
  type TargetFolderView,
  type WorkflowTemplateView,
  type WorkflowView,
} from '#contract';
import { FileImport } from '../entry/files/file-import.svelte.ts';
import type { Session } from '../live/session.svelte.ts';
import { Query } from '../query.svelte.ts';
import { secretProblem } from '../settings/secret-entry.ts';
import { splitFile } from './workflow-list.ts';

export type NewWorkflowSource = 'rows' | 'template' | 'curl' | 'nothing';

type NewWorkflowDeps = {
  readonly call: Session['call'];
  /** All workflows that are served now. */
  readonly workflows: () => readonly WorkflowView[];
};

const idForm = /^[A-Za-z0-9_-]{1,64}$/;

export class NewWorkflowForm {
  source = $state<NewWorkflowSource>('rows');
  /** Rows as text, in the field that they are pasted into. */
  rowsText = $state('');
  readonly file = new FileImport();
  /** True if the rows are those of a file, not pasted ones. */
  isFile = $state(false);
  template = $state.raw<WorkflowTemplateView>();
  curl = $state('');
  /** False: the credential of the curl command is not stored. */
  storesSecret = $state(true);

  readonly templates = new Query<readonly WorkflowTemplateView[]>();
  readonly folders = new Query<readonly TargetFolderView[]>();
  readonly secrets = new Query<readonly SecretView[]>();

  readonly #deps: NewWorkflowDeps;
  /** Typed texts; undefined: as suggested. */
  #name = $state<string>();
  #id = $state<string>();
  #folder = $state<string>();
  #secretName = $state<string>();

  readonly #parsed = $derived(this.curl.trim() === '' ? undefined : parseCurl(this.curl.trim()));
  readonly #testRows = $derived(newTestRows(this.file.rows));
  /** Made of all rows: one that is no test row may leave a field empty. */
  readonly #fields = $derived(newFields(this.file.rows));

  constructor(deps: NewWorkflowDeps) {
    this.#deps = deps;
    void this.templates.load(() => deps.call('author.templates', {}));
    void this.folders.load(() => deps.call('author.folders', {}));
    void this.secrets.load(() => deps.call('secret.list', {}));
  }

  get name(): string {
    return this.#name ?? this.#suggestedName;
  }

  set name(name: string) {
    this.#name = name;
  }

  get id(): string {
    return this.#id ?? freeWorkflowId(workflowIdOf(this.name), (id) => this.#ownerOf(id) !== undefined);
  }

  set id(id: string) {
    this.#id = id;
  }

  /** Empty until the server has said where workflows can be created. */
  get folder(): string {
    return this.#folder ?? this.folders.value?.[0]?.folder ?? '';
  }

  set folder(folder: string) {
    this.#folder = folder;
  }

  /** True if the user has pasted something, or chosen a file. */
  get hasText(): boolean {
    const { file, rowsText, curl } = this;
    return file.state.kind !== 'none' || rowsText.trim() !== '' || curl.trim() !== '';
  }

  /** Why there can be no workflow of that id. */
  get idProblem(): string | undefined {
    if (!idForm.test(this.id)) return 'An id has 1 to 64 letters, digits, “_” and “-”.';
    const owner = this.#ownerOf(this.id);
    if (owner === undefined) return undefined;
    return owner.id === this.id ? `Taken by ${owner.file}` : `The file ${owner.file} is there already.`;
  }

  /** Number of the rows that become test rows. */
  get testRows(): number {
    return this.#testRows.length;
  }

  /** Why the curl command cannot be used. */
  get curlProblem(): string | undefined {
    return this.#parsed !== undefined && 'problem' in this.#parsed ? this.#parsed.problem : undefined;
  }

  /** A credential in the path of the curl command's URL, which the file would keep. */
  get pathCredential() {
    return this.#call === undefined ? undefined : pathCredential(this.#call.url);
  }

  /** The credential of the curl command, without its value. */
  get secret() {
    const secret = this.#call?.secret;
    if (secret === undefined) return undefined;
    const name = this.#secretName ?? secret.name;
    const stored = this.secrets.value?.find((each) => each.name === name);
    return { name, host: secret.host, hasValue: secret.value !== undefined, stored };
  }

  set secretName(name: string) {
    this.#secretName = name;
  }

  /** Sources of the workflow's text; undefined until the user has chosen them. */
  get input(): Input<'author.draftNew'> | undefined {
    const name = this.name.trim();
    const source = this.#sourceInput;
    if (source === undefined || !idForm.test(this.id)) return undefined;
    return { workflowId: this.id, ...(name === '' ? {} : { name }), ...source };
  }

  /** The first reason why the workflow cannot be created. */
  get problem(): string | undefined {
    if (this.folders.value?.length === 0) return 'This server creates no files.';
    if (this.#sourceInput === undefined) return this.#missing;
    return this.idProblem ?? this.#secretProblem;
  }

  /** Writes the files and resolves to the id. Throws; then no file was written. */
  async create(): Promise<string> {
    const { input, folder } = this;
    if (input === undefined) throw new Error(this.problem);
    const { workflowId } = input;
    const { files } = await this.#deps.call('author.draftNew', input);
    await this.#deps.call('author.create', { workflowId, folder, files: [...files] });
    return workflowId;
  }

  /** Stores the credential of the curl command, if there is one to be stored. */
  async storeSecret(): Promise<void> {
    const secret = this.#newSecret;
    if (secret === undefined) return;
    const { name, host, value } = secret;
    await this.#deps.call('secret.set', { name, hosts: [host], value });
  }

  get #call() {
    return this.source === 'curl' && this.#parsed !== undefined && 'call' in this.#parsed
      ? this.#parsed.call
      : undefined;
  }

  get #sourceInput(): Omit<Input<'author.draftNew'>, 'workflowId' | 'name'> | undefined {
    switch (this.source) {
      case 'nothing':
        return {};
      case 'template':
        return this.template && { template: this.template.name };
      case 'rows':
        return this.#testRows.length === 0 ? undefined : { rows: this.#testRows, fields: this.#fields };
      case 'curl':
        return this.#curlInput;
    }
  }

  get #curlInput() {
    if (this.#call === undefined) return undefined;
    const { secret, ...call } = this.#call;
    if (secret === undefined || this.secret === undefined) return { call };
    const { value: _, ...written } = secret;
    return { call: { ...call, secret: { ...written, name: this.secret.name } } };
  }

  get #missing(): string {
    const { state } = this.file;
    switch (this.source) {
      case 'template':
        return 'Choose a template.';
      case 'curl':
        return this.curlProblem ?? 'Paste a curl command.';
      default:
        return state.kind === 'failed' ? 'The rows cannot be read.' : 'Paste rows, or choose a file of rows.';
    }
  }

  get #newSecret() {
    const { secret } = this;
    const value = this.#call?.secret?.value;
    if (secret === undefined || value === undefined || secret.stored !== undefined) return undefined;
    return this.storesSecret ? { name: secret.name, host: secret.host, value } : undefined;
  }

  get #secretProblem(): string | undefined {
    const { secret } = this;
    if (secret?.stored !== undefined && !secret.stored.hosts.includes(secret.host))
      return `The secret ${secret.name} is stored for ${secret.stored.hosts.join(', ')}. Choose another name.`;
    const added = this.#newSecret;
    return added === undefined
      ? undefined
      : secretProblem({ name: added.name, hosts: added.host, value: added.value }, []);
  }

  get #suggestedName(): string {
    const { state } = this.file;
    if (this.source === 'template' && this.template !== undefined) return this.template.title;
    if (this.source === 'curl' && this.#call !== undefined) return hostOf(this.#call.url);
    if (this.source === 'rows' && this.isFile && state.kind === 'read')
      return state.file.name.replace(/\.[^.]*$/, '').slice(0, 100);
    return 'New workflow';
  }

  /** The workflow that has the id, or the file that the new one would have. */
  #ownerOf(id: string): WorkflowView | undefined {
    return this.#deps.workflows().find((workflow) => {
      const { folder, name } = splitFile(workflow.file);
      return workflow.id === id || (folder === this.folder && name === `${id}.workflow.yaml`);
    });
  }
}

const hostOf = (url: string): string => /^https?:\/\/([^/?#:]+)/i.exec(url)?.[1]?.slice(0, 100) ?? 'Call';

/** Maximum characters of an id. */
const maxLength = 64;

/** Id for a workflow of that name: its letters without accents, its digits, and “-” between. */
export function workflowIdOf(name: string): string {
  const id = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .slice(0, maxLength)
    .replace(/^-+|-+$/g, '');
  return id === '' ? 'workflow' : id;
}

/** The id, with a number if it is taken: `leads-2`. */
export function freeWorkflowId(id: string, isTaken: (id: string) => boolean): string {
  let free = id;
  for (let number = 2; isTaken(free); number += 1) {
    const ending = `-${number}`;
    free = id.slice(0, maxLength - ending.length) + ending;
  }
  return free;
}
