// Splits the bytes that a connection has received into answers, as a client that pipelines does.

export type PartedAnswer = {
  readonly status: number;
  /** Head and body, for searches. */
  readonly text: string;
  /** True if the server closes the connection after this answer. */
  readonly isLast: boolean;
};

/**
 * Throws unless the bytes are a sequence of whole answers.
 * @param received one character per byte
 * @param methods of the requests, in order; an answer to HEAD has a body only if the server could not read the method
 */
export function answersIn(received: string, methods: readonly string[]): PartedAnswer[] {
  const answers: PartedAnswer[] = [];
  for (let at = 0; at < received.length;) {
    const headEnd = received.indexOf('\r\n\r\n', at);
    const head = received.slice(at, headEnd);
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]);
    if (headEnd < 0 || Number.isNaN(status)) throw new Error(`no answer: ${received.slice(at, at + 200)}`);
    const bodyAt = headEnd + 4;
    if (status === 100) {
      at = bodyAt;
      continue;
    }
    const isLast = /^connection: close$/im.test(head);
    const isUnread = status === 400 && isLast && !received.startsWith('HTTP/1.1 ', bodyAt);
    const hasBody = methods[answers.length] !== 'HEAD' || (isUnread && received.length > bodyAt);
    const end = hasBody ? bodyEnd(received, head, bodyAt) : bodyAt;
    if (end > received.length) throw new Error(`half an answer: ${head}`);
    answers.push({ status, text: received.slice(at, end), isLast });
    at = end;
  }
  return answers;
}

function bodyEnd(received: string, head: string, bodyAt: number): number {
  if (!/^transfer-encoding: chunked$/im.test(head)) {
    return bodyAt + Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0);
  }
  for (let at = bodyAt; ;) {
    const lineEnd = received.indexOf('\r\n', at);
    const size = parseInt(received.slice(at, lineEnd), 16);
    if (lineEnd < 0 || Number.isNaN(size)) throw new Error(`half an answer: ${head}`);
    at = lineEnd + 2 + size + 2;
    if (size === 0) return at;
  }
}
