/** Returns what a client needs to connect to a listener. Clients and the bare server use the same certificates. */
export const accessTo = async (listener) => accessOf(await listener.kubeconfig(), listener.port);

/** Returns the same from a kubeconfig, for the server at a port. */
export function accessOf(kubeconfig, port) {
  const field = (name) => Buffer.from(new RegExp(`${name}: (\\S+)`).exec(kubeconfig)[1], 'base64').toString();
  return {
    port,
    ca: field('certificate-authority-data'),
    cert: field('client-certificate-data'),
    key: field('client-key-data'),
  };
}
