const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/**
 * A span of time for people, in at most two units: `85s`, `7m30s`, `5h10m`, `3d4h`, `2y`.
 * @param milliseconds clocks may differ by a second: from -2 s on it is `<invalid>`
 */
export function humanDuration(milliseconds: number): string {
  const seconds = Math.trunc(milliseconds / SECOND);
  if (seconds < -1) return '<invalid>';
  if (milliseconds < 0) return '0s';
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.trunc(milliseconds / MINUTE);
  if (minutes < 10) return twoUnits(minutes, 'm', seconds % 60, 's');
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.trunc(milliseconds / HOUR);
  if (hours < 8) return twoUnits(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return `${hours}h`;
  const days = Math.trunc(hours / 24);
  if (days < 8) return twoUnits(days, 'd', hours % 24, 'h');
  if (days < 730) return `${days}d`;
  const years = Math.trunc(days / 365);
  return years < 8 ? twoUnits(years, 'y', days % 365, 'd') : `${years}y`;
}

const twoUnits = (large: number, largeUnit: string, small: number, smallUnit: string) =>
  small === 0 ? `${large}${largeUnit}` : `${large}${largeUnit}${small}${smallUnit}`;

/**
 * How long ago a time was, as columns show it.
 * @param time RFC 3339; absent or null is `<unknown>`
 * @param now milliseconds since the epoch
 */
export function formatAge(time: string | null | undefined, now: number): string {
  const then = time === null || time === undefined || time === '' ? Number.NaN : Date.parse(time);
  return Number.isNaN(then) ? '<unknown>' : humanDuration(now - then);
}
