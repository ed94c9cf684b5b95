import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { parseFlags } from '../../src/cli/parse-flags.js';
import { accountTokenOptions } from '../../src/cli/server-options.js';

const folder = mkdtempSync(join(tmpdir(), 'account-tokens-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
for (const name of ['tls', 'sign', 'verify']) writeFileSync(join(folder, name), name);
const tls = `--tls-private-key-file=${folder}/tls`;
const sign = `--service-account-signing-key-file=${folder}/sign`;
const verify = `--service-account-key-file=${folder}/verify`;

it.each([
  ['orch', [tls], { signingKey: 'tls', keys: [] }],
  ['orch', [tls, sign], { signingKey: 'sign', keys: ['tls'] }],
  ['orch', [tls, verify], { keys: ['verify'] }],
  ['orch', [tls, sign, verify], { signingKey: 'sign', keys: ['verify'] }],
  ['k8s', [tls], { keys: [] }],
  ['k8s', [tls, sign], { signingKey: 'sign', keys: [] }],
])('the key that signs tokens, with %s and %j', async (dialect, flags, keys) => {
  const options = await accountTokenOptions(parseFlags([`--dialect=${dialect}`, ...flags]).values);
  expect({ signingKey: options.signingKey, keys: options.keys }).toEqual({ signingKey: undefined, ...keys });
});
