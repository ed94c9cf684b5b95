import { maskSecrets } from '../../values/mask-secrets.js';

/** How bad it is: told (I), a warning (W), a fault (E). */
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
    if (values === undefined) return maskSecrets(head + message);
    const pairs = values.map(
      ([name, value]) => ` ${name}=${typeof value === 'number' ? value : JSON.stringify(value)}`,
    );
    return maskSecrets(`${head}${JSON.stringify(message)}${pairs.join('')}`);
  };

/** As upstream's JSON log: `ts` in milliseconds, `v` for what is told, the message under `msg`. */
export const jsonEntry: FormatEntry = ({ severity, module, verbosity, message, values = [] }, now) =>
  maskSecrets(
    JSON.stringify({
      ts: Math.round(now * 1000) / 1000,
      caller: `${module}.ts:1`,
      msg: message,
      ...(severity === 'E' ? {} : { v: verbosity }),
      ...Object.fromEntries(values),
    }),
  );
