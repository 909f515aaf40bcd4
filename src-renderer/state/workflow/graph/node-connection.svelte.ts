// Connects two nodes: from the first one, over the choice of its target, to the field that reads it.
import type { ConnectionField } from '#contract';
import { pathAlong, type EdgeEnds } from './graph-edits.ts';
import type { GraphEditRunner } from './graph-edit-runner.svelte.ts';

export class NodeConnection {
  readonly #runner: GraphEditRunner;
  readonly #ask: (edge: EdgeEnds, fields: readonly ConnectionField[]) => void;
  #from = $state<string>();

  /** @param ask lets the user choose what the connection is for */
  constructor(runner: GraphEditRunner, ask: (edge: EdgeEnds, fields: readonly ConnectionField[]) => void) {
    this.#runner = runner;
    this.#ask = ask;
  }

  /** The node whose connection waits for a target. */
  get from(): string | undefined {
    return this.#from;
  }

  /** Begins a connection: the next node that is chosen is its target. */
  start(from: string): void {
    this.#from = from;
    this.#runner.announce(
      `Connecting ${from}: choose a node with the arrow keys. Enter takes it, Escape cancels.`,
    );
    this.#runner.deps.focus();
  }

  cancel(): void {
    const from = this.#from;
    this.#from = undefined;
    this.#runner.show(from, 'Not connected');
  }

  /** Takes the node as the target of the connection that waits for one. */
  async takeTarget(to: string): Promise<void> {
    const from = this.#from;
    this.#from = undefined;
    if (from !== undefined) await this.connect({ from, to });
  }

  /** Asks what the connection is for, unless the nodes would wait for each other. */
  async connect({ from, to }: EdgeEnds): Promise<void> {
    const { edges, session } = this.#runner;
    if (session === undefined) return;
    if (from === to) {
      this.#runner.reportProblem(`${to} cannot read its own value: choose another node`);
      return;
    }
    const path = pathAlong(edges, to, from);
    if (path !== undefined) {
      this.#runner.reportProblem(`These nodes would wait for each other: ${[...path, to].join(' → ')}`);
      return;
    }
    const found = await session.ask('connections', { from, to });
    if (found === undefined) this.#runner.reportProblem('The text changed at the same moment; try again');
    else if (found.refusal === undefined) this.#ask({ from, to }, found.fields);
    else this.#runner.reportProblem(found.refusal.reason);
  }

  /** Writes the connection: a reference in the field, or only the order of the nodes. */
  async write({ from, to }: EdgeEnds, field?: ConnectionField): Promise<void> {
    const isWritten = await this.#runner.edit(
      [{ kind: 'connect', from, to, ...(field && { field: [...field.field] }) }],
      `Connect ${from} to ${to}`,
    );
    if (!isWritten) return;
    const done = field === undefined ? `${to} waits for ${from}` : `${to} reads ${from} in ${field.name}`;
    this.#runner.show(to, done);
  }
}
