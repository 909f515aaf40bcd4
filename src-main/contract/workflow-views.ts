// Workflows, as a client sees them: files, trust, and previews of imports.
import type { JsonObject } from '../base/json-value.ts';
import type { InputFieldView } from './row-entry-views.ts';
import type { Reach } from '../domain/trust/reach.ts';
import type { AddressClass } from '../domain/upstream/address-class.ts';
import type { Issue } from '../domain/workflow/issue.ts';

export type WorkflowView = {
  readonly id: string;
  readonly name: string;
  readonly file: string;
  readonly nodes: number;
  readonly issues: readonly Issue[];
  /** A row to try it with; absent when the file has errors. */
  readonly sampleRow?: JsonObject;
  /** `own`: the user's file. Imported ones run only once they are trusted. */
  readonly trust: 'own' | 'trusted' | 'untrusted';
  /** Address classes that the workflow's calls may reach. */
  readonly network: readonly AddressClass[];
};

export type WorkflowDetail = WorkflowView & {
  /** Those that the input node names; none when the file has errors. */
  readonly fields: readonly InputFieldView[];
  /** Tells this text of the workflow from any other. */
  readonly hash: string;
  /** Reach that a workflow has gained since it was trusted, and that makes it untrusted now; otherwise empty. */
  readonly further: readonly string[];
  /** Absent when the file has errors. */
  readonly reach?: Reach;
  /** Profiles for it, in the order of their file. */
  readonly profiles: readonly ProfileView[];
  /** Name of the profile of runs and previews that name none. */
  readonly profile?: string;
};

export type ProfileView = {
  readonly name: string;
  /** Hosts, and secrets to hosts, that it reaches beyond those without a profile, each as a text. */
  readonly reaches: readonly string[];
  /** False for an import that reaches further with the profile than was trusted. */
  readonly isTrusted: boolean;
};

/** A workflow that an import would bring. */
export type PreviewedWorkflow = {
  readonly id: string;
  readonly name: string;
  /** Names relative to the folder that is imported from. */
  readonly file: string;
  readonly files: readonly string[];
  readonly nodes: number;
  readonly warnings: readonly string[];
  readonly reach: Reach;
};

export type ImportPreview = {
  readonly workflows: readonly PreviewedWorkflow[];
  /** Any of them forbids the import. */
  readonly problems: readonly string[];
  /** Names all that is shown here: what is trusted is this and nothing else. */
  readonly digest: string;
};
