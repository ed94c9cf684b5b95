import { service } from '../../dist/exports/kinds.js';
import { configMap } from '../../dist/index.js';
import { json } from './plain.mjs';
import { seededServer, where } from './seeded.mjs';

const entries = (count, value) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`entry-${i}`, `${value}-${i}`]));
const ports = (count, appProtocol) =>
  Array.from({ length: count }, (_, i) => ({ name: `p-${i}`, port: i + 1, targetPort: i + 1, appProtocol }));

const each = (write) => async (count) => {
  const { client } = await seededServer({ controllers: [] });
  const call = await write(client, count);
  return { things: count, call };
};

export const subjects = {
  'apply of an object, each field': {
    plain: json,
    sizes: [1_000, 10_000],
    make: each(async (client, count) => {
      let i = 0;
      const objects = ['a', 'b'].map((value) => ({ metadata: { name: 'c', ...where }, data: entries(count, value) }));
      return () => client.apply(configMap, objects[i++ % 2], { fieldManager: 'm' });
    }),
  },
  'apply that changes nothing, each field': {
    plain: json,
    sizes: [1_000, 10_000],
    make: each(async (client, count) => {
      const object = { metadata: { name: 'c', ...where }, data: entries(count, 'a') };
      return () => client.apply(configMap, object, { fieldManager: 'm' });
    }),
  },
  'apply of one field, each field of another manager': {
    plain: json,
    sizes: [1_000, 10_000],
    make: each(async (client, count) => {
      let i = 0;
      await client.apply(
        configMap,
        { metadata: { name: 'c', ...where }, data: entries(count, 'a') },
        { fieldManager: 'm' },
      );
      return () =>
        client.apply(configMap, { metadata: { name: 'c', ...where }, data: { mine: `${i++}` } }, { fieldManager: 'n' });
    }),
  },
  'apply of a list by keys, each item': {
    plain: json,
    sizes: [500, 5_000],
    make: each(async (client, count) => {
      let i = 0;
      const objects = ['http', 'https'].map((value) => ({
        metadata: { name: 's', ...where },
        spec: { ports: ports(count, value) },
      }));
      return () => client.apply(service, objects[i++ % 2], { fieldManager: 'm' });
    }),
  },
  'merge patch of one field, each field of the object': {
    plain: json,
    sizes: [1_000, 10_000],
    make: each(async (client, count) => {
      let i = 0;
      await client.create(configMap, { metadata: { name: 'c', ...where }, data: entries(count, 'a') });
      return () => client.patch(configMap, 'c', { data: { mine: `${i++}` } }, where);
    }),
  },
  'create, each field of the object': {
    plain: json,
    sizes: [1_000, 10_000],
    make: each(async (client, count) => {
      const object = { metadata: { generateName: 'c-', ...where }, data: entries(count, 'a') };
      return async () => {
        const { metadata } = await client.create(configMap, object);
        await client.delete(configMap, metadata.name, where);
      };
    }),
  },
  'apply by one of several managers, each of them': {
    sizes: [100, 1_000],
    make: each(async (client, count) => {
      let i = 0;
      const one = (number, value) =>
        client.apply(
          configMap,
          { metadata: { name: 'c', ...where }, data: { [`of-${number}`]: value } },
          { fieldManager: `m-${number}` },
        );
      for (let number = 0; number < count; number++) await one(number, 'a');
      return () => one(0, `${i++}`);
    }),
  },
};
