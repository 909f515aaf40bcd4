// Notes of a call while it is answered, for the API log: bodies are looked at as they pass, never held up. Routes and
// the answer layer write down their facts; record-calls.ts makes the record once the answer has ended.
import { isUtf8 } from 'node:buffer';
import type { Context } from 'koa';
import { AppError } from '../base/app-error.ts';
import { maskBeginning, maskKeys } from '../domain/api-log/mask-keys.ts';
import type { LoggedBody } from '../domain/api-log/logged-call.ts';
import type { ApiKey } from '../domain/keys/api-key.ts';
import type { Operation } from '../domain/limits/published-limits.ts';
import type { Run } from '../domain/run/run.ts';
import type { OpenCall } from '../services/api/limit-service.ts';

/** As much of each body as is kept: most triggers that people try out by hand, whole. */
export const headBytes = 16 * 1024;

export class CallNotes {
  route: Operation | undefined;
  workflowId: string | undefined;
  runId: string | undefined;
  key: ApiKey | undefined;
  charges: OpenCall | undefined;
  run: Run | undefined;
  error: unknown;
  /** When the answer began, on the clock that never goes back. */
  answeredAt: number | undefined;
  /** An answer that was made in one piece. */
  answer: string | undefined;
  #sent: BodyHead | undefined;
  #streamed: BodyHead | undefined;

  /** Beginning and length of the request's body, as far as it was read. */
  get sent(): BodyHead {
    return (this.#sent ??= new BodyHead());
  }

  /** Beginning and length of an answer that is written piece by piece. */
  get streamed(): BodyHead {
    return (this.#streamed ??= new BodyHead());
  }

  get sentBytes(): number {
    return this.#sent?.bytes ?? 0;
  }

  /** As text, without those values. */
  sentBody(values: readonly string[]): LoggedBody {
    return this.#sent?.body(values) ?? noBody;
  }

  /** As text, without those values. */
  answerBody(values: readonly string[]): LoggedBody {
    const { answer } = this;
    if (answer === undefined) return this.#streamed?.body(values) ?? noBody;
    const head = new BodyHead();
    head.take(answer);
    return head.body(values);
  }
}

const noBody: LoggedBody = { text: '', bytes: 0, isWhole: true };

/** The notes of the call that is being answered; where calls are not recorded, the notes are never read. */
export const notesOf = ({ state }: Pick<Context, 'state'>): CallNotes => {
  const notes: unknown = state['notes'];
  if (notes instanceof CallNotes) return notes;
  const unread = new CallNotes();
  state['notes'] = unread;
  return unread;
};

export function beginNotes({ state }: Context): CallNotes {
  const notes = new CallNotes();
  state['notes'] = notes;
  return notes;
}

export const refusalOf = ({ error }: CallNotes): AppError | undefined =>
  error instanceof AppError ? error : undefined;

/** The beginning of a body, and how long it was. */
export class BodyHead {
  #bytes = 0;
  #head: Buffer | undefined;

  get bytes(): number {
    return this.#bytes;
  }

  /** Copies what there is still room for: the chunk may be a small part of a large buffer, or be written over. */
  take(chunk: Uint8Array | string): void {
    const room = headBytes - (this.#head?.length ?? 0);
    const bytes = typeof chunk === 'string' ? Buffer.byteLength(chunk) : chunk.length;
    this.#bytes += bytes;
    if (room <= 0 || bytes === 0) return;
    // A character takes a byte at least.
    const part =
      typeof chunk === 'string'
        ? Buffer.from(chunk.slice(0, room)).subarray(0, room)
        : chunk.subarray(0, room);
    if (this.#head === undefined) this.#head = Buffer.from(part);
    else this.#head = Buffer.concat([this.#head, part]);
  }

  /** As text, without those values. */
  body(values: readonly string[]): LoggedBody {
    const head = this.#head;
    if (head === undefined) return { text: '', bytes: this.#bytes, isWhole: this.#bytes === 0 };
    const isAll = head.length === this.#bytes;
    // In the middle of a character is no place to cut.
    const text = isAll ? head.toString() : new TextDecoder().decode(head, { stream: true });
    const shown = isAll ? maskKeys(text, values) : maskBeginning(text, values);
    return { text: shown, bytes: this.#bytes, isWhole: isAll && shown === text && isUtf8(head) };
  }
}
