// What keeps a workflow's runs from succeeding before any row is read: missing trust, secrets, networks, tables and called
// workflows. Pure. A host that rows decide, or that only a name server can place, is not checked.
import { bindingsThatAllow, type UrlOrigin } from '../secrets/host-binding.ts';
import { classifyAddress, addressClasses, type AddressClass } from '../upstream/address-class.ts';
import type { Reach } from './reach.ts';

/** `workflowId`: the workflow itself, or one that it calls. */
export type PreflightProblem =
  | { readonly kind: 'untrusted'; readonly workflowId: string }
  /** `hosts`: what the secret has to be bound to. */
  | { readonly kind: 'secret-missing'; readonly secret: string; readonly hosts: readonly string[] }
  /** The secret is stored, but not bound to these hosts. `bound`: its hosts now. */
  | {
      readonly kind: 'secret-not-bound';
      readonly secret: string;
      readonly hosts: readonly string[];
      readonly bound: readonly string[];
    }
  /** `origins` are called in a network that the workflow was not granted. */
  | {
      readonly kind: 'network';
      readonly workflowId: string;
      readonly network: AddressClass;
      readonly origins: readonly string[];
    }
  /** A table or called workflow that is missing or broken. `line` from 1. */
  | { readonly kind: 'source'; readonly message: string; readonly line: number };

type CheckedWorkflow = {
  readonly id: string;
  readonly reach: Reach;
  readonly network: readonly AddressClass[];
};
type KnownSecret = { readonly name: string; readonly hosts: readonly string[] };

/** Problems of the calls of these workflows: those of secrets first, in the order of the files. */
export const callProblems = (
  workflows: readonly CheckedWorkflow[],
  secrets: readonly KnownSecret[],
): readonly PreflightProblem[] => [
  ...secretProblems(workflows, secrets),
  ...workflows.flatMap((workflow) => networkProblems(workflow)),
];

/** A secret that calls of these workflows name and that is not stored. */
export type MissingSecret = {
  readonly name: string;
  /** Hosts that the secret has to be bound to, as far as the files name them. */
  readonly hosts: readonly string[];
  /** Ids of the workflows. */
  readonly workflowIds: readonly string[];
};

export const missingSecrets = (
  workflows: readonly Pick<CheckedWorkflow, 'id' | 'reach'>[],
  secrets: readonly KnownSecret[],
): readonly MissingSecret[] =>
  secretProblems(workflows, secrets).flatMap((problem) => {
    if (problem.kind !== 'secret-missing') return [];
    const { secret: name, hosts } = problem;
    const naming = workflows.filter(({ reach }) => reach.calls.some(({ secret }) => secret === name));
    return [{ name, hosts, workflowIds: naming.map(({ id }) => id) }];
  });

function secretProblems(
  workflows: readonly Pick<CheckedWorkflow, 'reach'>[],
  secrets: readonly KnownSecret[],
): readonly PreflightProblem[] {
  const calls = workflows.flatMap(({ reach }) => reach.calls);
  const names = [...new Set(calls.flatMap(({ secret }) => secret ?? []))];
  return names.flatMap((secret): readonly PreflightProblem[] => {
    const origins = calls.flatMap((call) => (call.secret === secret ? (call.origin ?? []) : []));
    const bindings = origins.map((origin) => bindingsThatAllow(partsOf(origin)));
    const known = secrets.find(({ name }) => name === secret);
    const isBound = (binding: readonly string[]): boolean =>
      known !== undefined && binding.some((host) => known.hosts.includes(host));
    const hosts = [...new Set(bindings.filter((each) => !isBound(each)).flatMap(([host]) => host ?? []))];
    if (known === undefined) return [{ kind: 'secret-missing', secret, hosts }];
    return hosts.length === 0 ? [] : [{ kind: 'secret-not-bound', secret, hosts, bound: known.hosts }];
  });
}

function networkProblems({ id, reach, network }: CheckedWorkflow): readonly PreflightProblem[] {
  const origins = [...new Set(reach.calls.flatMap(({ origin }) => origin ?? []))];
  return addressClasses.flatMap((each) => {
    const refused = network.includes(each) ? [] : origins.filter((origin) => classOf(origin) === each);
    return refused.length === 0 ? [] : [{ kind: 'network', workflowId: id, network: each, origins: refused }];
  });
}

/** Undefined for a name that only a name server can place. */
function classOf(origin: string): string | undefined {
  const host = partsOf(origin).hostname.replace(/^\[|\]$/g, '');
  if (host === 'localhost' || host.endsWith('.localhost')) return 'loopback';
  return host.includes(':') || /^[\d.]+$/.test(host) ? classifyAddress(host) : undefined;
}

/** @param origin as `Reach` has it: scheme, host in lower case, and perhaps a port */
function partsOf(origin: string): UrlOrigin {
  const [, protocol = '', hostname = '', port = ''] =
    /^(https?:)\/\/(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(origin) ?? [];
  const isUsual = port === (protocol === 'https:' ? '443' : '80');
  return { protocol, hostname, port: isUsual ? '' : port };
}
