import type { Entry, Part, Transcript } from './transcript.js';

/** The numbers of characters that a message shows of each output before and after the first difference. */
const BEFORE = 60;
const AFTER = 80;

/** Where two replays begin to differ. */
export interface ReplayDifference {
  /** The output that differs, such as `request 17, create /api/v1/namespaces/default/pods by jane`. */
  readonly place: string;
  /**
   * The number of equal bytes at the beginning of both outputs; absent if one replay has no output at this place, or the two outputs have
   * different names.
   */
  readonly offset?: number;
  /** The complete outputs of both replays, or their names if `offset` is absent. */
  readonly texts: readonly [first: string, other: string];
}

/** Returns the first difference of two transcripts in the order of the first one; undefined if they are the same. */
export function firstDifference(first: Transcript, other: Transcript): ReplayDifference | undefined {
  const ones = first.parts;
  const others = other.parts;
  let found: { readonly number: number; readonly difference: ReplayDifference } | undefined;
  for (let i = 0; i < Math.max(ones.length, others.length); i++) {
    const next = differenceOf(ones[i], others[i]);
    if (next && (!found || next.number < found.number)) found = next;
  }
  return found?.difference;
}

function differenceOf(one: Part | undefined, other: Part | undefined) {
  const { noun = '', source = '' } = one ?? other ?? {};
  const length = Math.max(one?.entries.length ?? 0, other?.entries.length ?? 0);
  for (let i = 0; i < length; i++) {
    const [a, b] = [one?.entries[i], other?.entries[i]];
    if (a?.name === b?.name && a?.text === b?.text && (a === undefined) === (b === undefined)) continue;
    const number = a?.number ?? b?.number ?? 0;
    const place = `${noun} ${i + 1}${source === '' ? '' : ` of ${source}`}`;
    return { number, difference: compare(place, a, b) };
  }
  return undefined;
}

function compare(place: string, a: Entry | undefined, b: Entry | undefined): ReplayDifference {
  if (a === undefined || b === undefined || a.name !== b.name)
    return { place, texts: [a?.name ?? 'nothing', b?.name ?? 'nothing'] };
  const texts = [a.text ?? 'no response', b.text ?? 'no response'] as const;
  const common = commonLength(...texts);
  const offset = new TextEncoder().encode(texts[0].slice(0, common)).length;
  return { place: `${place}, ${a.name}`, offset, texts };
}

function commonLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return length;
}

/** Returns lines that show a difference: the whole of short strings, and the surroundings of the first different byte of long strings. */
export function describeDifference({ place, offset, texts }: ReplayDifference): string {
  const [one, other] = texts;
  if (offset === undefined) return `${place}: it is "${one}" in the first, and "${other}" in the other`;
  const common = commonLength(one, other);
  const around = (text: string) => {
    const shown = text.slice(Math.max(0, common - BEFORE), common + AFTER);
    return `${common > BEFORE ? '...' : ''}${shown}${text.length > common + AFTER ? '...' : ''}`;
  };
  return `${place}: the texts differ at byte ${offset}\n  first: ${around(one)}\n  other: ${around(other)}`;
}
