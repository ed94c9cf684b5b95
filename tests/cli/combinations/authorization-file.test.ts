import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { authorizationOptions } from '../../../src/cli/authorization-options.js';
import { authorizationFile } from '../../../src/cli/configuration/authorization-file.js';
import { parseFlags } from '../../../src/cli/parse-flags.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'authorization-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const configuration = (...types: string[]) =>
  JSON.stringify({
    apiVersion: 'apiserver.config.k8s.io/v1beta1',
    kind: 'AuthorizationConfiguration',
    authorizers: types.map((type) => ({ type, name: type.toLowerCase() })),
  });

it('warns of AlwaysAllow in a file, at the start and when the file changes', async () => {
  const path = join(folder, 'authorization.json');
  const logged: string[] = [];
  const read = async (...types: string[]) => {
    writeFileSync(path, configuration(...types));
    const { values } = parseFlags(['--dialect=k8s', `--authorization-config=${path}`]);
    return authorizationFile(values, path, (message) => logged.push(message));
  };
  const warning = `authorization: every user may do everything (AlwaysAllow in ${path}), even without credentials unless anonymous requests are off`;
  await read('RBAC');
  expect(logged).toEqual([]);
  await read('RBAC', 'AlwaysAllow');
  expect(logged).toEqual([warning]);
});

it('warns of mode AlwaysAllow, which does not turn off the anonymous requests of an authentication file', async () => {
  const logged: string[] = [];
  const read = (...flags: string[]) => authorizationOptions(parseFlags(flags), (message) => logged.push(message));
  await read();
  await read('--authentication-config=a.yaml', '--authorization-mode=RBAC,AlwaysAllow');
  await read('--authentication-config=a.yaml', '--authorization-mode=RBAC');
  expect(logged).toEqual([
    'authorization: every authenticated user may do everything (mode AlwaysAllow)',
    'authorization: every user may do everything, even without credentials if a.yaml turns on anonymous requests (mode AlwaysAllow)',
  ]);
});
