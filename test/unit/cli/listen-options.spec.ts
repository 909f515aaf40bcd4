import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../src-main/cli/exit-code.ts';
import {
  listenOptions,
  publicListenOf,
  type ListenFlags,
  metricsOption,
} from '../../../src-main/cli/options/listen-options.ts';

function flagsOf(text: string): ListenFlags & { readonly metrics?: unknown } {
  const command = new Command()
    .option('--unsafe-listen <host>')
    .option('--port <port>')
    .addOption(metricsOption());
  for (const option of listenOptions()) command.addOption(option);
  return command.parse(text === '' ? [] : text.split(' '), { from: 'user' }).opts();
}

const listenOf = (text: string, hasDatabase = true) => publicListenOf(flagsOf(text), hasDatabase);

const tls = '--tls-cert c.pem --tls-key k.pem';
const name = '--public-url https://rowbench.example';

describe('a server with a database', () => {
  it.each([
    ['', undefined],
    [
      `--listen 10.0.0.5:4170 ${tls} ${name}`,
      {
        host: '10.0.0.5',
        port: 4170,
        publicUrl: 'https://rowbench.example',
        tls: { certFile: 'c.pem', keyFile: 'k.pem' },
        proxies: [],
      },
    ],
    [
      '--listen [::]:443 --behind-proxy 10.0.0.2,fd00::2 --public-url https://rowbench.example:8443/',
      { host: '::', port: 443, publicUrl: 'https://rowbench.example:8443', proxies: ['10.0.0.2', 'fd00::2'] },
    ],
    ['--listen 127.0.0.1:5000', { host: '127.0.0.1', port: 5000, proxies: [] }],
    ['--listen localhost:0', { host: '127.0.0.1', port: 0, proxies: [] }],
    [
      `--listen [::1]:5000 --behind-proxy ::1 ${name}`,
      { host: '::1', port: 5000, publicUrl: 'https://rowbench.example', proxies: ['::1'] },
    ],
  ])('may listen with "%s"', (text, listen) => {
    expect(listenOf(text)).toEqual(listen);
  });

  it.each([
    ['--unsafe-listen 0.0.0.0', '--unsafe-listen is refused with a database'],
    [
      `--listen 10.0.0.5:4170 ${name}`,
      'open to other machines: add --tls-cert and --tls-key, or --behind-proxy',
    ],
    [`--listen 0.0.0.0:4170 ${name}`, 'open to other machines'],
    [`--listen [::]:4170 ${name}`, 'open to other machines'],
    [`--listen host.internal:4170 ${name}`, 'open to other machines'],
    [`--listen 10.0.0.5:4170 ${tls}`, 'add --public-url'],
    ['--listen 10.0.0.5:4170 --behind-proxy 10.0.0.2', 'add --public-url'],
    [`--listen 127.0.0.1:4170 ${name}`, '--public-url needs --tls-cert and --tls-key, or --behind-proxy'],
    ['--listen 127.0.0.1:4170 --tls-cert c.pem', '--tls-cert and --tls-key are used together'],
    ['--listen 127.0.0.1:4170 --tls-key k.pem', '--tls-cert and --tls-key are used together'],
    ['--listen 127.0.0.1:4170 --port 80', 'leave out --port'],
    [tls, '--tls-cert needs --listen'],
    ['--behind-proxy 10.0.0.2', '--behind-proxy needs --listen'],
    [name, '--public-url needs --listen'],
    ['--listen 10.0.0.5', '--listen must be an address with a port, not "10.0.0.5"'],
    ['--listen :4170', '--listen must be an address with a port'],
    ['--listen ::1:4170', '--listen must be an address with a port'],
    ['--listen 10.0.0.5:65536', '--listen must be an address with a port'],
    [
      '--listen 127.0.0.1:1 --behind-proxy proxy.internal',
      'must be IP addresses, separated by commas, not "proxy.internal"',
    ],
    ['--listen 127.0.0.1:1 --behind-proxy 10.0.0.2,', 'must be IP addresses'],
    ['--public-url http://rowbench.example', '--public-url must be like https://rowbench.example.com'],
    ['--public-url https://rowbench.example/app', '--public-url must be like'],
    ['--public-url https://me@rowbench.example', '--public-url must be like'],
    ['--public-url rowbench.example', '--public-url must be like'],
    ['--metrics all', '--metrics must be an address with a port, not "all"'],
  ])('is refused with "%s"', (text, message) => {
    expect(() => listenOf(text)).toThrow(UsageError);
    expect(() => listenOf(text)).toThrow(message);
  });
});

describe('a server with a data folder', () => {
  it('keeps --unsafe-listen and refuses --listen', () => {
    expect(listenOf('--unsafe-listen 0.0.0.0', false)).toBeUndefined();
    expect(() => listenOf(`--listen 10.0.0.5:4170 ${tls} ${name}`, false)).toThrow(
      '--listen needs --database',
    );
    expect(() => listenOf('--listen 127.0.0.1:4170', false)).toThrow('--listen needs --database');
  });
});

it.each([
  ['--metrics 9464', { host: '127.0.0.1', port: 9464 }],
  ['--metrics 10.0.0.5:9464', { host: '10.0.0.5', port: 9464 }],
])('figures are served with "%s"', (text, metrics) => {
  expect(flagsOf(text).metrics).toEqual(metrics);
});
