import type { JsonValue } from '../json/value.js';
import { giveWay } from '../meta/flow.js';
import type { Chunks } from '../serialization/format.js';
import { encodeText, stringifyJson } from '../serialization/json/encode.js';
import { sha256, sha512 } from '../signatures/digest.js';
import { joinBytes } from '../values/join-bytes.js';
import { type Entry, inWireOrder } from './entry.js';

/** A member of a document: a value that is small, many entries, or an object with such members. */
export type DocumentMember = { readonly name: string } & (
  | { readonly value: JsonValue }
  | { readonly entries: readonly Entry[] }
  | { readonly members: Layout }
);

/** A document that is never in one piece: its members in their order, those that are large as entries shared with others. */
export type Layout = readonly DocumentMember[];

/** A document as compact JSON, frozen: the bytes of its entries as they are, and what is between them. */
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

/** The SHA-256 of an entry: computed once. */
function digestOf(entry: Entry): Promise<Uint8Array> {
  let digest = digests.get(entry);
  if (!digest) digests.set(entry, (digest = sha256(entry.json)));
  return digest;
}

/** What changes if and only if the document does: the upper-case hexadecimal SHA-512 of what its entries hash to, and of all else. */
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
          const turn = giveWay();
          if (turn) await turn;
          pieces.push(await digestOf(entry));
        }
      }
    }
  };
  await add(layout);
  return sha512(joinBytes(pieces));
}
