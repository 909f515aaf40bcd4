// Called by electron-builder once the app is packed, before it sets the fuses of electron-builder.yml. The build stops
// for an Electron that has a fuse without a setting, as `strictlyRequireAllFuses` of @electron/fuses would do it:
// electron-builder 26.17 does not pass that option on, and its @electron/fuses 1.8 knows eight fuses of Electron's nine.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Fuses that electron-builder sets, as electron-builder.yml names them, in the order of Electron's fuse wire. */
export const builderFuses = [
  'runAsNode',
  'enableCookieEncryption',
  'enableNodeOptionsEnvironmentVariable',
  'enableNodeCliInspectArguments',
  'enableEmbeddedAsarIntegrityValidation',
  'onlyLoadAppFromAsar',
  'loadBrowserProcessSpecificV8Snapshot',
  'grantFileProtocolExtraPrivileges',
];
/** Fuses behind those, which this script sets: WasmTrapHandlers speeds up WebAssembly and grants nothing. */
export const ownFuses = { wasmTrapHandlers: true };

/** Marker of the fuses in Electron's binary. One byte each follows for the version, the number of fuses and each state. */
const sentinel = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
const headBytes = 2;

export default async function requireAllFuses({ appOutDir, electronPlatformName, packager }) {
  const { productFilename } = packager.appInfo;
  const framework = 'Contents/Frameworks/Electron Framework.framework/Electron Framework';
  const files = {
    darwin: join(`${productFilename}.app`, framework),
    win32: `${productFilename}.exe`,
    linux: packager.executableName,
  };
  const file = join(appOutDir, files[electronPlatformName]);
  const binary = await readFile(file);
  setOwnFuses(binary, packager.config.electronFuses ?? {});
  await writeFile(file, binary);
}

/** Changes the binary in place. Throws for a fuse that has no setting, or that this Electron does not have. */
export function setOwnFuses(binary, electronFuses) {
  const missing = builderFuses.filter((name) => typeof electronFuses[name] !== 'boolean');
  if (missing.length > 0)
    throw new Error(`electron-builder.yml does not set the fuses ${missing.join(', ')}`);
  const names = [...builderFuses, ...Object.keys(ownFuses)];
  const wires = [...wiresOf(binary)];
  if (wires.length === 0) throw new Error('The binary has no fuses');
  for (const wire of wires) {
    const count = binary[wire - 1];
    if (count !== names.length)
      throw new Error(`Electron has ${count} fuses, and ${names.length} are named: ${names.join(', ')}`);
    Object.values(ownFuses).forEach((isOn, at) =>
      binary.write(isOn ? '1' : '0', wire + builderFuses.length + at),
    );
  }
}

/** Offsets at which the states of the fuses begin. A binary for two processors has two. */
function* wiresOf(binary) {
  for (let at = binary.indexOf(sentinel); at >= 0; at = binary.indexOf(sentinel, at + 1))
    yield at + sentinel.length + headBytes;
}
