import { errorsOf, type FieldError, fieldError } from '../../../../meta/field-error.js';
import type { Container, Volume } from '../../core-v1.types.js';
import { validateDescendingPath, validateNoBackSteps } from '../../volumes/volume-source-rules.js';

type Mount = NonNullable<Container['volumeMounts']>[number];

/** The volumes of a pod that containers can use, by name. */
export type Volumes = ReadonlyMap<string, Volume>;

/** Returns the validation errors of a container's volume mounts. */
export function validateMounts(path: string, container: Container, volumes: Volumes): FieldError[] {
  const { volumeMounts = [], volumeDevices = [] } = container;
  const seen = new Set<string>();
  const devices = new Map(volumeDevices.map(({ name, devicePath }) => [name, devicePath]));
  const devicePaths = new Set(devices.values());
  return errorsOf(volumeMounts, (mount, i) => {
    const { name, mountPath, subPath = '', subPathExpr = '' } = mount;
    const at = `${path}[${i}]`;
    const errors: FieldError[] = name === '' ? [fieldError.required(`${at}.name`)] : [];
    if (!volumes.has(name)) errors.push(fieldError.notFound(`${at}.name`, name));
    if (mountPath === '') errors.push(fieldError.required(`${at}.mountPath`));
    if (seen.has(mountPath)) errors.push(fieldError.invalid(`${at}.mountPath`, mountPath, 'must be unique'));
    seen.add(mountPath);
    if (devices.has(name))
      errors.push(fieldError.invalid(`${at}.name`, name, 'must not already exist in volumeDevices'));
    if (devicePaths.has(mountPath))
      errors.push(
        fieldError.invalid(`${at}.mountPath`, mountPath, 'must not already exist as a path in volumeDevices'),
      );
    if (volumes.get(name)?.image)
      for (const [field, value] of Object.entries({ subPath, subPathExpr }))
        if (value !== '')
          errors.push(fieldError.invalid(`${at}.${field}`, value, 'not allowed in image volume sources'));
    // As in upstream, errors of `subPath` and `subPathExpr` have the path of the list.
    if (subPath !== '') errors.push(...validateDescendingPath(`${path}.subPath`, subPath));
    if (subPathExpr !== '') {
      if (subPath !== '')
        errors.push(
          fieldError.invalid(`${at}.subPathExpr`, subPathExpr, 'subPathExpr and subPath are mutually exclusive'),
        );
      errors.push(...validateDescendingPath(`${path}.subPathExpr`, subPathExpr));
    }
    errors.push(...validatePropagation(`${path}.mountPropagation`, mount, container));
    return [...errors, ...validateReadOnly(`${path}.recursiveReadOnly`, mount)];
  });
}

const PROPAGATIONS = ['Bidirectional', 'HostToContainer', 'None'];

function validatePropagation(path: string, mount: Mount, { securityContext }: Container): FieldError[] {
  const { mountPropagation: mode } = mount;
  if (mode === undefined) return [];
  if (!PROPAGATIONS.includes(mode)) return [fieldError.notSupported(path, mode, PROPAGATIONS)];
  if (mode !== 'Bidirectional' || securityContext?.privileged === true) return [];
  return [fieldError.forbidden(path, 'Bidirectional mount propagation is available only to privileged containers')];
}

function validateReadOnly(path: string, { recursiveReadOnly, readOnly, mountPropagation }: Mount): FieldError[] {
  switch (recursiveReadOnly) {
    case undefined:
    case 'Disabled':
      return [];
    case 'Enabled':
    case 'IfPossible': {
      const errors = readOnly ? [] : [fieldError.forbidden(path, 'may only be specified when readOnly is true')];
      if (mountPropagation !== undefined && mountPropagation !== 'None')
        errors.push(fieldError.forbidden(path, 'may only be specified when mountPropagation is None or not specified'));
      return errors;
    }
    default:
      return [fieldError.notSupported(path, recursiveReadOnly, ['Disabled', 'Enabled', 'IfPossible'])];
  }
}

/** Returns the validation errors of a container's block devices, which must be claims. */
export function validateDevices(path: string, container: Container, volumes: Volumes): FieldError[] {
  const { volumeMounts = [], volumeDevices = [] } = container;
  const mounts = new Map(volumeMounts.map(({ name, mountPath }) => [name, mountPath]));
  const mountPaths = new Set(mounts.values());
  const [names, paths] = [new Set<string>(), new Set<string>()];
  return errorsOf(volumeDevices, ({ name, devicePath }, i) => {
    const at = `${path}[${i}]`;
    const volume = volumes.get(name);
    const errors: FieldError[] = [];
    const ofName = (why: string) => errors.push(fieldError.invalid(`${at}.name`, name, why));
    const ofPath = (why: string) => errors.push(fieldError.invalid(`${at}.devicePath`, devicePath, why));
    if (name === '') errors.push(fieldError.required(`${at}.name`));
    if (names.has(name)) ofName('must be unique');
    if (volume && !volume.persistentVolumeClaim && !volume.ephemeral)
      ofName('can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode');
    if (!volume) errors.push(fieldError.notFound(`${at}.name`, name));
    if (devicePath === '') errors.push(fieldError.required(`${at}.devicePath`));
    if (paths.has(devicePath)) ofPath('must be unique');
    if (validateNoBackSteps('', devicePath).length > 0) ofPath("can not contain backsteps ('..')");
    else paths.add(devicePath);
    if (mounts.has(name)) ofName('must not already exist in volumeMounts');
    if (mountPaths.has(devicePath)) ofPath('must not already exist as a path in volumeMounts');
    if (name !== '') names.add(name);
    return errors;
  });
}
