import { readdirSync } from 'node:fs';
import { hasSharedData, readSharedText, sharedUrl } from './shared-data.js';

const FOLDER = 'data/k8s-proto/k8s.io/';

/** A field of a message, as its definition declares it. */
export interface ProtoField {
  readonly name: string;
  readonly type: string;
  readonly number: number;
}

/** Upstream's message definitions by OpenAPI name (`io.k8s.api.core.v1.Secret`); empty if the data is absent. */
export function readMessages(): ReadonlyMap<string, readonly ProtoField[]> {
  const messages = new Map<string, ProtoField[]>();
  if (!hasSharedData) return messages;
  for (const file of readdirSync(sharedUrl(FOLDER), { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.proto')) continue;
    let pack = '';
    let fields: ProtoField[] | undefined;
    for (const line of readSharedText(`${FOLDER}${file}`).split('\n')) {
      pack = /^package (.+);/.exec(line)?.[1]?.replace(/^k8s\.io/, 'io.k8s') ?? pack;
      const opened = /^message (\w+)/.exec(line)?.[1];
      if (opened !== undefined) messages.set(`${pack}.${opened}`, (fields = []));
      const [, type = '', name = '', number] =
        /^ {2}(?:optional|repeated|required)? ?(\S.*?) (\w+) = (\d+);/.exec(line) ?? [];
      if (number !== undefined) fields?.push({ name, type: type.replace(/^\./, ''), number: Number(number) });
    }
  }
  return messages;
}

/** Returns the numbers of a message's fields by JSON name in lower case: several for fields of messages that JSON does not contain. */
export function fieldNumbersOf(
  definition: string,
  messages: ReadonlyMap<string, readonly ProtoField[]>,
  shown: { has(name: string): boolean },
): ReadonlyMap<string, readonly number[]> {
  const numbers = new Map<string, readonly number[]>();
  const pack = definition.slice(0, definition.lastIndexOf('.'));
  for (const { name, type, number } of messages.get(definition) ?? []) {
    numbers.set(name.toLowerCase(), [number]);
    if (shown.has(name) || !/[A-Z]/.test(type)) continue;
    const inner = type.includes('.') ? type.replace(/^k8s\.io/, 'io.k8s') : `${pack}.${type}`;
    for (const [field, path] of fieldNumbersOf(inner, messages, shown)) numbers.set(field, [number, ...path]);
  }
  return numbers;
}
