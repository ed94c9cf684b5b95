import { configMap } from '../objects.mjs';

const metadata = {
  uid: '5c3d0f6e-0d5f-4c0d-9a0a-000000000000',
  resourceVersion: '1',
  creationTimestamp: '2026-01-01T00:00:00Z',
};

/** Reads two members of many parsed objects, to measure what the processor's caches allow a loop. */
export function walk(count) {
  const text = JSON.stringify({ ...configMap('c'), metadata: { ...configMap('c').metadata, ...metadata } });
  const objects = new Map(Array.from({ length: count }, (_, i) => [`c-${i}`, JSON.parse(text)]));
  return () => {
    let found = 0;
    for (const { metadata } of objects.values()) if (metadata.labels?.shard === 'none') found++;
    return found;
  };
}

/** Copies many strings of a kilobyte into buffers of 256 KiB. */
export function copy(count) {
  const texts = Array.from({ length: count }, () => new Uint8Array(1_000));
  const piece = new Uint8Array(256 * 1_024);
  return () => {
    let at = 0;
    for (const text of texts) {
      if (at + text.length > piece.length) at = 0;
      piece.set(text, at);
      at += text.length;
    }
  };
}

/** Parses and encodes an object with many members. */
export function json(count) {
  const text = JSON.stringify(
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`entry-${i}`, `value-${i}`])),
  );
  return () => {
    const object = JSON.parse(text);
    for (const name of Object.keys(object)) if (object[name] === '') throw new Error('an empty value');
    return JSON.stringify(object);
  };
}
