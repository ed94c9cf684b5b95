import { maskSecrets } from '../../values/mask-secrets.js';
import { quote } from '../../values/quote.js';

/** Severity: information (I), a warning (W), an error (E). */
export type Severity = 'I' | 'W' | 'E';

/** One line of the log. */
export interface LogEntry {
  readonly severity: Severity;
  /** The part of the program that says it: `httplog`. */
  readonly module: string;
  /** The verbosity it is said at. */
  readonly verbosity: number;
  readonly message: string;
  /** What goes with it, in order; numbers stay numbers. */
  readonly values?: readonly (readonly [string, string | number])[];
}

/** Writes an entry as a line, without its end. @param now milliseconds since the epoch, with fractions */
export type FormatEntry = (entry: LogEntry, now: number) => string;

/** What a terminal obeys, and what turns the text around that follows it. */
const UNSEEN = /[\0-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** A message that can do nothing but be read: its further lines are indented, so that none of them passes for an entry. */
const unable = (message: string): string =>
  message.replace(/\r?\n/g, '\n  ').replace(UNSEEN, (char) => quote(char).slice(1, -1));

const two = (value: number) => String(value).padStart(2, '0');

/** As upstream's text log: `I1122 18:20:01.123456   12345 httplog.go:1] "HTTP" verb="GET" resp=200`. */
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

/** As upstream's JSON log: `ts` in milliseconds, `v` for how much is logged, the message under `msg`. */
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
