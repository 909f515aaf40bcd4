// Exchanges bytes with the process that started this one: over an inherited pipe, or, in a utility process of the desktop
// app, over its message port. When the connection ends, this process ends.
import { Socket, type OnReadOpts, type SocketConstructorOpts } from 'node:net';
import type { Frame } from '../process/frames.ts';

type MainLine = { write(frame: Frame): void };

/** The part of Electron's `process.parentPort` that is used here; plain Node has none. */
type ParentPort = {
  on(event: 'message', listener: (message: { readonly data: Uint8Array }) => void): unknown;
  postMessage(message: Uint8Array): void;
};

/** @param onBytes must copy the bytes that it needs before it returns */
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

/** File descriptor of the channel; the main process opens the same one. */
const channelNumber = 3;
/** One buffer for all reads, so that less garbage has to be collected. */
const readBuffer = Buffer.allocUnsafe(256 * 1024);

function openPipe(onBytes: (bytes: Buffer) => void): MainLine {
  // Node documents `onread`; its types lack it.
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
  // The main process has ended, or has closed the channel to end this one.
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
