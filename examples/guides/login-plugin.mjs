// A credential plug-in. It logs in at an OpenID Connect issuer, and prints the token for the client that started it.
const { ISSUER, LOGIN, PASSWORD, ORCH_EXEC_INFO = '{}' } = process.env;

const discovery = await (await fetch(`${ISSUER}/.well-known/openid-configuration`)).json();
const answer = await fetch(discovery.token_endpoint, {
  method: 'POST',
  body: new URLSearchParams({
    grant_type: 'password',
    scope: 'openid',
    username: LOGIN ?? '',
    password: PASSWORD ?? '',
  }),
});
const { error, id_token: token, expires_in: seconds } = await answer.json();
if (error) {
  console.error(`${LOGIN} could not log in: ${error}`);
  process.exit(1);
}
const expirationTimestamp = new Date(Date.now() + seconds * 1000).toISOString();
const { apiVersion } = JSON.parse(ORCH_EXEC_INFO);
console.log(JSON.stringify({ apiVersion, kind: 'ExecCredential', status: { token, expirationTimestamp } }));
