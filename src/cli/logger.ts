import type { FlowReport } from '../flow-control/flow-control.js';
import type { RequestRecord } from '../requests/request-record.js';
import { formatDuration } from '../values/duration.js';
import { maskSecrets } from '../values/mask-secrets.js';
import { messageOf } from '../values/message-of.js';
import { parseUnsigned } from '../values/numbers.js';
import { quote } from '../values/quote.js';

/** The minimum verbosity at which every request is logged. */
const REQUESTS = 3;
const NANOSECONDS = 1e6;

export interface LoggerOptions {
  readonly format: 'text' | 'json';
  readonly verbosity: number;
  /**
   * The verbosity of modules by name pattern: `httplog=3,serv*=2`. A question mark matches one character, and an asterisk matches any
   * number.
   */
  readonly modules: string;
  readonly write: (text: string) => void;
  /** Returns the time in milliseconds since the epoch. */
  readonly now: () => number;
  readonly processId: number;
}

/** The program's log. */
export interface Logger {
  log(message: string): void;
  error(error: unknown): void;
  /** Logs a request; undefined when requests are not logged. */
  readonly request: ((request: RequestRecord) => void) | undefined;
}

/** Creates the program's log. @throws Error for a list of modules that cannot be parsed. */
export function createLogger({ format, verbosity, modules, write, now, processId }: LoggerOptions): Logger {
  const line: FormatEntry = format === 'json' ? jsonEntry : textEntry(processId);
  const writeEntry = (entry: LogEntry) => write(`${line(entry, now())}\n`);
  const levels = readModules(modules);
  const levelOf = (module: string) => levels.find(({ pattern }) => pattern.test(module))?.level ?? verbosity;
  return {
    log: (message) => writeEntry({ severity: 'I', module: 'server', verbosity: 0, message }),
    error: (error) => {
      const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
      writeEntry({ severity: 'E', module: 'server', verbosity: 0, message });
    },
    request: levelOf('httplog') >= REQUESTS ? (request) => writeEntry(requestEntry(request)) : undefined,
  };
}

function requestEntry(request: RequestRecord): LogEntry {
  const { verb, uri, latency, userAgent, auditId, sourceAddress = '', status, flow } = request;
  return {
    severity: 'I',
    module: 'httplog',
    verbosity: REQUESTS,
    message: 'HTTP',
    values: [
      ['verb', verb],
      ['URI', uri],
      ['latency', durationText(latency)],
      ['userAgent', userAgent],
      ['audit-ID', auditId],
      ['srcIP', sourceAddress],
      ...(flow ? flowValues(flow, verb === 'WATCH') : []),
      ['resp', status],
    ],
  };
}

/** As in upstream, names of priority levels and flow schemas are cut to this many characters. */
const MAX_NAME = 64;

/** Returns the names and values about flow control. The execution of a watch ends for it when the initial events can be read. */
function flowValues(flow: FlowReport, watches: boolean): NonNullable<LogEntry['values']> {
  const { priorityLevel, flowSchema, initialSeats, finalSeats, additionalLatency, executionTime } = flow;
  const values: (readonly [string, string | number])[] = [
    ['apf_pl', priorityLevel.slice(0, MAX_NAME)],
    ['apf_fs', flowSchema.slice(0, MAX_NAME)],
    ['apf_iseats', initialSeats],
    ['apf_fseats', finalSeats],
    ['apf_additionalLatency', durationText(additionalLatency)],
  ];
  if (executionTime === undefined) return values;
  if (watches) values.push(['apf_init_latency', durationText(executionTime)]);
  values.push(['apf_execution_time', durationText(executionTime)]);
  return values;
}

const durationText = (milliseconds: number): string =>
  formatDuration(BigInt(Math.max(0, Math.round(milliseconds * NANOSECONDS))));

/** Parses the verbosities of modules. @throws Error in upstream's words */
export function readModules(text: string): readonly { readonly pattern: RegExp; readonly level: number }[] {
  return text
    .split(',')
    .filter((part) => part !== '')
    .map((part) => {
      const [name = '', level = '', ...more] = part.split('=');
      if (name === '' || level === '' || more.length > 0)
        throw new Error(`${quote(part)} does not have the pattern=N format`);
      const escaped = name
        .replace(/[.+^${}()|[\]\\]/g, '\\$&')
        .replace(/\*+/g, '.*')
        .replaceAll('?', '.');
      return { pattern: new RegExp(`^${escaped}$`), level: levelIn(part, level) };
    });
}

function levelIn(part: string, level: string): number {
  try {
    return readLevel(level);
  } catch (error) {
    throw new Error(`parsing verbosity in ${quote(part)}: ${messageOf(error)}`, { cause: error });
  }
}

/** Severity: information (I), a warning (W), an error (E). */
type Severity = 'I' | 'W' | 'E';

/** An entry of the log. */
interface LogEntry {
  readonly severity: Severity;
  /** The part of the program that logs the entry, for example `httplog`. */
  readonly module: string;
  /** The minimum verbosity at which the entry is logged. */
  readonly verbosity: number;
  readonly message: string;
  /** Key-value pairs of the entry, in order. Numbers are logged as numbers. */
  readonly values?: readonly (readonly [string, string | number])[];
}

/** Formats an entry as one line, without a line break at the end. @param now milliseconds since the epoch, with fractions */
type FormatEntry = (entry: LogEntry, now: number) => string;

/** Matches control characters that a terminal interprets, and characters that change the direction of the text after them. */
const UNSEEN = /[\0-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/**
 * Makes a message harmless to print: control characters are escaped. Lines after the first are indented, so that none of them looks like an
 * entry of its own.
 */
const escapeMessage = (message: string): string =>
  message.replace(/\r?\n/g, '\n  ').replace(UNSEEN, (char) => quote(char).slice(1, -1));

const two = (value: number) => String(value).padStart(2, '0');

/** Formats entries like upstream's text log: `I1122 18:20:01.123456   12345 httplog.go:1] "HTTP" verb="GET" resp=200`. */
const textEntry =
  (processId: number): FormatEntry =>
  ({ severity, module, message, values }, now) => {
    const time = new Date(now);
    const micros = String(Math.floor((now * 1000) % 1_000_000)).padStart(6, '0');
    const day = `${two(time.getMonth() + 1)}${two(time.getDate())}`;
    const clock = `${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}.${micros}`;
    const head = `${severity}${day} ${clock} ${String(processId).padStart(7)} ${module}.ts:1] `;
    if (values === undefined) return head + escapeMessage(maskSecrets(message));
    const pairs = values.map(
      ([name, value]) => ` ${name}=${typeof value === 'number' ? value : quote(maskSecrets(value))}`,
    );
    return `${head}${quote(maskSecrets(message))}${pairs.join('')}`;
  };

/** Formats entries like upstream's JSON log: `ts` in milliseconds, `v` for the verbosity, and the message under `msg`. */
const jsonEntry: FormatEntry = ({ severity, module, verbosity, message, values = [] }, now) => {
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

const MOST_VERBOSE = 2 ** 31 - 1;

/** Parses a verbosity: decimal digits without a sign, at most 2^31-1. @throws ParseError or RangeError in upstream's words. */
export function readLevel(text: string): number {
  const level = Number(parseUnsigned(text));
  if (level > MOST_VERBOSE) throw new RangeError(`strconv.ParseUint: parsing ${quote(text)}: value out of range`);
  return level;
}
