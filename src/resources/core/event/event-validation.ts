import { equalJson } from '../../../json/equal.js';
import { type FieldError, fieldError, printed } from '../../../meta/field-error.js';
import { dns1123Subdomain, qualifiedName } from '../../../meta/names.js';
import { printGoSyntax } from '../../../schema/print-go-syntax.js';
import { printTime } from '../../../values/time.js';
import { isLongerThan } from '../../../values/utf8.js';
import { coreV1 } from '../core-v1.js';
import type { Event as CoreEvent } from '../core-v1.types.js';

const LIMIT = 128;
const NOTE_LIMIT = 1024;
const WRONG_NAMESPACE = 'does not match event.namespace';

/**
 * Checks the namespace of an event. Without `eventTime`, it must be the namespace of the involved object, or `default` if that object is
 * cluster-scoped. With `eventTime`, only events about cluster-scoped objects are checked: they must be in `default` or `kube-system`.
 */
function namespaceErrors({ metadata, involvedObject, eventTime }: CoreEvent): FieldError[] {
  const own = metadata.namespace ?? '';
  const about = involvedObject.namespace ?? '';
  let isValid: boolean;
  if (eventTime !== null) isValid = about !== '' || own === 'default' || own === 'kube-system';
  else isValid = about === '' ? own === '' || own === 'default' : about === own;
  return isValid ? [] : [fieldError.invalid('involvedObject.namespace', about, WRONG_NAMESPACE)];
}

function neededText(path: string, value: string): FieldError[] {
  if (value === '') return [fieldError.required(path)];
  return isLongerThan(value, LIMIT) ? [fieldError.invalid(path, '', `can have at most ${LIMIT} characters`)] : [];
}

/** Checks the rules that apply in the groups core and events. Only an event with `eventTime` must name its reporter. */
export function validateCoreEvent(
  event: CoreEvent,
  controllerField: 'reportingComponent' | 'reportingController',
): FieldError[] {
  const errors = namespaceErrors(event);
  if (event.eventTime !== null) {
    const controller = event.reportingComponent;
    if (controller === '') errors.push(fieldError.required(controllerField));
    for (const message of qualifiedName(controller))
      errors.push(fieldError.invalid(controllerField, controller, message));
    errors.push(...neededText('reportingInstance', event.reportingInstance));
    errors.push(...neededText('action', event.action ?? ''));
    errors.push(...neededText('reason', event.reason ?? ''));
    if (isLongerThan(event.message ?? '', NOTE_LIMIT))
      errors.push(fieldError.invalid('message', '', `can have at most ${NOTE_LIMIT} characters`));
  }
  const namespace = event.metadata.namespace ?? '';
  for (const message of dns1123Subdomain(namespace)) errors.push(fieldError.invalid('namespace', namespace, message));
  return errors;
}

function seriesErrors({ series }: CoreEvent): FieldError[] {
  if (!series) return [];
  const errors = (series.count ?? 0) < 2 ? [fieldError.invalid('series.count', '', 'should be at least 2')] : [];
  return series.lastObservedTime === null ? [...errors, fieldError.required('series.lastObservedTime')] : errors;
}

/** Checks a new event by the additional rules of the group events. As in upstream, paths contain the field names of the core group. */
export function validateNewEvent(event: CoreEvent): FieldError[] {
  const errors = validateCoreEvent(event, 'reportingController');
  const { eventTime, type = '', firstTimestamp, lastTimestamp, count, source } = event;
  errors.push(...seriesErrors(event));
  if (eventTime === null) errors.push(fieldError.required('eventTime'));
  if (type !== 'Normal' && type !== 'Warning')
    errors.push(fieldError.invalid('type', '', `has invalid value: ${type}`));
  const old = {
    firstTimestamp: firstTimestamp !== null,
    lastTimestamp: lastTimestamp !== null,
    count: (count ?? 0) !== 0,
    source: !equalJson(source, {}),
  };
  for (const [path, set] of Object.entries(old))
    if (set) errors.push(fieldError.invalid(path, '', 'needs to be unset'));
  return errors;
}

const FIXED = [
  'involvedObject',
  'reason',
  'message',
  'source',
  'firstTimestamp',
  'lastTimestamp',
  'count',
  'reason', // As in upstream, a change of `reason` is reported twice.
  'type',
  'eventTime',
  'action',
  'related',
  'reportingComponent',
  'reportingInstance',
] as const;

/** Formats the value of a field for error messages. */
function printFixed(event: CoreEvent, field: (typeof FIXED)[number]): unknown {
  switch (field) {
    case 'involvedObject':
    case 'related':
      return event[field] ? printed(printGoSyntax(coreV1.struct('ObjectReference'), event[field])) : undefined;
    case 'source':
      return printed(printGoSyntax(coreV1.struct('EventSource'), event.source));
    case 'firstTimestamp':
    case 'lastTimestamp':
    case 'eventTime':
      return printed(printTime(event[field] ?? '0001-01-01T00:00:00Z'));
    case 'count':
      return event.count ?? 0;
    default:
      return event[field] ?? '';
  }
}

/** Checks that an update in the group events changes nothing but the series. */
export function validateEventUpdate(next: CoreEvent, old: CoreEvent): FieldError[] {
  const errors = validateCoreEvent(next, 'reportingController');
  if (!equalJson(next.series, old.series)) errors.push(...seriesErrors(next));
  for (const field of FIXED) {
    const path = field === 'reportingComponent' ? 'reportingController' : field;
    if (!equalJson(next[field], old[field]))
      errors.push(fieldError.invalid(path, printFixed(next, field), 'field is immutable'));
  }
  return errors;
}
