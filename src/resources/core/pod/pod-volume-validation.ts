import { errorsOf, type FieldError, fieldError, isFull } from '../../../meta/field-error.js';
import { dns1123Label, dns1123Subdomain } from '../../../meta/names.js';
import { checked, named } from '../../fragments/value-rules.js';
import { needed, noBackSteps } from '../volumes/volume-source-rules.js';
import type { Volume } from './pod-volume.js';

interface KeyToPath {
  readonly key?: string;
  readonly path: string;
  readonly mode?: number;
}

/** Permission bits. */
function validateMode(path: string, mode: number | undefined): FieldError[] {
  if (mode === undefined || (mode >= 0 && mode <= 0o777)) return [];
  return [fieldError.invalid(path, mode, 'must be a number between 0 and 0777 (octal), both inclusive')];
}

/** A file below the mount. */
function validateFile(path: string, file: string): FieldError[] {
  if (file === '') return [fieldError.required(path)];
  const errors = file.startsWith('/') ? [fieldError.invalid(path, file, 'must be a relative path')] : [];
  errors.push(...noBackSteps(path, file));
  if (file.startsWith('..') && errors.length === 0)
    errors.push(fieldError.invalid(path, file, "must not start with '..'"));
  return errors;
}

function validateItems(path: string, items: readonly KeyToPath[] = []): FieldError[] {
  return errorsOf(items, ({ key, path: file, mode }, i) => [
    ...needed(`${path}[${i}].key`, key),
    ...validateFile(`${path}[${i}].path`, file),
    ...validateMode(`${path}[${i}].mode`, mode),
  ]);
}

function validateProjected(path: string, { sources = [], defaultMode }: NonNullable<Volume['projected']>) {
  const errors = validateMode(`${path}.defaultMode`, defaultMode);
  for (const [i, source] of sources.entries()) {
    if (isFull(errors)) break;
    const at = `${path}.sources[${i}]`;
    const given = Object.keys(source);
    if (given.length > 1) errors.push(fieldError.forbidden(at, 'may not specify more than 1 volume type'));
    const { secret, configMap, serviceAccountToken: token } = source;
    for (const [field, from] of Object.entries({ secret, configMap }))
      if (from)
        errors.push(...needed(`${at}.${field}.name`, from.name), ...validateItems(`${at}.${field}.items`, from.items));
    if (!token) continue;
    errors.push(...validateLifetime(`${at}.serviceAccountToken.expirationSeconds`, token.expirationSeconds));
    errors.push(...validateFile(`${at}.serviceAccountToken.path`, token.path));
  }
  return errors;
}

/** Seconds a token may live. */
function validateLifetime(path: string, seconds = 0): FieldError[] {
  if (seconds < 600) return [fieldError.invalid(path, seconds, 'may not specify a duration less than 10 minutes')];
  return seconds > 2 ** 32
    ? [fieldError.invalid(path, seconds, 'may not specify a duration larger than 2^32 seconds')]
    : [];
}

function validateSource(path: string, volume: Volume): FieldError[] {
  const { hostPath, secret, configMap, persistentVolumeClaim, nfs, projected, csi, downwardAPI, ephemeral } = volume;
  const errors: FieldError[] = [];
  if (hostPath) {
    if (hostPath.path === '') errors.push(fieldError.required(`${path}.hostPath.path`));
    else errors.push(...noBackSteps(`${path}.hostPath`, hostPath.path));
  }
  if (secret) {
    errors.push(...needed(`${path}.secret.secretName`, secret.secretName));
    errors.push(...validateMode(`${path}.secret.defaultMode`, secret.defaultMode));
    errors.push(...validateItems(`${path}.secret.items`, secret.items));
  }
  if (nfs) {
    errors.push(...needed(`${path}.nfs.server`, nfs.server), ...needed(`${path}.nfs.path`, nfs.path));
    if (nfs.path !== '' && !nfs.path.startsWith('/'))
      errors.push(fieldError.invalid(`${path}.nfs.path`, nfs.path, 'must be an absolute path'));
  }
  if (persistentVolumeClaim)
    errors.push(...needed(`${path}.persistentVolumeClaim.claimName`, persistentVolumeClaim.claimName));
  if (configMap) {
    errors.push(...needed(`${path}.configMap.name`, configMap.name));
    errors.push(...validateMode(`${path}.configMap.defaultMode`, configMap.defaultMode));
    errors.push(...validateItems(`${path}.configMap.items`, configMap.items));
  }
  if (downwardAPI) errors.push(...validateMode(`${path}.downwardAPI.defaultMode`, downwardAPI.defaultMode));
  if (projected) errors.push(...validateProjected(`${path}.projected`, projected));
  if (csi) errors.push(...named(`${path}.csi.driver`, csi.driver, dns1123Subdomain));
  if (csi?.nodePublishSecretRef)
    errors.push(...needed(`${path}.csi.nodePublishSecretRef.name`, csi.nodePublishSecretRef.name));
  if (ephemeral && !ephemeral.volumeClaimTemplate)
    errors.push(fieldError.required(`${path}.ephemeral.volumeClaimTemplate`));
  return errors;
}

/** Problems of a pod's volumes, and the names of those that containers can mount: the ones without fault. */
export function validateVolumes(volumes: readonly Volume[]): {
  readonly errors: readonly FieldError[];
  readonly names: ReadonlySet<string>;
} {
  const names = new Set<string>();
  const errors = errorsOf(volumes, (volume, i) => {
    const path = `spec.volumes[${i}]`;
    const { name, ...sources } = volume;
    // The wire looks at an empty folder before the others.
    const [, ...more] = Object.keys(sources).sort((a, b) => Number(b === 'emptyDir') - Number(a === 'emptyDir'));
    const found = [
      ...validateSource(path, volume),
      ...more.map((source) => fieldError.forbidden(`${path}.${source}`, 'may not specify more than 1 volume type')),
      ...(name === '' ? [fieldError.required(`${path}.name`)] : checked(`${path}.name`, name, dns1123Label)),
    ];
    if (names.has(name)) found.push(fieldError.duplicate(`${path}.name`, name));
    if (found.length === 0) names.add(name);
    return found;
  });
  return { errors, names };
}
