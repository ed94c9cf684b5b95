/** What a client needs to know of a listener: clients and the bare server use the same certificates. */
export async function accessTo(listener) {
  const kubeconfig = await listener.kubeconfig();
  const field = (name) => Buffer.from(new RegExp(`${name}: (\\S+)`).exec(kubeconfig)[1], 'base64').toString();
  return {
    port: listener.port,
    ca: listener.certificateAuthority,
    cert: field('client-certificate-data'),
    key: field('client-key-data'),
  };
}
