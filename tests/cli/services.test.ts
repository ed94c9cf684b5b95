import { expect, it } from 'vitest';
import type { ApiServer } from '../../src/api-server.js';
import { parseFlags } from '../../src/cli/parse-flags.js';
import { makeServer } from '../../src/cli/server-options.js';
import { checkServices, readServices } from '../../src/cli/services.js';

const valuesOf = (...flags: string[]) => parseFlags(flags).values;
const cert = ['--proxy-client-cert-file=a', '--proxy-client-key-file=b'];

it.each<[readonly string[], boolean, readonly (readonly [string, string])[]]>([
  [[], false, []],
  [['--services='], false, []],
  [['--services=network'], true, []],
  [['--services=a/b=https://127.0.0.1:1'], false, [['a/b', 'https://127.0.0.1:1']]],
  [
    ['--services=a/b:80=http://localhost:1,network', '--services=c/d=https://e'],
    true,
    [
      ['a/b:80', 'http://localhost:1'],
      ['c/d', 'https://e'],
    ],
  ],
  // `network` allows connections to Services; targets in --services take precedence.
  [cert, true, []],
  [['--enable-aggregator-routing'], true, []],
  [[...cert, '--services='], false, []],
  [[...cert, '--services=a/b=https://c'], false, [['a/b', 'https://c']]],
])('%j', (flags, network, targets) => {
  expect(readServices(valuesOf(...flags))).toEqual({ network, targets });
  expect(checkServices(valuesOf(...flags))).toEqual([]);
});

it.each<[readonly string[], string]>([
  [
    ['--services=net'],
    '--services must be network, or namespace/name=URL: "net": a service must be \'namespace/name\'',
  ],
  [['--services=a/b'], '--services must be network, or namespace/name=URL: "a/b": "" is not a URL'],
  [['--services=a/b=http://10.0.0.1'], 'is not a loopback address, and must therefore use https'],
  [['--enable-aggregator-routing', '--services='], '--enable-aggregator-routing needs "network" in --services'],
])('%j is refused', (flags, why) => {
  expect(checkServices(valuesOf(...flags))).toEqual([expect.stringContaining(why)]);
});

it('the server that the flags configure has these targets', async () => {
  const log = () => undefined;
  const server = await makeServer(parseFlags(['--services=a/b=https://127.0.0.1:1']), { log } as never);
  expect((server as ApiServer).services.has('a/b')).toBe(true);
});
