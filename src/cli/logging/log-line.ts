import { maskSecrets } from '../../values/mask-secrets.js';
import { quote } from '../../values/quote.js';

/** Severity: information (I), a warning (W), an error (E). */
export type Severity = 'I' | 'W' | 'E';

/** An entry of the log. */
export interface LogEntry {
  readonly severity: Severity;
  /** The part of the program that logs the entry, for example `httplog`. */
  readonly module: string;
  /** The verbosity from which the entry is logged. */
  readonly verbosity: number;
  readonly message: string;
  /** Named values of the entry, in order. Numbers are logged as numbers. */
  readonly values?: readonly (readonly [string, string | number])[];
}

/** Formats an entry as a line without its line break. @param now milliseconds since the epoch, with fractions */
export type FormatEntry = (entry: LogEntry, now: number) => string;

/** Control characters that a terminal obeys, and those that change the direction of the text after them. */
const UNSEEN = /[\0-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/**
 * Makes a message harmless to print: control characters are escaped, and further lines are indented, so that none looks like an entry of
 * its own.
 */
const unable = (message: string): string =>
  message.replace(/\r?\n/g, '\n  ').replace(UNSEEN, (char) => quote(char).slice(1, -1));

const two = (value: number) => String(value).padStart(2, '0');

/** Formats entries like upstream's text log: `I1122 18:20:01.123456   12345 httplog.go:1] "HTTP" verb="GET" resp=200`. */
export const textEntry =
  (processId: number): FormatEntry =>
  ({ severity, module, message, values }, now) => {
    const time = new Date(now);
    const micros = String(Math.floor((now * 1000) % 1_000_000)).padStart(6, '0');
    const day = `${two(time.getMonth() + 1)}${two(time.getDate())}`;
    const clock = `${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}.${micros}`;
    const head = `${severity}${day} ${clock} ${String(processId).padStart(7)} ${module}.ts:1] `;
    if (values === undefined) return head + unable(maskSecrets(message));
    const pairs = values.map(
      ([name, value]) => ` ${name}=${typeof value === 'number' ? value : quote(maskSecrets(value))}`,
    );
    return `${head}${quote(maskSecrets(message))}${pairs.join('')}`;
  };

/** Formats entries like upstream's JSON log: `ts` in milliseconds, `v` for the verbosity, and the message under `msg`. */
export const jsonEntry: FormatEntry = ({ severity, module, verbosity, message, values = [] }, now) => {
  const line = JSON.stringify({
    ts: Math.round(now * 1000) / 1000,
    caller: `${module}.ts:1`,
    msg: maskSecrets(message),
    ...(severity === 'E' ? {} : { v: verbosity }),
    ...Object.fromEntries(
      values.map(([name, value]) => [name, typeof value === 'string' ? maskSecrets(value) : value]),
    ),
  });
  return line.replace(UNSEEN, (char) => `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`);
};
