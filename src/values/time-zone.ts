/** Formatters are cached because they are expensive to create. The cache is bounded because clients choose the names. */
const formatters = new Map<string, Intl.DateTimeFormat>();
const MOST_FORMATTERS = 100;
const MAX_LENGTH = 64;

/**
 * Returns a formatter of all date and time fields in a zone of the time zone database (`Europe/Berlin`); undefined for unknown zones. The
 * case must match, as it does for upstream, which finds zones by the name of their file; only an alias of another zone may differ from it
 * after its first letter.
 */
export function zoneFormatter(zone: string): Intl.DateTimeFormat | undefined {
  const known = formatters.get(zone);
  if (known !== undefined) return known;
  if (/^[+\-a-z]/.test(zone) || zone.length > MAX_LENGTH) return undefined;
  let formatter: Intl.DateTimeFormat;
  try {
    formatter = new Intl.DateTimeFormat('en-US', {
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
  const { timeZone } = formatter.resolvedOptions();
  if (timeZone !== zone && timeZone.toLowerCase() === zone.toLowerCase()) return undefined;
  if (formatters.size >= MOST_FORMATTERS) formatters.clear();
  formatters.set(zone, formatter);
  return formatter;
}

/** Returns whether a name is a time zone. */
export const isTimeZone = (name: string): boolean =>
  name === '' || name === 'UTC' || name === 'Local' || zoneFormatter(name) !== undefined;
