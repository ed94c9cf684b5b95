import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostToDial } from '../../../src/outbound/ip-address.js';
import { addressOfService, endpointOfService } from '../../../src/outbound/service-address.js';
import { originAt } from '../../../src/resources/shared/relay-target.js';
import { parseAddress, parseIp } from '../../../src/values/ip-address.js';

/** Returns the address to which a URL leads, as bytes. */
const reached = (origin: string) => {
  const { hostname } = new URL(origin);
  return parseIp(hostname.replace(/^\[|\]$/g, ''));
};

const zeros = fc.integer({ min: 0, max: 3 }).map((count) => '0'.repeat(count));
const byte = fc.integer({ min: 0, max: 255 });
const dotted = fc
  .array(fc.tuple(zeros, byte), { minLength: 4, maxLength: 4 })
  .map((parts) => parts.map(([zero, value]) => `${zero}${value}`).join('.'));
const spelled = fc.oneof(
  dotted,
  dotted.map((text) => `::ffff:${text}`),
  fc.ipV6(),
  fc.ipV4(),
);

describe('the validated address is the dialled address', () => {
  it('for every spelling that API fields accept', () => {
    fc.assert(
      fc.property(spelled, (text) => {
        const checked = parseAddress(text);
        if (checked === undefined) return;
        expect(reached(originAt('http', text, '80'))).toEqual(checked);
      }),
    );
  });

  it('for octal spellings of loopback and link-local addresses', () => {
    expect(originAt('https', '0177.0.0.1', '')).toBe('https://177.0.0.1');
    expect(originAt('http', '0251.254.169.254', '80')).toBe('http://251.254.169.254:80');
  });

  it('for the cluster address of a service', () => {
    const service = { metadata: {}, spec: { clusterIP: '010.0.0.5', ports: [{ port: 443 }] } };
    expect(addressOfService(service as never, 'a', 443)).toBe('10.0.0.5:443');
  });

  it('for the endpoints of a service', () => {
    const subsets = [{ addresses: [{ ip: '010.0.0.010' }], ports: [{ port: 80 }] }];
    const random = { fill: (bytes: Uint8Array) => bytes };
    expect(endpointOfService({ metadata: {}, subsets } as never, '', random as never)).toBe('10.0.0.10:80');
  });

  it.each(['0x7f000001', '2130706433', '127.1', '0x7f.1', '0177.0.0.0x1', '127.0.0.1.', '1.2.3.08.'])(
    'except the external name %s, which a URL parser reads as an address',
    (externalName) => {
      const service = { metadata: {}, spec: { type: 'ExternalName', externalName } };
      expect(() => addressOfService(service as never, 'a', 443)).toThrow('is neither an address nor a name');
    },
  );

  it.each(['example.com', 'a.b-1.c', '1a.example', 'x1'])('and the name %s is dialled unchanged', (name) => {
    expect(hostToDial(name)).toBe(name);
  });
});
