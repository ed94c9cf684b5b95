/** Formatters are dear to make; names come from callers, so the memory is bounded. */
const formatters = new Map<string, Intl.DateTimeFormat>();
const MOST_FORMATTERS = 100;
const MAX_LENGTH = 64;

/** Writes times in a zone of the time zone database (`Europe/Berlin`), by all their numbers; undefined for unknown zones. */
export function zoneFormatter(zone: string): Intl.DateTimeFormat | undefined {
  const known = formatters.get(zone);
  if (known !== undefined) return known;
  if (/^[+-]/.test(zone) || zone.length > MAX_LENGTH) return undefined;
  let made: Intl.DateTimeFormat;
  try {
    made = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      calendar: 'gregory',
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    return undefined;
  }
  if (formatters.size >= MOST_FORMATTERS) formatters.clear();
  formatters.set(zone, made);
  return made;
}

/** Whether a name is that of a time zone. Capitals count, unless the name is another one's alias. */
export function isTimeZone(name: string): boolean {
  if (name === '' || name === 'UTC' || name === 'Local') return true;
  const known = zoneFormatter(name)?.resolvedOptions().timeZone;
  return known !== undefined && (known === name || known.toLowerCase() !== name.toLowerCase());
}
