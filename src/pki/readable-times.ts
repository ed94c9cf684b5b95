import { derTag, readElement, readElements } from './der/reader.js';

/** The length of the calendar's cycle of 400 years, in milliseconds. */
const FOUR_CENTURIES = 146_097 * 86_400_000;
const ZERO = 0x30;

/**
 * A certificate whose times JavaScript can read. JavaScript takes years before 100 for years of the last century, so the packages would
 * read and write them wrong. Certificates without dates have such years: Go writes an unset time as 1 January of the year 1.
 */
export interface ReadableTimes {
  /** The certificate, with such years moved 400 years later. */
  readonly der: Uint8Array;
  /** The milliseconds to add to the notBefore and notAfter that are read. */
  readonly shifts: readonly [number, number];
}

/** @throws DerError */
export function readableTimes(der: Uint8Array): ReadableTimes {
  const [tbs] = readElements(readElement(der).content);
  const fields = readElements(tbs?.content ?? new Uint8Array());
  const validity = fields[fields[0]?.tag === derTag.constructed(0) ? 4 : 3];
  const early =
    validity?.tag === derTag.sequence
      ? readElements(validity.content).map(
          ({ tag, content }) => tag === derTag.generalizedTime && content[0] === ZERO && content[1] === ZERO && content,
        )
      : [];
  if (!early.some(Boolean)) return { der, shifts: [0, 0] };
  const changed = Uint8Array.from(der);
  for (const content of early) if (content) changed[content.byteOffset - der.byteOffset + 1] = ZERO + 4;
  const shift = (content: unknown) => (content ? -FOUR_CENTURIES : 0);
  return { der: changed, shifts: [shift(early[0]), shift(early[1])] };
}
