// A client that sends exactly the bytes it is given, for what no well-behaved client would send.
import { connect, type Socket } from 'node:net';

export type RawAnswer = {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** One connection. Every answer that we expect declares its length, or ends with the connection. */
export class RawConnection {
  readonly #socket: Socket;
  #received = Buffer.alloc(0);
  #isClosed = false;
  #wake: () => void = () => undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (bytes: Buffer) => {
      this.#received = Buffer.concat([this.#received, bytes]);
      this.#wake();
    });
    // A reset is an end like any other here: what was received until then is judged.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.#isClosed = true;
      this.#wake();
    });
  }

  static open(port: number, host = '127.0.0.1'): Promise<RawConnection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host, noDelay: true });
      socket.once('error', reject);
      socket.once('connect', () => {
        socket.off('error', reject);
        resolve(new RawConnection(socket));
      });
    });
  }

  send(bytes: string | Buffer): void {
    this.#socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  }

  /** The next answer, interim ones (100) included; undefined when the connection ends without one. */
  async answer(): Promise<RawAnswer | undefined> {
    for (;;) {
      const answer = this.#takeAnswer();
      if (answer !== undefined || this.#isClosed) return answer;
      await this.#change();
    }
  }

  /** Resolves when the server has closed the connection, with the received bytes that `answer` has not returned. */
  async closed(): Promise<string> {
    while (!this.#isClosed) await this.#change();
    return this.#received.toString('latin1');
  }

  /** Bytes queued here that the socket has not sent yet. */
  get unsent(): number {
    return this.#socket.writableLength;
  }

  /** Resolves once `unsent` has not changed for half a second. */
  async stands(): Promise<void> {
    for (let before = Infinity; this.unsent !== before;) {
      before = this.unsent;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }

  /** Reads nothing from now on. */
  pause(): void {
    this.#socket.pause();
  }

  /** Breaks the connection off. */
  cut(): void {
    this.#socket.destroy();
  }

  /** Resets the connection, so that the server gets an error, not an end. */
  reset(): void {
    this.#socket.resetAndDestroy();
  }

  /** Reads on after `pause`. */
  resume(): void {
    this.#socket.resume();
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  #takeAnswer(): RawAnswer | undefined {
    const text = this.#received.toString('latin1');
    const headEnd = text.indexOf('\r\n\r\n');
    if (headEnd < 0) return undefined;
    const [statusLine = '', ...lines] = text.slice(0, headEnd).split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line) => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 1).trim(),
      ]),
    );
    const length = Number(headers['content-length'] ?? 0);
    const end = headEnd + 4 + length;
    if (text.length < end) return undefined;
    const body = this.#received.subarray(headEnd + 4, end).toString('utf8');
    this.#received = this.#received.subarray(end);
    return { status: Number(statusLine.split(' ')[1]), headers, body };
  }
}

/** Sends the bytes on a fresh connection and gives the first answer. */
export async function rawCall(port: number, bytes: string | Buffer): Promise<RawAnswer | undefined> {
  const connection = await RawConnection.open(port);
  connection.send(bytes);
  const answer = await connection.answer();
  connection.cut();
  return answer;
}
