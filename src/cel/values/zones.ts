import { zoneFormatter } from '../../values/time-zone.js';
import type { Timestamp } from './time.js';

/** The parts of a timestamp in a time zone. */
export interface Parts {
  readonly year: number;
  /** The month, from 0. */
  readonly month: number;
  /** The day of the month, from 1. */
  readonly day: number;
  /** The day of the year, from 0. */
  readonly dayOfYear: number;
  /** The day of the week, from 0 for Sunday. */
  readonly weekday: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

/** Returns the parts in a zone (`Europe/Berlin`, `+02:00`, `02:00`, '' for UTC), or an error message for its name. */
export function partsIn(time: Timestamp, zone: string): Parts | string {
  const offset = offsetSeconds(time, zone);
  if (typeof offset === 'string') return offset;
  const date = new Date((time.seconds + offset) * 1000);
  const year = date.getUTCFullYear();
  const first = new Date(0);
  first.setUTCFullYear(year, 0, 1);
  return {
    year,
    month: date.getUTCMonth(),
    day: date.getUTCDate(),
    dayOfYear: Math.floor((date.getTime() - first.getTime()) / 86_400_000),
    weekday: date.getUTCDay(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
  };
}

function offsetSeconds(time: Timestamp, zone: string): number | string {
  if (zone === '' || zone === 'UTC') return 0;
  const colon = zone.indexOf(':');
  if (colon >= 0) return fixedOffset(zone, colon);
  const formatter = zoneFormatter(zone);
  return formatter === undefined ? `unknown time zone ${zone}` : namedOffset(time, formatter);
}

/** Parses an offset. Hours and minutes are parsed separately and may have any size, as in the reference. */
function fixedOffset(zone: string, colon: number): number | string {
  const [hours, minutes] = [zone.slice(0, colon), zone.slice(colon + 1)];
  for (const part of [hours, minutes]) {
    if (!/^[+-]?\d{1,6}$/.test(part)) return `strconv.Atoi: parsing ${JSON.stringify(part)}: invalid syntax`;
  }
  const size = zone.startsWith('-') ? Number(hours) * 60 - Number(minutes) : Number(hours) * 60 + Number(minutes);
  return size * 60;
}

function namedOffset(time: Timestamp, formatter: Intl.DateTimeFormat): number {
  const parts = new Map(formatter.formatToParts(time.seconds * 1000).map(({ type, value }) => [type, value]));
  const part = (name: Intl.DateTimeFormatPartTypes): number => Number(parts.get(name));
  const year = parts.get('era') === 'BC' ? 1 - part('year') : part('year');
  const local = new Date(0);
  local.setUTCFullYear(year, part('month') - 1, part('day'));
  local.setUTCHours(part('hour'), part('minute'), part('second'));
  return local.getTime() / 1000 - time.seconds;
}
