import { describe, expect, it } from 'vitest';
import { etcd } from '../../../src/exports/storage.js';
import { keysOf } from '../../../src/store/etcd/etcd.js';

const endpoints = ['https://10.0.0.1:2379'];

describe('etcd()', () => {
  it.each([
    [{ endpoints: [] }, 'endpoints must not be empty'],
    [{ endpoints: ['http://'] }, 'is not the URL of a member'],
    [{ endpoints: ['https://user:secret@10.0.0.1:2379'] }, 'is not the URL of a member'],
    [{ endpoints: ['https://10.0.0.1:2379/path'] }, 'is not the URL of a member'],
    [{ endpoints: [...endpoints, 'http://10.0.0.2:2379'] }, 'all begin with https'],
    [{ endpoints, tls: { cert: 'x' } }, 'tls.cert and tls.key must be given together'],
    [{ endpoints, tls: { certificate: 'x' } as object }, 'certificate'],
    [{ endpoints, tls: { ca: '' } }, 'tls.ca must be PEM text'],
    [{ endpoints, tls: { cert: '', key: '' } }, 'tls.cert must be PEM text'],
    [{ endpoints, compactionInterval: -1 }, 'compactionInterval'],
    [{ endpoints, prefx: '/x' } as never, 'prefx'],
  ])('refuses %j', (options, message) => {
    expect(() => etcd(options)).toThrow(message);
  });
});

describe('keys in etcd', () => {
  it.each([
    ['/registry', '/registry/'],
    ['registry/', '/registry/'],
    ['/a//b/', '/a/b/'],
    ['', '/'],
    ['/', '/'],
  ])('with the prefix %o begin with %o', (given, prefix) => {
    const keys = keysOf(given);
    expect(keys.prefix).toBe(prefix);
    expect(keys.fromEtcd(keys.toEtcd('/a/b'))).toBe('/a/b');
    expect(keys.fromEtcd(keys.marker)).toBeUndefined();
  });
  it('refuse strings that UTF-8 cannot encode', () => {
    expect(() => keysOf('/x').toEtcd('\ud800')).toThrow('half of a surrogate pair');
  });
});
