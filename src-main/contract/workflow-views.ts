// What a client sees of workflows: files, trust, and what an import would bring.
import type { Reach } from '../domain/trust/reach.ts';
import type { AddressClass } from '../domain/upstream/address-class.ts';
import type { Issue } from '../domain/workflow/issue.ts';

export type WorkflowView = {
  readonly id: string;
  readonly name: string;
  readonly file: string;
  readonly nodes: number;
  readonly issues: readonly Issue[];
  /** `own`: the user's file. Imported ones run only once they are trusted. */
  readonly trust: 'own' | 'trusted' | 'untrusted';
  /** What its calls may reach. */
  readonly network: readonly AddressClass[];
};

export type WorkflowDetail = WorkflowView & {
  /** Tells this text of the workflow from any other. */
  readonly hash: string;
  /** What a workflow that was trusted before reaches now beyond that. */
  readonly further: readonly string[];
  /** Absent when the file has errors. */
  readonly reach?: Reach;
};
