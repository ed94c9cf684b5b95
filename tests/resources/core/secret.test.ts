import { describe, expect, it } from 'vitest';
import { secret } from '../../../src/exports/kinds.js';
import { context, createErrors, readBody, updateErrors } from '../steps.js';

/* Errors of secrets with a type, from upstream's tables. */
const typed = (type: string, stringData: object, more: object = {}) => ({
  metadata: { name: 's', ...more },
  type: `kubernetes.io/${type}`,
  stringData,
});
const redacted = 'Invalid value: "<secret contents redacted>"';
const notMap = (what: string) => `json: cannot unmarshal ${what} into Go value of type map[string]interface {}`;
const account = { annotations: { 'kubernetes.io/service-account.name': 'x' } };

describe('a secret', () => {
  const config = '.dockerconfigjson';
  it.each<readonly [type: string, data: object, errors: readonly string[]]>([
    ['service-account-token', {}, ['metadata.annotations[kubernetes.io/service-account.name]: Required value']],
    ['basic-auth', {}, ['data[username]: Required value', 'data[password]: Required value']],
    ['basic-auth', { username: '' }, []],
    ['basic-auth', { password: 'x' }, []],
    ['ssh-auth', {}, ['data[ssh-privatekey]: Required value']],
    ['ssh-auth', { 'ssh-privatekey': '' }, ['data[ssh-privatekey]: Required value']],
    ['tls', { 'tls.crt': '' }, ['data[tls.key]: Required value']],
    ['tls', { 'tls.crt': '', 'tls.key': '' }, []],
    ['dockerconfigjson', { [config]: '{"auths":{}}' }, []],
    ['dockerconfigjson', { [config]: 'null' }, []],
    ['dockerconfigjson', {}, [`data[${config}]: Required value`]],
    ['dockerconfigjson', { [config]: '' }, [`data[${config}]: ${redacted}: unexpected end of JSON input`]],
    ['dockerconfigjson', { [config]: '[]' }, [`data[${config}]: ${redacted}: ${notMap('array')}`]],
    ['dockercfg', { '.dockercfg': '"x"' }, [`data[.dockercfg]: ${redacted}: ${notMap('string')}`]],
    ['dockercfg', { '.dockercfg': '7' }, [`data[.dockercfg]: ${redacted}: ${notMap('number')}`]],
    [
      'dockercfg',
      { '..dockercfg': '{}' },
      [
        'data[..dockercfg]: Invalid value: "..dockercfg": must not start with \'..\'',
        'data[.dockercfg]: Required value',
      ],
    ],
  ])('%s %j', async (type, data, errors) => {
    expect(await createErrors(secret, typed(type, data))).toEqual(errors);
  });

  it('of a ServiceAccount names it', async () => {
    expect(await createErrors(secret, typed('service-account-token', {}, account))).toEqual([]);
  });

  it('cannot change its type', async () => {
    const old = readBody(secret, { metadata: { name: 's' }, type: 'a' });
    expect(await updateErrors(secret, { metadata: { name: 's' }, type: 'b' }, old)).toEqual([
      'type: Invalid value: "b": field is immutable',
    ]);
  });

  it('with a certificate and another key is warned about', () => {
    const warned = (data: object) =>
      secret.strategy?.warnings?.(readBody(secret, typed('tls', data)), undefined, context);
    expect(warned({ 'tls.crt': '', 'tls.key': '' })).toEqual(['tls: failed to find any PEM data in certificate input']);
    const key = '-----BEGIN PRIVATE KEY-----\nAA==\n-----END PRIVATE KEY-----\n';
    expect(warned({ 'tls.crt': key, 'tls.key': key })?.[0]).toContain('PEM inputs may have been switched');
    const other = readBody(secret, { metadata: {}, stringData: { 'tls.crt': 'x', 'tls.key': 'y' } });
    expect(secret.strategy?.warnings?.(other, undefined, context)).toEqual([]);
  });
});
