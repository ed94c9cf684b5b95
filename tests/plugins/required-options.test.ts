import { expect, it } from 'vitest';
import { webhookSink } from '../../src/exports/audit.js';
import { oidc, tokenFile, webhookTokens, x509 } from '../../src/exports/authentication.js';
import { etcd } from '../../src/exports/storage.js';
import { listen, toNodeHandler } from '../../src/http/index.js';

const NOTHING = undefined as never;
const EMPTY = {} as never;

it.each([
  ['oidc', () => oidc(EMPTY), 'oidc(): issuerUrl must be a string'],
  ['oidc', () => oidc({ issuerUrl: 'https://issuer.example' } as never), 'oidc(): clientId must be a string'],
  ['tokenFile', () => tokenFile(NOTHING), 'tokenFile(): the tokens must be a string'],
  ['webhookTokens', () => webhookTokens(NOTHING), 'webhookTokens(): the options must be an object'],
  ['webhookTokens', () => webhookTokens(EMPTY), 'webhookTokens(): connection must be an object'],
  ['webhookTokens', () => webhookTokens({ conection: {} } as never), 'did you mean "connection"?'],
  ['x509', () => x509(NOTHING), 'x509(): the options must be an object'],
  ['x509', () => x509(EMPTY), 'x509(): clientCA must be certificates as PEM'],
  ['x509', () => x509({ clientCa: '' } as never), 'did you mean "clientCA"?'],
  ['webhookSink', () => webhookSink(NOTHING), 'webhookSink(): connection must be an object'],
  ['etcd', () => etcd(EMPTY), 'etcd(): endpoints must be a list of URLs'],
  ['toNodeHandler', () => toNodeHandler(EMPTY), 'toNodeHandler: the first argument must be a server'],
])('%s names the option that is missing or misspelled', (_, call, message) => {
  expect(call).toThrow(TypeError);
  expect(call).toThrow(message);
});

it('listen rejects without a server', async () => {
  await expect(listen(NOTHING)).rejects.toThrow('listen: the first argument must be a server');
});
