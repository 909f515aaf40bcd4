import { InvalidArgumentError, Option } from 'commander';
import { addressClasses, type AddressClass } from '../domain/upstream/address-class.ts';

export type NetworkOption = { readonly allowNetwork?: readonly AddressClass[]; readonly proxy?: true };

/** `--allow-network CLASS[,CLASS]`, for every command that makes calls. */
export const allowNetworkOption = (): Option =>
  new Option(
    '--allow-network <classes>',
    `what calls may reach beside public addresses: ${addressClasses.join(', ')}`,
  ).argParser(readClasses);

/** `--proxy`, for commands that make calls without a server and its settings. */
export const proxyOption = (): Option =>
  new Option('--proxy', 'make calls through the proxy that HTTP_PROXY and HTTPS_PROXY name');

function readClasses(text: string): AddressClass[] {
  return text.split(',').map((name) => {
    const found = addressClasses.find((known) => known === name.trim());
    if (found === undefined) throw new InvalidArgumentError(`Expected some of ${addressClasses.join(', ')}.`);
    return found;
  });
}
