// The checks of a running deployment: the demo, mutual TLS, the operator's doctor, Prometheus.
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { run } from './shell.mjs';

const runBuilt = async ({ root }, script, args, env = {}) => {
  const file = join(root, script);
  if (!existsSync(file)) throw new Error('build the project first: npm run build');
  return run(join(root, 'node_modules/node/bin/node'), [file, ...args], { env });
};

/** Plays the demo from this machine against the gateway's own port. */
export const playDemo = async (deployment) =>
  runBuilt(deployment, 'tools/sandbox/dist/demo/main.js', ['--base-url', deployment.baseUrl]);

/** Plays the demo through the TLS proxy with a client certificate, as the how-to describes. */
export const playDemoThroughEdge = async (deployment) => {
  const said = await deployment.compose('--profile', 'demo', 'run', '--rm', '-T', 'demo');
  if (!said.includes('Everything was as the contract says.')) throw new Error(said);
};

/** Copies the certificates that the proxy uses. Returns them as options of Node's `tls`. */
export const readTls = async (deployment) => {
  const [edge = ''] = await deployment.instances('edge');
  const folder = join(deployment.folder, 'certificates');
  mkdirSync(folder, { recursive: true });
  await deployment.engine.docker('cp', `${edge}:/run/secrets/xs2a/.`, folder);
  const read = (name) => readFileSync(join(folder, name), 'utf8');
  return {
    ca: read('trust-anchors.pem'),
    identity: { certificate: read('tpp.crt'), privateKey: read('tpp.key') },
  };
};

/** Checks that a token request without a client certificate is refused, through the proxy and around it. */
export const checkCertificateIsRequired = async (deployment) => {
  const { ca } = await readTls(deployment);
  const { sendOverTls } = await import(join(deployment.root, 'libs/tpp-client/dist/tls-send.js'));
  const path = '/oauth2/token';
  const through = await sendOverTls({ ca })('POST', `${deployment.baseUrl}${path}`);
  const past = await fetch(`http://127.0.0.1:${deployment.ports.gateway}${path}`, { method: 'POST' });
  for (const { status } of [through, past])
    if (status !== 401) throw new Error(`a call without a certificate is answered ${status}`);
};

/** Returns doctor's output. By a sandbox's rules every check has to pass. */
export const askDoctor = async (deployment) => {
  const env = {
    DATABASE_URL: deployment.address('postgres', 'xs2a_owner', 'POSTGRES_PASSWORD_OWNER', '/xs2a'),
    NATS_URL: deployment.address('nats', 'operator', 'NATS_PASSWORD_OPERATOR'),
    PROFILE: 'sandbox',
    SANDBOX: 'true',
  };
  return runBuilt(deployment, 'apps/operator-cli/dist/main.js', ['doctor', '--deep'], env);
};

/** Returns the number of instances that Prometheus reads and of its rules. Throws while an instance is down. */
export const askPrometheus = async (deployment) => {
  const ask = async (path) => {
    const response = await fetch(`http://127.0.0.1:${deployment.ports.prometheus}/api/v1/${path}`);
    return (await response.json()).data;
  };
  for (let tries = 0; ; tries += 1) {
    // Prometheus is starting: the next try reads again, and the last one reports missing targets.
    const { activeTargets = [] } = (await ask('targets?state=active').catch(() => undefined)) ?? {};
    const down = activeTargets.filter(({ health }) => health !== 'up');
    if (activeTargets.length > 0 && down.length === 0) {
      const { groups } = await ask('rules');
      const rules = groups.flatMap((group) => group.rules).length;
      return `${activeTargets.length} instances are read, ${rules} rules`;
    }
    if (tries === 60) throw new Error(`not read: ${down.map(({ scrapeUrl }) => scrapeUrl)}`);
    await wait(1000);
  }
};
