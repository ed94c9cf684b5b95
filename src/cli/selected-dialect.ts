import { type Dialect, dialectOf } from '../meta/dialect.js';

export const selectedDialect = ({ dialect }: { readonly dialect: string }): Dialect =>
  dialectOf(dialect === 'k8s' ? 'k8s' : 'orch');
