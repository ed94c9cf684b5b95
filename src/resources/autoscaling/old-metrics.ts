import { DecodeError } from '../../json/decode-error.js';
import { type Dialect, domainName } from '../../meta/dialect.js';
import { decodeTyped } from '../../schema/decode.js';
import type { HorizontalPodAutoscaler } from './autoscaling-v2.types.js';
import { type OldMetrics, oldMetricsSchema } from './old-metrics-schema.js';

type Annotations = Readonly<Record<string, string>>;
type Behavior = NonNullable<HorizontalPodAutoscaler['spec']['behavior']>;

const NAMES = ['metrics', 'current-metrics', 'conditions', 'behavior'] as const;

const annotationName = (dialect: Dialect, name: string) => `autoscaling.alpha.${domainName(dialect, name)}`;

/** Returns the annotations without those in which autoscaling/v1 stores fields of autoscaling/v2; undefined when none are left. */
export function withoutOldMetrics(annotations: Annotations | undefined, dialect: Dialect): Annotations | undefined {
  const own: ReadonlySet<string> = new Set(NAMES.map((name) => annotationName(dialect, name)));
  if (!Object.keys(annotations ?? {}).some((key) => own.has(key))) return annotations;
  const others = Object.entries(annotations ?? {}).filter(([key]) => !own.has(key));
  return others.length === 0 ? undefined : Object.fromEntries(others);
}

/** Parses the annotations of an autoscaling/v1 object. An annotation that cannot be parsed is ignored. */
export function readOldMetrics(annotations: Annotations | undefined, dialect: Dialect): OldMetrics {
  const read: Record<string, unknown> = {};
  for (const name of NAMES) {
    const text = annotations?.[annotationName(dialect, name)];
    if (text !== undefined) Object.assign(read, readAnnotation(name, text));
  }
  return read as OldMetrics; // Every member was decoded with the schema of `OldMetrics`, so the cast is safe.
}

function readAnnotation(name: (typeof NAMES)[number], text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    return decodeTyped(oldMetricsSchema, { [name]: name === 'behavior' ? uncapitalizeNames(value) : value }).value;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof DecodeError) return {};
    throw error;
  }
}

/** Returns the annotations in which autoscaling/v1 stores the given fields of autoscaling/v2. */
export function writeOldMetrics(old: OldMetrics, dialect: Dialect): Annotations {
  const written: Record<string, string> = {};
  const { behavior } = old;
  for (const name of ['metrics', 'current-metrics', 'conditions'] as const)
    if ((old[name] ?? []).length > 0) written[annotationName(dialect, name)] = asText(old[name]);
  if (behavior) written[annotationName(dialect, 'behavior')] = asText(capitalizeNames(behavior));
  return written;
}

/** Returns JSON in which characters with a meaning in HTML are escaped, as Go does. */
function asText(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Returns the behavior in the form of upstream's internal type: with capitalized names, and null for absent members. */
function capitalizeNames({ scaleUp, scaleDown }: Behavior): object {
  const rules = (scalingRules: Behavior['scaleUp']) =>
    scalingRules === undefined
      ? null
      : {
          StabilizationWindowSeconds: scalingRules.stabilizationWindowSeconds ?? null,
          SelectPolicy: scalingRules.selectPolicy ?? null,
          Policies:
            scalingRules.policies?.map(({ type, value, periodSeconds }) => ({
              Type: type,
              Value: value,
              PeriodSeconds: periodSeconds,
            })) ?? null,
        };
  return { ScaleUp: rules(scaleUp), ScaleDown: rules(scaleDown) };
}

function uncapitalizeNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(uncapitalizeNames);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name.charAt(0).toLowerCase() + name.slice(1),
      uncapitalizeNames(member),
    ]),
  );
}
