import type { ApiObject, ObjectMeta } from '../../meta/object-meta.js';
import type { Containers } from '../../resources/core/pod/pod-containers.js';

interface Profile {
  readonly type: string;
}
export interface SharedContext {
  readonly seccompProfile?: Profile;
  readonly appArmorProfile?: Profile;
  readonly runAsNonRoot?: boolean;
  readonly runAsUser?: number;
  readonly windowsOptions?: { readonly hostProcess?: boolean };
  readonly seLinuxOptions?: { readonly type?: string; readonly user?: string; readonly role?: string };
}

export interface SecuredContainer {
  readonly name: string;
  readonly image?: string;
  readonly ports?: readonly { readonly hostPort?: number }[];
  readonly securityContext?: SharedContext & {
    readonly privileged?: boolean;
    readonly allowPrivilegeEscalation?: boolean;
    readonly procMount?: string;
    readonly capabilities?: { readonly add?: readonly string[]; readonly drop?: readonly string[] };
  };
}

/** The fields of a pod's spec that affect the security of its node. */
export interface SecuredSpec extends Containers<SecuredContainer> {
  readonly hostNetwork?: boolean;
  readonly hostPID?: boolean;
  readonly hostIPC?: boolean;
  readonly hostUsers?: boolean;
  readonly os?: { readonly name?: string };
  readonly runtimeClassName?: string;
  readonly volumes?: readonly ({ readonly name: string } & object)[];
  readonly securityContext?: SharedContext & { readonly sysctls?: readonly { readonly name: string }[] };
}

/** A pod or a pod template. */
export interface SecuredPod {
  readonly metadata?: Pick<ObjectMeta, 'annotations'>;
  readonly spec: SecuredSpec;
}
export type SecuredPodObject = ApiObject & SecuredPod;
