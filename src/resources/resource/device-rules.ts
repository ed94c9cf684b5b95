/** The rules of what is asked of devices. They read expressions, which few servers are given. */
export const deviceRules = () => import('./device-validation.js');
