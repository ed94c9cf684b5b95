import type { JsonValue } from '../json/value.js';
import { yieldIfDue } from '../meta/flow.js';
import type { Chunks } from '../serialization/format.js';
import { encodeText, stringifyJson } from '../serialization/json/encode.js';
import { sha256, sha512 } from '../signatures/digest.js';
import { joinBytes } from '../values/join-bytes.js';
import { type Entry, inWireOrder } from './entry.js';

/** A member of a document: a small value, many entries, or an object with such members. */
export type DocumentMember = { readonly name: string } & (
  | { readonly value: JsonValue }
  | { readonly entries: readonly Entry[] }
  | { readonly members: Layout }
);

/**
 * The skeleton of a document, which is never assembled as one object. Large members consist of entries, which are shared with other
 * documents.
 */
export type Layout = readonly DocumentMember[];

/**
 * Encodes a document as compact JSON. The bytes of its entries are reused; only the JSON between the entries is written. The returned list
 * is frozen.
 */
export function encodeLayout(layout: Layout): Chunks {
  const chunks: Uint8Array[] = [];
  let text = '';
  const write = (members: Layout) => {
    text += '{';
    for (const [i, member] of members.entries()) {
      text += `${i === 0 ? '' : ','}${stringifyJson(member.name)}:`;
      if ('value' in member) text += stringifyJson(member.value);
      else if ('members' in member) write(member.members);
      else {
        chunks.push(encodeText(`${text}{`));
        for (const [at, { json }] of inWireOrder(member.entries).entries())
          chunks.push(at === 0 ? json.subarray(1) : json);
        text = '}';
      }
    }
    text += '}';
  };
  write(layout);
  chunks.push(encodeText(text));
  return Object.freeze(chunks);
}

const digests = new WeakMap<Entry, Promise<Uint8Array>>();

/** Returns the SHA-256 of an entry, which is computed once. */
function digestOf(entry: Entry): Promise<Uint8Array> {
  let digest = digests.get(entry);
  if (!digest) digests.set(entry, (digest = sha256(entry.json)));
  return digest;
}

/** Returns the hash of a document: the upper-case hexadecimal SHA-512 over the hashes of its entries and all other content. */
export async function hashOf(layout: Layout): Promise<string> {
  const pieces: Uint8Array[] = [];
  const add = async (members: Layout): Promise<void> => {
    for (const member of members) {
      const { name } = member;
      if ('value' in member) pieces.push(encodeText(stringifyJson([name, member.value])));
      else if ('members' in member) {
        pieces.push(encodeText(stringifyJson([name, member.members.length])));
        await add(member.members);
      } else {
        pieces.push(encodeText(stringifyJson([name, member.entries.length])));
        for (const entry of member.entries) {
          const turn = yieldIfDue();
          if (turn) await turn;
          pieces.push(await digestOf(entry));
        }
      }
    }
  };
  await add(layout);
  return sha512(joinBytes(pieces));
}
