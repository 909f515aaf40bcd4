// What a refused call needs before it can be made. A message says it in words; the app offers it as a button, and the
// command line as a command. It is read from the message, so that stored failures of runs say it too.
import { addressClasses, type AddressClass } from './address-class.ts';

export type CallNeed =
  /** `host`: the one that is called, with its port; absent where the message names no URL. */
  | { readonly kind: 'secret'; readonly name: string; readonly host?: string }
  | { readonly kind: 'network'; readonly workflowId: string; readonly network: AddressClass }
  /** Recorded answers to the calls of a test. */
  | { readonly kind: 'recording' };

const classTexts: Readonly<Record<AddressClass, string>> = {
  public: 'on the internet (class public)',
  lan: 'in the local network (class lan)',
  loopback: 'this machine itself (class loopback)',
};

/** End of the message for a call whose secret is not stored. */
export const secretMissing = (name: string): string => `is refused: there is no secret ${name}`;

/** End of the message for a call in a network that the workflow was not granted; `target`: host and address. */
export const networkMissing = (
  target: string,
  { workflowId, network }: { readonly workflowId: string; readonly network: AddressClass },
): string => `is refused: ${target} is ${classTexts[network]}, which ${workflowId} was not granted`;

/** End of the message for a call of a test that nothing offline answers. */
export const recordIt = 'record the test';

/** The need that the message of a refused call names; undefined for any other message. */
export function callNeedOf(message: string): CallNeed | undefined {
  const secret = /(?:https?:\/\/([^\s/?#]+)\S* )?is refused: there is no secret (\w+)/i.exec(message);
  if (secret !== null) {
    const [, host, name = ''] = secret;
    return { kind: 'secret', name, ...(host === undefined ? {} : { host }) };
  }
  if (message.endsWith(recordIt)) return { kind: 'recording' };
  const [, found, workflowId] =
    /is refused: .+ \(class (\w+)\), which (\S+) was not granted/.exec(message) ?? [];
  const network = addressClasses.find((name) => name === found);
  return network === undefined || workflowId === undefined
    ? undefined
    : { kind: 'network', workflowId, network };
}
