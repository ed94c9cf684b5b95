import { expect, it } from 'vitest';
import { EtcdClient } from '../../../src/store/etcd/client.js';
import { Leases } from '../../../src/store/etcd/leases.js';
import { LEASE_GRANT } from '../../../src/store/etcd/messages.js';
import { nativeHttp2 } from '../../../src/store/etcd/native-http2.js';
import { createFakeHost } from '../../../src/testing/fake-host.js';
import { answer, startFakeEtcd } from '../../support/fake-etcd.js';

it('a lease is requested once for a key, even if etcd grants a shorter one', async () => {
  await using fake = await startFakeEtcd((stream) => answer(stream, LEASE_GRANT, { id: 7n, ttl: 1 }));
  const { clock } = createFakeHost();
  const client = new EtcdClient({ endpoints: [fake.endpoint], http2: nativeHttp2(), clock });
  const leases = new Leases(client, clock);
  expect(await leases.leaseFor(60)).toBe(7n);
  expect(fake.paths).toHaveLength(1);
  clock.advance(1);
  expect(await leases.leaseFor(60)).toBe(7n);
  expect(fake.paths).toHaveLength(2);
  client.close();
});
