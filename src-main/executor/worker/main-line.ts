// The bytes between this process and the one that started it: over a pipe that plain Node inherits, or, in a utility
// process of the desktop app, over its message port. The line's end is this process's end.
import { Socket, type OnReadOpts, type SocketConstructorOpts } from 'node:net';
import type { Frame } from '../process/frames.ts';

export type MainLine = { write(frame: Frame): void };

/** As much of Electron's `process.parentPort` as is used here; plain Node has none. */
type ParentPort = {
  on(event: 'message', listener: (message: { readonly data: Uint8Array }) => void): unknown;
  postMessage(message: Uint8Array): void;
};

/** @param onBytes is given bytes that it must have copied when it returns */
export function openMainLine(onBytes: (bytes: Buffer) => void): MainLine {
  const { parentPort } = process as { readonly parentPort?: ParentPort };
  return parentPort === undefined ? openPipe(onBytes) : openPort(parentPort, onBytes);
}

function openPort(port: ParentPort, onBytes: (bytes: Buffer) => void): MainLine {
  port.on('message', ({ data }) => onBytes(Buffer.from(data.buffer, data.byteOffset, data.byteLength)));
  return {
    write(frame) {
      for (const piece of frame) port.postMessage(piece);
    },
  };
}

/** Place of the channel among this process's streams; the main process opens the same. */
const channelNumber = 3;
/** Read into again and again, so that rows do not become garbage twice. */
const readBuffer = Buffer.allocUnsafe(256 * 1024);

function openPipe(onBytes: (bytes: Buffer) => void): MainLine {
  // Node's documentation has `onread` here; its types do not.
  const options: SocketConstructorOpts & { onread: OnReadOpts } = {
    fd: channelNumber,
    readable: true,
    writable: true,
    onread: {
      buffer: readBuffer,
      callback(length) {
        onBytes(readBuffer.subarray(0, length));
        return true;
      },
    },
  };
  const socket = new Socket(options);
  // The main process is gone, or wants this one gone.
  socket.on('end', () => process.exit());
  socket.on('error', () => process.exit());
  return {
    write(frame) {
      socket.cork();
      for (const piece of frame) socket.write(piece);
      socket.uncork();
    },
  };
}
